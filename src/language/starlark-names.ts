// A program and an offset -> where the name there is bound and used, by the resolver of the engine; keys of the input; modules.
import type { Span } from '../base/span.ts';
import { hostFunctionNames } from '../skill/host-functions.ts';
import { universe } from '../starlark/lib/universe.ts';
import type { Binding } from '../starlark/resolve/scope.ts';
import { resolveModule } from '../starlark/resolve/resolve.ts';
import type { Expression, Identifier, Module } from '../starlark/syntax/ast.ts';
import { parseModule } from '../starlark/syntax/parse.ts';
import type { Occurrence } from './names.ts';

const limits = { maxDepth: 200, maxSourceUnits: 1_000_000, interactive: false };

export interface StarlarkName extends Span {
  readonly name: string;
  readonly isDefinition: boolean;
}

/** Offsets are those of `text`, with a byte order mark. `null`: too broken to be read. */
export function parseProgram(text: string): { readonly module: Module; readonly shift: 0 | 1 } | null {
  const shift = text.startsWith('\uFEFF') ? 1 : 0;
  const module = parseModule(text.slice(shift), limits, () => undefined);
  return module === null ? null : { module, shift };
}

/** Every place of the name at `offset`; none for what the language or the host gives. */
export function starlarkNamesAt(text: string, offset: number): readonly StarlarkName[] {
  const parsed = parseProgram(text);
  if (parsed === null) return [];
  const { module, shift } = parsed;
  resolveModule(
    module,
    { predeclared: new Set(hostFunctionNames), universal: new Set(universe.keys()), interactive: false },
    () => undefined,
  );
  const at = offset - shift;
  const all = identifiersIn(module);
  const here = all.find(({ identifier: { start, end } }) => start <= at && at <= end);
  const binding = here?.identifier.binding ?? null;
  if (
    here === undefined ||
    binding === null ||
    binding.kind === 'predeclared' ||
    binding.kind === 'universal'
  )
    return [];
  return all
    .filter(({ identifier }) => isSame(identifier.binding, binding))
    .map(({ identifier: { name, start, end }, isBound }) => ({
      name,
      isDefinition: isBound,
      start: start + shift,
      end: end + shift,
    }));
}

function isSame(one: Binding | null, other: Binding): boolean {
  if (one === null) return false;
  if (one.kind === 'global') return other.kind === 'global' && one.index === other.index;
  if ((one.kind === 'local' || one.kind === 'free') && (other.kind === 'local' || other.kind === 'free'))
    return one.variable === other.variable;
  return false;
}

interface Found {
  readonly identifier: Identifier;
  readonly isBound: boolean;
}

function identifiersIn(module: Module): readonly Found[] {
  const found: Found[] = [];
  const bound = new Set<unknown>();
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) {
      for (const one of node) walk(one);
      return;
    }
    if (typeof node !== 'object' || node === null || node instanceof Uint8Array) return;
    const { kind } = node as { readonly kind?: string };
    if (kind === 'identifier') {
      found.push({ identifier: node as Identifier, isBound: bound.has(node) });
      return;
    }
    const { target, name, local } = node as {
      readonly target?: Expression;
      readonly name?: unknown;
      readonly local?: unknown;
    };
    if (kind === 'assign' || kind === 'for') for (const one of targetsOf(target)) bound.add(one);
    // A function, a parameter, a name that is loaded.
    if (typeof name === 'object' && name !== null) bound.add(name);
    if (typeof local === 'object' && local !== null) bound.add(local);
    for (const [key, one] of Object.entries(node)) if (key !== 'scope' && key !== 'binding') walk(one);
  };
  walk(module.body);
  return found.sort((a, b) => a.identifier.start - b.identifier.start);
}

function targetsOf(target: Expression | undefined): readonly Expression[] {
  if (target === undefined) return [];
  if (target.kind === 'tuple' || target.kind === 'list')
    return target.items.flatMap((item) => targetsOf(item));
  return [target];
}

/** `input["key"]` and `input.get("key")`. */
export function starlarkInputKeys(text: string): readonly Occurrence[] {
  const found: Occurrence[] = [];
  for (const match of text.matchAll(/\binput(?:\[|\.get\()[ \t]*(["'])([\w.-]{1,128})\1/g)) {
    const name = match[2] as string;
    const start = match.index + match[0].length - 1 - name.length;
    found.push({ kind: 'input', name, isDefinition: false, start, end: start + name.length });
  }
  return found;
}

export interface LoadedModule {
  /** Of the text between the quotes. */
  readonly span: Span;
  readonly module: string;
  readonly names: readonly { readonly local: string; readonly original: string; readonly span: Span }[];
}

export function loadsIn(text: string): readonly LoadedModule[] {
  const parsed = parseProgram(text);
  if (parsed === null) return [];
  const { module, shift } = parsed;
  return module.body.flatMap((statement) =>
    statement.kind !== 'load'
      ? []
      : [
          {
            span: { start: statement.module.start + 1 + shift, end: statement.module.end - 1 + shift },
            module: statement.module.value,
            names: statement.bindings.map(({ local, original, start, end }) => ({
              local: local.name,
              original,
              span: { start: start + shift, end: end + shift },
            })),
          },
        ],
  );
}
