// One conversation and its skills.
//
//   snapshot + matcher + settings -> prefix (stable) · tools · blocks of turns · slash commands
//
// The snapshot is frozen and keeps all that its skills hold: bodies, programs and other files. Changes on disk, deletions
// too, reach a session only when its host moves it to another snapshot, between turns (`moveTo`). A fork has its own
// ledger and keeps its snapshot for good, so that a sub-agent never sees another one. The prefix is the same text until the session is moved.
//
// The block of a turn stays with its message in the history, so a body is not repeated. A host that does not keep
// blocks sets `keepsBlocks: false`. Compaction loses nothing silently: `reattach` gives the active bodies again, whole
// ones only, and forgets the others, so that they can be loaded again.
//
// An untrusted skill shows one short line before it is loaded, and nothing of its inputs and arguments; its `always:
// true` preloads nothing; and a name that is not a plain word keeps it out of the session (describe-skill.ts), on every
// surface.
import type { Match, MatchResult } from '../match/match.ts';
import type { Skill } from '../registry/types.ts';
import { isLongerThan } from '../skill/code-points.ts';
import { parseInputKeys } from '../skill/body/parse-body.ts';
import { TechneError } from '../base/error.ts';
import type { InputKey } from '../skill/types.ts';
import type { JsonObject } from '../base/json.ts';
import { ActivationLedger } from './activation-ledger.ts';
import type { PromptBudget } from './budget.ts';
import { charactersIn } from './budget.ts';
import { barredNameReason, describedSkill, isBarredName, isPlainSkillName } from './describe-skill.ts';
import { enrichTurn } from './enrich-turn.ts';
import { quoted } from './quoted.ts';
import type { SkillReads } from './read-skill.ts';
import type { IndexEntry, RenderedIndex } from './render-index.ts';
import { shortened } from './render-index.ts';
import type { Matcher } from '../match/match.ts';
import type { PromptSettings } from './settings.ts';
import type { SessionState } from './session-state.ts';
import { defaultPromptSettings } from './settings.ts';
import { matchMessage, skillOn, skillsOn, tryRead } from './session-state.ts';
import type { SessionPrefix } from './session-prefix.ts';
import { renderPrefix } from './session-prefix.ts';
import type { SkillLoaded, SkillToolFailed } from './skill-loaded.ts';
import { skillPlaceOf } from './skill-loaded.ts';
import type { Enrichment, ListedSkill, SkillProvider, ToolWish, Turn } from './skill-provider.ts';
import type { Tool } from '../ports/tool.ts';
import { createSkillTools } from './tools/skill-tools.ts';
import type { InvokeOptions, SlashOutcome } from './invoke-skill.ts';
import { invokeSkill } from './invoke-skill.ts';
import type { SlashCommand } from './slash-command.ts';
import { parseSlash } from './slash-command.ts';
import type { Reattached } from './reattach.ts';
import { reattachSkills } from './reattach.ts';
import type { RestoredBody } from './restore.ts';
import { restoreSkills } from './restore.ts';
import { toldInputs } from './told-inputs.ts';
import { defaultInputs, turnValues } from './turn-values.ts';
import type { SlashArguments } from './substitute.ts';
import { parseSlashArguments } from './substitute.ts';

/** The skills of a conversation, and how much its model sees of them. */
export interface SkillSessionOptions {
  readonly snapshot: SkillReads;
  /** Default: none, so that turns have no block and searching is S2's alone. */
  readonly matcher?: Matcher | null;
  /** Of the index, and of the blocks of turns where the index had to be shortened. Default: 4,000 tokens. */
  readonly budget?: PromptBudget;
  /** `prompt` of the configuration. Default: `defaultPromptSettings`. */
  readonly settings?: Partial<PromptSettings>;
  /** Which skills the session has at all, such as the trusted ones. Default: every one. */
  readonly offers?: (skill: Skill) => boolean;
  /** Whether a skill is untrusted. No default: the host that opens a session knows. */
  readonly isUntrusted: (skill: Skill, snapshot: SkillReads) => Promise<boolean>;
  /** Whether an executable skill is trusted to be executed, so that it is offered to be run. Default: every one. */
  readonly isTrustedToRun?: (skill: Skill, snapshot: SkillReads) => Promise<boolean>;
  /** Whether skills can be run here, so that the index shows which. Default: true. */
  readonly runs?: boolean;
  /** Whether the prefix is rendered. Without it the session can only match, with a given limit. Default: true. */
  readonly prefix?: boolean;
  /** Whether the snapshot keeps all that the skills hold, for the whole session; not needed for looking only. Default: as `prefix`. */
  readonly holds?: boolean;
  /** Default: true. */
  readonly keepsBlocks?: boolean;
  /** Called with every body that is given. Must not throw. Default: none. */
  readonly onLoaded?: (event: SkillLoaded) => void;
  /** Tools besides those of skills that need no approval: questions about notes, and proposals, which only wait for a person. Default: none. */
  readonly moreTools?: readonly Tool[];
  /** Called for every call that a skill tool refuses. Must not throw. Default: none. */
  readonly onToolFailed?: (event: SkillToolFailed) => void;
  /** Called once when much was loaded, and of what could not be preloaded. Default: none. */
  readonly onWarning?: (message: string) => void;
}

/**
 * Files besides bodies and programs that are held when a session is opened or moved: with more, opening would take too long. A
 * fork holds all of them.
 */
export const openedFiles = 1000;
/** Of a name, in a warning. */
const maxWarned = 60;

export async function createSkillSession(options: SkillSessionOptions): Promise<SkillSession> {
  const session = new SkillSession(options);
  await session.open();
  return session;
}

/** The skills of one conversation: prefix, blocks of turns, tools, slash commands, and what was loaded. */
export class SkillSession implements SkillProvider {
  readonly tools: readonly Tool[];
  readonly #options: SkillSessionOptions;
  readonly #state: SessionState;
  readonly #onWarning: (message: string) => void;
  #opened: SessionPrefix | null = null;
  #heard: SkillLoaded[] | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  #isFork = false;

  /** @internal Sessions come from `createSkillSession` and `fork`. */
  constructor(options: SkillSessionOptions) {
    const settings: PromptSettings = { ...defaultPromptSettings, ...options.settings };
    this.#onWarning = options.onWarning ?? (() => {});
    this.#options = options;
    this.#state = {
      snapshot: options.snapshot,
      matcher: options.matcher ?? null,
      ledger: new ActivationLedger(settings, this.#onWarning),
      settings,
      offers: options.offers ?? null,
      untrusted: new Set(),
      unrunnable: new Set(),
      onLoaded: (event) => {
        this.#heard?.push(event);
        options.onLoaded?.(event);
      },
      active: new Map(),
      bodies: new Map(),
      standings: new Map(),
      values: new Map(),
      bodyKeys: new Map(),
    };
    this.tools = createSkillTools(this.#state, options.onToolFailed, options.moreTools);
  }

  /** Reads what is preloaded and renders the prefix. */
  async open({ isFork = false }: { readonly isFork?: boolean } = {}): Promise<void> {
    this.#isFork = isFork;
    const { snapshot } = this.#state;
    await this.#hold(snapshot, isFork ? Infinity : openedFiles);
    await this.#open(await this.#findUntrusted(snapshot), await this.#findUnrunnable(snapshot));
  }

  async #hold(snapshot: SkillReads, maxFiles: number): Promise<void> {
    const { prefix = true, holds = prefix, offers } = this.#options;
    const { skills } = snapshot;
    if (holds) await snapshot.hold(offers === undefined ? skills : skills.filter(offers), { maxFiles });
  }

  async #open(untrusted: ReadonlySet<string>, unrunnable: ReadonlySet<string>): Promise<void> {
    this.#state.untrusted = untrusted;
    this.#state.unrunnable = unrunnable;
    const { budget = { tokens: 4000 }, runs = true, prefix = true } = this.#options;
    if (!prefix) return;
    this.#state.bodyKeys = runs ? await this.#readBodyKeys() : new Map();
    this.#opened = await renderPrefix(this.#state, { limit: charactersIn(budget), runs });
    for (const name of untrusted)
      if (isBarredName(this.#state, name))
        this.#onWarning(
          `the skill ${quoted(isLongerThan(name, maxWarned) ? shortened(name, maxWarned) : name)} is not offered: ${barredNameReason}`,
        );
    for (const { skill, reason } of this.#opened.preloading.left)
      this.#onWarning(`the skill "${skill}" is not preloaded: ${reason}`);
  }

  get snapshot(): SkillReads {
    return this.#state.snapshot;
  }

  get ledger(): ActivationLedger {
    return this.#state.ledger;
  }

  get index(): RenderedIndex {
    return this.#prefix.index;
  }

  /** The budget in characters: all of it for a full index, else these state of it. */
  get room(): SessionPrefix['room'] {
    return this.#prefix.room;
  }

  /** In the order of names. */
  get entries(): readonly IndexEntry[] {
    return [...this.#prefix.entries.values()];
  }

  /** The index and the preloaded bodies: for the part of the prompt that is cached. */
  get prefix(): string {
    return this.#prefix.text;
  }

  list(): readonly ListedSkill[] {
    return skillsOn(this.#state, 'index').map((skill) => ({
      ...publicSummary(this.#state, skill),
      form: skill.card.form,
      source: skillPlaceOf(skill.source),
      sourceKind: skill.source,
      preloaded: this.#prefix.preloading.names.has(skill.name),
    }));
  }

  /** Whether the skill is untrusted. */
  isUntrusted(name: string): boolean {
    return this.#state.untrusted.has(name);
  }

  /** Skills that a person may call with a slash, by name. */
  commands(): readonly {
    readonly name: string;
    readonly description: string;
    readonly argumentHint: string | null;
    readonly argumentNames: readonly string[];
  }[] {
    return skillsOn(this.#state, 'slash').map((skill) => {
      const { argumentHint, argumentNames } = this.isUntrusted(skill.name)
        ? { argumentHint: null, argumentNames: [] }
        : skill.head;
      return { ...publicSummary(this.#state, skill), argumentHint, argumentNames };
    });
  }

  /** Skills that the model may run, by name: what `run_metaskill` offers. Whether one may run is verified when it does. */
  runnable(): readonly {
    readonly name: string;
    readonly description: string;
    readonly inputs: readonly InputKey[] | null;
  }[] {
    return skillsOn(this.#state, 'run_metaskill').map((skill) => {
      const { name, description } = publicSummary(this.#state, skill);
      return {
        name,
        description,
        inputs: this.isUntrusted(name) ? null : toldInputs(skill.head, this.#state.bodyKeys.get(name)),
      };
    });
  }

  /** What the message of this turn gives a run of the skill, by key; what the model gives counts before it. */
  defaultInput(name: string): JsonObject {
    const variables = this.#state.values.get(name);
    const found = variables === undefined ? undefined : this.runnable().find((one) => one.name === name);
    return variables === undefined || found === undefined ? {} : defaultInputs(variables, found.inputs);
  }

  /** Whether the skill is open to the model. One that a person gave it, and which is not, is still only theirs to start. */
  knows(name: string): boolean {
    return skillOn(this.#state, 'search', name) !== null;
  }

  /** Why a skill that is there is in no part of the session: its name, or a switch. Null for every other. */
  barOf(name: string): string | null {
    if (isBarredName(this.#state, name)) return barredNameReason;
    const { snapshot } = this.#state;
    if (!snapshot.has(name)) return null;
    const { reasons } = snapshot.facts(snapshot.get(name)).visibleToUser;
    return reasons.find(({ code }) => code === 'METASKILLS_OFF')?.message ?? null;
  }

  /** Only skills of this session's snapshot that may be suggested, or were named by the person. */
  async match(
    message: string,
    {
      limit = this.#prefix.toldSkills,
      explains = false,
    }: { readonly limit?: number; readonly explains?: boolean } = {},
  ): Promise<MatchResult> {
    const result = await matchMessage(this.#state, message, limit, explains);
    const isOurs = ({ skill, mode }: Match): boolean =>
      skillOn(this.#state, mode === 'explicit' ? 'mention' : 'match', skill) !== null;
    return {
      ...result,
      matches: result.matches.filter(isOurs),
      candidates: result.candidates.filter(isOurs),
    };
  }

  /** One after the other: what a message gives depends on what was given before it. */
  enrich(turn: Turn): Promise<Enrichment> {
    const enriched = this.#turn.then(() => this.#enrich(turn));
    this.#turn = enriched.catch(() => undefined);
    return enriched;
  }

  async #enrich({ message, mentions = true }: Turn): Promise<Enrichment> {
    if (this.#options.keepsBlocks === false) this.#forgetGiven();
    const match = await this.match(message);
    this.#state.values = turnValues(match.matches, (skill) => !this.isUntrusted(skill));
    const heard: SkillLoaded[] = [];
    this.#heard = heard;
    const command = mentions ? this.#command(message) : null;
    const { block, tokens, told, given, left } = await enrichTurn(
      this.#state,
      this.#prefix,
      match,
      command,
    ).finally(() => {
      this.#heard = null;
    });
    return { block, tokens, match, told, given, left, loaded: heard, tools: this.toolWishes() };
  }

  /** Of skills whose body is before the model, in the order of activation. */
  toolWishes(): readonly ToolWish[] {
    return this.active().map(({ name, allowedTools, disallowedTools }) => ({
      skill: name,
      allowedTools,
      disallowedTools,
    }));
  }

  /** Skills whose body came into the conversation and is still there. */
  active(): readonly {
    readonly name: string;
    readonly tokens: number;
    readonly allowedTools: readonly string[] | null;
    readonly disallowedTools: readonly string[] | null;
  }[] {
    return [...this.#state.active.values()].filter(({ name }) => this.#state.ledger.isActive(name));
  }

  /** `/name the rest`, as a person types it. The body that comes back is for the message of the turn. */
  async slash(text: string, options: InvokeOptions = {}): Promise<SlashOutcome> {
    this.#state.values = new Map();
    const command = this.#command(text);
    if (command.kind !== 'skill') return command;
    return invokeSkill(
      this.#state,
      skillOn(this.#state, 'slash', command.skill) as Skill,
      command.arguments,
      options,
    );
  }

  /** A skill that a person chose, as from a prompt of MCP, with arguments by name or as the text behind `/name`. `null`: people cannot call it. */
  async invoke(
    name: string,
    given: SlashArguments | string,
    options: InvokeOptions = {},
  ): Promise<SlashOutcome | null> {
    const skill = skillOn(this.#state, 'mcp-prompt', name);
    if (skill === null) return null;
    return invokeSkill(
      this.#state,
      skill,
      typeof given === 'string' ? parseSlashArguments(given, skill.head.argumentNames) : given,
      options,
    );
  }

  /** A body is no longer before the model: the next `skill_load` gives it again. */
  forget(name: string): void {
    this.#state.ledger.forget(name);
    this.#state.active.delete(name);
  }

  /** After the history was compacted: what to put back. */
  reattach(tokens?: number): Reattached {
    return reattachSkills(this.#state, tokens);
  }

  /** A conversation that is resumed: what was loaded in it, in order. */
  restore(bodies: readonly RestoredBody[]): Promise<void> {
    return restoreSkills(this.#state, bodies);
  }

  /** Between turns: other skills from now on. What is loaded stays loaded while its body is the same. Not for a fork. */
  async moveTo(snapshot: SkillReads, matcher: Matcher | null): Promise<void> {
    if (this.#isFork) throw new Error('a fork keeps the skills it was made with');
    await this.#hold(snapshot, openedFiles);
    // Known before anything is reported of the new ones.
    const untrusted = await this.#findUntrusted(snapshot);
    const unrunnable = await this.#findUnrunnable(snapshot);
    this.#state.snapshot = snapshot;
    this.#state.matcher = matcher;
    this.#state.bodies.clear();
    this.#state.standings.clear();
    for (const name of this.#state.active.keys()) if (!snapshot.has(name)) this.forget(name);
    await this.#open(untrusted, unrunnable);
  }

  /** For a sub-agent: this snapshot for good, and a ledger of its own. */
  async fork(
    changes: Pick<SkillSessionOptions, 'budget' | 'settings' | 'offers' | 'runs' | 'onLoaded'> = {},
  ): Promise<SkillSession> {
    const { snapshot, matcher } = this.#state;
    const fork = new SkillSession({ ...this.#options, ...changes, snapshot, matcher });
    await fork.open({ isFork: true });
    return fork;
  }

  async #findUntrusted(snapshot: SkillReads): Promise<ReadonlySet<string>> {
    const { isUntrusted, prefix = true } = this.#options;
    const found = new Set<string>();
    for (const skill of snapshot.skills)
      // A session that only matches shows no text of a skill: trust decides about odd names alone.
      if ((prefix || !isPlainSkillName(skill.name)) && (await isUntrusted(skill, snapshot)))
        found.add(skill.name);
    return found;
  }

  async #findUnrunnable(snapshot: SkillReads): Promise<ReadonlySet<string>> {
    const { isTrustedToRun, runs = true } = this.#options;
    const found = new Set<string>();
    if (isTrustedToRun === undefined || !runs) return found;
    for (const skill of snapshot.skills)
      if (skill.card.form !== 'instructions' && skill.card.bar === null)
        if (!(await isTrustedToRun(skill, snapshot))) found.add(skill.name);
    return found;
  }

  /** Of programs that declare no inputs. A body that cannot be read lists none. */
  async #readBodyKeys(): Promise<ReadonlyMap<string, readonly InputKey[]>> {
    const keys = new Map<string, readonly InputKey[]>();
    for (const skill of skillsOn(this.#state, 'run_metaskill')) {
      const { name, card, head } = skill;
      if (card.form !== 'program' || this.isUntrusted(name) || (head.inputs?.length ?? 0) > 0) continue;
      const read = await tryRead(this.#state, skill);
      if (!(read instanceof TechneError)) keys.set(name, parseInputKeys(read.raw));
    }
    return keys;
  }

  #command(text: string): SlashCommand {
    const command = this.#parsed(text);
    const bar = command.kind === 'unknown' ? this.barOf(command.name) : null;
    return command.kind !== 'unknown' || bar === null
      ? command
      : { ...command, meant: null, message: `the skill "${command.name}" cannot be called: ${bar}` };
  }

  #parsed(text: string): SlashCommand {
    return parseSlash(
      text,
      (name) => {
        const skill = skillOn(this.#state, 'slash', name);
        return skill === null ? null : { name, argumentNames: skill.head.argumentNames };
      },
      () => skillsOn(this.#state, 'slash').map(({ name }) => name),
    );
  }

  get #prefix(): SessionPrefix {
    if (this.#opened === null) throw new Error('the session is not open');
    return this.#opened;
  }

  /** What was given with an earlier message went with it. */
  #forgetGiven(): void {
    for (const { name, kind } of this.#state.ledger.state().activated)
      if (kind === 'suggested') this.forget(name);
  }
}

/** Of a skill that is not loaded. The text of one that the guard refuses is never shown; a caller is told why it is not given. */
function publicSummary(
  state: SessionState,
  skill: Skill,
): { readonly name: string; readonly description: string } {
  const { name, description } = describedSkill(state, skill);
  const { reasons } = state.snapshot.facts(skill).visibleToModel;
  return reasons.some(({ code }) => code === 'GUARD_REFUSED')
    ? { name, description: 'Refused by the guard.' }
    : { name, description };
}
