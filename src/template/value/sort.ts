// A stable order by keys, with the comparisons that Python makes, so that what fails fails alike; and the same on every
// engine, since comparing is charged.
//
// Up to 63 items: a run at the start is found and the rest is put in one by one, by halving. More: such pieces, merged.
import { isOrdered } from './compare.ts';
import type { Evaluation } from './evaluation.ts';
import type { Value } from './value.ts';

interface Keyed {
  readonly item: Value;
  readonly key: Value;
}

type IsLess = (a: Keyed, b: Keyed) => boolean;

const pieceLength = 63;

/** The keys are worked out once, and only `<` is asked of them. */
export function sorted(
  e: Evaluation,
  items: readonly Value[],
  keyOf: (item: Value) => Value,
  isReverse: boolean,
): readonly Value[] {
  e.makeItems(items.length, 48);
  const pairs = items.map((item) => ({ item, key: keyOf(item) }));
  const isLess: IsLess = (a, b) => {
    e.work(2);
    return isOrdered(e, '<', a.key, b.key);
  };
  // Turned round before and behind, equal ones keep their order.
  if (isReverse) pairs.reverse();
  const result = sortPieces(e, pairs, isLess).map(({ item }) => item);
  return isReverse ? result.reverse() : result;
}

function sortPieces(e: Evaluation, pairs: readonly Keyed[], isLess: IsLess): readonly Keyed[] {
  let pieces: Keyed[][] = [];
  for (let at = 0; at < pairs.length; at += pieceLength)
    pieces.push(sortPiece(pairs.slice(at, at + pieceLength), isLess));
  while (pieces.length > 1) {
    const merged: Keyed[][] = [];
    e.work(pairs.length);
    for (let at = 0; at < pieces.length; at += 2)
      merged.push(merge(pieces[at] as Keyed[], pieces[at + 1] ?? [], isLess));
    pieces = merged;
  }
  return pieces[0] ?? [];
}

function sortPiece(piece: Keyed[], isLess: IsLess): Keyed[] {
  for (let start = sortedStart(piece, isLess); start < piece.length; start += 1) {
    const pivot = piece[start] as Keyed;
    let low = 0;
    let high = start;
    while (low < high) {
      const middle = low + ((high - low) >> 1);
      if (isLess(pivot, piece[middle] as Keyed)) high = middle;
      else low = middle + 1;
    }
    piece.splice(start, 1);
    piece.splice(low, 0, pivot);
  }
  return piece;
}

/** How many at the start are in order; those that go down are turned round. */
function sortedStart(piece: Keyed[], isLess: IsLess): number {
  if (piece.length < 2) return piece.length;
  const goesDown = isLess(piece[1] as Keyed, piece[0] as Keyed);
  let end = 2;
  while (end < piece.length && isLess(piece[end] as Keyed, piece[end - 1] as Keyed) === goesDown) end += 1;
  if (goesDown) piece.splice(0, end, ...piece.slice(0, end).reverse());
  return end;
}

function merge(a: readonly Keyed[], b: readonly Keyed[], isLess: IsLess): Keyed[] {
  const merged: Keyed[] = [];
  let [at, bt] = [0, 0];
  while (at < a.length && bt < b.length) {
    if (isLess(b[bt] as Keyed, a[at] as Keyed)) merged.push(b[bt++] as Keyed);
    else merged.push(a[at++] as Keyed);
  }
  while (at < a.length) merged.push(a[at++] as Keyed);
  while (bt < b.length) merged.push(b[bt++] as Keyed);
  return merged;
}
