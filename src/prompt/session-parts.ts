// What the tools, the prompt and the turns of one session share.
import { TechneError } from '../base/error.ts';
import type { MatchResult } from '../match/match.ts';
import type { Skill } from '../registry/types.ts';
import type { ActivationKind, ActivationLedger } from './activation-ledger.ts';
import { isBarredName } from './describe-skill.ts';
import type { Surface } from './invocation.ts';
import { standingOf, takesPart } from './invocation.ts';
import type { ReadSkill, SkillReads } from './read-skill.ts';
import { loadedEvent, readSkill } from './read-skill.ts';
import type { LoadReason, OnSkillLoaded } from './skill-loaded.ts';

/** Which skills a message asks for. It belongs to the snapshot of its session. */
export interface Matcher {
  /** `offers`: the skills that take part, as if there were no others; the same function each time. Left out: all. */
  match(
    message: string,
    options: { readonly limit: number; readonly offers?: (name: string) => boolean },
  ): MatchResult | Promise<MatchResult>;
}

/** Those of the configuration, under `prompt`. */
export interface PromptSettings {
  readonly turnTokens: number;
  readonly preload: readonly string[];
  readonly preloadTokens: number;
  readonly disclosure: 'on-demand' | 'eager';
  readonly eagerSkills: number;
  readonly eagerTokens: number;
  readonly activations: number;
  readonly warnTokens: number;
  readonly capTokens: number;
}

export const defaultPromptSettings: PromptSettings = {
  turnTokens: 1000,
  preload: ['always'],
  preloadTokens: 10_000,
  disclosure: 'on-demand',
  eagerSkills: 3,
  eagerTokens: 6000,
  activations: 3,
  warnTokens: 10_000,
  capTokens: 30_000,
};

/** A skill whose body is before the model, and the text that it was given as. */
export interface ActiveSkill {
  readonly name: string;
  readonly section: string;
  readonly tokens: number;
  readonly allowedTools: readonly string[] | null;
  readonly disallowedTools: readonly string[] | null;
}

export interface SessionParts {
  snapshot: SkillReads;
  matcher: Matcher | null;
  readonly ledger: ActivationLedger;
  readonly settings: PromptSettings;
  /** Which skills this session has at all; null: every one. */
  readonly offers: ((skill: Skill) => boolean) | null;
  /** Skills that nobody vouches for (describe-skill.ts), by name. */
  strangers: ReadonlySet<string>;
  readonly onLoaded: OnSkillLoaded;
  /** In the order of activation; preloaded ones are not among them. */
  readonly active: Map<string, ActiveSkill>;
  /** Bodies that were read from the snapshot, by name: each is read and taken apart once. */
  readonly bodies: Map<string, ReadSkill>;
}

export function mayUse(parts: SessionParts, surface: Surface, skill: Skill): boolean {
  const { snapshot, settings, ledger, offers } = parts;
  if ((offers !== null && !offers(skill)) || isBarredName(parts, skill.name)) return false;
  return takesPart(
    surface,
    standingOf(skill, snapshot.facts(skill), {
      preload: settings.preload,
      given: ledger.wasGiven(skill.name),
    }),
  );
}

export function skillsOn(parts: SessionParts, surface: Surface): readonly Skill[] {
  return parts.snapshot.skills.filter((skill) => mayUse(parts, surface, skill));
}

/** `null` for a skill that is not there, or not on this surface: which of the two is nobody's business. */
export function skillOn(parts: SessionParts, surface: Surface, name: string): Skill | null {
  if (!parts.snapshot.has(name)) return null;
  const skill = parts.snapshot.get(name);
  return mayUse(parts, surface, skill) ? skill : null;
}

/** Counts a body that is being given, and tells of it. `tokens`: what is given besides the body counts, too. Default: the body. */
export function activate(
  parts: SessionParts,
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
  const { tokens = read.tokens } = how;
  parts.ledger.record(name, version, tokens, how.kind);
  parts.active.delete(name);
  parts.active.set(name, {
    name,
    section,
    tokens,
    allowedTools: head.allowedTools,
    disallowedTools: head.disallowedTools,
  });
  parts.onLoaded(loadedEvent(read, how.reason, how.toolUseId));
}

/** A skill that cannot be read now is a sentence, not the end of the turn. */
export async function tryRead(
  { snapshot, bodies }: SessionParts,
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
  parts: SessionParts,
  message: string,
  limit: number,
): Promise<MatchResult> {
  const { matcher, offers, snapshot } = parts;
  if (matcher === null) return { matches: [], abstained: null, candidates: [] };
  if (offers === null) return matcher.match(message, { limit });
  let known = offered.get(parts);
  if (known?.snapshot !== snapshot) {
    known = { snapshot, among: (name) => snapshot.has(name) && offers(snapshot.get(name)) };
    offered.set(parts, known);
  }
  return matcher.match(message, { limit, offers: known.among });
}

const offered = new WeakMap<
  SessionParts,
  { readonly snapshot: SkillReads; readonly among: (name: string) => boolean }
>();
