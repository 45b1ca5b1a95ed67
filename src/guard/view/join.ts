// A text with what was split put together.
//
//   prose: line ends, list marks, quotation and comment marks -> one space
//   literals: "cu" + "rl", "cu" "rl", c''url, c\url, continued lines, \x63 \u0063 \143 %63 -> curl
//
// Both keep the order of what they keep. `null`: nothing was split.
import type { Mapped } from './mapped-text.ts';
import { MappedBuilder } from './mapped-text.ts';

/** A line end with the marks that the next line begins with, or more than one blank. */
const lineEnds =
  /[ \t]{0,40}\r?\n[ \t\r\n]{0,200}(?:(?:>|#{1,6}|\/\/[/!]?|\*|-|\+|--|;|%|\d{1,3}[.)])[ \t]{1,8}){0,4}|[ \t]{2,400}/g;

export function joinProse(text: string): Mapped | null {
  const builder = new MappedBuilder(text);
  let changed = false;
  for (const match of text.matchAll(lineEnds)) {
    changed = true;
    builder.copyTo(match.index, match.index + match[0].length);
    builder.put(' ', match.index);
  }
  if (!changed) return null;
  builder.copyTo(text.length);
  return builder.finish();
}

/**
 * In turn: an operator between two literals; two literals side by side; a continued line; empty quotes, a backslash or a
 * backtick inside a word; an escape.
 */
const splits =
  /(["'`])[ \t]{0,8}(?:\\?\r?\n[ \t]{0,40})?(?:\+|\.\.?|&|,(?=[ \t]{0,8}["'`][^"'`\n]{0,4}["'`]))[ \t]{0,8}(?:\\?\r?\n[ \t]{0,40})?\1|(["'])[ \t]{1,8}(?:\\?\r?\n[ \t]{0,40})?\2(?=\w)|(["'])\r?\n[ \t]{1,40}\3(?=\w)|[ \t]{0,8}[\\`^]\r?\n[ \t]{0,40}|(?<=\w)(?:''|""|\$@|\$\*|\$\{[a-z]{1,2}\})(?=\w)|(?<=\w)["'](?=\w{1,40}["']\w)|(?<=\w["']\w{1,40})["'](?=\w)|(?<=[A-Za-z])[`^](?=[A-Za-z])|(?<=(?:^|[\s;|&(`"'])[a-z]{1,12})\\(?=[a-z]{2})|\\x([0-9a-fA-F]{2})|\\u([0-9a-fA-F]{4})|\\u\{([0-9a-fA-F]{1,6})\}|\\([0-7]{3})|%([2-7][0-9a-fA-F])|\$'(?=[^'\n]{0,400}')/gm;

export function joinLiterals(
  text: string,
): { readonly mapped: Mapped; readonly ways: readonly string[] } | null {
  if (!/["'`\\%]/.test(text)) return null;
  const builder = new MappedBuilder(text);
  let joins = 0;
  let escapes = 0;
  for (const match of text.matchAll(splits)) {
    const [all, , , , hex, unicode, wide, octal, percent] = match;
    const digits = hex ?? unicode ?? wide ?? percent;
    const point =
      digits !== undefined
        ? Number.parseInt(digits, 16)
        : octal !== undefined
          ? Number.parseInt(octal, 8)
          : null;
    if (point !== null && (point < 9 || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff))) continue;
    if (point === null) joins += 1;
    else escapes += 1;
    builder.copyTo(match.index, match.index + all.length);
    if (point === null) builder.put(all.startsWith("$'") ? "'" : '', match.index);
    else builder.decoded(String.fromCodePoint(point), match.index, match.index + all.length);
  }
  if (joins === 0 && escapes === 0) return null;
  builder.copyTo(text.length);
  return {
    mapped: builder.finish(),
    ways: [...(joins > 0 ? ['split-literals'] : []), ...(escapes > 0 ? ['escapes'] : [])],
  };
}
