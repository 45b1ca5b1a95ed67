// Two texts -> lines that are the same, removed or added, in order (Myers). Long texts that differ much are compared as whole blocks.
export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
  /** From 1; `null` where the side does not have it. */
  readonly left: number | null;
  readonly right: number | null;
  /** What was found in this line. */
  readonly notes?: readonly string[];
}

/** Lines that the server has compared; `isBack`: the other way round. */
export function serverLines(
  lines: readonly {
    readonly sign: ' ' | '-' | '+';
    readonly text: string;
    readonly notes?: readonly string[];
  }[],
  isBack = false,
): readonly DiffLine[] {
  let [left, right] = [0, 0];
  return lines.map(({ sign, text, notes }) => {
    const kind = sign === ' ' ? 'same' : (sign === '+') === isBack ? 'removed' : 'added';
    if (kind !== 'added') left += 1;
    if (kind !== 'removed') right += 1;
    return {
      kind,
      text,
      left: kind === 'added' ? null : left,
      right: kind === 'removed' ? null : right,
      ...(isBack || notes === undefined ? {} : { notes }),
    };
  });
}

/** Edits after which the rest counts as replaced: the time grows with their square. */
const mostEdits = 2_000;

export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [a, b] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) [endA, endB] = [endA - 1, endB - 1];
  const kinds: ('same' | 'removed' | 'added')[] = [
    ...Array<'same'>(start).fill('same'),
    ...middle(a.slice(start, endA), b.slice(start, endB)),
    ...Array<'same'>(a.length - endA).fill('same'),
  ];
  const lines: DiffLine[] = [];
  let [atA, atB] = [0, 0];
  for (const kind of kinds) {
    const text = (kind === 'added' ? b[atB] : a[atA]) ?? '';
    lines.push({
      kind,
      text,
      left: kind === 'added' ? null : atA + 1,
      right: kind === 'removed' ? null : atB + 1,
    });
    if (kind !== 'added') atA += 1;
    if (kind !== 'removed') atB += 1;
  }
  return lines;
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function middle(a: readonly string[], b: readonly string[]): ('same' | 'removed' | 'added')[] {
  const most = Math.min(a.length + b.length, mostEdits);
  const reach = new Map<number, number>([[1, 0]]);
  const trail: Map<number, number>[] = [];
  for (let edits = 0; edits <= most; edits += 1) {
    trail.push(new Map(reach));
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1));
      let x = down ? (reach.get(k + 1) ?? 0) : (reach.get(k - 1) ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1;
      reach.set(k, x);
      if (x >= a.length && x - k >= b.length) return walkBack(trail, a.length, b.length);
    }
  }
  return [...Array<'removed'>(a.length).fill('removed'), ...Array<'added'>(b.length).fill('added')];
}

function walkBack(
  trail: readonly Map<number, number>[],
  lengthA: number,
  lengthB: number,
): ('same' | 'removed' | 'added')[] {
  const kinds: ('same' | 'removed' | 'added')[] = [];
  let [x, y] = [lengthA, lengthB];
  for (let edits = trail.length - 1; edits >= 0; edits -= 1) {
    const reach = trail[edits] as Map<number, number>;
    const k = x - y;
    const down = k === -edits || (k !== edits && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1));
    const before = down ? k + 1 : k - 1;
    const fromX = edits === 0 ? 0 : (reach.get(before) ?? 0);
    const fromY = fromX - before;
    while (x > fromX && y > Math.max(0, fromY)) {
      kinds.push('same');
      [x, y] = [x - 1, y - 1];
    }
    if (edits === 0) break;
    kinds.push(down ? 'added' : 'removed');
    [x, y] = [fromX, fromY];
  }
  return kinds.reverse();
}
