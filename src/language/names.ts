// A file of a skill -> where the names of steps, inputs and skills stand in it: what defines them, and what uses them.
//
//   text -> outline and template tags -> Occurrence[]
//
// Definition, references and rename read this list. A span is that of the name alone, without quotes.
import type { Span } from '../base/span.ts';
import type { LanguageFile } from './language.ts';
import type { Outline, OutlineEntry, OutlinePath } from './outline.ts';
import { readOutline } from './outline.ts';
import { declaredIn } from './declared.ts';
import { isExpression } from './complete.ts';
import { starlarkInputKeys } from './starlark-names.ts';
import type { TemplateToken } from './template-tokens.ts';
import { expressionTokens, namesBoundIn, templateRegions } from './template-tokens.ts';

export interface Occurrence extends Span {
  readonly kind: 'step' | 'input' | 'skill' | 'file';
  readonly name: string;
  readonly isDefinition: boolean;
}

export function occurrencesIn(file: LanguageFile): readonly Occurrence[] {
  const isMain = file.path === 'SKILL.md';
  const outline = readOutline(isMain ? file.text : file.main);
  const declared = declaredIn(outline);
  const scope: Scope = {
    steps: declared.isComposition ? new Set() : new Set(declared.steps.map(({ name }) => name)),
  };
  if (file.path.endsWith('.star')) return starlarkInputKeys(file.text);
  if (/^tests\/[^/]+\.ya?ml$/.test(file.path))
    return testedSteps(file.text, new Set(declared.steps.map(({ name }) => name)));
  if (!isMain) return inTemplates(file.text, 0, file.text.length, scope);
  const { yaml } = outline;
  if (yaml === null) return [];
  return [
    ...outline.entries.flatMap((entry, at) => inEntry(outline, entry, outline.entries[at + 1])),
    ...inTemplates(outline.text, yaml.start, yaml.end, scope),
    ...outline.entries.flatMap((entry) => inExpression(outline, entry, scope)),
    ...inBody(outline.text, yaml.end, new Set(declared.inputs.map(({ name }) => name))),
  ].toSorted((a, b) => a.start - b.start);
}

interface Scope {
  /** Ids that a template may read without `outputs`. */
  readonly steps: ReadonlySet<string>;
}

function occurrence(
  kind: Occurrence['kind'],
  text: string,
  { start, end }: Span,
  isDefinition = false,
): readonly Occurrence[] {
  const isQuoted =
    /^(["'])/.test(text.charAt(start)) && end - start > 1 && text.charAt(end - 1) === text.charAt(start);
  const span = isQuoted ? { start: start + 1, end: end - 1 } : { start, end };
  const name = text.slice(span.start, span.end);
  return name === '' || name.includes('{{') ? [] : [{ kind, name, isDefinition, ...span }];
}

/** What the key or the value of an entry names; `next` is the entry behind it. */
function inEntry(
  { text }: Outline,
  entry: OutlineEntry,
  next: OutlineEntry | undefined,
): readonly Occurrence[] {
  const { path, key, value } = entry;
  const last = path.findLast((one) => typeof one === 'string');
  if (path[0] === 'inputs') return inputIn(text, entry);
  if (isStep(path.slice(0, -1)) && path.at(-1) === 'id') return occurrence('step', text, value, true);
  // The items of a list stand behind it, each with its own place.
  if (next !== undefined && next.path.length === path.length + 1 && startsWith(next.path, path)) return [];
  const isInStep = path.some((_, at) => isStep(path.slice(0, at + 1)));
  if (isInStep && (last === 'depends_on' || last === 'on_failure')) return occurrence('step', text, value);
  if (path.length === 1 && last === 'final_text_mode') {
    const named = /^(["']?step:)(.*?)["']?$/.exec(text.slice(value.start, value.end));
    return named === null
      ? []
      : occurrence('step', text, {
          start: value.start + (named[1] as string).length,
          end: value.start + (named[1] as string).length + (named[2] as string).length,
        });
  }
  if (
    (isInStep && (last === 'skill' || last === 'to')) ||
    (path[0] === 'chain' && path.length === 2 && key === null)
  )
    return occurrence('skill', text, value);
  if (path.length === 1 && (last === 'metaskill' || last === 'output'))
    return occurrence('file', text, value);
  return [];
}

function inputIn(text: string, { path, key, value }: OutlineEntry): readonly Occurrence[] {
  const [, second, third] = path;
  if (typeof second === 'string' && path.length === 2 && key !== null)
    return occurrence('input', text, key, true);
  if (typeof second !== 'number') return [];
  if (path.length === 3 && (third === 'name' || third === 'key'))
    return occurrence('input', text, value, true);
  if (path.length !== 2 || key !== null) return [];
  const written = /^["']?([\w.-]+)\s*(?:\||["']?$)/.exec(text.slice(value.start, value.end));
  if (written === null) return [];
  const start = value.start + (/^["']/.test(text.charAt(value.start)) ? 1 : 0);
  return occurrence('input', text, { start, end: start + (written[1] as string).length }, true);
}

/** Whether this is the path of a step. */
export function isStep(path: OutlinePath): boolean {
  const [first, second, third] = path;
  if ((first === 'composition' || first === 'chain') && second === 'steps')
    return path.length === 3 && typeof third === 'number';
  return (first === 'steps' || first === 'chain') && path.length === 2 && typeof second === 'number';
}

function startsWith(path: OutlinePath, start: OutlinePath): boolean {
  return start.every((step, at) => path[at] === step);
}

function inTemplates(text: string, from: number, to: number, scope: Scope): readonly Occurrence[] {
  const regions = templateRegions(text, from, to);
  const bound = namesBoundIn(regions);
  return regions.flatMap(({ kind, tokens }) =>
    kind === 'comment'
      ? []
      : inTokens(tokens, { steps: new Set([...scope.steps].filter((name) => !bound.has(name))) }),
  );
}

/** A value that is an expression without braces. */
function inExpression({ text }: Outline, { path, value }: OutlineEntry, scope: Scope): readonly Occurrence[] {
  if (!isExpression(path) || text.slice(value.start, value.end).includes('{{')) return [];
  const from = value.start + (/^["']/.test(text.charAt(value.start)) ? 1 : 0);
  const to = from > value.start && value.end > from ? value.end - 1 : value.end;
  return inTokens(expressionTokens(text, from, to, false), scope);
}

const roots: ReadonlyMap<string, Occurrence['kind']> = new Map([
  ['inputs', 'input'],
  ['outputs', 'step'],
  ['errors', 'step'],
]);

function inTokens(tokens: readonly TemplateToken[], { steps }: Scope): readonly Occurrence[] {
  return tokens.flatMap((token, at): readonly Occurrence[] => {
    if (token.role !== 'variable' || tokens[at - 1]?.text === '.') return [];
    const kind = roots.get(token.text);
    if (kind !== undefined) {
      const named = memberBehind(tokens, at);
      return named === null ? [] : [{ kind, isDefinition: false, ...named }];
    }
    // The name of an argument is none of ours.
    const isArgument = tokens[at + 1]?.text === '=' && tokens[at + 2]?.text !== '=';
    if (!steps.has(token.text) || isArgument) return [];
    return [{ kind: 'step', name: token.text, isDefinition: false, start: token.start, end: token.end }];
  });
}

/** `.name`, `['name']` or `.get('name'`. */
function memberBehind(
  tokens: readonly TemplateToken[],
  at: number,
): (Span & { readonly name: string }) | null {
  const [sign, name, open, argument] = tokens.slice(at + 1, at + 5);
  if (sign?.text === '[' && name?.role === 'string') return quoted(name);
  if (sign?.text !== '.' || name?.role !== 'property') return null;
  if (name.text === 'get' && open?.text === '(' && argument?.role === 'string') return quoted(argument);
  return { name: name.text, start: name.start, end: name.end };
}

function quoted({ start, text }: TemplateToken): (Span & { readonly name: string }) | null {
  const parts = /^(\\?["'])(.*?)\\?["']$/.exec(text);
  if (parts === null) return null;
  const from = start + (parts[1] as string).length;
  return { name: parts[2] as string, start: from, end: from + (parts[2] as string).length };
}

/** "- `key`: …" below the frontmatter. */
function inBody(text: string, from: number, inputs: ReadonlySet<string>): readonly Occurrence[] {
  const found: Occurrence[] = [];
  const listed = /^[ \t]*[-*][ \t]+`([\w.-]{1,128})`/gm;
  listed.lastIndex = from;
  for (let match = listed.exec(text); match !== null; match = listed.exec(text)) {
    const name = match[1] as string;
    const start = match.index + match[0].length - 1 - name.length;
    if (inputs.has(name))
      found.push({ kind: 'input', name, isDefinition: false, start, end: start + name.length });
  }
  return found;
}

/** Steps whose forms a test answers: `inputs: {STEP: …}`, or `step: STEP` below it. */
function testedSteps(text: string, steps: ReadonlySet<string>): readonly Occurrence[] {
  const found: Occurrence[] = [];
  // As an outline, a test is a frontmatter without fences.
  const fence = '---\n';
  const { text: shown, entries } = readOutline(`${fence}${text}`);
  for (const { path, key, value } of entries) {
    const at = path.indexOf('inputs');
    if (at < 0) continue;
    const span =
      path.length === at + 2 && key !== null
        ? key
        : path.length === at + 3 && path.at(-1) === 'step'
          ? value
          : null;
    if (span === null) continue;
    for (const one of occurrence('step', shown, span))
      if (steps.has(one.name))
        found.push({ ...one, start: one.start - fence.length, end: one.end - fence.length });
  }
  return found;
}
