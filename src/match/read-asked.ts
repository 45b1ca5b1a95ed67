// A judged message -> the skills that it asks for by rule: called by name, or by a trigger.
//
//   set, remove -> names, triggers;   judged message -> matches, and what was guarded
//
// Names come before triggers; triggers are ordered by specificity, then by priority, then by name. A skill called by
// name is not matched again by its trigger, but keeps what the trigger extracted. If a person may not call `/name`, the
// rest of that message does not find the skill either.
import type { ExplicitMention } from './explicit/find-explicit.ts';
import { findExplicit, spellingKey } from './explicit/find-explicit.ts';
import { findMisspelt } from './explicit/find-misspelt.ts';
import type { Judgement, Outcome, Verdict } from './guard/judge-message.ts';
import type { Match, MatchDocument, MatchSpan, Misspelt } from './match.ts';
import type { GuardedTrigger, TriggerHit } from './trigger/triggers.ts';
import { createTriggers } from './trigger/triggers.ts';
import { trimVariables } from './trim-variables.ts';

export interface Asked {
  /** Best first. */
  readonly matches: readonly Match[];
  /** Skills whose words are there but do not ask for them, or not for certain, with the reason. */
  readonly guarded: readonly {
    readonly skill: string;
    readonly reason: string;
    /** A held skill is not suggested for its other words either. */
    readonly outcome: Outcome;
  }[];
  /** Skill -> where it is named, or its trigger stands. */
  readonly traces: ReadonlyMap<string, Trace>;
  /** Skill -> the trigger whose words a sentence has in another order. */
  readonly near: ReadonlyMap<string, string>;
  /** Null where a skill is called by name. */
  readonly misspelt: Misspelt | null;
}

export interface Trace {
  readonly trigger: string | null;
  readonly spans: readonly MatchSpan[];
  readonly guard: Verdict | null;
}

export interface AskedDocument extends Pick<MatchDocument, 'name' | 'triggers' | 'priority'> {
  /** Whether a person may call it as `/name`. Default: true. */
  readonly slash?: boolean;
}

export interface AskedReader {
  set(document: AskedDocument): void;
  remove(name: string): void;
  read(judgement: Judgement): Asked;
}

/** Skills of an opened index, by place. */
export interface KeptAsked {
  readonly count: number;
  readonly at: (at: number) => AskedDocument;
  /** Places of those that have triggers. */
  readonly triggered: readonly number[];
}

export function createAskedReader(kept: KeptAsked | null = null): AskedReader {
  const triggers = createTriggers();
  /** Null until a name is looked up: most messages name nothing. */
  let named: Map<string, AskedDocument> | null = null;
  const skills = (): Map<string, AskedDocument> => {
    if (named !== null) return named;
    const opened = Array.from({ length: kept?.count ?? 0 }, (_, at) => (kept as KeptAsked).at(at));
    named = new Map(opened.map((skill) => [skill.name, skill]));
    return named;
  };
  for (const at of kept?.triggered ?? []) {
    const { name, triggers: phrases } = (kept as KeptAsked).at(at);
    triggers.set(name, phrases);
  }
  /** Spelling -> the skills that are spelled so; the first by name counts. Null until a message calls something that has no such name. */
  let spellings: Map<string, Set<string>> | null = null;
  const spell = (into: Map<string, Set<string>>, name: string): void => {
    const key = spellingKey(name);
    const same = into.get(key);
    if (same === undefined) into.set(key, new Set([name]));
    else same.add(name);
  };
  const spelled = (key: string): string | undefined => {
    if (spellings === null) {
      spellings = new Map();
      for (const name of skills().keys()) spell(spellings, name);
    }
    return [...(spellings.get(key) ?? [])].sort()[0];
  };

  const remove = (name: string): void => {
    if (!skills().delete(name)) return;
    triggers.remove(name);
    if (spellings === null) return;
    const key = spellingKey(name);
    const same = spellings.get(key);
    same?.delete(name);
    if (same?.size === 0) spellings.delete(key);
  };
  const names = {
    has: (name: string) => skills().has(name),
    hasCommand: (name: string) => isCallable(skills().get(name)),
    spelled,
  };

  const priorityOf = ({ skill }: TriggerHit): number => skills().get(skill)?.priority ?? 0;

  const notCallable = (message: string): Asked['guarded'] => {
    const name = command.exec(message)?.[1];
    const skill = name === undefined ? undefined : skills().get(name);
    return name === undefined || skill === undefined || isCallable(skill)
      ? []
      : [{ skill: name, outcome: 'held', reason: `it cannot be called as /${name}` }];
  };

  return {
    remove,
    set(document) {
      const { name } = document;
      remove(name);
      skills().set(name, document);
      triggers.set(name, document.triggers);
      if (spellings !== null) spell(spellings, name);
    },
    read(judgement) {
      const { hits: found, guarded, near } = triggers.find(judgement);
      const hits = trimVariables(found, judgement.message);
      const byName = new Map(hits.map((hit) => [hit.skill, hit]));
      const mentions = findExplicit(judgement, names);
      const called = mentions.map(({ skill, mode, confidence, reason }): Match => ({
        skill,
        mode,
        confidence,
        reason,
        variables: byName.get(skill)?.variables ?? {},
      }));
      const misspelt =
        called.length > 0 ? null : findMisspelt(judgement, names, () => [...skills().keys()].sort());
      const known = new Set(called.map(({ skill }) => skill));
      const triggered = hits
        .filter(({ skill }) => !known.has(skill))
        .sort(
          (a, b) =>
            b.weight - a.weight ||
            a.inserted - b.inserted ||
            priorityOf(b) - priorityOf(a) ||
            (a.skill < b.skill ? -1 : 1),
        );
      return {
        matches: [...called, ...triggered.map(matchOf)],
        misspelt,
        near,
        traces: tracesOf(mentions, hits, guarded),
        guarded: [
          ...notCallable(judgement.message),
          ...guarded
            .filter(({ skill }) => !known.has(skill))
            .map(({ skill, phrase, verdict }) => ({
              skill,
              outcome: verdict.outcome,
              reason: `the trigger "${phrase}" ${verdict.outcome === 'held' ? 'does not count' : 'is not certain'}: ${verdict.reason}`,
            })),
        ],
      };
    },
  };
}

function tracesOf(
  mentions: readonly ExplicitMention[],
  hits: readonly TriggerHit[],
  guarded: readonly GuardedTrigger[],
): ReadonlyMap<string, Trace> {
  const traces = new Map<string, Trace>();
  for (const { skill, phrase, verdict, at } of guarded)
    traces.set(skill, {
      trigger: phrase,
      guard: verdict,
      spans: [{ ...at, what: 'trigger', name: null }],
    });
  for (const { skill, phrase, start, end, variables, places } of hits)
    traces.set(skill, {
      trigger: phrase,
      guard: null,
      spans: [
        { start, end, what: 'trigger', name: null },
        ...Object.entries(places).map(([name, place]): MatchSpan => ({
          start: place.start,
          // A value may have been cut where another request begins.
          end: place.start + (variables[name] ?? '').length,
          what: 'variable',
          name,
        })),
      ],
    });
  for (const { skill, start, end } of mentions) {
    const known = traces.get(skill);
    const name: MatchSpan = { start, end, what: 'name', name: null };
    // What is called by name is not kept back by its trigger.
    traces.set(
      skill,
      known === undefined || known.guard !== null
        ? { trigger: null, guard: null, spans: [name] }
        : { ...known, spans: [name, ...known.spans] },
    );
  }
  return traces;
}

function isCallable(skill: AskedDocument | undefined): boolean {
  return skill !== undefined && skill.slash !== false;
}

const command = /^\s*\/([^\s/\\]{1,64})(?=\s|$)/;

function matchOf({ skill, phrase, confidence, variables }: TriggerHit): Match {
  return { skill, mode: 'trigger', confidence, variables, reason: `matches the trigger "${phrase}"` };
}
