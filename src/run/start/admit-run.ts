// A request to run a skill -> everything its run is started with, or the result that explains why it cannot start.
//
// Nothing is written and nothing is spent. The bytes that are judged here are the bytes that will run. A nested run
// gets no more than its outer run has left, and may not be nested too deeply. `createInterpreter` makes the interpreter
// from the pinned bytes, here and when a run is resumed or forked.
import { decodeUtf8 } from '../../base/utf8.ts';
import { TechneError } from '../../base/error.ts';
import type { JsonObject, Json } from '../../base/json.ts';
import { nearest } from '../../base/nearest.ts';
import type { Answerer } from '../../ports/answerer.ts';
import type { Sha256 } from '../../ports/environment.ts';
import type { SkillSource, SkillToRun } from '../../ports/skill-source.ts';
import type { ToolHost } from '../../ports/tool-host.ts';
import type { ParseFull } from '../../skill/yaml/node.ts';
import { noUsage, resolveLimits } from '../budget/budgets.ts';
import type { Program } from '../../starlark.ts';
import { describeFaults } from '../../base/diagnostic.ts';
import { compileProgram, ProgramInterpreter } from '../program/program-interpreter.ts';
import { checkInput } from './check-input.ts';
import type { RunLimits } from '../budget/limits.ts';
import type { OuterRun } from '../nested-run.ts';
import { planLimitDefaults, planMaximum } from '../plan/limits.ts';
import type { LoadPlanRuns } from '../plan/runs.ts';
import type { RunResult } from '../result/result.ts';
import type { RunSettings, RunFacts } from '../run-facts.ts';
import { failureText, refusalText } from '../result/failed-or-paused-text.ts';
import type { BlobDigest, Blobs } from '../../ports/blobs.ts';
import type { CompiledProgram } from '../program/program-interpreter.ts';
import type { Interpreter } from '../effect/effect.ts';

interface AdmissionParts {
  readonly skills: SkillSource;
  readonly answerers: readonly Answerer[];
  readonly programs: ProgramCache;
  readonly sha256: Sha256;
  readonly defaults: RunLimits;
  readonly maximum: RunLimits;
  readonly workspace: string;
  readonly plans: LoadPlanRuns;
  readonly tools: ToolHost;
  /** null: plans cannot be read, so they are not run. */
  readonly parseFull: ParseFull | null;
}

interface AdmissionRequest {
  readonly skill: string;
  readonly input: Json;
  readonly limits?: Partial<RunLimits>;
  readonly answerer?: string;
}

export type Admission =
  | {
      readonly ok: true;
      readonly skill: SkillToRun;
      readonly files: ReadonlyMap<string, Uint8Array>;
      readonly input: JsonObject;
      readonly limits: RunLimits;
      readonly settings: RunSettings;
      readonly answerer: Answerer;
      /** Compiled; null for a plan. */
      readonly program: Program | null;
    }
  | { readonly ok: false; readonly result: RunResult };

export async function admitRun(
  parts: AdmissionParts,
  request: AdmissionRequest,
  outer: OuterRun | null,
): Promise<Admission> {
  const { skills, sha256, defaults, maximum } = parts;
  /** `text`: for a calling model, in the words of S0 §9; the message where it is not given. */
  const refuse = (code: string, message: string, hint: string | null = null, text = message): Admission => ({
    ok: false,
    result: refusedToStart(request.skill, { code, message, hint }, defaults.resultUnits, text),
  });
  let skill: SkillToRun | null;
  try {
    skill = await skills.find(request.skill);
  } catch (error) {
    if (!(error instanceof TechneError)) throw error;
    // An installed skill that is not as locked is refused, whatever of it was to be read.
    if (error.code === 'DRIFTED') return refuse(error.code, error.message, error.hint);
    return {
      ok: false,
      result: failedToStart(
        request.skill,
        error.code,
        `it cannot be read: ${error.message}`,
        defaults.resultUnits,
      ),
    };
  }
  if (skill === null) {
    const close = nearest(request.skill, skills.names());
    return refuse(
      'SKILL_UNKNOWN',
      `there is no skill '${request.skill}'`,
      close === null ? null : `did you mean '${close}'?`,
      `unknown metaskill: '${request.skill}'`,
    );
  }
  const { name, program, form } = skill;
  const fail = (message: string): Admission => ({
    ok: false,
    result: failedToStart(name, 'PROGRAM_INVALID', `syntax error: ${message}`, defaults.resultUnits),
  });
  const [first] = skill.runnable.reasons;
  if (!skill.runnable.ok && (first?.code === 'PROGRAM_INVALID' || first?.code === 'PLAN_INVALID'))
    return { ok: false, result: failedToStart(name, first.code, first.message, defaults.resultUnits) };
  const bar = barOf(skill);
  if (bar !== null) return refuse(bar.code, bar.message, bar.hint, bar.text);
  if (form === 'composition' && outer?.inComposition === true)
    return refuse('COMPOSITION_NESTED', `skill '${name}' is a composition, and a composition cannot run one`);
  const isPlan = form !== 'program';
  let checked: ReturnType<typeof checkInput> = { ok: true, input: {} };
  let executed: Program | null = null;
  /** The program starts nested agents; those of a plan are its steps. */
  let asks = false;
  if (!isPlan) {
    if (program === null) return refuse('PROGRAM_INVALID', `skill '${name}' has no program`);
    const bytes = skill.files.get(program);
    if (bytes === undefined)
      return refuse('PROGRAM_INVALID', `the program "${program}" of skill '${name}' is missing`);
    const { text, valid } = decodeUtf8(bytes);
    if (!valid) return fail(`${program} is not UTF-8 text`);
    const compiled = parts.programs.compile(`sha256:${sha256(bytes)}`, text, program);
    if (!compiled.ok) return fail(describeFaults(compiled.diagnostics, text));
    executed = compiled.program;
    asks = /\bask(?:_all)?\b/.test(text);
    checked = checkInput(skill, request.input);
    if (!checked.ok) {
      const isEmpty =
        request.input === null ||
        (typeof request.input === 'object' && Object.keys(request.input).length === 0);
      return refuse(
        isEmpty ? 'INPUT_REQUIRED' : 'INPUT_INVALID',
        checked.message,
        checked.hint,
        checked.text,
      );
    }
  }
  // The caller's word counts before the skill's, and the host's maximum before both.
  const wanted = { ...skill.limits, ...request.limits };
  const resolved = isPlan
    ? resolveLimits(wanted, planLimitDefaults(defaults, maximum), planMaximum(maximum))
    : resolveLimits(wanted, defaults, maximum);
  if (!resolved.ok) return refuse('LIMIT_INVALID', resolved.message);
  let limits = outer === null ? resolved.limits : within(resolved.limits, outer);
  const depth = outer === null ? 0 : outer.depth + 1;
  if (depth > limits.depth)
    return refuse('RUN_DEPTH', `skill '${name}' would be nested ${depth} deep, over ${limits.depth}`);

  const answerer = answererNamed(parts.answerers, request.answerer ?? null);
  if (answerer === null)
    return refuse('ANSWERER_UNKNOWN', noSuchAnswerer(parts.answerers, request.answerer ?? ''));
  const scopes = [...(outer?.scopes ?? []), ...skill.scopes];
  if (scopes.length > 0 && asks && !answerer.fenced) {
    return refuse(
      'UNFENCED',
      `skill '${name}' holds nested agents to the tools it declares, and the answerer "${answerer.name}" cannot be held to them`,
      'run it with another answerer',
    );
  }
  let files: ReadonlyMap<string, Uint8Array> = skill.files;
  let ceilings = outer?.ceilings ?? [];
  if (isPlan) {
    const { parseFull } = parts;
    if (parseFull === null)
      return refuse('EFFECT_UNSUPPORTED', `this host runs no skills of the form "${form}"`);
    const admitted = await (
      await parts.plans()
    ).admit({ ...parts, parseFull, answerer, scopes: outer?.scopes ?? [] }, skill, request.input);
    if (!admitted.ok)
      return admitted.failed
        ? { ok: false, result: failedToStart(name, admitted.code, admitted.message, defaults.resultUnits) }
        : refuse(admitted.code, admitted.message, admitted.hint, admitted.text);
    checked = admitted;
    files = new Map([...skill.files, ...admitted.files]);
    ceilings = [...ceilings, ...admitted.ceilings];
    limits = {
      ...limits,
      parallel: Math.min(request.limits?.parallel ?? maximum.parallel, limits.parallel, admitted.parallel),
    };
  }
  const settings: RunSettings = {
    answerer: answerer.name,
    depth,
    program,
    folder: skill.folder,
    workspace: parts.workspace,
    trusted: isTrusted(skill),
    trustedBy: skill.runnable.reasons.find(({ code }) => code.startsWith('TRUSTED_'))?.code ?? null,
    scopes,
    inComposition: form === 'composition' || outer?.inComposition === true,
    model: skill.model,
    clamped: resolved.clamped,
    forkedFrom: null,
    startedBy: null,
    ceilings,
    origin: null,
    // The start of the run sets it.
    utcOffsetMinutes: 0,
    note: skill.note ?? null,
    travel: null,
  };
  return { ok: true, skill, files, input: checked.input, limits, settings, answerer, program: executed };
}

/** No more than the outer run has left. */
function within(limits: RunLimits, { limits: outer, budgets, leftMs }: OuterRun): RunLimits {
  const { tokens, costMicros, asks, commands, runs } = budgets.left;
  return {
    ...limits,
    tokens: Math.min(limits.tokens, tokens),
    costMicros: Math.min(limits.costMicros, costMicros),
    asks: Math.min(limits.asks, asks),
    commands: Math.min(limits.commands, commands),
    runs: Math.min(limits.runs, runs),
    wallMs: Math.min(limits.wallMs, leftMs),
    depth: Math.min(limits.depth, outer.depth),
  };
}

const nothingRun = {
  run: null,
  envelope: null,
  questions: [],
  undecided: [],
  usage: { asks: 0, commands: 0, ...noUsage, steps: 0, wallMs: 0, clamped: [] },
} as const;

/** The result of what may not become a run. */
export function refusedToStart(
  skill: string,
  error: NonNullable<RunResult['error']>,
  maxUnits: number,
  text: string = error.message,
): RunResult {
  const { hint } = error;
  return {
    ...nothingRun,
    status: 'refused',
    skill,
    text: refusalText(hint === null ? text : `${text}\n${hint}`, maxUnits),
    error,
  };
}

/** The result of what never became a run. */
export function failedToStart(skill: string, code: string, message: string, maxUnits: number): RunResult {
  return {
    ...nothingRun,
    status: 'failed',
    skill,
    text: failureText(skill, message, null, maxUnits),
    error: { code, message, hint: null },
  };
}

/** The first when no name is given. */
export function answererNamed(answerers: readonly Answerer[], name: string | null): Answerer | null {
  return (name === null ? answerers[0] : answerers.find((one) => one.name === name)) ?? null;
}

export function noSuchAnswerer(answerers: readonly Answerer[], name: string): string {
  const names = answerers.map((one) => one.name);
  return name === ''
    ? 'there is no answerer'
    : `there is no answerer "${name}" (there are: ${names.join(', ') || 'none'})`;
}

/** The content is trusted; a skill may also be allowed for other reasons, to run in a sandbox. */
export function isTrusted({ runnable: { reasons } }: Pick<SkillToRun, 'runnable'>): boolean {
  return reasons.length === 0 || reasons.some(({ code }) => code.startsWith('TRUSTED_'));
}

interface Bar {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
  /** In the words of S0 §9. */
  readonly text: string;
}

/** Why a skill that was found cannot be run. */
function barOf({ name, form, runnable }: SkillToRun): Bar | null {
  const [first] = runnable.reasons;
  if (form === 'instructions' && first?.code !== 'NOT_READY')
    return {
      code: 'NOT_A_METASKILL',
      message: `skill '${name}' cannot be run: it is instructions to read`,
      hint: null,
      text: `skill '${name}' is not a metaskill: it is instructions to read`,
    };
  if (runnable.ok) return null;
  const reasons = runnable.reasons.map(({ message }) => message).join('; ');
  return {
    code: first?.code ?? 'NOT_TRUSTED',
    message: `skill '${name}' cannot be run: ${reasons}`,
    hint: first?.hint ?? null,
    text: `metaskill '${name}' is not allowed: ${reasons}`,
  };
}

// The pinned bytes of a run -> the interpreter that drives it.

const maxKept = 32;

/** Compiled programs by the digest of their bytes and their path. */
export class ProgramCache {
  readonly #blobs: Pick<Blobs, 'get'>;
  readonly #kept = new Map<string, CompiledProgram>();

  constructor(blobs: Pick<Blobs, 'get'>) {
    this.#blobs = blobs;
  }

  compile(digest: string, source: string, path: string): CompiledProgram {
    const name = `${digest} ${path}`;
    const kept = this.#kept.get(name);
    if (kept !== undefined) return kept;
    const compiled = compileProgram(source, path);
    if (this.#kept.size >= maxKept) this.#kept.delete(this.#kept.keys().next().value as string);
    this.#kept.set(name, compiled);
    return compiled;
  }

  async load(digest: BlobDigest, path: string): Promise<CompiledProgram> {
    return (
      this.#kept.get(`${digest} ${path}`) ??
      this.compile(digest, decodeUtf8(await this.#blobs.get(digest)).text, path)
    );
  }
}

export interface InterpreterCaches {
  readonly programs: ProgramCache;
  readonly plans: LoadPlanRuns;
}

/** Throws BLOB_MISSING, BLOB_CORRUPT, JOURNAL_CORRUPT. */
export async function createInterpreter(
  { programs, plans }: InterpreterCaches,
  facts: RunFacts,
  input: JsonObject,
): Promise<Interpreter> {
  const {
    meta,
    limits,
    settings: { program: path },
  } = facts;
  if (meta.skill.form !== 'program') return (await plans()).createInterpreter(facts, input);
  const digest = path === null ? undefined : meta.files[path];
  if (path === null || digest === undefined)
    throw new TechneError('JOURNAL_CORRUPT', `run ${meta.run} does not record what it executes`);
  const compiled = await programs.load(digest, path);
  if (!compiled.ok)
    throw new TechneError('PROFILE_UNSUPPORTED', `the program of run ${meta.run} no longer compiles`);
  return new ProgramInterpreter({ program: compiled.program, input, limits });
}
