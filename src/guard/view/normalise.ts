// A text as a person would read it.
//
//   text -> without invisible characters, look-alikes and styled letters as plain ones, entities decoded, markup inside words removed
//
// What it changes is noted as hidden where it is not usual. `null`: nothing changes.
import type { HiddenText, Language } from '../detector.ts';
import { foldCharacter, isLookAlike, isStyledLetter } from './confusables.ts';
import { invisibleRuns } from './invisible.ts';
import type { Mapped } from './mapped-text.ts';
import { MappedBuilder, within } from './mapped-text.ts';

export interface Normalised {
  readonly mapped: Mapped;
  readonly ways: readonly string[];
}

export type Note = (hidden: HiddenText) => void;

const notAscii = /[^\0-\x7f]/;

export function normalise(text: string, language: Language, note: Note): Normalised | null {
  const ways = new Set<string>();
  let mapped: Mapped | null = null;
  if (language === 'markdown' || language === 'html' || language === 'text' || language === 'yaml') {
    mapped = withoutMarkup(text, ways, note);
  }
  const marked = mapped?.text ?? text;
  if (notAscii.test(marked)) {
    const outer = mapped;
    const plain = withPlainLetters(
      marked,
      ways,
      outer === null
        ? note
        : (hidden) =>
            note({ ...hidden, start: outer.rawOffset(hidden.start), end: outer.rawOffset(hidden.end) }),
    );
    if (plain !== null) mapped = outer === null ? plain : within(outer, plain);
  }
  return mapped === null ? null : { mapped, ways: [...ways] };
}

const entityOrMarkup =
  /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z]{2,8}));|(?<=[A-Za-z])(?:\*{1,3}|`{1,2}|~~|\\|(?:<!--[^>]{0,200}-->|<\/?[A-Za-z][^<>\n]{0,100}>){1,4})(?=[A-Za-z])/g;

const entities: { readonly [name: string]: string } = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  shy: '',
  zwnj: '',
  zwj: '',
  Tab: '\t',
  NewLine: '\n',
  colon: ':',
  sol: '/',
  bsol: '\\',
  period: '.',
  comma: ',',
  lpar: '(',
  rpar: ')',
  dollar: '$',
  num: '#',
  vert: '|',
  excl: '!',
  lowbar: '_',
  hyphen: '-',
  dash: '-',
  semi: ';',
  equals: '=',
  quest: '?',
};

/** Letters written as entities are hidden text: there is no need for `&#105;`. */
function withoutMarkup(text: string, ways: Set<string>, note: Note): Mapped | null {
  const builder = new MappedBuilder(text);
  let letters: { start: number; end: number; count: number } | null = null;
  const endLetters = (): void => {
    if (letters !== null && letters.count >= 3) {
      const { start, end } = letters;
      note({
        rule: 'HIDDEN_ENTITIES',
        way: 'entity',
        start,
        end,
        decoded: decodeEntities(text.slice(start, end)),
      });
    }
    letters = null;
  };
  let changed = false;
  for (const match of text.matchAll(entityOrMarkup)) {
    const start = match.index;
    const end = start + match[0].length;
    const put = match[0].startsWith('&') ? entityText(match) : '';
    if (put === null) continue;
    changed = true;
    if (match[0].startsWith('&')) {
      ways.add('entity');
      if (/^[A-Za-z0-9]$/.test(put)) {
        if (letters !== null && start - letters.end <= 12)
          letters = { start: letters.start, end, count: letters.count + 1 };
        else {
          endLetters();
          letters = { start, end, count: 1 };
        }
      }
    } else {
      ways.add('markup-in-word');
    }
    builder.copyTo(start, end);
    builder.put(put, start);
  }
  endLetters();
  if (!changed) return null;
  builder.copyTo(text.length);
  return builder.finish();
}

function entityText(match: RegExpMatchArray): string | null {
  const [, decimal, hex, name] = match;
  if (name !== undefined) return Object.hasOwn(entities, name) ? (entities[name] as string) : null;
  const point = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal);
  return point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff)
    ? String.fromCodePoint(point)
    : null;
}

function decodeEntities(text: string): string {
  return text.replace(entityOrMarkup, (found, decimal: string, hex: string, name: string) =>
    found.startsWith('&')
      ? (entityText([found, decimal, hex, name] as unknown as RegExpMatchArray) ?? found)
      : '',
  );
}

const letter = /[A-Za-z]/;
const lookAlikeRun = /[^\0-\x7f]+/gu;
const wordAround = 40;

function withPlainLetters(text: string, ways: Set<string>, note: Note): Mapped | null {
  // First without what is invisible, so that words are whole when letters are compared.
  const builder = new MappedBuilder(text);
  let changed = false;
  for (const run of invisibleRuns(text)) {
    changed = true;
    for (const way of run.ways) ways.add(way);
    builder.copyTo(run.start, run.end);
    if (!run.usual) noteRun(text, run, note);
  }
  let mapped: Mapped | null = null;
  if (changed) {
    builder.copyTo(text.length);
    mapped = builder.finish();
  }
  const seen = mapped?.text ?? text;
  const folded = foldLetters(seen, ways, (hidden) =>
    note(
      mapped === null
        ? hidden
        : { ...hidden, start: mapped.rawOffset(hidden.start), end: mapped.rawOffset(hidden.end) },
    ),
  );
  if (folded === null) return mapped;
  return mapped === null ? folded : within(mapped, folded);
}

function foldLetters(text: string, ways: Set<string>, note: Note): Mapped | null {
  const builder = new MappedBuilder(text);
  let changed = false;
  let noted = -1;
  for (const run of text.matchAll(lookAlikeRun)) {
    let at = run.index;
    for (const character of run[0]) {
      const point = character.codePointAt(0) as number;
      const plain = foldCharacter(point);
      if (plain !== null) {
        changed = true;
        builder.copyTo(at, at + character.length);
        builder.put(plain, at);
        if (isLookAlike(point)) {
          ways.add('look-alike');
          if (at > noted) noted = Math.max(noted, noteMixedWord(text, at, note));
        } else if (isStyledLetter(point)) {
          ways.add('fullwidth');
          if (at > noted) noted = Math.max(noted, noteStyledWord(text, at, note));
        }
      }
      at += character.length;
    }
  }
  if (!changed) return null;
  builder.copyTo(text.length);
  return builder.finish();
}

const wordCharacter = /[\p{L}\p{M}]/u;

function wordAt(text: string, at: number): { readonly start: number; readonly end: number } {
  let start = at;
  while (start > 0 && at - start < wordAround && wordCharacter.test(text[start - 1] as string)) start -= 1;
  let end = at;
  while (end < text.length && end - at < wordAround && wordCharacter.test(text[end] as string)) end += 1;
  return { start, end };
}

/** A word of Latin letters with look-alikes of other scripts among them. Gives where the word ends. */
function noteMixedWord(text: string, at: number, note: Note): number {
  const { start, end } = wordAt(text, at);
  const word = text.slice(start, end);
  let latin = 0;
  let alike = 0;
  let other = 0;
  for (const character of word) {
    const point = character.codePointAt(0) as number;
    if (letter.test(character)) latin += 1;
    else if (isLookAlike(point)) alike += 1;
    else other += 1;
  }
  // Greek letters in formulas stand alone or beside one letter: Δx, μs.
  if (latin >= 2 && alike >= 1 && other === 0 && latin + alike >= 4)
    note({ rule: 'HIDDEN_LOOK_ALIKES', way: 'look-alike', start, end, decoded: fold(word) });
  return end;
}

function noteStyledWord(text: string, at: number, note: Note): number {
  let end = at;
  let count = 0;
  while (end < text.length && end - at < 400) {
    const point = text.codePointAt(end) as number;
    if (isStyledLetter(point)) count += 1;
    else if (point !== 0x20 && point !== 0x3000) break;
    end += point > 0xffff ? 2 : 1;
  }
  if (count >= 4)
    note({
      rule: 'HIDDEN_STYLED_LETTERS',
      way: 'fullwidth',
      start: at,
      end,
      decoded: fold(text.slice(at, end)),
    });
  return end;
}

function fold(text: string): string {
  let plain = '';
  for (const character of text) plain += foldCharacter(character.codePointAt(0) as number) ?? character;
  return plain;
}

/** What an invisible run is a finding of. */
function noteRun(
  text: string,
  run: {
    readonly start: number;
    readonly end: number;
    readonly ways: ReadonlySet<string>;
    readonly spelled: string;
  },
  note: Note,
): void {
  const { start, end, ways, spelled } = run;
  if (ways.has('tags')) return note({ rule: 'HIDDEN_TAGS', way: 'tags', start, end, decoded: spelled });
  if (ways.has('variation-selector') && end - start > 1)
    return note({ rule: 'HIDDEN_SELECTORS', way: 'variation-selector', start, end, decoded: spelled });
  if (ways.has('bidi')) {
    const override = /[\u202D\u202E]/.test(text.slice(start, end));
    const rule = override ? 'HIDDEN_BIDI' : 'HIDDEN_DIRECTION';
    return note({ rule, way: 'bidi', start, end, decoded: '' });
  }
  if (spelled !== '')
    return note({ rule: 'HIDDEN_SELECTORS', way: 'zero-width', start, end, decoded: spelled });
  const inWord = letter.test(text[start - 1] ?? '') && letter.test(text[end] ?? '');
  if (ways.has('soft-hyphen') && ways.size === 1)
    return note({
      rule: 'HIDDEN_SOFT_HYPHEN',
      way: 'soft-hyphen',
      start,
      end,
      decoded: aroundOf(text, start, end),
    });
  note({
    rule: inWord ? 'HIDDEN_ZERO_WIDTH' : 'HIDDEN_STRAY',
    way: 'zero-width',
    start,
    end,
    decoded: inWord ? aroundOf(text, start, end) : '',
  });
}

/** The word around an invisible run, without it. */
function aroundOf(text: string, start: number, end: number): string {
  const before = /[A-Za-z]{0,40}$/.exec(text.slice(Math.max(0, start - wordAround), start))?.[0] ?? '';
  const after = /^[A-Za-z]{0,40}/.exec(text.slice(end, end + wordAround))?.[0] ?? '';
  return before + after;
}
