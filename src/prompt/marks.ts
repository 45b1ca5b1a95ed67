// The marks that techne puts around texts for a model, so that none is taken for another's.
//
//   <host_note>     from techne itself
//   <skill_text>    a skill: to be followed as far as it serves
//   <tool_output>   data of files, commands and other programs
//   <chat_summary>  the earlier conversation, summarised
//
// This is the only list of marks. Text inside a mark can neither end it nor begin another one. A mark is anything that
// a model would take for one: also with blanks or invisible characters in it, or in letters and signs that look alike
// (mark-letters.ts). The time is linear: reading from one opening sign never passes the next one.
import { drawnLetters } from './mark-letters.ts';

const names = ['host_note', 'skill_text', 'tool_output', 'chat_summary'];

/** Less-than signs, and single angle brackets that are drawn like one. */
const openings = /[<\u02c2\u1438\u2039\u226e\u2329\u276c\u276e\u2770\u27e8\u3008\ufe64\uff1c]/g;
const slashes = '/\\\u2044\u2215\u2216\u2571\u2572\u27cb\u27cd\u29f8\u29f9';
/** Letters and unseen characters to Unicode, and drawn as blanks: fillers of Hangul. */
const fillers = String.raw`\u115f\u1160\u3164\uffa0`;
/** What makes a longer word of a name, also behind invisible characters. */
const goesOn = new RegExp(`^(?![${fillers}])[\\p{L}\\p{N}_]$`, 'u');
const unseen = new RegExp(`^(?![${fillers}])[\\p{Cf}\\p{Default_Ignorable_Code_Point}]$`, 'u');

/** Text of others, without marks of ours. */
export function unmarked(text: string): string {
  return text.replaceAll(openings, (sign, at: number) => (isMark(text, at + 1) ? '&lt;' : sign));
}

/** Whether slashes, blanks and the name of a mark come at `from`, in this order. */
function isMark(text: string, from: number): boolean {
  let spelt = '';
  for (let at = from; at < text.length;) {
    const character = String.fromCodePoint(text.codePointAt(at) as number);
    at += character.length;
    const letters = drawnLetters(character);
    if (letters === '' || (spelt === '' && slashes.includes(letters))) continue;
    spelt += letters;
    if (names.includes(spelt)) return !isLongerWord(text, at);
    if (!names.some((name) => name.startsWith(spelt))) return false;
  }
  return false;
}

function isLongerWord(text: string, from: number): boolean {
  for (let at = from; at < text.length;) {
    const character = String.fromCodePoint(text.codePointAt(at) as number);
    if (!unseen.test(character)) return goesOn.test(character);
    at += character.length;
  }
  return false;
}

/** What the skills of a turn add to a message. */
export function skillNote(block: string): string {
  return `<host_note about="skills">\n${unmarked(block)}\n</host_note>`;
}

/** The body of a skill. */
export function skillText(skill: string, body: string): string {
  return `<skill_text skill=${unmarked(JSON.stringify(skill))}>\n${unmarked(body)}\n</skill_text>`;
}
