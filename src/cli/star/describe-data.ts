// What a program returned, as JSON. An int beyond 2^53 becomes text: JSON readers would round it. Bytes become an
// array of numbers.
import type { Json } from '../../base/json.ts';
import { emptyObject } from '../../base/json.ts';
import type { Data } from '../../starlark/options.ts';

export function describeData(data: Data): Json {
  if (typeof data === 'bigint') return data.toString();
  if (data === null || typeof data !== 'object') return data;
  if (data instanceof Uint8Array) return [...data];
  if (Array.isArray(data)) return (data as readonly Data[]).map(describeData);
  const described = emptyObject();
  for (const [key, value] of Object.entries(data as { readonly [key: string]: Data })) described[key] = describeData(value);
  return described;
}
