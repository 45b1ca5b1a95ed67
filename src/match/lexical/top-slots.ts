// Scores by slot -> the best slots, best first.
//
// A heap of the `most` best so far, its worst on top: nearly every slot costs one comparison.

/** Slots with a score above 0; `compare` orders equal scores. */
export function topSlots(
  scores: Float64Array,
  size: number,
  most: number,
  compare: (a: number, b: number) => number,
): readonly number[] {
  const heap: number[] = [];
  const worse = (a: number, b: number): boolean => {
    const difference = (scores[a] as number) - (scores[b] as number);
    return difference < 0 || (difference === 0 && compare(a, b) > 0);
  };
  let least = 0;
  for (let slot = 0; slot < size; slot += 1) {
    const score = scores[slot] as number;
    if (score <= 0 || score < least) continue;
    if (heap.length < most) {
      heap.push(slot);
      rise(heap, worse);
    } else if (worse(heap[0] as number, slot)) {
      heap[0] = slot;
      sink(heap, worse);
    } else continue;
    if (heap.length === most) least = scores[heap[0] as number] as number;
  }
  return heap.sort((a, b) => (worse(a, b) ? 1 : -1));
}

function rise(heap: number[], worse: (a: number, b: number) => boolean): void {
  let at = heap.length - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!worse(heap[at] as number, heap[parent] as number)) return;
    swap(heap, at, parent);
    at = parent;
  }
}

function sink(heap: number[], worse: (a: number, b: number) => boolean): void {
  let at = 0;
  for (;;) {
    let worst = at;
    for (const child of [2 * at + 1, 2 * at + 2])
      if (child < heap.length && worse(heap[child] as number, heap[worst] as number)) worst = child;
    if (worst === at) return;
    swap(heap, at, worst);
    at = worst;
  }
}

function swap(heap: number[], a: number, b: number): void {
  const kept = heap[a] as number;
  heap[a] = heap[b] as number;
  heap[b] = kept;
}
