// The filters that compositions bring: `truncate` and `slugify` bound a text, `extract_path` and `contains_cjk` look into it.
//
// They are those of the original of compositions, to the letter where templates of today can tell:
// - `truncate(n)` cuts behind n characters and adds nothing; n of 0 or less cuts nothing. The further parameters of
//   Jinja's filter of that name are understood too, with defaults that give this.
import { isOrdered } from '../value/compare.ts';
import type { Evaluation } from '../value/evaluation.ts';
import { asIndex } from '../value/numbers.ts';
import { strOf } from '../value/repr.ts';
import { sliceString } from '../value/slice.ts';
import { typeError } from '../value/template-error.ts';
import { asText, lengthOf } from '../value/text.ts';
import { isTrue } from '../value/truth.ts';
import { typeName } from '../value/type-name.ts';
import type { Value } from '../value/value.ts';
import { filter, type FilterEntry } from './define.ts';

const truncate = (
  e: Evaluation,
  value: Value,
  length: Value,
  cutsWords: Value,
  end: Value,
  leeway: Value,
): Value => {
  const text = strOf(e, value);
  if (isOrdered(e, '<=', length, 0)) return text;
  const most =
    asIndex(length) ?? typeError('slice indices must be integers or None or have an __index__ method');
  const margin =
    asIndex(leeway) ?? typeError(`'${typeName(leeway)}' object cannot be interpreted as an integer`);
  // No text has more characters than units.
  if (text.length <= most + margin) return text;
  e.scan(text.length);
  if (lengthOf(text) <= most + margin) return text;
  const mark = asText(end) ?? typeError(`the end must be a text, not ${typeName(end)}`);
  const cut = sliceString(e, text, 0, Math.max(most - lengthOf(mark), 0), 1);
  const blank = isTrue(cutsWords) ? -1 : cut.lastIndexOf(' ');
  return (blank < 0 ? cut : cut.slice(0, blank)) + mark;
};

const maxSlug = 128;

const slugify = (e: Evaluation, value: Value): Value => {
  const text = strOf(e, value);
  e.work(1 + (text.length >> 3));
  e.makeText(text.length);
  return text
    .replace(/[^a-zA-Z0-9_-]+/g, '-')
    .replace(/^-+/, '')
    .replace(/(?<!-)-+$/, '')
    .toLowerCase()
    .slice(0, maxSlug);
};

const cjk = /[\u3400-\u9fff\uf900-\ufaff]/;

const containsCjk = (e: Evaluation, value: Value): Value => {
  const text = isTrue(value) ? strOf(e, value) : '';
  e.scan(text.length);
  return cjk.test(text);
};

const wordUnit = /[\p{L}\p{N}_]/u;
const extensions = ['md', 'txt', 'csv', 'tsv', 'json', 'yaml', 'yml', 'xlsx'];
const longestExtension = 4;

const isWord = (point: string | undefined): boolean => point !== undefined && wordUnit.test(point);
/** What a path is made of. */
const isPath = (point: string | undefined): boolean =>
  point !== undefined && (isWord(point) || './@%+-='.includes(point));
/** What may not be around a path. */
const isGlued = (point: string | undefined): boolean =>
  point !== undefined && (isWord(point) || point === '.' || point === '-');

/** The paths in a text: what begins with "/", and what ends in a known extension; in one pass. */
function pathsIn(points: readonly string[]): string[] {
  const paths: string[] = [];
  let at = 0;
  while (at < points.length) {
    if (!isPath(points[at])) {
      at += 1;
      continue;
    }
    let end = at;
    while (isPath(points[end])) end += 1;
    pathsInRun(points, at, end, paths);
    at = end;
  }
  return paths;
}

function pathsInRun(points: readonly string[], from: number, end: number, into: string[]): void {
  const stops = extensionEnds(points, from, end);
  let next = 0;
  let at = from;
  while (at < end) {
    if (isGlued(points[at - 1])) {
      at += 1;
      continue;
    }
    if (points[at] === '/' && end - at > 1) {
      into.push(points.slice(at, end).join(''));
      return;
    }
    while (next < stops.length && (stops[next] as { dot: number }).dot <= at) next += 1;
    const stop = stops[next];
    if (stop === undefined) {
      at += 1;
      continue;
    }
    into.push(points.slice(at, stop.end).join(''));
    at = stop.end;
  }
}

/** Where a known extension ends, in a run of path characters. */
function extensionEnds(
  points: readonly string[],
  from: number,
  end: number,
): readonly { dot: number; end: number }[] {
  const ends: { dot: number; end: number }[] = [];
  for (let dot = from; dot < end; dot += 1) {
    if (points[dot] !== '.') continue;
    const behind = points
      .slice(dot + 1, dot + 1 + longestExtension)
      .join('')
      .toLowerCase();
    const extension = extensions.find(
      (each) => behind.startsWith(each) && !isGlued(points[dot + 1 + each.length]),
    );
    if (extension !== undefined) ends.push({ dot, end: dot + 1 + extension.length });
  }
  return ends;
}

const extractPath = (e: Evaluation, value: Value, suffix: Value): Value => {
  const wanted = (isTrue(suffix) ? strOf(e, suffix) : '').trim().toLowerCase().replace(/^\.+/, '');
  const text = strOf(e, value);
  e.work(1 + 8 * text.length);
  e.makeItems(text.length, 16);
  return (
    pathsIn(Array.from(text)).find((path) => wanted === '' || path.toLowerCase().endsWith(`.${wanted}`)) ?? ''
  );
};

export const compositionFilters: readonly FilterEntry[] = [
  filter(
    'truncate',
    [
      ['length', 1024],
      ['killwords', true],
      ['end', ''],
      ['leeway', 0],
    ],
    truncate,
  ),
  filter('slugify', [], slugify),
  filter('contains_cjk', [], containsCjk),
  filter('extract_path', [['suffix', '']], extractPath),
];
