// The type of the values that a JSON Schema allows, for the schemas of the API (`as const`).
//
//   { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } -> { readonly a: string }
//
// Known: const, enum, anyOf, type (one or several), properties with required, items, additionalProperties. A schema without
// any of them is `Json`.
import type { Json } from '../base/json.ts';

/** What a value of this schema is. */
export type FromSchema<S> = S extends { readonly const: infer C }
  ? C
  : S extends { readonly enum: readonly (infer E)[] }
    ? E
    : S extends { readonly anyOf: readonly (infer A)[] }
      ? EachOf<A>
      : S extends { readonly type: readonly (infer T)[] }
        ? EachType<T, S>
        : S extends { readonly type: infer T }
          ? OfType<T, S>
          : Json;

type EachOf<A> = A extends unknown ? FromSchema<A> : never;
type EachType<T, S> = T extends unknown ? OfType<T, S> : never;

type OfType<T, S> = T extends 'string'
  ? string
  : T extends 'integer' | 'number'
    ? number
    : T extends 'boolean'
      ? boolean
      : T extends 'null'
        ? null
        : T extends 'array'
          ? S extends { readonly items: infer I }
            ? readonly FromSchema<I>[]
            : readonly Json[]
          : T extends 'object'
            ? OfObject<S>
            : never;

type OfObject<S> = S extends { readonly properties: infer P }
  ? { readonly [K in keyof P & RequiredOf<S>]: FromSchema<P[K]> } & {
      readonly [K in Exclude<keyof P, RequiredOf<S>>]?: FromSchema<P[K]>;
    }
  : S extends { readonly additionalProperties: infer A }
    ? { readonly [key: string]: A extends boolean ? Json : FromSchema<A> }
    : { readonly [key: string]: Json };

type RequiredOf<S> = S extends { readonly required: readonly (infer R)[] } ? R : never;
