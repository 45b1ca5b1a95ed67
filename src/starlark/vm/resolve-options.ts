// The options of a run with every default filled in.
import { checkOptions, runRules } from '../check-options.ts';
import type { Data, Load, RunOptions } from '../options.ts';
import type { Scope } from './scope.ts';

export interface ResolvedRunOptions {
  readonly entry: string | null;
  readonly args: readonly Data[];
  readonly named: { readonly [name: string]: Data };
  readonly frozenArgs: boolean;
  readonly values: { readonly [name: string]: Data };
  readonly maxSteps: number;
  readonly maxMemoryBytes: number;
  readonly maxIntBits: number;
  readonly maxCallDepth: number;
  readonly maxOutputUnits: number;
  readonly print: (text: string) => void;
  readonly load: Load | null;
  readonly hostCallsAtModuleLevel: boolean;
  readonly scope: Scope | null;
}

/** Also bounds the modules that are loaded ahead. */
export const defaultCallDepth = 1000;

/** `of` is the function they were given to. */
export function resolveRunOptions(of: string, options: RunOptions): ResolvedRunOptions {
  checkOptions(of, options, runRules);
  return {
    entry: options.entry ?? null,
    args: options.args ?? [],
    named: options.named ?? {},
    frozenArgs: options.frozenArgs ?? false,
    values: options.values ?? {},
    maxSteps: options.maxSteps ?? 100_000_000,
    maxMemoryBytes: options.maxMemoryBytes ?? 64 * 1024 * 1024,
    maxIntBits: options.maxIntBits ?? 65_536,
    maxCallDepth: options.maxCallDepth ?? defaultCallDepth,
    maxOutputUnits: options.maxOutputUnits ?? 1_000_000,
    print: options.print ?? (() => {}),
    load: options.load ?? null,
    hostCallsAtModuleLevel: options.hostCallsAtModuleLevel ?? true,
    scope: options.scope ?? null,
  };
}
