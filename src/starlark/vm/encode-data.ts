// Data of the boundary as JSON, for the host call that a snapshot waits for.
//
//   a bigint  ["i", "…"]      bytes  ["x", "hex"]      an array  ["a", …]      an object  ["d", [key, value], …]
import type { Json } from '../../base/json.ts';
import type { Data } from '../options.ts';

export function encodeData(data: Data): Json {
  if (typeof data === 'bigint') return ['i', String(data)];
  if (typeof data === 'number' && Object.is(data, -0)) return ['z'];
  if (data === null || typeof data !== 'object') return data;
  if (data instanceof Uint8Array) return ['x', hexOf(data)];
  if (Array.isArray(data)) return ['a', ...(data as readonly Data[]).map(encodeData)];
  return ['d', ...Object.entries(data).map(([key, value]): Json => [key, encodeData(value as Data)])];
}

export function decodeData(json: Json): Data {
  if (!Array.isArray(json)) return json as Data;
  const [kind, ...rest] = json as readonly Json[];
  switch (kind as string) {
    case 'i':
      return BigInt(rest[0] as string);
    case 'z':
      return -0;
    case 'x':
      return bytesOf(rest[0] as string);
    case 'a':
      return rest.map(decodeData);
    default: {
      const object = Object.create(null) as { [key: string]: Data };
      for (const [key, value] of rest as (readonly [string, Json])[]) object[key] = decodeData(value);
      return object;
    }
  }
}

export function hexOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return text;
}

export function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, index) => Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16));
}
