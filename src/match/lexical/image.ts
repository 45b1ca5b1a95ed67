// The columns of an image: numbers and texts.
import { decodeUtf8, encodeUtf8 } from '../../base/utf8.ts';
import { type ColumnBytes, DamagedImage, type KeptImage } from '../../ports/image.ts';

export function bytesOf(numbers: ColumnBytes): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

export function int32s(bytes: Uint8Array): Int32Array<ArrayBuffer> {
  return new Int32Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength >> 2);
}

/** A column of numbers that has as many as it must. */
export function numbersIn(
  image: KeptImage,
  name: string,
  count: number | null = null,
): Int32Array<ArrayBuffer> {
  const bytes = image.column(name);
  if (bytes.length % 4 !== 0 || (count !== null && bytes.length !== count * 4))
    throw new DamagedImage(`"${name}" has ${bytes.length} bytes`);
  return int32s(bytes);
}

export function float64sIn(image: KeptImage, name: string, count: number): Float64Array {
  const bytes = image.column(name);
  if (bytes.length !== count * 8) throw new DamagedImage(`"${name}" has ${bytes.length} bytes`);
  return new Float64Array(bytes.buffer, bytes.byteOffset, count);
}

/** Texts one after the other, and where each ends. */
export class KeptTexts {
  readonly count: number;
  readonly #text: string;
  readonly #ends: Int32Array;

  constructor(image: KeptImage, name: string) {
    this.#text = decodeUtf8(image.column(name)).text;
    this.#ends = numbersIn(image, `${name}.ends`);
    this.count = this.#ends.length;
  }

  at(place: number): string {
    return this.#text.slice(place === 0 ? 0 : this.#ends[place - 1], this.#ends[place]);
  }
}

/** False where a text cannot be kept, since UTF-8 has no half of a surrogate pair. */
export function addTexts(into: Map<string, ColumnBytes>, name: string, texts: readonly string[]): boolean {
  const whole = texts.join('');
  if (/\p{Cs}/u.test(whole)) return false;
  let end = 0;
  into.set(name, encodeUtf8(whole));
  into.set(
    `${name}.ends`,
    Int32Array.from(texts, (text) => (end += text.length)),
  );
  return true;
}
