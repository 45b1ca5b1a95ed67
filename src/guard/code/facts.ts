// What the readers of scripts find out, before rules judge it.
//
//   commands that run, with their words resolved        flows: where a value comes from and where it goes
//
// Shell and script languages give the same facts, so a rule is written once for all of them.
import type { Language } from '../detector.ts';
import type { Taint } from './taint.ts';

/** Where a value ends up. */
export type Sink = 'network' | 'lookup' | 'execute';

export interface Flow {
  readonly from: ReadonlySet<Taint>;
  readonly to: Sink;
  /** The command or function that takes it. */
  readonly by: string;
  /** Hosts that the statement names; empty if none is known. */
  readonly hosts: readonly string[];
  /** URLs whose content goes into it, for what is executed. */
  readonly urls: readonly string[];
  /** Secret variables of the environment that are part of it. */
  readonly keys: readonly string[];
  readonly start: number;
  readonly end: number;
}

export interface RunCommand {
  readonly name: string;
  /** With variables resolved where they are known; unknown parts are left out. */
  readonly argv: readonly string[];
  /** Files it writes to by redirection. */
  readonly writes: readonly { readonly path: string; readonly append: boolean }[];
  /** What is known of its input. */
  readonly input: string;
  readonly start: number;
  readonly end: number;
}

/** A program inside another one: `python3 -c '…'`, a here-document that is written to a file. */
export interface InnerScript {
  readonly language: Language;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface Facts {
  readonly commands: readonly RunCommand[];
  readonly flows: readonly Flow[];
  readonly inner: readonly InnerScript[];
}

export interface Value {
  readonly text: string;
  readonly taints: ReadonlySet<Taint>;
  readonly keys: readonly string[];
  readonly urls: readonly string[];
  /** The text is longer than what is kept of it: whoever reads it as a program has not read all. */
  readonly cut?: true;
}

export const nothing: Value = { text: '', taints: new Set(), keys: [], urls: [] };

export function plain(text: string): Value {
  return text === '' ? nothing : { ...nothing, text };
}

export function tainted(taint: Taint, text = ''): Value {
  return { ...nothing, text, taints: new Set([taint]) };
}

const maxText = 2_000;
/** Keys and URLs that a value names. Whoever judges a flow with as many says that there may be more. */
export const maxNamed = 64;

/** One after the other. */
export function joinValues(values: readonly Value[], separator = ''): Value {
  const used = values.filter((value) => value !== nothing);
  if (used.length === 0) return nothing;
  if (used.length === 1) return used[0] as Value;
  const taints = new Set<Taint>();
  const names = new Set<string>();
  const places = new Set<string>();
  for (const value of used) {
    for (const taint of value.taints) taints.add(taint);
    if (names.size < maxNamed) for (const key of value.keys) names.add(key);
    if (places.size < maxNamed) for (const url of value.urls) places.add(url);
  }
  const keys = [...names];
  const urls = [...places];
  const text = used.map((value) => value.text).join(separator);
  if (text.length <= maxText && !used.some(({ cut }) => cut === true)) return { text, taints, keys, urls };
  return { text: text.slice(0, maxText), taints, keys, urls, cut: true };
}

export function withTaint(value: Value, taint: Taint): Value {
  return value.taints.has(taint) ? value : { ...value, taints: new Set([...value.taints, taint]) };
}
