// Run events -> OpenTelemetry spans, named by the GenAI conventions as far as they fit.
//
//   run      invoke_workflow SKILL                ask, chat, classify   invoke_agent, with its turns below it
//   turn     chat MODEL, with tokens and cost     command, tool         execute_tool NAME
//
// OpenTelemetry is not a dependency: the caller passes its API in, or `loadOtelApi` looks for it. `onEvent` never
// throws, and the first fault is reported. A span ends once, in whatever order events arrive; a paused run ends its
// spans, and a resume begins new ones with the same run id. Texts become attributes only on request, and names of
// models, providers and tools only if they look like names.
import type { Json, JsonObject } from '../../base/json.ts';
import type { RunEvent } from '../../run/events.ts';
import type { EventSink } from './jsonl.ts';
import type { Usage } from '../../ports/answerer.ts';

/** The part of `@opentelemetry/api` that is used. */
export interface OtelApi {
  readonly trace: {
    getTracer(name: string, version?: string): OtelTracer;
    setSpan(context: OtelContext, span: OtelSpan): OtelContext;
  };
  readonly context: { active(): OtelContext };
}

/** The context of the parent span. */
export type OtelContext = object;
/** A value of an attribute. */
export type OtelValue = string | number | boolean;
/** Attributes of a span. */
export interface OtelAttributes {
  readonly [name: string]: OtelValue;
}

/** The part of a tracer that is used. */
export interface OtelTracer {
  startSpan(
    name: string,
    options: { readonly kind: number; readonly startTime: Date; readonly attributes: OtelAttributes },
    context: OtelContext,
  ): OtelSpan;
}

/** The part of a span that is used. */
export interface OtelSpan {
  setAttributes(attributes: OtelAttributes): unknown;
  setStatus(status: { readonly code: number }): unknown;
  addEvent(name: string, attributes: OtelAttributes, at: Date): unknown;
  end(at: Date): void;
}

/** The tracer, and what spans hold. */
export interface OtelEventsOptions {
  readonly api: OtelApi;
  /** Whether texts of prompts and commands become attributes. Default: false. */
  readonly content?: boolean;
  /** Of techne, as the tracer is asked for. Default: none. */
  readonly version?: string;
  /** Called once, with the first fault. Must not throw. Default: none. */
  readonly onFault?: (error: Error) => void;
}

/** As `SpanKind` and `SpanStatusCode` have them. */
const [internal, client, failed] = [0, 2, 2];

/** Events as spans of OpenTelemetry. */
export function createOtelEvents(options: OtelEventsOptions): EventSink {
  const spans = new RunSpans(options);
  let told = false;
  const guarded = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (told) return;
      told = true;
      options.onFault?.(error instanceof Error ? error : new Error(String(error)));
    }
  };
  return {
    // A load in a conversation has no run, and so no span.
    onEvent: (event) => guarded(() => void ('run' in event && spans.take(event))),
    flush: () => Promise.resolve(),
    close: () => {
      guarded(() => spans.close());
      return Promise.resolve();
    },
  };
}

/** The API if it is installed, else null. */
export async function loadOtelApi(
  load: (name: string) => Promise<unknown> = (name) => import(name),
): Promise<OtelApi | null> {
  try {
    return (await load('@opentelemetry/api')) as OtelApi;
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') return null;
    throw error;
  }
}

interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly costMicros: number;
}

const none: Tokens = { input: 0, output: 0, costMicros: 0 };

interface OpenEffect {
  readonly key: string;
  readonly span: OtelSpan;
  /** Of itself and of its parts, as far as they are known. */
  used: Tokens;
}

interface OpenRun {
  readonly run: string;
  readonly span: OtelSpan;
  readonly context: OtelContext;
  readonly effects: Map<string, OpenEffect>;
  lastAt: Date;
}

class RunSpans {
  readonly #api: OtelApi;
  readonly #tracer: OtelTracer;
  readonly #content: boolean;
  readonly #runs = new Map<string, OpenRun>();

  constructor({ api, content = false, version }: OtelEventsOptions) {
    this.#api = api;
    this.#tracer = api.trace.getTracer('techne', version);
    this.#content = content;
  }

  take(event: RunEvent): void {
    if (event.type === 'effect.text') return;
    const run = this.#runOf(event);
    if ('at' in event) run.lastAt = new Date(event.at);
    switch (event.type) {
      case 'run.started':
      case 'run.resumed':
        return;
      case 'run.paused':
        run.span.setAttributes({
          'techne.run.status': event.reason === 'decision' ? 'needs_decision' : 'paused',
          'techne.run.questions': event.questions,
        });
        return this.#endRun(run);
      case 'run.ended':
        run.span.setAttributes({
          'techne.run.status': event.status,
          'techne.run.steps': event.usage.steps,
          ...usageAttributes(tokensOf(event.usage)),
        });
        if (event.code !== null) fail(run.span, event.code);
        return this.#endRun(run);
      case 'effect.started':
        return this.#startEffect(run, event);
      case 'effect.ended': {
        const effect = run.effects.get(event.key);
        if (effect === undefined) return;
        if (event.code !== null) fail(effect.span, event.code);
        return this.#endEffect(run, effect, tokensOf(event.usage));
      }
      // Usage and failures of effects are reported with their own spans.
      case 'plan.opened':
      case 'step.ended':
      case 'budget.used':
      case 'tool.failed':
      case 'skill.loaded':
        return;
      case 'question.asked':
        return void (run.effects.get(event.key)?.span ?? run.span).addEvent(
          event.type,
          { 'techne.question.id': event.id, 'techne.question.audience': event.audience },
          run.lastAt,
        );
      case 'question.answered':
        return void run.span.addEvent(
          event.type,
          { 'techne.question.id': event.id, 'techne.question.by': event.by },
          run.lastAt,
        );
      case 'answer.refused':
        return void run.span.addEvent(event.type, { 'error.type': event.code }, run.lastAt);
      case 'effect.undecided':
        return void run.span.addEvent(
          event.type,
          { 'techne.effect.key': event.key, 'techne.effect.kind': event.kind },
          run.lastAt,
        );
      case 'trace.added':
        if (this.#content)
          run.span.addEvent(
            event.type,
            { 'techne.trace.kind': event.kind, 'techne.trace.data': JSON.stringify(event.data) },
            run.lastAt,
          );
        return;
      default:
        // An event of a later version: only its run is known.
        return;
    }
  }

  close(): void {
    for (const run of this.#runs.values()) this.#endRun(run);
  }

  /** For a run that was resumed after a crash, the first event is not its start. */
  #runOf(event: Exclude<RunEvent, { readonly type: 'effect.text' }>): OpenRun {
    const known = this.#runs.get(event.run);
    if (known !== undefined) return known;
    const at = new Date('at' in event ? event.at : Date.now());
    const skill = event.type === 'run.started' || event.type === 'run.resumed' ? event.skill : null;
    const parent =
      event.type === 'run.started' && event.parent !== null ? this.#runs.get(event.parent) : undefined;
    const effect =
      event.type === 'run.started' && event.parentKey !== null
        ? parent?.effects.get(event.parentKey)
        : undefined;
    const above =
      parent === undefined
        ? this.#api.context.active()
        : effect === undefined
          ? parent.context
          : this.#api.trace.setSpan(parent.context, effect.span);
    const attributes = {
      'gen_ai.operation.name': 'invoke_workflow',
      'techne.run.id': event.run,
      ...(skill === null ? {} : { 'gen_ai.workflow.name': skill }),
      ...(event.type === 'run.started' ? {} : { 'techne.run.resumed': true }),
    };
    const span = this.#tracer.startSpan(
      skill === null ? 'invoke_workflow' : `invoke_workflow ${skill}`,
      { kind: internal, startTime: at, attributes },
      above,
    );
    const run: OpenRun = {
      run: event.run,
      span,
      context: this.#api.trace.setSpan(this.#api.context.active(), span),
      effects: new Map(),
      lastAt: at,
    };
    this.#runs.set(event.run, run);
    return run;
  }

  #startEffect(
    run: OpenRun,
    { key, kind, attempt, request, at }: Extract<RunEvent, { readonly type: 'effect.started' }>,
  ): void {
    const { name, spanKind, attributes } = describeEffect(kind, request, `${run.run}/${key}`);
    const above = run.effects.get(key.slice(0, Math.max(0, key.indexOf('/'))));
    const context = above === undefined ? run.context : this.#api.trace.setSpan(run.context, above.span);
    const all = {
      ...attributes,
      'techne.run.id': run.run,
      'techne.effect.key': key,
      'techne.effect.kind': kind,
      ...(attempt > 1 ? { 'techne.effect.attempt': attempt } : {}),
      ...(this.#content ? contentAttributes(kind, request) : {}),
    };
    run.effects.set(key, {
      key,
      used: none,
      span: this.#tracer.startSpan(
        name,
        { kind: spanKind, startTime: new Date(at), attributes: all },
        context,
      ),
    });
  }

  #endEffect(run: OpenRun, effect: OpenEffect, used: Tokens): void {
    run.effects.delete(effect.key);
    const all = plus(effect.used, used);
    const slash = effect.key.indexOf('/');
    const above = slash < 0 ? undefined : run.effects.get(effect.key.slice(0, slash));
    if (above !== undefined) above.used = plus(above.used, all);
    effect.span.setAttributes(usageAttributes(all));
    effect.span.end(run.lastAt);
  }

  #endRun(run: OpenRun): void {
    this.#runs.delete(run.run);
    // Parts before what they are parts of.
    for (const { span } of [...run.effects.values()].reverse()) span.end(run.lastAt);
    run.span.end(run.lastAt);
  }
}

function describeEffect(
  kind: string,
  request: JsonObject,
  id: string,
): { readonly name: string; readonly spanKind: number; readonly attributes: OtelAttributes } {
  const model = nameIn(request['model']);
  const modelAttribute: OtelAttributes = model === null ? {} : { 'gen_ai.request.model': model };
  const provider = nameIn(request['provider']);
  switch (kind) {
    case 'ask':
    case 'chat':
    case 'classify':
      return {
        name: 'invoke_agent',
        spanKind: internal,
        attributes: { 'gen_ai.operation.name': 'invoke_agent', ...modelAttribute },
      };
    case 'turn':
      return {
        name: model === null ? 'chat' : `chat ${model}`,
        spanKind: client,
        attributes: {
          'gen_ai.operation.name': 'chat',
          ...modelAttribute,
          ...(provider === null ? {} : { 'gen_ai.provider.name': provider }),
        },
      };
    case 'command':
    case 'tool': {
      const tool =
        kind === 'command' ? 'command' : (nameIn(request['name']) ?? nameIn(request['tool']) ?? 'tool');
      return {
        name: `execute_tool ${tool}`,
        spanKind: internal,
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': tool,
          'gen_ai.tool.type': 'function',
          'gen_ai.tool.call.id': id,
        },
      };
    }
    default:
      return { name: `techne ${kind}`, spanKind: internal, attributes: {} };
  }
}

/** Looks like a name: no spaces, no quotes, and short. */
function nameIn(value: Json | undefined): string | null {
  return typeof value === 'string' && /^[\w.:/@-]{1,100}$/.test(value) ? value : null;
}

function contentAttributes(kind: string, request: JsonObject): OtelAttributes {
  const { prompt, purpose } = request;
  if (kind === 'command' || kind === 'tool') return { 'gen_ai.tool.call.arguments': JSON.stringify(request) };
  return {
    ...(typeof prompt === 'string'
      ? {
          'gen_ai.input.messages': JSON.stringify([
            { role: 'user', parts: [{ type: 'text', content: prompt }] },
          ]),
        }
      : {}),
    ...(typeof purpose === 'string' ? { 'techne.effect.purpose': purpose } : {}),
  };
}

function usageAttributes({ input, output, costMicros }: Tokens): OtelAttributes {
  return {
    ...(input + output === 0
      ? {}
      : { 'gen_ai.usage.input_tokens': input, 'gen_ai.usage.output_tokens': output }),
    ...(costMicros === 0 ? {} : { 'techne.usage.cost_usd': costMicros / 1_000_000 }),
  };
}

function fail(span: OtelSpan, code: string): void {
  span.setAttributes({ 'error.type': code });
  span.setStatus({ code: failed });
}

function tokensOf({ inputTokens, outputTokens, costMicros }: Usage): Tokens {
  return { input: inputTokens, output: outputTokens, costMicros };
}

function plus(a: Tokens, b: Tokens): Tokens {
  return { input: a.input + b.input, output: a.output + b.output, costMicros: a.costMicros + b.costMicros };
}
