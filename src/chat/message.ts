// The texts that techne itself puts into a conversation, marked so that they are not taken for the person's.
//
// A mark cannot be ended from inside, and a person's text (or what they pasted) cannot contain one (prompt/marks.ts).
// Text of a skill is marked as such; results of runs and tools are data.
import { skillNote, skillText, unmarked } from '../prompt/marks.ts';

/** A message, and what the skills of the turn add to it. */
export function messageText(text: string, block: string): string {
  return block === '' ? unmarked(text) : `${unmarked(text)}\n\n${skillNote(block)}`;
}

/** `/name the rest`: the body of a skill that the person calls. */
export function invokedText(skill: string, body: string): string {
  return `<host_note about="skills">\nThe person calls the skill ${unmarked(JSON.stringify(skill))}. Do now what it says.\n</host_note>\n${skillText(skill, body.trimEnd())}`;
}

export function noteText(text: string): string {
  return `<host_note>\n${unmarked(text)}\n</host_note>`;
}

export function summaryText(summary: string, attached: string): string {
  const note =
    'The beginning of this conversation was summarised to make room. The person has not said this.';
  return `<host_note about="history">\n${note}\n</host_note>\n<chat_summary>\n${unmarked(summary)}\n</chat_summary>${attached === '' ? '' : `\n<skill_text>\n${unmarked(attached)}\n</skill_text>`}`;
}
