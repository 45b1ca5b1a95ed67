// Data of the boundary as JSON, for the host call that a snapshot waits for.
//
//   a bigint  ["i", "…"]      bytes  ["x", "hex"]      an array  ["a", …]      an object  ["d", [key, value], …]
import type { Json } from '../../base/json.ts';
import type { Data } from '../options.ts';
import { MAX_VALUE_DEPTH } from '../value/depth.ts';
import { arrayOf, notASnapshot, pairOf, shapeText } from './snapshot-shape.ts';

export function encodeData(data: Data): Json {
  if (typeof data === 'bigint') return ['i', String(data)];
  if (typeof data === 'number' && Object.is(data, -0)) return ['z'];
  if (data === null || typeof data !== 'object') return data;
  if (data instanceof Uint8Array) return ['x', hexOf(data)];
  if (Array.isArray(data)) return ['a', ...(data as readonly Data[]).map(encodeData)];
  return ['d', ...Object.entries(data).map(([key, value]): Json => [key, encodeData(value as Data)])];
}

/** The arguments of a call that were given by position. */
export function decodeArguments(json: Json | undefined): readonly Data[] {
  const [kind, ...items] = arrayOf(json, 'the arguments of the call');
  if (kind !== 'a') throw notASnapshot('the arguments of the call are no list');
  return items.map((item) => decodeData(item, 0));
}

export function decodeNamed(json: Json | undefined): { readonly [name: string]: Data } {
  const [kind, ...rows] = arrayOf(json, 'the named arguments of the call');
  if (kind !== 'd') throw notASnapshot('the named arguments of the call have no names');
  return decodeObject(rows, 0);
}

function decodeData(json: Json | undefined, depth: number): Data {
  if (json === null || typeof json === 'boolean' || typeof json === 'string') return json;
  if (typeof json === 'number' && Number.isFinite(json)) return json;
  if (depth > MAX_VALUE_DEPTH) throw notASnapshot('an argument of the call is nested too deeply');
  const [kind, ...rest] = arrayOf(json, 'an argument of the call');
  switch (kind as string) {
    case 'i': {
      const digits = shapeText(rest[0], 'an int');
      if (!/^-?[0-9]{1,100000}$/.test(digits)) throw notASnapshot('an int has no digits');
      return BigInt(digits);
    }
    case 'z':
      return -0;
    case 'x':
      return bytesOf(rest[0]);
    case 'a':
      return rest.map((item) => decodeData(item, depth + 1));
    case 'd':
      return decodeObject(rest, depth + 1);
    default:
      throw notASnapshot('an argument of the call is of an unknown kind');
  }
}

function decodeObject(rows: readonly Json[], depth: number): { readonly [name: string]: Data } {
  const object = Object.create(null) as { [key: string]: Data };
  for (const row of rows) {
    const [key, value] = pairOf(row, 'an argument of the call');
    object[key] = decodeData(value, depth);
  }
  return object;
}

export function hexOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return text;
}

export function bytesOf(json: Json | undefined): Uint8Array {
  const hex = shapeText(json, 'bytes');
  if (!/^(?:[0-9a-f]{2})*$/.test(hex)) throw notASnapshot('bytes are not written as digits');
  return Uint8Array.from({ length: hex.length / 2 }, (_, index) =>
    Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16),
  );
}
