// The variables of a trigger: {topic}, {文本}.
//
// V1. A name is of letters of any script, digits, "_" and "-", and does not begin with a digit or "-": as the keys of inputs,
//     which the words that it captures go to.
// V2. Whoever reads a phrase reads it with this pattern: a name that one accepts and another does not is a literal for one
//     of them, so that the trigger never fits.

/** With blanks around the name, which is the first group. */
export const triggerVariable = /\{\s*([\p{L}_][\p{L}\p{M}\p{N}_-]*)\s*\}/gu;

export function isVariableName(text: string): boolean {
  return /^[\p{L}_][\p{L}\p{M}\p{N}_-]*$/u.test(text);
}
