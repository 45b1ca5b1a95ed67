// The options of compiling and rendering, resolved once at the door, and what comes out.
import type { Diagnostic } from '../base/diagnostic.ts';
import type { Json } from '../base/json.ts';
import type { Meter } from '../base/meter.ts';
import type { Data } from './value/data.ts';

/** The semantics a journal pins: it changes when a template could give another text. */
export const templateProfile = 'jinja-1';

/** A filter of the embedder's. What it throws becomes EVAL_HOST; it must give the same for the same. */
export type HostFilter = (
  value: Json,
  args: readonly Json[],
  named: { readonly [name: string]: Json },
) => Data;

export interface CompileOptions {
  /** Shown in diagnostics. Default `<template>`. */
  readonly path?: string;
  /** Further filters, by name; they win over those of the same name. Default none. */
  readonly filters?: { readonly [name: string]: HostFilter };
  /** How deep expressions and blocks may nest. Default 200. */
  readonly maxDepth?: number;
  /** The longest source, in UTF-16 units. Default 1,000,000. */
  readonly maxSourceUnits?: number;
}

export interface TemplateOptions {
  /** What the evaluation is charged to. Default: one of its own, with `maxSteps` and `maxMemoryBytes`. */
  readonly meter?: Meter;
  /** Without a meter. Default 5,000,000. */
  readonly maxSteps?: number;
  /** Without a meter: all that is made, dropped or not. Default 128 MiB. */
  readonly maxMemoryBytes?: number;
  /** The longest text, in UTF-16 units. Default 8,000,000. */
  readonly maxOutputUnits?: number;
  /** The largest int, in bits. Default 65,536. */
  readonly maxIntBits?: number;
  /** How deep macros, recursive loops and values may nest. Default 1,000. */
  readonly maxCallDepth?: number;
  /** When the run began, in milliseconds since 1970: what `'now' | date` shows. Default: it is not known. */
  readonly startedAtMs?: number;
  /** How far the local time of that moment is ahead of UTC. Default: it is shown in UTC. */
  readonly startedOffsetMinutes?: number;
}

/** The variables of a template. */
export type Variables = { readonly [name: string]: Data };

export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly diagnostic: Diagnostic };
