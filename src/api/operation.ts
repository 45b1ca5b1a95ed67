// An operation of the API as data: the request and the response it has, and who may ask for it.
//
// The same table validates requests (http/), makes the OpenAPI document (render-openapi.ts), types the client (client/) and is
// what the security matrix of the tests goes through. Nothing about an operation is said anywhere else.
import type { Json, JsonObject } from '../base/json.ts';
import type { FromSchema } from './from-schema.ts';
import type { Role } from './role.ts';

/** One route of the API. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** `/v1/runs/{run}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /** The least role; `null`: no token is needed. */
  readonly role: Role | null;
  /** The values of the names in the path. */
  readonly params?: { readonly [name: string]: JsonObject };
  readonly query?: { readonly [name: string]: JsonObject };
  /** Names of `query` without which it is refused. Default: none. */
  readonly needsQuery?: readonly string[];
  /** Headers that it reads, in lower case. */
  readonly headers?: { readonly [name: string]: JsonObject };
  /** Of a POST. Default: none is read, and an empty one is allowed. */
  readonly body?: JsonObject;
  /** Whether the body can be left out. Default: false. */
  readonly bodyOptional?: true;
  /** Of a PUT: its body is bytes, as many at most. */
  readonly maxBytes?: number;
  /** Of a success. */
  readonly status: 200 | 202;
  readonly answers: 'json' | 'events' | 'text' | 'html';
  /** Of `answers: 'json'`. */
  readonly response?: JsonObject;
}

type Values<O, Key extends 'params' | 'query' | 'headers'> = O extends {
  readonly [K in Key]: infer P;
}
  ? P
  : {};

/** What a caller gives to an operation. */
export interface OperationInput<O> {
  readonly params: { readonly [K in keyof Values<O, 'params'>]: FromSchema<Values<O, 'params'>[K]> };
  readonly query: { readonly [K in keyof Values<O, 'query'>]?: FromSchema<Values<O, 'query'>[K]> };
  readonly headers: { readonly [K in keyof Values<O, 'headers'>]?: FromSchema<Values<O, 'headers'>[K]> };
  readonly body: O extends { readonly body: infer B }
    ? FromSchema<B>
    : O extends { readonly maxBytes: number }
      ? Uint8Array
      : Json;
}

/** What an operation answers. */
export type OperationOutput<O> = O extends { readonly response: infer R } ? FromSchema<R> : string;
