// HTML back to text: entities, and tags that are dropped.
//
// Only the entities that people write are known by name; any other stays as it is written. Numbers are all known.
import type { Evaluation } from '../value/evaluation.ts';
import { isPythonSpace } from '../../python/text.ts';

const entities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', '\u00a0'],
  ['copy', '©'],
  ['reg', '®'],
  ['trade', '™'],
  ['hellip', '…'],
  ['mdash', '—'],
  ['ndash', '–'],
  ['lsquo', '‘'],
  ['rsquo', '’'],
  ['ldquo', '“'],
  ['rdquo', '”'],
  ['laquo', '«'],
  ['raquo', '»'],
  ['bull', '•'],
  ['middot', '·'],
  ['times', '×'],
  ['deg', '°'],
  ['euro', '€'],
  ['pound', '£'],
  ['yen', '¥'],
  ['cent', '¢'],
  ['sect', '§'],
  ['para', '¶'],
  ['larr', '←'],
  ['rarr', '→'],
]);

/** `html.unescape(text)` */
export function unescapeHtml(e: Evaluation, text: string): string {
  e.makeText(text.length);
  return text.replace(
    /&(?:#(\d{1,7}|[xX][0-9a-fA-F]{1,6});?|([a-z]{2,6});)/g,
    (all: string, number: string | undefined, name: string | undefined) => {
      if (name !== undefined) return entities.get(name) ?? all;
      const digits = number as string;
      const point = /^x/i.test(digits) ? Number.parseInt(digits.slice(1), 16) : Number(digits);
      return point === 0 || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)
        ? '\ufffd'
        : String.fromCodePoint(point);
    },
  );
}

/** Drops comments and tags, makes white space one blank, and unescapes. */
export function stripTags(e: Evaluation, text: string): string {
  e.work(1 + text.length);
  e.makeText(text.length);
  const bare = dropBetween(dropBetween(text, '<!--', '-->'), '<', '>');
  let words = '';
  let isGap = false;
  for (let at = 0; at < bare.length; at += 1) {
    if (isPythonSpace(bare.charCodeAt(at))) {
      isGap = words !== '';
      continue;
    }
    words += isGap ? ` ${bare[at]}` : bare[at];
    isGap = false;
  }
  return unescapeHtml(e, words);
}

/** Without what is from an `open` up to the next `close`; an `open` that is never closed stays. */
function dropBetween(text: string, open: string, close: string): string {
  let result = '';
  let at = 0;
  for (let from = text.indexOf(open); from >= 0; from = text.indexOf(open, at)) {
    const end = text.indexOf(close, from + open.length);
    if (end < 0) break;
    result += text.slice(at, from);
    at = end + close.length;
  }
  return result + text.slice(at);
}
