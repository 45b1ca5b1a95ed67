// A recorded run -> a test of its skill: record once, test offline for ever.
//
//   run + result -> script (script-of-run.ts), without secrets -> expectations -> tried at once -> the text of a tests/*.yaml file
//
// The test is run before it is given. While the skill is as it was, it passes: limits that the caller had set are added,
// fields of the result that a repetition gives other values are left out and named, and a run that cannot be repeated gives
// no test, with the reason. When the skill has changed since, the differences are told, and nothing is left out.
import type { Json, JsonObject } from '../../../base/json.ts';
import { canonicalJson, isJsonObject } from '../../../base/json.ts';
import { renderJson } from '../../../base/printable.ts';
import type { SkillSource } from '../../../ports/skill-source.ts';
import type { RunLimits } from '../../../run/budget/limits.ts';
import type { RunView } from '../../../run/history/inspect.ts';
import type { RunResult } from '../../../run/result/result.ts';
import { compareWithExpected, differences } from '../compare.ts';
import { parseTests } from '../parse-tests.ts';
import type { PerformedTest } from '../run-test.ts';
import { performTest } from '../run-test.ts';
import type { SkillTest, TestFault } from '../skill-test.ts';
import type { RecordedRun, RunScript } from './script-of-run.ts';
import { allRuns, scriptOfRun } from './script-of-run.ts';
import { withoutSecrets } from './without-secrets.ts';
import { yamlText } from './yaml-text.ts';

export interface RunToTest {
  readonly recorded: RecordedRun;
  readonly result: Pick<RunResult, 'envelope'>;
  readonly name: string;
  /** The skills as they are now. */
  readonly skills: SkillSource;
}

export type MadeTest =
  | {
      readonly ok: true;
      readonly text: string;
      /** Skills that are not as they were when the run was made. */
      readonly changed: readonly string[];
      /** What the test finds now; only when a skill has changed. */
      readonly faults: readonly TestFault[];
      /** Fields that are different in each run, and not compared. */
      readonly notCompared: readonly string[];
      readonly secrets: number;
    }
  | { readonly ok: false; readonly why: readonly string[] };

export async function runToTest({ recorded, result, name, skills }: RunToTest): Promise<MadeTest> {
  const { view } = recorded;
  if (view.status !== 'completed' && view.status !== 'failed' && view.status !== 'partial')
    return {
      ok: false,
      why: [`the run is ${view.status}; only one that completed, failed or gave a part can be tested`],
    };
  const script = scriptOfRun(recorded);
  if (script.problems.length > 0) return { ok: false, why: script.problems };
  const { value: file, secrets } = withoutSecrets(testOf(view, result.envelope, script, name));
  const changed: string[] = [];
  for (const { view: one } of allRuns(recorded)) {
    const now = await skills.find(one.skill.name);
    if (now?.digest !== one.skill.digest && !changed.includes(one.skill.name)) changed.push(one.skill.name);
  }
  const attempt = new Attempt(view.skill.name, skills, file);
  const tried = await attempt.settle(view.limits);
  if (tried === null) return { ok: false, why: attempt.faults };
  const notCompared = changed.length > 0 ? [] : attempt.leaveOutDifferent(tried);
  const test = attempt.parsed();
  const faults = test === null ? [] : faultsOf(test, tried);
  if (changed.length === 0 && faults.length > 0)
    return {
      ok: false,
      why: faults.map(({ what, message, expected, got }) =>
        message.startsWith(what)
          ? `${message} (${short(expected)}, but ${short(got)})`
          : `${what}: ${message}`,
      ),
    };
  const comments = [
    `# Recorded from run ${view.run}.`,
    ...(secrets === 0
      ? []
      : [`# ${secrets === 1 ? 'One text' : `${secrets} texts`} that looked like a secret became [secret].`]),
    ...(notCompared.length === 0
      ? []
      : [`# Not compared, since each run gives another value: ${notCompared.join(', ')}.`]),
  ];
  return {
    ok: true,
    text: `${comments.join('\n')}\n${attempt.text()}`,
    changed,
    faults,
    notCompared,
    secrets,
  };
}

function short(value: Json): string {
  const text = renderJson(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function faultsOf(
  test: SkillTest,
  { unexpected, waiting, unused, observed }: PerformedTest,
): readonly TestFault[] {
  if (unexpected.length > 0) return unexpected;
  const open = waiting.map((message): TestFault => ({
    what: 'inputs',
    message,
    expected: null,
    got: null,
    span: test.span,
  }));
  return [
    ...open,
    ...compareWithExpected(test, observed),
    ...unused.answers,
    ...unused.commands,
    ...unused.tools,
    ...unused.inputs,
  ];
}

/** The test as its file has it, before it was tried. */
function testOf(view: RunView, envelope: JsonObject | null, script: RunScript, name: string): JsonObject {
  const { answers, commands, tools, inputs, artifacts, notes } = script;
  const { status, answer, trace: _trace, ...fields } = envelope ?? {};
  const trace = view.trace
    .filter(({ printed }) => !printed)
    .map(({ kind, data }) => (isJsonObject(data) ? { kind, data } : { kind }));
  return {
    name,
    ...(isEmpty(view.input) ? {} : { input: view.input }),
    now: momentText(view.startedAt, view.settings.utcOffsetMinutes),
    ...listed({ answers, commands, tools, inputs }),
    ...(artifacts === null ? {} : { artifacts }),
    ...(Object.keys(notes).length === 0 ? {} : { notes }),
    expect: {
      status: typeof status === 'string' ? status : view.status,
      ...(view.error === null ? {} : { error: view.error.code }),
      ...(answer === undefined || answer === null
        ? {}
        : { answer: typeof answer === 'string' ? answer : renderJson(answer, 2) }),
      ...(Object.keys(fields).length === 0 ? {} : { result: fields }),
      ...(script.note === null ? {} : { note_contains: script.note }),
      ...(trace.length === 0 ? {} : { trace }),
      asks: script.asks,
      commands: commands.length,
    },
  };
}

function isEmpty(input: Json): boolean {
  return input === null || (isJsonObject(input) && Object.keys(input).length === 0);
}

function listed(lists: { readonly [key: string]: readonly JsonObject[] }): JsonObject {
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));
}

/** `2026-11-18T23:30:00.000+01:00`. */
function momentText(atMs: number, offsetMinutes: number): string {
  const local = new Date(atMs + offsetMinutes * 60_000).toISOString().slice(0, -1);
  if (offsetMinutes === 0) return `${local}Z`;
  const size = Math.abs(offsetMinutes);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${local}${offsetMinutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

const limitKeys: readonly (readonly [string, keyof RunLimits, number])[] = [
  ['asks', 'asks', 1],
  ['commands', 'commands', 1],
  ['timeout', 'wallMs', 1_000],
  ['steps', 'steps', 1],
  ['tokens', 'tokens', 1],
];

/** A test that is tried, and put right as far as that does not change what it says. */
class Attempt {
  readonly #skill: string;
  readonly #skills: SkillSource;
  #file: { readonly [key: string]: Json };
  faults: readonly string[] = [];

  constructor(skill: string, skills: SkillSource, file: JsonObject) {
    this.#skill = skill;
    this.#skills = skills;
    this.#file = file;
  }

  text(): string {
    return yamlText(this.#file);
  }

  /** null after saying why it is no test. */
  parsed(): SkillTest | null {
    const { tests, diagnostics } = parseTests(this.text(), 'recorded.yaml');
    if (diagnostics.length > 0) this.faults = diagnostics.map(({ message }) => message);
    return tests[0] ?? null;
  }

  /** With the limits that the caller had set, and without what no call takes because the engine denies it by itself. */
  async settle(limits: RunLimits): Promise<PerformedTest | null> {
    let tried = await this.#try();
    if (tried === null) return null;
    const own = tried.view?.limits;
    const given = limitKeys.flatMap(([key, limit, unit]) =>
      own !== undefined && own[limit] !== limits[limit]
        ? [[key, Math.ceil(limits[limit] / unit)] as const]
        : [],
    );
    if (given.length > 0) {
      const { expect, ...rest } = this.#file;
      this.#file = { ...rest, limits: Object.fromEntries(given), expect: expect as Json };
      tried = await this.#try();
    }
    return tried === null || !this.#dropDenied(tried) ? tried : this.#try();
  }

  async #try(): Promise<PerformedTest | null> {
    const test = this.parsed();
    return test === null ? null : performTest(this.#skill, this.#skills, test);
  }

  #dropDenied({ unused }: PerformedTest): boolean {
    let dropped = false;
    for (const what of ['commands', 'tools'] as const) {
      const list = (this.#file[what] ?? []) as readonly JsonObject[];
      const places = new Set(unused[what].map(({ what: place }) => Number(place.split(' ')[1]) - 1));
      const kept = list.filter((one, at) => one['denied'] === undefined || !places.has(at));
      if (kept.length === list.length) continue;
      dropped = true;
      const { [what]: _list, ...rest } = this.#file;
      this.#file = kept.length === 0 ? rest : { ...this.#file, [what]: kept };
      if (what === 'commands') this.#expect({ commands: kept.length });
    }
    return dropped;
  }

  #expect(fields: JsonObject): void {
    this.#file = { ...this.#file, expect: { ...(this.#file['expect'] as JsonObject), ...fields } };
  }

  /** Of the result and the trace, what another run of the same skill gives otherwise; the paths of it. */
  leaveOutDifferent({ observed, unexpected, waiting }: PerformedTest): readonly string[] {
    if (unexpected.length > 0 || waiting.length > 0) return [];
    const { result, trace, ...expect } = this.#file['expect'] as { readonly [key: string]: Json };
    const gone: string[] = [];
    const kept =
      result === undefined ? undefined : same(result, observed.result.envelope ?? {}, 'result', gone);
    const got = observed.trace.filter(({ printed }) => !printed);
    const traced = (trace as readonly JsonObject[] | undefined)?.map((one, at) => {
      const { kind, data } = one;
      const left = data === undefined ? undefined : same(data, got[at]?.data ?? {}, `trace ${at + 1}`, gone);
      return left === undefined ? { kind: kind as Json } : { kind: kind as Json, data: left };
    });
    const { asks, commands, ...before } = expect;
    this.#file = {
      ...this.#file,
      expect: {
        ...before,
        ...(kept === undefined ? {} : { result: kept }),
        ...(traced === undefined ? {} : { trace: traced }),
        asks: asks as Json,
        commands: commands as Json,
      },
    };
    return gone;
  }
}

/** What both have; undefined where nothing is left. */
function same(expected: Json, got: Json | undefined, path: string, gone: string[]): Json | undefined {
  if (isJsonObject(expected) && isJsonObject(got)) {
    const kept = Object.entries(expected).flatMap(([key, item]) => {
      const left = same(item, Object.hasOwn(got, key) ? got[key] : undefined, `${path}.${key}`, gone);
      return left === undefined ? [] : [[key, left] as const];
    });
    return kept.length === 0 && Object.keys(expected).length > 0 ? undefined : Object.fromEntries(kept);
  }
  if (got !== undefined && canonicalJson(expected) === canonicalJson(got)) return expected;
  if (differences(expected, got, path).length === 0) return expected;
  gone.push(path);
  return undefined;
}
