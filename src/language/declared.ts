// What a SKILL.md declares, as far as it is typed: its inputs and its steps.
import type { Outline, OutlineEntry, OutlinePath } from './outline.ts';
import type { Named } from './language.ts';
import type { Span } from '../base/span.ts';

export interface DeclaredStep extends Named {
  readonly span: Span;
  /** Of the step. */
  readonly path: OutlinePath;
}

export interface Declared {
  readonly inputs: readonly Named[];
  readonly steps: readonly DeclaredStep[];
  /** Of a composition; steps of other forms are read by their id alone too. */
  readonly isComposition: boolean;
  readonly isPlan: boolean;
}

const mostNames = 500;

export function declaredIn(outline: Outline): Declared {
  const inputs = new Map<string, string>();
  const steps: DeclaredStep[] = [];
  let isComposition = false;
  let isPlan = false;
  const { entries } = outline;
  const byPath = new Map(entries.map((entry) => [pathKey(entry.path), entry]));
  for (const entry of entries) {
    if (inputs.size + steps.length > mostNames) break;
    const [first, second, third] = entry.path;
    const value = valueOf(outline, entry);
    if (first === 'inputs') readInput(entry, value, inputs);
    if (first === 'triggers' || first === 'trigger')
      for (const [, name = ''] of value.matchAll(/\{(\w{1,64})\}/g))
        if (!inputs.has(name)) inputs.set(name, 'A variable of a trigger.');
    if (first === 'composition') isComposition = true;
    if (first === 'composition' || first === 'steps' || first === 'chain') isPlan = true;
    const isStep =
      (first === 'composition' &&
        second === 'steps' &&
        typeof third === 'number' &&
        entry.path.length === 4) ||
      (first === 'chain' && second === 'steps' && typeof third === 'number' && entry.path.length === 4) ||
      ((first === 'steps' || first === 'chain') && typeof second === 'number' && entry.path.length === 3);
    if (isStep && entry.path.at(-1) === 'id' && value !== '')
      steps.push({
        name: value,
        description: describeStep(outline, entry, byPath),
        span: entry.value,
        path: entry.path.slice(0, -1),
      });
  }
  return {
    inputs: [...inputs].map(([name, description]) => ({ name, description })),
    steps,
    isComposition,
    isPlan,
  };
}

function readInput({ path, key }: OutlineEntry, value: string, inputs: Map<string, string>): void {
  const [, second, third] = path;
  if (typeof second === 'string' && path.length === 2) inputs.set(second, value);
  else if (typeof second === 'string' && third === 'description' && path.length === 3)
    inputs.set(second, value);
  else if (typeof second === 'number' && key === null && path.length === 2 && value !== '') {
    const [name = '', need = '', ...rest] = value.split('|').map((part) => part.trim());
    if (/^[\w.-]{1,128}$/.test(name)) inputs.set(name, rest.join('|') || need);
  } else if (typeof second === 'number' && (third === 'name' || third === 'key') && value !== '')
    inputs.set(value, '');
}

/** "llm_chat · The draft", from the fields beside the id. */
function describeStep(
  outline: Outline,
  { path }: OutlineEntry,
  byPath: ReadonlyMap<string, OutlineEntry>,
): string {
  const beside = (name: string): string => {
    const found = byPath.get(pathKey([...path.slice(0, -1), name]));
    return found === undefined ? '' : valueOf(outline, found);
  };
  return ['kind', 'tool', 'skill', 'label']
    .map(beside)
    .filter((text) => text !== '')
    .join(' · ')
    .slice(0, 200);
}

export function pathKey(path: OutlinePath): string {
  return path.join('\0');
}

/** One line, without quotes. */
export function valueOf({ text }: Outline, { value }: OutlineEntry): string {
  const written = text.slice(value.start, Math.min(value.end, value.start + 2_000));
  return /^(["']).*\1$/s.test(written) ? written.slice(1, -1) : written;
}
