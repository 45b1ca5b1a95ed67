// The surroundings of a trigger in a message -> signs of whether the message asks for it.
//
//   message, words, verdict of the rules -> "R forget about it", "N class end it", "lines 3" …
//
// A sign is a run of up to three tokens and its place: left or right of the words in their sentence, in the sentence
// before or next, anywhere before or after; the shape of the lines; the verdict of the rules. Runs of word classes are
// signs, too, and skip the words without a class ("forget all about it" -> "end it"). Text after a colon directly
// behind the words gives details ("X: no pictures"), and so does text after words that open their sentence: both have
// signs of their own. Longer runs are signs by their outline (outline.ts): function words and classes stay, any other word
// is known by its ending, so that "Anna fixed X yesterday" and "Bob mailed X yesterday" are alike.
//
// The words themselves are only a place, never a sign, so that what is learned with one trigger holds for every other.
// Only a bounded stretch is read. Training uses this same function (scripts/train-guard.mjs).
import type { Stretch } from '../guard.ts';
import { outlineOf } from './outline.ts';
import { classesOf, classOf } from './word-classes.ts';

/** Stands for the words. */
const place = '\u0001';
const reach = 900;
const longest = 3;
/** Tokens of an outline on each side, in a row, across the words, and of the sentences beside. */
const outlined = { side: 7, row: 5, across: 3, beside: 4 } as const;
/** Tokens between the words and a colon. */
const toColon = 6;

const tokens = /\u0001|(?:(?!\p{Script=Han})\p{L})+(?:'[a-z]+)?|\p{Script=Han}|\p{Nd}+|[^\s\p{L}\p{Nd}]/gu;
const sentenceEnd = /(?<=[.!?。！？；])(?=\s|\p{Script=Han}|$)|\n/u;
const unseen = /[\p{Cf}\u0000-\u0008\u000b-\u001f]/gu;
const label = /^\s*[^:：\n]{1,24}[:：]/;

/** `rules`: the guard that the rules name, or `none`; left out if they were not asked. */
export function readSigns(message: string, words: Stretch, rules?: string): ReadonlySet<string> {
  const signs = new Set<string>();
  if (rules !== undefined) signs.add(`rules ${rules}`).add(`rules ${rules === 'none' ? 'let' : 'hold'}`);
  const text = `${plain(message.slice(Math.max(0, words.start - reach), words.start))}${place}${plain(message.slice(words.end, words.end + reach))}`;
  addSentences(
    signs,
    text.split(sentenceEnd).filter((part) => part.trim() !== ''),
  );
  addLines(signs, text.split('\n'));
  signs.add(`quoted ${/["“'‘「『《`]\s*$/.test(text.slice(0, text.indexOf(place)))}`);
  return signs;
}

/** Compatibility forms made plain, an address or a path as one mark; the case is kept for the looks of lines. */
function plain(text: string): string {
  return text.normalize('NFKC').replace(unseen, '').replaceAll(/[’ʼ]/g, "'").replaceAll(address, '§');
}

const address = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+|https?:\/\/\S+|(?:[\w.-]+\/)+[\w-]+\.\w+/g;

function tokensOf(text: string): readonly string[] {
  return text.toLowerCase().match(tokens) ?? [];
}

function addSentences(signs: Set<string>, parts: readonly string[]): void {
  const at = parts.findIndex((part) => part.includes(place));
  const sentence = tokensOf(parts[at] ?? place);
  const middle = sentence.indexOf(place);
  const left = sentence.slice(0, middle);
  const rest = sentence.slice(middle + 1);
  const colon = rest.slice(0, toColon).findIndex((token) => token === ':' || token === '：');
  const right = colon < 0 ? rest : rest.slice(0, colon + 1);
  const before = parts.slice(0, at).map(tokensOf);
  const after = parts.slice(at + 1).map(tokensOf);
  const detail = colon < 0 ? '' : 'D';
  if (detail !== '') addBoth(signs, 'D', rest.slice(colon + 1));
  addBoth(signs, 'L', left);
  addBoth(signs, 'R', right);
  if (left.length === 0)
    for (const token of [...right, ...(after[0] ?? [])])
      signs.add(`F ${token}`).add(`F class ${named(token)}`);
  addBoth(signs, 'P', before.at(-1) ?? ['^']);
  addBoth(signs, `N${detail}`, after[0] ?? ['$']);
  for (const part of [...before, left]) addBoth(signs, 'B', part);
  for (const part of [right, ...after]) addBoth(signs, `A${detail}`, part);
  addNear(signs, left, right);
  addOutlines(signs, { left, rest, before: before.at(-1), after: after[0] });
  for (let length = 1; length <= longest; length += 1)
    signs.add(`opens ${sentence.slice(0, length).join(' ')}`);
  signs.add(`ends ${sentence.at(-1) ?? ''}`).add(`asks ${right.includes('?')}`);
  addPairs(signs, {
    opening: sentence.slice(0, 2),
    left: left.at(-1) ?? '^',
    right: right[0] ?? '$',
    end: sentence.at(-1) ?? '',
    asks: right.includes('?'),
    next: after[0]?.[0] ?? '$',
    previous: before.at(-1)?.[0] ?? '^',
    classes: classesOf(left).slice(0, 2).join(' '),
  });
}

/** What stands at the edges of the sentence and beside the words, two or three together: "if … X?" is neither "if …" nor "… X?". */
function addPairs(
  signs: Set<string>,
  edges: {
    readonly opening: readonly string[];
    readonly left: string;
    readonly right: string;
    readonly end: string;
    readonly asks: boolean;
    readonly next: string;
    readonly previous: string;
    readonly classes: string;
  },
): void {
  const { opening, left, right, end, asks, next, previous, classes } = edges;
  const first = opening[0] ?? '';
  signs.add(`beside ${left} ${right}`).add(`opens to ${first} ${left}`).add(`opens asking ${asks} ${first}`);
  signs.add(`opens asking ${asks} ${opening.join(' ')}`).add(`classes asking ${asks} ${classes}`);
  const [f, l, r, e, n, p] = [first, left, right, end, next, previous].map(named);
  signs
    .add(`beside class ${l} ${r}`)
    .add(`opens to class ${f} ${l}`)
    .add(`opens around class ${f} ${l} ${r}`);
  signs.add(`opens ends class ${f} ${e}`).add(`left ends class ${l} ${e}`);
  signs
    .add(`left next class ${l} ${n}`)
    .add(`right next class ${r} ${n}`)
    .add(`previous opens class ${p} ${f} ${l}`);
}

function addOutlines(
  signs: Set<string>,
  {
    left,
    rest,
    before,
    after,
  }: {
    readonly left: readonly string[];
    readonly rest: readonly string[];
    readonly before: readonly string[] | undefined;
    readonly after: readonly string[] | undefined;
  },
): void {
  const [start, end] = [
    ['^', ...left.map(outlineOf)],
    [...rest.map(outlineOf), '$'],
  ];
  const [near, next] = [start.slice(-outlined.side), end.slice(0, outlined.side)];
  for (const [where, run] of [
    ['oL', near],
    ['oR', next],
  ] as const)
    for (let from = 0; from < run.length; from += 1)
      for (let length = 2; length <= outlined.row && from + length <= run.length; length += 1)
        signs.add(`${where} ${run.slice(from, from + length).join(' ')}`);
  for (let a = 1; a <= Math.min(outlined.across, near.length); a += 1)
    for (let b = 1; b <= Math.min(outlined.across, next.length); b += 1)
      signs.add(`oX ${near.slice(-a).join(' ')} _ ${next.slice(0, b).join(' ')}`);
  const opening = [...start.slice(1), place, ...end];
  const [previous, following] = [before?.map(outlineOf) ?? ['^'], after?.map(outlineOf) ?? ['$']];
  for (let length = 1; length <= outlined.beside; length += 1)
    signs
      .add(`oO ${opening.slice(0, length).join(' ')}`)
      .add(`oP ${previous.slice(0, length).join(' ')}`)
      .add(`oN ${following.slice(0, length).join(' ')}`);
}

function addBoth(signs: Set<string>, where: string, run: readonly string[]): void {
  addRuns(signs, where, run);
  addRuns(signs, `${where} class`, classesOf(run));
}

function addRuns(signs: Set<string>, where: string, run: readonly string[]): void {
  for (let start = 0; start < run.length; start += 1) {
    let sign = where;
    for (let end = start; end < Math.min(run.length, start + longest); end += 1)
      signs.add((sign += ` ${run[end] as string}`));
  }
}

/** Right beside the words, from nearest to farther. */
function addNear(signs: Set<string>, left: readonly string[], right: readonly string[]): void {
  for (let length = 1; length <= longest + 1; length += 1) {
    signs.add(`l${length} ${left.length < length ? '^ ' : ''}${left.slice(-length).join(' ')}`);
    signs.add(`r${length} ${right.slice(0, length).join(' ')}${right.length < length ? ' $' : ''}`);
  }
  for (const length of [2, 3]) {
    signs.add(`l${length} class ${left.slice(-length).map(named).join(' ')}`);
    signs.add(`r${length} class ${right.slice(0, length).map(named).join(' ')}`);
  }
  for (const [distance, token] of left.slice(-6).reverse().entries())
    signs.add(`${distance < 3 ? 'near' : 'far'} left ${token}`);
  for (const [distance, token] of right.slice(0, 6).entries())
    signs.add(`${distance < 3 ? 'near' : 'far'} right ${token}`);
}

function named(token: string): string {
  return classOf(token) ?? token;
}

function addLines(signs: Set<string>, lines: readonly string[]): void {
  signs.add(`lines ${Math.min(6, lines.length)}`);
  if (lines.length === 1) return;
  const at = lines.findIndex((line) => line.includes(place));
  for (const length of [2, 4, 8]) {
    signs.add(`looks ${shape(lines[at] ?? '', length)}`);
    signs.add(`looks above ${at > 0 ? shape(lines[at - 1] as string, length) : '^'}`);
    signs.add(`looks below ${at + 1 < lines.length ? shape(lines[at + 1] as string, length) : '$'}`);
  }
  signs.add(`line ${Math.min(3, at)}`).add(`lines below ${Math.min(3, lines.length - 1 - at)}`);
  signs.add(`labels ${Math.min(3, lines.filter((line, index) => index !== at && label.test(line)).length)}`);
  signs.add(`labelled ${label.test((lines[at] ?? '').split(place)[0] ?? '')}`);
  signs.add(`blank ${Math.min(2, lines.filter((line) => line.trim() === '').length)}`);
}

/** "[09:12] Maria: can" -> "[0:0] X:" */
function shape(line: string, length: number): string {
  return line
    .trimStart()
    .slice(0, 30)
    .replace(/\u0001[^]*$/, 'T')
    .replaceAll(/\p{Lu}\p{Ll}+/gu, 'X')
    .replaceAll(/\p{Ll}+/gu, 'x')
    .replaceAll(/\p{Script=Han}+/gu, 'h')
    .replaceAll(/\p{Nd}+/gu, '0')
    .slice(0, length);
}
