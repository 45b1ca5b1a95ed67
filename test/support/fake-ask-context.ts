// What an answerer sees of a run, in memory: parts are recorded, and given again to a second context made from the record.
import type { Abort } from '../../src/base/abort.ts';
import type { Json, JsonObject } from '../../src/base/json.ts';
import type { AskContext, AskRequest, LoadedBody, NestedCommand, Usage } from '../../src/ports/answerer.ts';
import { ToolFault } from '../../src/ports/tool.ts';
import { PartFailed } from '../../src/run/effect/ask-parts.ts';

export interface RecordedPart {
  readonly kind: string;
  readonly request: JsonObject;
  readonly repeatable: boolean;
  readonly value: Json;
  readonly usage: Usage | null;
  /** The fault of a tool that refused. */
  readonly failed?: string;
}

export interface FakeAskContext extends AskContext {
  readonly parts: RecordedPart[];
  readonly text: string[];
  readonly loaded: LoadedBody[];
}

export interface FakeAskContextOptions {
  readonly signal?: Abort;
  readonly ordinal?: number;
  readonly retry?: number;
  readonly run?: string;
  /** Parts that were done before. */
  readonly before?: readonly RecordedPart[];
  readonly onCommand?: (call: NestedCommand) => JsonObject | Promise<JsonObject>;
  readonly onSkill?: (name: string, input: Json) => string | Promise<string>;
  readonly onTool?: (tool: string, args: JsonObject) => JsonObject | Promise<JsonObject>;
}

export function fakeAskContext(options: FakeAskContextOptions = {}): FakeAskContext {
  const {
    before = [],
    onCommand = () => ({ ok: true, exit_code: 0, result: '', truncated: false }),
    onSkill = () => 'done',
    onTool = () => ({ ok: true, text: '', value: null, truncated: false }),
  } = options;
  const parts: RecordedPart[] = [];
  const text: string[] = [];
  const loaded: LoadedBody[] = [];
  const part = async (
    kind: string,
    request: JsonObject,
    repeatable: boolean,
    perform: () => Promise<{ value: Json; usage?: Usage }>,
  ): Promise<Json> => {
    const known = before[parts.length];
    if (known !== undefined) {
      if (JSON.stringify([known.kind, known.request]) !== JSON.stringify([kind, request]))
        throw new Error(
          `part ${parts.length + 1} was ${JSON.stringify(known.request)} and is ${JSON.stringify(request)}`,
        );
      parts.push(known);
      if (known.failed !== undefined) throw new PartFailed('TOOL_FAILED', known.failed);
      return known.value;
    }
    const { value, usage = null } = await perform().catch((error: unknown) => {
      if (!(error instanceof ToolFault)) throw error;
      parts.push({ kind, request, repeatable, value: null, usage: null, failed: error.text });
      throw new PartFailed('TOOL_FAILED', error.text);
    });
    // As a journal would give it back.
    const kept = JSON.parse(JSON.stringify(value)) as Json;
    parts.push({
      kind,
      request: JSON.parse(JSON.stringify(request)) as JsonObject,
      repeatable,
      value: kept,
      usage,
    });
    return kept;
  };
  return {
    signal: options.signal ?? new AbortController().signal,
    run: options.run ?? '01RUN',
    key: '1',
    ordinal: options.ordinal ?? 1,
    retry: options.retry ?? 0,
    parts,
    text,
    loaded,
    child: part,
    command: (call) =>
      part('command', { argv: call.argv, cwd: call.cwd ?? null }, false, async () => ({
        value: await onCommand(call),
      })) as Promise<JsonObject>,
    runSkill: (name, input) =>
      part('skill', { name, input }, false, async () => ({
        value: await onSkill(name, input),
      })) as Promise<string>,
    tool: ({ tool, args }) =>
      part('tool', { tool, args }, false, async () => ({
        value: await onTool(tool, args),
      })) as Promise<JsonObject>,
    refusal: () => null,
    runsCompositions: true,
    onText: (piece) => text.push(piece),
    onLoaded: (body) => loaded.push(body),
  };
}

export function askRequest(more: Partial<AskRequest> = {}): AskRequest {
  return {
    kind: 'ask',
    prompt: 'What is in a.txt?',
    purpose: null,
    maxTurns: 10,
    choices: null,
    schema: null,
    model: null,
    tools: null,
    ...more,
  };
}
