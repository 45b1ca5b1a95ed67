// The interpreter of a skill that makes a note -> the same, with the note as its last effect.
//
//   inner: done, with an answer -> write $note { path, type, properties, edges, body } -> done, with `note` in the result
//
// The request follows from the declaration, the inputs and the answer alone, so that a resume and a replay propose the same.
// A result that is only a part makes no note. A note that cannot be written makes the result partial, and is named in it.
import { fileNameOf } from '../../base/file-name.ts';
import { emptyObject, isJsonObject, textOf } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { NoteDeclaration } from '../../ports/note-host.ts';
import type { Data, Template } from '../../template/template.ts';
import { compileTemplate } from '../../template/template.ts';
import type { Advance, EffectOutcome, EffectRequest, Interpreter } from '../effect/effect.ts';
import type { HostFilters } from '../plan/templates.ts';
import type { RunFacts } from '../run-facts.ts';

/** No step of a plan and no call of a program has this key. */
const noteKey = '$note';

type Done = Extract<Advance, { kind: 'done' }>;

export class NoteInterpreter implements Interpreter {
  readonly isConcurrent: boolean;
  readonly #inner: Interpreter;
  readonly #declared: NoteDeclaration;
  readonly #startedAtMs: number;
  readonly #startedOffsetMinutes: number;
  readonly #filters: HostFilters;
  #done: Done | null = null;
  #isWaiting = false;

  constructor(inner: Interpreter, { meta, settings }: RunFacts, filters: HostFilters) {
    this.isConcurrent = inner.isConcurrent === true;
    this.#inner = inner;
    this.#declared = settings.note as NoteDeclaration;
    this.#startedAtMs = settings.origin?.at ?? meta.at;
    this.#startedOffsetMinutes = settings.utcOffsetMinutes;
    this.#filters = filters;
  }

  get steps(): number {
    return this.#inner.steps;
  }

  advance(): Advance {
    if (this.#done !== null) return this.#isWaiting ? { kind: 'waiting', effects: [] } : this.#done;
    const advance = this.#inner.advance();
    if (advance.kind !== 'done' || !isWhole(advance)) return advance;
    const request = this.#request(textOf((advance.value as JsonObject)['answer'] ?? ''));
    if (request === null) return (this.#done = advance);
    if ('code' in request) return (this.#done = partial(advance, request));
    this.#done = advance;
    this.#isWaiting = true;
    return { kind: 'waiting', effects: [request] };
  }

  deliver(key: string, outcome: EffectOutcome): void {
    if (key !== noteKey || this.#done === null) return this.#inner.deliver(key, outcome);
    this.#isWaiting = false;
    this.#done = outcome.ok
      ? { ...this.#done, value: Object.assign(emptyObject(), this.#done.value, { note: outcome.value }) }
      : partial(this.#done, { code: outcome.code, message: outcome.message });
  }

  #request(body: string): EffectRequest | { readonly code: string; readonly message: string } | null {
    const { path, type, edges, properties, update, dangling, existing } = this.#declared;
    const inputs = this.#inner.inputs ?? {};
    const named = this.#render(path, asNames(inputs) as JsonObject, 'path');
    if (!named.ok) return named.fault;
    // The skill makes no note this time.
    if (textOf(named.value).trim() === '') return null;
    const values = emptyObject();
    for (const { key, template } of properties) {
      const value =
        template === null
          ? { ok: true as const, value: inputs[key] ?? null }
          : this.#render(template, inputs, `properties.${key}`);
      if (!value.ok) return value.fault;
      if (!isJsonObject(value.value) && value.value !== null && value.value !== '') values[key] = value.value;
    }
    const links = emptyObject();
    for (const edge of edges) {
      const targets = namesIn(inputs[edge] ?? null);
      if (targets.length > 0) links[edge] = targets;
    }
    return {
      key: noteKey,
      kind: 'write',
      request: {
        path: textOf(named.value),
        type,
        properties: values,
        edges: links,
        usual: [...edges],
        dangling: [...dangling],
        update: [...update],
        existing,
        body,
      },
      repeatable: true,
    };
  }

  #render(
    source: string,
    inputs: JsonObject,
    label: string,
  ):
    | { readonly ok: true; readonly value: Json }
    | { readonly ok: false; readonly fault: { readonly code: string; readonly message: string } } {
    const fail = (message: string) => ({
      ok: false as const,
      fault: { code: 'NOTE_INVALID', message: `x_techne_note.${label}: ${message}` },
    });
    const compiled = compileTemplate(source, { path: label, filters: this.#filters });
    if (!compiled.ok) return fail(compiled.diagnostics[0]?.message ?? 'it is not a template');
    const template: Template = compiled.template;
    const made = template.evaluate(
      { inputs: inputs as Data },
      {
        startedAtMs: this.#startedAtMs,
        startedOffsetMinutes: this.#startedOffsetMinutes,
        maxSteps: 100_000,
      },
    );
    return made.ok ? made : fail(made.diagnostic.message);
  }
}

/** The whole result, and a text to make a note of. */
function isWhole({ value, error }: Done): boolean {
  if ((error ?? null) !== null || !isJsonObject(value)) return false;
  const { status = 'ok' } = value;
  return status === 'ok' || status === 'completed';
}

function partial(done: Done, error: { readonly code: string; readonly message: string }): Done {
  return {
    ...done,
    value: Object.assign(emptyObject(), done.value, { status: 'partial', error: { ...error } }),
    error,
  };
}

/** Every text as a part of a file name, so that an input adds no folder. */
function asNames(value: Json): Json {
  if (typeof value === 'string') return fileNameOf(value);
  if (Array.isArray(value)) return (value as readonly Json[]).map(asNames);
  if (!isJsonObject(value)) return value;
  const names = emptyObject();
  for (const [key, item] of Object.entries(value)) names[key] = asNames(item);
  return names;
}

/** `"[[A]], [[B]]"`, `"A"` or a list of such. */
function namesIn(value: Json): readonly string[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(namesIn);
  if (typeof value !== 'string' || value.trim() === '') return [];
  const links = [...value.matchAll(/\[\[([^\]]+)\]\]/g)].map(([, name]) => (name as string).trim());
  return links.length > 0 ? links : [value.trim()];
}
