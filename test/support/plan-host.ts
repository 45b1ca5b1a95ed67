// Runs of plans in tests: skills by their texts, tools that a test writes down, and an answerer that knows its steps.
import { scopesOf } from '../../src/skill/tools/tool-scope.ts';
import type { JsonObject, Json } from '../../src/base/json.ts';
import { nodeSha256 } from '../../src/node/environment.ts';
import { nodeParseFull } from '../../src/node/yaml.ts';
import type { Artifacts } from '../../src/ports/artifacts.ts';
import type { SkillSource, SkillToRun, StepSkill } from '../../src/ports/skill-source.ts';
import type { ToolCall, ToolHost, ToolOutcome } from '../../src/ports/tool-host.ts';
import { noteOf } from '../../src/run/start/snapshot-skills.ts';
import type { RunResult } from '../../src/run/result/result.ts';
import { parseBody } from '../../src/skill/body/parse-body.ts';
import { parseHead } from '../../src/skill/parse-head.ts';
import type { SkillHead } from '../../src/skill/types.ts';
import type { FakeRunHost, FakeRunHostOptions } from './fake-run-host.ts';
import { fakeRunHost } from './fake-run-host.ts';

type OnTool = (call: ToolCall) => Json | Promise<Json>;

/** A tool gives what `onTool` returns, and fails with what it throws; `done` is what happened to the world. */
export class FakeTools implements ToolHost {
  readonly done: string[] = [];
  readonly names = new Set<string>();
  readonly repeatable = new Set<string>();
  onTool: OnTool = ({ tool }) => `${tool} done`;

  async list(): ReturnType<ToolHost['list']> {
    return {
      tools: await Promise.all(
        [...this.names].map(
          async (name) => (await this.find(name)) as NonNullable<Awaited<ReturnType<ToolHost['find']>>>,
        ),
      ),
      faults: [],
    };
  }

  async find(name: string): ReturnType<ToolHost['find']> {
    return this.names.has(name)
      ? {
          name,
          description: '',
          parameters: { type: 'object' },
          readOnly: false,
          repeatable: this.repeatable.has(name),
          from: 'built-in',
        }
      : null;
  }

  async judge(): ReturnType<ToolHost['judge']> {
    return { kind: 'allow' };
  }

  async call(call: ToolCall): Promise<ToolOutcome> {
    this.done.push(`${call.tool} ${JSON.stringify(call.args)}`);
    try {
      const value = await this.onTool(call);
      return {
        ok: true,
        text: typeof value === 'string' ? value : JSON.stringify(value),
        value: typeof value === 'string' ? null : value,
      };
    } catch (error) {
      return { ok: false, message: (error as Error).message, timedOut: false };
    }
  }

  async close(): Promise<void> {}
}

export interface PlanSkillText {
  readonly text: string;
  /** Further files of its folder. */
  readonly files?: { readonly [path: string]: string };
  readonly ready?: StepSkill['ready'];
  readonly runnable?: StepSkill['runnable'];
}

/** Skills that can be edited while a test runs. */
export type PlanTexts = { [name: string]: PlanSkillText | string };

function headOf(name: string, text: string): SkillHead {
  const head = parseHead(
    text,
    { folderName: name, entries: [], complete: true, fileBytes: text.length, parseFull: nodeParseFull },
    () => undefined,
  );
  if (head === 'more') throw new Error('the text is not whole');
  return head;
}

export function planSkills(texts: PlanTexts): SkillSource {
  const yes = { ok: true, reasons: [] };
  const read = (name: string): (PlanSkillText & { readonly head: SkillHead }) | null => {
    const given = Object.hasOwn(texts, name) ? texts[name] : undefined;
    if (given === undefined) return null;
    const skill = typeof given === 'string' ? { text: given } : given;
    return { ...skill, head: headOf(name, skill.text) };
  };
  return {
    names: () => Object.keys(texts),
    mayContinue: async () => yes,
    async find(name): Promise<SkillToRun | null> {
      const skill = read(name);
      if (skill === null) return null;
      const { head, text } = skill;
      const body = parseBody(text);
      const files = new Map(
        Object.entries({ 'SKILL.md': text, ...skill.files }).map(([path, content]) => [
          path,
          new TextEncoder().encode(content),
        ]),
      );
      return {
        name,
        description: head.description,
        form: head.form,
        digest: `sha256:${nodeSha256([...files].map(([path, bytes]) => `${path} ${nodeSha256(bytes)}`).join('\n'))}`,
        folder: `/skills/${name}`,
        runnable: skill.runnable ?? yes,
        instructions: body.text,
        inputs: head.inputs,
        inputsAreTyped: head.inputs !== null,
        program: head.program,
        files,
        scopes: scopesOf(head),
        model: head.model,
        note: noteOf(head),
      };
    },
    async findForStep(name): Promise<StepSkill | null> {
      const skill = read(name);
      if (skill === null) return null;
      const { head, text } = skill;
      return {
        name,
        form: head.form,
        digest: `sha256:${nodeSha256(text)}`,
        content: null,
        folder: `/skills/${name}`,
        ready: skill.ready ?? yes,
        runnable: skill.runnable ?? yes,
        instructions: parseBody(text).text,
        scopes: scopesOf(head),
        model: head.model,
        entrypoint: head.frontmatter['entrypoint'] ?? null,
        capabilities: head.capabilities,
        env: head.requires?.env ?? [],
        file: new TextEncoder().encode(text),
      };
    },
  };
}

export interface PlanHost extends FakeRunHost {
  readonly tools: FakeTools;
  readonly texts: PlanTexts;
  /** Paths of artifacts that exist. */
  readonly artifacts: Set<string>;
  start(skill: string, input?: Json): Promise<RunResult>;
}

export interface PlanHostOptions extends Omit<FakeRunHostOptions, 'after' | 'tools' | 'artifacts'> {
  readonly after?: PlanHost;
  readonly tools?: readonly string[];
}

export function planHost(
  texts: PlanTexts,
  { after, tools: names = [], ...more }: PlanHostOptions = {},
): PlanHost {
  const tools = after?.tools ?? new FakeTools();
  for (const name of names) tools.names.add(name);
  const made = after?.artifacts ?? new Set<string>();
  const artifacts: Artifacts = {
    look: async (path) =>
      made.has(path)
        ? { exists: true, bytes: 1, reason: null }
        : { exists: false, bytes: null, reason: 'does not exist' },
  };
  const host = fakeRunHost({
    skills: planSkills(texts),
    parseFull: nodeParseFull,
    tools,
    artifacts,
    workspace: '/work',
    ...(after === undefined ? {} : { after }),
    ...more,
  });
  return {
    ...host,
    tools,
    texts,
    artifacts: made,
    start: (skill, input = { user_message: 'do it' }) => host.runner.start({ skill, input }),
  };
}

/** What the result says, without its trace. */
export function resultOf({ envelope }: RunResult): JsonObject {
  const { trace: _trace, ...rest } = (envelope ?? {}) as { [key: string]: Json };
  return rest;
}

/** `{step: status}` */
export function statusesOf(result: RunResult): { readonly [step: string]: Json } {
  const { steps = {} } = resultOf(result);
  return Object.fromEntries(
    Object.entries(steps as JsonObject).map(([id, step]) => [id, (step as JsonObject)['status'] as Json]),
  );
}
