// The marks that techne puts around texts for a model, so that none is taken for another's.
//
//   <host_note>     from techne itself
//   <skill_text>    a skill: to be followed as far as it serves
//   <tool_output>   data of files, commands and other programs
//   <chat_summary>  what was said before, summarised
//
// M1. One list for whoever marks a text. What stands inside a mark can neither end it nor bring another one.
const marks = /<(?=\s*\/?\s*(?:host_note|skill_text|tool_output|chat_summary)\b)/gi;

/** Text of others, without marks of ours. */
export function unmarked(text: string): string {
  return text.replaceAll(marks, '&lt;');
}

/** What the skills of a turn add to a message. */
export function skillNote(block: string): string {
  return `<host_note about="skills">\n${unmarked(block)}\n</host_note>`;
}
