// Half surrogate pairs: slicing can leave them in a string, and no encoding of text can hold them.
//
// They stay as they are inside a program. Whatever leaves it as text (UTF-8 bytes, JSON, data for the host), and
// whatever comes in, has U+FFFD in their place.

// In `u` mode a whole pair is one character of another category, so only halves match.
const half = /\p{Cs}/u;
const halves = /\p{Cs}/gu;

/** `text` with each half of a surrogate pair replaced by U+FFFD. */
export function wellFormed(text: string): string {
  return half.test(text) ? text.replace(halves, '\ufffd') : text;
}
