// "Did you mean …?"

/** The candidate within `limit` edits, by default a third of the word's length and at least one, or `null`; ties go to the first. Of one letter nothing would be left. */
export function nearest(
  word: string,
  candidates: Iterable<string>,
  limit: number = word.length < 2 ? 0 : Math.max(1, Math.floor(word.length / 3)),
): string | null {
  const sought = word.toLowerCase();
  const letters = lettersOf(sought);
  let best: string | null = null;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue;
    const lower = candidate.toLowerCase();
    // An edit takes away one kind of letter at most.
    const other = lettersOf(lower);
    if (bits(letters & ~other) >= bestDistance || bits(other & ~letters) >= bestDistance) continue;
    const distance = editDistance(sought, lower, bestDistance - 1);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/**
 * Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment), or some number over `limit`.
 * Only cells within `limit` of the diagonal can hold `limit` or less, so only those are worked out.
 */
function editDistance(a: string, b: string, limit: number): number {
  const over = limit + 1;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  let current: number[] = Array.from({ length: b.length + 1 }, () => over);
  let leastBefore = 0;
  for (let row = 1; row <= a.length; row += 1) {
    const from = Math.max(1, row - limit);
    const to = Math.min(b.length, row + limit);
    current[from - 1] = from === 1 ? row : over;
    let least = current[from - 1] as number;
    for (let column = from; column <= to; column += 1) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (previous[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (previous[column - 1] as number) + (same ? 0 : 1),
      );
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, (beforePrevious[column - 2] as number) + 1);
      current[column] = cost;
      if (cost < least) least = cost;
    }
    if (to < b.length) current[to + 1] = over;
    // A swap reaches back two rows.
    if (least > limit && leastBefore > limit) return over;
    leastBefore = least;
    const free = beforePrevious.length === 0 ? previous.slice() : beforePrevious;
    beforePrevious = previous;
    previous = current;
    current = free;
  }
  return previous[b.length] as number;
}

/** Which kinds of letters there are, of 32. */
function lettersOf(text: string): number {
  let found = 0;
  for (let at = 0; at < text.length; at += 1) found |= 1 << (text.charCodeAt(at) & 31);
  return found;
}

function bits(set: number): number {
  let count = 0;
  for (let left = set; left !== 0; left &= left - 1) count += 1;
  return count;
}
