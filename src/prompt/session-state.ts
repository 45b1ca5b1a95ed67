// The state of one session, which its prompt, tools and turns share.
import { TechneError } from '../base/error.ts';
import type { Matcher, MatchResult } from '../match/match.ts';
import type { Skill } from '../registry/types.ts';
import type { InputKey } from '../skill/types.ts';
import type { ActivationKind, ActivationLedger } from './activation-ledger.ts';
import { isBarredName } from './describe-skill.ts';
import type { Standing, Surface } from './invocation.ts';
import { standingOf, takesPart } from './invocation.ts';
import type { PromptSettings } from './settings.ts';
import type { ReadSkill, SkillReads } from './read-skill.ts';
import { loadedEvent, readSkill } from './read-skill.ts';
import type { LoadReason, OnSkillLoaded } from './skill-loaded.ts';
import type { TurnValues } from './turn-values.ts';

/** A skill whose body is before the model, and the text that it was given as. */
interface ActiveSkill {
  readonly name: string;
  readonly section: string;
  readonly tokens: number;
  readonly allowedTools: readonly string[] | null;
  readonly disallowedTools: readonly string[] | null;
}

export interface SessionState {
  snapshot: SkillReads;
  matcher: Matcher | null;
  readonly ledger: ActivationLedger;
  readonly settings: PromptSettings;
  /** Which skills this session has at all; null: every one. */
  readonly offers: ((skill: Skill) => boolean) | null;
  /** Untrusted skills (describe-skill.ts), by name. */
  untrusted: ReadonlySet<string>;
  /** Skills that could be executed and are not trusted to be, by name: they are offered as instructions. */
  unrunnable: ReadonlySet<string>;
  readonly onLoaded: OnSkillLoaded;
  /** In the order of activation; preloaded ones are not among them. */
  readonly active: Map<string, ActiveSkill>;
  /** Bodies that were read from the snapshot, by name: each is read and taken apart once. */
  readonly bodies: Map<string, ReadSkill>;
  /** The keys that bodies list for the input of executable skills, by name. */
  bodyKeys: ReadonlyMap<string, readonly InputKey[]>;
  /** What triggers took from the message of this turn. */
  values: TurnValues;
  /** Who may reach a skill of the snapshot: worked out once for each. */
  readonly standings: Map<Skill, Standing>;
}

export function mayUse(state: SessionState, surface: Surface, skill: Skill): boolean {
  const { ledger, offers } = state;
  if ((offers !== null && !offers(skill)) || isBarredName(state, skill.name)) return false;
  if (surface === 'run_metaskill' && state.unrunnable.has(skill.name)) return false;
  return takesPart(surface, standingIn(state, skill), ledger.wasGiven(skill.name));
}

function standingIn({ snapshot, settings, standings }: SessionState, skill: Skill): Standing {
  const known = standings.get(skill) ?? standingOf(skill, snapshot.facts(skill), settings.preload);
  standings.set(skill, known);
  return known;
}

export function skillsOn(state: SessionState, surface: Surface): readonly Skill[] {
  return state.snapshot.skills.filter((skill) => mayUse(state, surface, skill));
}

/** `null` for a skill that does not exist, or is not on this surface; the caller cannot distinguish the two. */
export function skillOn(state: SessionState, surface: Surface, name: string): Skill | null {
  if (!state.snapshot.has(name)) return null;
  const skill = state.snapshot.get(name);
  return mayUse(state, surface, skill) ? skill : null;
}

/** Counts and reports a body that is given. `tokens`: of the text that is given. Default: the body and its template. */
export function activate(
  state: SessionState,
  read: ReadSkill,
  section: string,
  how: {
    readonly kind: ActivationKind;
    readonly reason: LoadReason;
    readonly toolUseId: string | null;
    readonly tokens?: number;
  },
): void {
  const {
    skill: { name, head },
    version,
  } = read;
  const { tokens = read.givenTokens } = how;
  state.ledger.record(name, version, tokens, how.kind);
  state.active.delete(name);
  state.active.set(name, {
    name,
    section,
    tokens,
    allowedTools: head.allowedTools,
    disallowedTools: head.disallowedTools,
  });
  state.onLoaded(loadedEvent(read, how.reason, how.toolUseId));
}

/** A skill that cannot be read now is a sentence, not the end of the turn. */
export async function tryRead(
  { snapshot, bodies }: SessionState,
  skill: Skill,
): Promise<ReadSkill | TechneError> {
  const known = bodies.get(skill.name);
  if (known?.skill === skill) return known;
  try {
    const read = await readSkill(snapshot, skill);
    bodies.set(skill.name, read);
    return read;
  } catch (error) {
    if (error instanceof TechneError) return error;
    throw error;
  }
}

/** What the session's matcher finds among the skills of the session: the others take no part, also not in how rare a word is. */
export async function matchMessage(
  state: SessionState,
  message: string,
  limit: number,
  explains = false,
): Promise<MatchResult> {
  const { matcher, offers, snapshot } = state;
  if (matcher === null) return { matches: [], abstained: null, candidates: [] };
  if (offers === null) return matcher.match(message, { limit, explains });
  let known = offered.get(state);
  if (known?.snapshot !== snapshot) {
    known = { snapshot, among: (name) => snapshot.has(name) && offers(snapshot.get(name)) };
    offered.set(state, known);
  }
  return matcher.match(message, { limit, explains, offers: known.among });
}

const offered = new WeakMap<
  SessionState,
  { readonly snapshot: SkillReads; readonly among: (name: string) => boolean }
>();
