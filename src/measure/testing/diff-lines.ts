// Two texts -> what was expected and what came instead, line by line.
//
// The longest common lines stay; of texts too long for that only the common beginning and end do.

interface DiffLine {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** Lines of either text, between common beginnings and endings, that are compared with each other. */
const maxCompared = 1000;

/** `-` is only in `expected`, `+` only in `got`. */
export function diffLines(expected: string, got: string): readonly DiffLine[] {
  const [left, right] = [expected.split('\n'), got.split('\n')];
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1;
  let end = 0;
  while (
    end < left.length - start &&
    end < right.length - start &&
    left[left.length - 1 - end] === right[right.length - 1 - end]
  )
    end += 1;
  const same = (text: string): DiffLine => ({ sign: ' ', text });
  return [
    ...left.slice(0, start).map(same),
    ...diffMiddle(left.slice(start, left.length - end), right.slice(start, right.length - end)),
    ...left.slice(left.length - end).map(same),
  ];
}

function diffMiddle(left: readonly string[], right: readonly string[]): readonly DiffLine[] {
  const removed = (text: string): DiffLine => ({ sign: '-', text });
  const added = (text: string): DiffLine => ({ sign: '+', text });
  if (left.length === 0 || right.length === 0 || left.length > maxCompared || right.length > maxCompared)
    return [...left.map(removed), ...right.map(added)];
  // common[i][j]: how many lines left[i..] and right[j..] have in common.
  const common = Array.from({ length: left.length + 1 }, () => new Uint16Array(right.length + 1));
  const at = (row: number, column: number): number => (common[row] as Uint16Array)[column] as number;
  for (let row = left.length - 1; row >= 0; row -= 1) {
    for (let column = right.length - 1; column >= 0; column -= 1) {
      (common[row] as Uint16Array)[column] =
        left[row] === right[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < left.length || column < right.length) {
    if (row < left.length && column < right.length && left[row] === right[column]) {
      lines.push({ sign: ' ', text: left[row] as string });
      row += 1;
      column += 1;
    } else if (row < left.length && (column === right.length || at(row + 1, column) >= at(row, column + 1))) {
      lines.push(removed(left[row] as string));
      row += 1;
    } else {
      lines.push(added(right[column] as string));
      column += 1;
    }
  }
  return lines;
}
