// Half surrogate pairs: slicing can leave them in a string, and no encoding of text can hold them.
//
// They stay as they are inside a program. Whatever leaves it as text (UTF-8 bytes, JSON, data for the host), and
// whatever comes in, has U+FFFD in their place.

/** Newer than the library that TypeScript is reported of, older than every engine that is supported. */
interface WellFormed {
  toWellFormed(): string;
}

/** `text` with each half of a surrogate pair replaced by U+FFFD. */
export function wellFormed(text: string): string {
  return (text as unknown as WellFormed).toWellFormed();
}
