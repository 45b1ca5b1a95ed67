// The marks that techne puts around texts for a model, so that none is taken for another's.
//
//   <host_note>     from techne itself
//   <skill_text>    a skill: to be followed as far as it serves
//   <tool_output>   data of files, commands and other programs
//   <chat_summary>  what was said before, summarised
//
// M1. One list for whoever marks a text. What stands inside a mark can neither end it nor bring another one.
// M2. A mark is what a model would take for one: also with characters in it that nobody sees, or in wide letters.
const names = ['host_note', 'skill_text', 'tool_output', 'chat_summary'];

const unseen = String.raw`[\p{Cf}\p{Default_Ignorable_Code_Point}]*`;
const blank = String.raw`[\s\p{Cf}\p{Default_Ignorable_Code_Point}]*`;
const wide = (sign: string): string => `[${sign}${String.fromCodePoint((sign.codePointAt(0) as number) + 0xfee0)}]`;
const spelt = names.map((name) => Array.from(name, wide).join(unseen)).join('|');
// No two parts of it can take the same blanks in turn: a long row of them is looked at twice, and not by its square.
const marks = new RegExp(`${wide('<')}(?=(?:${blank}${wide('/')})?${blank}(?:${spelt})(?!${unseen}[\\p{L}\\p{N}_]))`, 'giu');

/** Text of others, without marks of ours. */
export function unmarked(text: string): string {
  return text.replaceAll(marks, '&lt;');
}

/** What the skills of a turn add to a message. */
export function skillNote(block: string): string {
  return `<host_note about="skills">\n${unmarked(block)}\n</host_note>`;
}

/** The body of a skill. */
export function skillText(skill: string, body: string): string {
  return `<skill_text skill=${unmarked(JSON.stringify(skill))}>\n${unmarked(body)}\n</skill_text>`;
}
