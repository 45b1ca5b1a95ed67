// Found -> ready -> visible -> listed: the facts about each skill of a snapshot, with reasons; and whether what it would
// execute is sound.
//
// Each fact builds on the one before and refers to it instead of repeating its reasons. A skill that needs other skills
// is ready when they are; skills that need each other do not block each other. `listed`: the index has a line for it, in
// any tier (prompt/index-layout.ts). Facts are computed once and frozen. A snapshot does not know what is trusted: code
// that hides an untrusted skill adds the reason to the facts (`withheld`).
import type { Config } from '../../config/types.ts';
import type { FoundSkill, JudgedFile, FormVerdict } from '../discover/found-skill.ts';
import type { CountListed, Fact, Facts, Reason, ReasonCode, JudgeForm } from '../types.ts';
import type { Environment } from '../../ports/environment.ts';
import type { Requires, ExecutionBar } from '../../skill/types.ts';
import type { Files } from '../../ports/files.ts';
import { checkProgram, programLimitBytes } from '../../skill/form.ts';
import { isExcluded, isSafeRelativePath } from '../../skill/resources.ts';
import { offersTool } from '../../skill/tools/tool-fence.ts';
import { TechneError } from '../../base/error.ts';
import { FileFault } from '../../ports/files.ts';
import { signatureOf } from '../discover/found-skill.ts';
import type { ContentReader } from '../read-content.ts';

const yes: Fact = Object.freeze({ ok: true, reasons: Object.freeze([]) });

export class FactFinder {
  readonly #skills: readonly FoundSkill[];
  readonly #byName: ReadonlyMap<string, FoundSkill>;
  readonly #eligibility: Eligibility;
  readonly #disabled: ReadonlySet<string>;
  readonly #runsPlans: boolean;
  readonly #budgetTokens: number;
  readonly #turnTokens: number;
  readonly #countListed: CountListed;
  readonly #barOf: ((skill: FoundSkill) => Reason | null) | null;
  readonly #ready = new Map<FoundSkill, Fact>();
  #overBudget: ReadonlySet<string> | null = null;

  constructor(
    skills: readonly FoundSkill[],
    byName: ReadonlyMap<string, FoundSkill>,
    eligibility: Eligibility,
    config: Pick<Config, 'skills' | 'index' | 'prompt' | 'metaskills'>,
    countListed: CountListed,
    barOf: ((skill: FoundSkill) => Reason | null) | null = null,
  ) {
    this.#skills = skills;
    this.#byName = byName;
    this.#eligibility = eligibility;
    this.#disabled = new Set(config.skills.disabled);
    this.#runsPlans = config.metaskills.enabled;
    this.#budgetTokens = config.index.budgetTokens;
    this.#turnTokens = config.prompt.turnTokens;
    this.#countListed = countListed;
    this.#barOf = barOf;
  }

  of(skill: FoundSkill): Facts {
    const ready = this.#readiness(skill);
    const visibleToModel = this.#visible(skill, ready, 'model');
    // Laying the index out takes all skills: it waits for someone who asks.
    const listed = (): Fact => this.#listed(skill, visibleToModel);
    let known: Fact | null = null;
    return Object.freeze({
      sound: soundness(skill),
      ready,
      visibleToUser: this.#visible(skill, ready, 'user'),
      visibleToModel,
      get listed() {
        return (known ??= listed());
      },
    });
  }

  /** Whether people or a model may start it, as the facts say. */
  mayStart(skill: FoundSkill): boolean {
    const ready = this.#readiness(skill);
    return this.#visible(skill, ready, 'user').ok || this.#visible(skill, ready, 'model').ok;
  }

  #readiness(skill: FoundSkill): Fact {
    const { invalid, requires } = skill.traits;
    if (skill.drift === null && !invalid && requires === null) return yes;
    const known = this.#ready.get(skill);
    if (known !== undefined) return known;
    const reasons = [...this.#ownFaults(skill)];
    for (const name of requires?.skills ?? []) {
      const needed = this.#byName.get(name);
      if (needed === undefined)
        reasons.push(
          reason(
            'SKILL_MISSING',
            `it builds on the skill "${name}", which was not found`,
            `add the skill "${name}"`,
          ),
        );
      else if (!this.#isSound(needed))
        reasons.push(
          reason(
            'SKILL_MISSING',
            `it builds on the skill "${name}", which is not ready`,
            `see what "${name}" is missing`,
          ),
        );
    }
    const fact = factOf(reasons);
    this.#ready.set(skill, fact);
    return fact;
  }

  #ownFaults(skill: FoundSkill): readonly Reason[] {
    const { invalid, requires } = skill.traits;
    if (skill.drift === null && !invalid && requires === null) return yes.reasons;
    return [...driftReasons(skill), ...invalidReasons(skill), ...this.#eligibility.missing(requires)];
  }

  /** Whether `start` and everything it builds on, at any distance, has what it needs. */
  #isSound(start: FoundSkill): boolean {
    const reached = new Set([start]);
    for (const skill of reached) {
      if (this.#ownFaults(skill).length > 0) return false;
      for (const name of skill.traits.requires?.skills ?? []) {
        const needed = this.#byName.get(name);
        if (needed === undefined) return false;
        reached.add(needed);
      }
    }
    return true;
  }

  #visible(skill: FoundSkill, ready: Fact, to: 'user' | 'model'): Fact {
    const reasons: Reason[] = [];
    if (!ready.ok) reasons.push(reason('NOT_READY', 'it is not ready'));
    if (this.#disabled.has(skill.name))
      reasons.push(
        reason(
          'DISABLED',
          'it is switched off by skills.disabled',
          `remove "${skill.name}" from skills.disabled`,
        ),
      );
    const barred = this.#barOf?.(skill) ?? null;
    if (barred !== null) reasons.push(barred);
    const { invocation, form } = skill.traits;
    // A composition is nothing but what it executes; the instructions of other skills stay useful.
    if (form === 'composition' && !this.#runsPlans)
      reasons.push(
        reason(
          'METASKILLS_OFF',
          'compositions are switched off (metaskills.enabled)',
          'set "metaskills": { "enabled": true } in your own configuration file',
        ),
      );
    if (!invocation[to]) {
      const fields = invocation.because.length === 0 ? '' : `: ${invocation.because.join(', ')}`;
      if (to === 'user')
        reasons.push(reason('NOT_USER_INVOCABLE', `its author keeps it from being called by name${fields}`));
      else if (invocation.because.some((field) => field.startsWith('agent_ready')))
        reasons.push(reason('NOT_AGENT_READY', `its author marked it as not ready for agents${fields}`));
      else reasons.push(reason('NOT_MODEL_INVOCABLE', `its author keeps it from the model${fields}`));
    }
    return factOf(reasons);
  }

  #listed(skill: FoundSkill, visible: Fact): Fact {
    if (!visible.ok) return unseen();
    this.#overBudget ??= this.#pastBudget();
    if (!this.#overBudget.has(skill.name)) return yes;
    return factOf([
      reason(
        'OVER_BUDGET',
        `the discovery index is full: its budget is ${this.#budgetTokens} tokens`,
        'raise index.budgetTokens, or switch skills off',
      ),
    ]);
  }

  #pastBudget(): ReadonlySet<string> {
    const visible = this.#skills.filter((skill) => this.#visible(skill, this.#readiness(skill), 'model').ok);
    const count = this.#countListed(visible, {
      budgetTokens: this.#budgetTokens,
      turnTokens: this.#turnTokens,
    });
    return new Set(visible.slice(count).map(({ name }) => name));
  }
}

/** The verdict about its program or plan. */
function soundness(skill: FoundSkill): Fact {
  const { bar } = skill.traits;
  if (bar === null) return yes;
  const { code, message } = bar;
  const isInvalid = code === 'PROGRAM_INVALID' || code === 'PLAN_INVALID';
  const hint = message === misnamed ? `rename "${skill.file}" to SKILL.md` : `techne check "${skill.file}"`;
  return factOf([reason(isInvalid ? code : 'NOT_EXECUTABLE', message, hint)]);
}

/** The facts of a skill that is hidden from people and models for a reason that a snapshot does not know. */
export function withheld({ sound, ready, visibleToUser, visibleToModel }: Facts, why: Reason): Facts {
  return Object.freeze({
    sound,
    ready,
    visibleToUser: factOf([...visibleToUser.reasons, why]),
    visibleToModel: factOf([...visibleToModel.reasons, why]),
    listed: unseen(),
  });
}

function unseen(): Fact {
  return factOf([reason('NOT_VISIBLE', 'the model does not see it')]);
}

/** An installed skill whose SKILL.md was changed is not used, not even its description. */
function driftReasons({ drift }: FoundSkill): Reason[] {
  return drift === null ? [] : [reason('DRIFTED', drift.message, drift.hint)];
}

/** Why the file itself keeps a skill from being used. */
export function invalidReasons(skill: FoundSkill): Reason[] {
  if (!skill.traits.invalid) return [];
  const faults = skill.diagnostics.filter(({ severity }) => severity === 'error');
  return faults.map(({ message, hint }) => ({ code: 'INVALID' as const, message, hint }));
}

function factOf(reasons: readonly Reason[]): Fact {
  if (reasons.length === 0) return yes;
  for (const one of reasons) Object.freeze(one);
  return Object.freeze({ ok: false, reasons: Object.freeze(reasons) });
}

function reason(code: ReasonCode, message: string, hint: string | null = null): Reason {
  return { code, message, hint };
}

// Whether what a skill requires is there.
//
//   Requires + environment + configuration -> Reason[]
//
// Each missing thing is one reason that names it, with the author's install hints if there are any. `allowed-tools` is a
// permission, not a requirement, and does not count here. A setting that is a path is there when its file is. Tools are
// checked only where the host knows its tools: those of `skills.tools`, or what the surface says it offers.

export class Eligibility {
  readonly #environment: Environment;
  readonly #tools: readonly string[] | null;
  readonly #configured: ReadonlySet<string>;
  readonly #programs = new Map<string, boolean>();

  constructor(environment: Environment, config: Pick<Config, 'skills'>) {
    this.#environment = environment;
    this.#tools = config.skills.tools;
    this.#configured = new Set(config.skills.config);
  }

  /** What is missing on this machine; skills that it builds on are the snapshot's to judge. */
  missing(requires: Requires | null): readonly Reason[] {
    if (requires === null) return [];
    const reasons: Reason[] = [];
    const install = requires.installHints.length === 0 ? null : requires.installHints.join('; ');
    const miss = (code: ReasonCode, message: string, hint: string | null): void => {
      reasons.push({ code, message, hint });
    };

    if (requires.os.length > 0 && !requires.os.includes(this.#environment.platform)) {
      miss('OS', `runs on ${list(requires.os, 'or')}; this machine is ${this.#environment.platform}`, null);
    }
    for (const bin of requires.bins) {
      if (!this.#hasProgram(bin))
        miss('BIN_MISSING', `the program "${bin}" is not on PATH`, install ?? `install ${bin}`);
    }
    for (const bins of requires.anyBins) {
      if (bins.length > 0 && !bins.some((bin) => this.#hasProgram(bin))) {
        miss(
          'BIN_MISSING',
          `none of the programs ${list(bins.map(quoted), 'or')} is on PATH`,
          install ?? `install one of ${list(bins, 'or')}`,
        );
      }
    }
    for (const name of requires.env) {
      if (!this.#hasVariable(name))
        miss('ENV_MISSING', `the environment variable ${name} is not set`, `set ${name}`);
    }
    for (const names of requires.anyEnv) {
      if (names.length > 0 && !names.some((name) => this.#hasVariable(name))) {
        miss(
          'ENV_MISSING',
          `none of the environment variables ${list(names, 'or')} is set`,
          `set one of ${list(names, 'or')}`,
        );
      }
    }
    for (const key of requires.config) {
      if (this.#configured.has(key)) continue;
      const path = /^~?\//.test(key) ? key.replace(/^~/, this.#environment.homeFolder) : null;
      if (path === null)
        miss('CONFIG_MISSING', `"${key}" is not configured`, `add "${key}" to skills.config once it is`);
      else if (this.#environment.exists?.(path) === false)
        miss('CONFIG_MISSING', `there is no "${key}"`, `make it, or add "${key}" to skills.config`);
    }
    for (const tool of requires.tools) {
      if (this.#tools !== null && !offersTool(this.#tools, tool))
        miss('TOOL_MISSING', `this host has no tool "${tool}"`, null);
    }
    return reasons;
  }

  #hasProgram(name: string): boolean {
    let has = this.#programs.get(name);
    if (has === undefined) {
      has = this.#environment.findProgram(name) !== null;
      this.#programs.set(name, has);
    }
    return has;
  }

  /** Set to nothing counts as not set. */
  #hasVariable(name: string): boolean {
    return (this.#environment.variables[name] ?? '') !== '';
  }
}

function quoted(word: string): string {
  return `"${word}"`;
}

function list(words: readonly string[], conjunction: string): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1)}`;
}

// Where the files that would be executed really are.
//
//   a skill folder and the path of its program -> why they cannot be executed, or null
//
// Only what the digest covers is executed: SKILL.md and the program must be regular files of the folder itself, reached
// through no link, and not excluded from the manifest. A size over the limit is reported without reading the file.

/** Of a skill in `skill.md`. */
const misnamed = 'its file is not called SKILL.md, so it is not executed';

/** `realFolder` has no links in it. `program` is `null` for a form that has none. */
export function placeBar(files: Files, realFolder: string, program: string | null): ExecutionBar | null {
  const skillFile = files.lstat(`${realFolder}/SKILL.md`);
  if (skillFile === null) return { code: 'PROGRAM_PATH', message: misnamed };
  if (!skillFile.isFile()) {
    return {
      code: 'PROGRAM_PATH',
      message: 'SKILL.md is a link, so its content cannot be trusted to be executed',
    };
  }
  if (program === null) return null;
  if (!isSafeRelativePath(program))
    return {
      code: 'PROGRAM_PATH',
      message: `the program path "${program}" is absolute or leaves the skill folder`,
    };
  if (isExcluded(program)) {
    return {
      code: 'PROGRAM_PATH',
      message: `the program "${program}" is a file that tools write (such as those in .git or __pycache__), which is not part of the skill`,
    };
  }
  const path = `${realFolder}/${program}`;
  const real = files.realPath(path);
  if (real === null) return { code: 'PROGRAM_MISSING', message: `the program "${program}" does not exist` };
  if (real !== path) {
    const leaves = !real.startsWith(`${realFolder}/`);
    return {
      code: 'PROGRAM_PATH',
      message: leaves
        ? `the program "${program}" is a link that leaves the skill folder`
        : `the program "${program}" is reached through a link`,
    };
  }
  const stat = files.lstat(path);
  if (stat?.isFile() !== true)
    return { code: 'PROGRAM_MISSING', message: `the program "${program}" is not a file` };
  return stat.size > BigInt(programLimitBytes) ? checkProgram('', Number(stat.size)) : null;
}

// The verdict about each executable skill, when it is found: can its program or plan be executed?
//
//   place of the program (`placeBar`) -> its bytes -> JudgeForm -> bar | null, with the files it depends on
//
// One verdict for all: the enum of run_metaskill, the marks of the index, `list`, `doctor` and the start of a run read it
// from the card. It is kept in the index cache with the head, for as long as every file that it depends on has the
// signature it had. What could not be read as it was found gets no bar: reading it again reports the reason. A program
// that is reached through a link is barred, and not kept: what the link leads to leaves no trace in the folder.

/** `judge`: `null` leaves it to the head. */
export async function giveVerdicts(
  skills: readonly FoundSkill[],
  reader: ContentReader,
  judge: JudgeForm | null,
): Promise<void> {
  if (judge === null) return;
  for (const skill of skills)
    if (skill.awaitsVerdict)
      skill.judge(skill.source === 'builtin' ? shipped : await verdictOf(skill, reader, judge));
}

const unknown: FormVerdict = { bar: null, files: null };
/** What ships is judged by the tests of the package (test/shipped-skills.test.ts), not again on every machine. */
const shipped: FormVerdict = { bar: null, files: [] };

async function verdictOf(skill: FoundSkill, reader: ContentReader, judge: JudgeForm): Promise<FormVerdict> {
  const { name, head, files, realFolder } = skill;
  const { program } = head;
  try {
    const bar = placeBar(files, realFolder, program);
    const depends = [...way(skill, program ?? ''), ...(program === null ? templateFiles(skill) : [])];
    const kept = depends.some(({ isLink }) => isLink) ? null : depends;
    if (bar !== null) return { bar, files: kept };
    const contents = new Map<string, Uint8Array>();
    const wanted = program === null ? ['SKILL.md', ...textsOf(depends)] : [program];
    for (const path of wanted) contents.set(path, (await reader.look(skill, path)).bytes);
    return { bar: await judge({ name, head, files: contents }), files: kept };
  } catch (error) {
    if (error instanceof FileFault || error instanceof TechneError) return unknown;
    throw error;
  }
}

interface Seen extends JudgedFile {
  readonly isLink: boolean;
  readonly isFile: boolean;
}

/** The files and folders on the way to `path`, itself included. */
function way(skill: FoundSkill, path: string): readonly Seen[] {
  if (path === '') return [];
  const segments = path.split('/');
  return segments.map((_, at) => look(skill, segments.slice(0, at + 1).join('/')));
}

function look({ files, realFolder }: FoundSkill, path: string): Seen {
  const stat = files.lstat(`${realFolder}/${path}`);
  return {
    path,
    signature: stat === null ? null : signatureOf(stat),
    isLink: stat?.isSymbolicLink() === true,
    isFile: stat?.isFile() === true,
  };
}

/** The output template of a workflow or chain, what lies beside it and may be a variant, and the folders on the way. */
function templateFiles(skill: FoundSkill): readonly Seen[] {
  const { head, files, realFolder } = skill;
  const path = head.output?.replace(/^(?:\.\/)+/, '') ?? '';
  const hasTemplate = head.form === 'workflow' || head.form === 'chain';
  if (!hasTemplate || !/^[\w./-]+\.\w+$/.test(path) || /(?:^|\/)\.\.?(?:\/|$)|^\//.test(path)) return [];
  const slash = path.lastIndexOf('/');
  const [folder, stem] = [path.slice(0, Math.max(slash, 0)), path.slice(slash + 1, path.lastIndexOf('.'))];
  const beside = (files.list(folder === '' ? realFolder : `${realFolder}/${folder}`) ?? [])
    .filter(({ name }) => name.startsWith(stem))
    .map(({ name }) => look(skill, folder === '' ? name : `${folder}/${name}`));
  const own = beside.some((seen) => seen.path === path) ? [] : [look(skill, path)];
  return [...way(skill, folder), ...own, ...beside];
}

function textsOf(seen: readonly Seen[]): readonly string[] {
  return seen.filter(({ isFile }) => isFile).map(({ path }) => path);
}
