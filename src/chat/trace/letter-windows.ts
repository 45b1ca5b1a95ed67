// Letters -> two 32-bit hashes for each window of a given length, each computed from those of the window before it.
const bases = [0x01000193, 0x5bd1e995] as const;

/** `base` to the power of `length`, of 32 bits. */
function leaving(base: number, length: number): number {
  let power = 1;
  for (let at = 0; at < length; at += 1) power = Math.imul(power, base);
  return power;
}

export function eachWindow(
  letters: Uint8Array,
  length: number,
  visit: (at: number, a: number, b: number) => void,
): void {
  const [leavingA, leavingB] = [leaving(bases[0], length), leaving(bases[1], length)];
  let a = 0;
  let b = 0;
  for (let end = 0; end < letters.length; end += 1) {
    const byte = letters[end] as number;
    a = (Math.imul(a, bases[0]) + byte) | 0;
    b = (Math.imul(b, bases[1]) + byte) | 0;
    const begin = end - length;
    if (begin >= 0) {
      a = (a - Math.imul(letters[begin] as number, leavingA)) | 0;
      b = (b - Math.imul(letters[begin] as number, leavingB)) | 0;
    }
    if (begin >= -1) visit(begin + 1, a, b);
  }
}

/** Of all of them; never those of a window, save by chance. */
export function windowHashOf(letters: Uint8Array): readonly [number, number] {
  let a = letters.length;
  let b = ~letters.length;
  for (const byte of letters) {
    a = (Math.imul(a, bases[0]) + byte) | 0;
    b = (Math.imul(b, bases[1]) + byte) | 0;
  }
  return [a, b];
}
