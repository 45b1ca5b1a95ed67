// Identifiers that sort by time: 10 digits of milliseconds and 16 random ones, in Crockford's base 32.
//
// Identifiers from one source are unique and in order, also within a millisecond and when the clock is set back.

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const shape = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

interface UlidSource {
  nowMs(): number;
  randomBytes(count: number): Uint8Array;
}

/** `notBeforeMs`: no identifier is from before this time, whatever the clock shows. */
export type NextUlid = (notBeforeMs?: number) => string;

export function createUlids(source: UlidSource): NextUlid {
  let lastMs = -1;
  // 80 bits as 16 digits of 5.
  let chance: number[] = [];
  return (notBeforeMs = 0) => {
    const nowMs = Math.max(Math.floor(source.nowMs()), notBeforeMs);
    if (nowMs > lastMs) {
      lastMs = nowMs;
      chance = drawDigits(source.randomBytes(16));
    } else if (!increment(chance)) {
      // All 2^80 of this millisecond are used up, which only a test sees.
      lastMs += 1;
      chance = drawDigits(source.randomBytes(16));
    }
    return timeDigits(lastMs) + chance.map((digit) => digits[digit]).join('');
  };
}

export function isUlid(text: string): boolean {
  return shape.test(text);
}

/** The time a ULID was made at, in milliseconds; `null` for other text. */
export function ulidTimeMs(text: string): number | null {
  if (!isUlid(text)) return null;
  let ms = 0;
  for (const digit of text.slice(0, 10)) ms = ms * 32 + digits.indexOf(digit);
  return ms;
}

function drawDigits(bytes: Uint8Array): number[] {
  return Array.from(bytes.subarray(0, 16), (byte) => byte & 31);
}

function increment(chance: number[]): boolean {
  for (let at = chance.length - 1; at >= 0; at -= 1) {
    const digit = chance[at] as number;
    chance[at] = (digit + 1) & 31;
    if (digit < 31) return true;
  }
  return false;
}

function timeDigits(ms: number): string {
  let text = '';
  let rest = ms;
  for (let at = 0; at < 10; at += 1) {
    text = (digits[rest % 32] as string) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
