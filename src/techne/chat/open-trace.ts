// Finds the skills whose text a call, or a run, may have put into the conversation (chat/trace/trace-skills.ts).
//
// Texts of skills are read only before the first call that may return some: many conversations have no such call, and after the
// call a program may have deleted what it printed. A text that was read stays known while the conversation is open, even if its
// skill is changed or deleted.
import { basename, dirname, join, resolve } from 'node:path';
import type { TracedSkill, TracedCall } from '../../chat/trace/trace-skills.ts';
import { textsOfCall, traceSkills } from '../../chat/trace/trace-skills.ts';
import type { TextTrace } from '../../chat/trace/trace-texts.ts';
import { createTextTrace } from '../../chat/trace/trace-texts.ts';
import { readOutsideFiles } from '../../node/chat/read-outside-files.ts';
import type { SkillFolder } from '../../node/chat/read-skill-texts.ts';
import { readSkillTexts } from '../../node/chat/read-skill-texts.ts';
import type { SkillLibrary } from '../open-skills.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { isJsonObject } from '../../base/json.ts';
import type { EffectView } from '../../run/history/inspect.ts';
import type { RunResult } from '../../run/result/result.ts';
import type { Runner } from '../../run/runner.ts';
import { realpathSync } from 'node:fs';

export interface SkillTrace {
  /** Reads the texts of untrusted skills, once. To be awaited before a call is carried out. */
  readonly prepare: () => Promise<void>;
  /** The skills whose text the result of a call may contain. */
  readonly find: (call: TracedCall) => Promise<readonly string[]>;
}

/** Shared by all snapshots of one conversation. */
interface KnownTexts {
  readonly texts: TextTrace;
  /** Skills that were not read whole: which path, and why. */
  readonly unread: Map<string, string>;
}

export function createKnownTexts(): KnownTexts {
  return { texts: createTextTrace(), unread: new Map() };
}

/** The name of a skill in a question that its text is the reason for. */
export function nameDoubted({ unread }: Pick<KnownTexts, 'unread'>, skill: string): string {
  const why = unread.get(skill);
  return why === undefined ? skill : `${skill} (not read whole: ${why})`;
}

interface OpenTraceOptions {
  readonly library: Pick<SkillLibrary, 'findTrusted'>;
  readonly snapshot: Snapshot;
  readonly workspace: string;
  readonly known: KnownTexts;
  /** When the conversation began, also if it was resumed. */
  readonly begunMs: number;
}

export async function openTrace({
  library,
  snapshot,
  workspace,
  known: { texts, unread },
  begunMs,
}: OpenTraceOptions): Promise<SkillTrace> {
  const { places, untrusted } = await findPlaces(library, snapshot);
  const outside = {
    workspace: realOf(workspace) ?? workspace,
    untrusted: untrusted.map(({ folder }) => folder),
    beforeMs: begunMs,
  };
  const learn = async (): Promise<void> => {
    for (const [skill, why] of await readSkillTexts(untrusted, (name, text, maxLetters) =>
      texts.learn(name, text, maxLetters),
    ))
      unread.set(skill, why);
  };
  let learnt: Promise<void> | null = null;
  const prepare = (): Promise<void> => (learnt ??= learn());
  return {
    prepare,
    find: async (call) => {
      await prepare();
      const resolvePath = (path: string, from: string | null): string | null =>
        realOf(resolve(workspace, from ?? '.', path));
      return traceSkills(call, {
        places,
        texts,
        unread: [...unread.keys()],
        resolve: resolvePath,
        readOutside: (paths) => readOutsideFiles(paths, outside),
      });
    },
  };
}

interface Places {
  readonly places: readonly TracedSkill[];
  readonly untrusted: readonly SkillFolder[];
}

/** Includes shadowed skills: their files can be read, too. Their names include the folder, so they never count as trusted. */
async function findPlaces(library: Pick<SkillLibrary, 'findTrusted'>, snapshot: Snapshot): Promise<Places> {
  const trusted = await library.findTrusted(snapshot, [
    ...snapshot.skills,
    ...snapshot.shadowed.map(({ skill }) => skill),
  ]);
  const places: TracedSkill[] = [];
  const untrusted: SkillFolder[] = [];
  for (const skill of snapshot.skills) {
    if (skill.origin.kind === 'builtin') continue;
    places.push({ skill: skill.name, folders: [skill.folder, skill.realFolder] });
    if (!trusted.has(skill)) untrusted.push({ skill: skill.name, folder: skill.realFolder });
  }
  for (const { skill } of snapshot.shadowed) {
    if (trusted.has(skill)) continue;
    const name = `${skill.name} in ${skill.folder}`;
    places.push({ skill: name, folders: [skill.folder, skill.realFolder] });
    untrusted.push({ skill: name, folder: skill.realFolder });
  }
  return { places, untrusted };
}

/**
 * The skills that took part in a run, and the skills whose files it may pass to the conversation.
 *
 * Traces every call of the run and of its nested runs. The journal does not show what a nested model read by itself, but such a
 * model is offered only trusted skills.
 */
export async function skillsOfRun(
  runner: Pick<Runner, 'inspect'>,
  { run, text }: Pick<RunResult, 'run' | 'text'>,
  trace: (call: TracedCall) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  if (run === null) return [];
  const found = new Set(
    await trace({ words: [], from: null, text, given: text, isProgram: true, readsUnseen: false }),
  );
  const visit = async (id: string): Promise<void> => {
    const { skill, effects, nested } = await runner.inspect(id);
    found.add(skill.name);
    for (const effect of effects.flatMap(withParts))
      for (const name of await trace(callOf(effect))) found.add(name);
    for (const { run: inner } of nested) await visit(inner);
  };
  await visit(run);
  return [...found];
}

/** Commands, tools and acting agents. `chat` and `classify` only give text, and a nested run has its own calls. */
const unseen: ReadonlySet<string> = new Set(['command', 'tool', 'ask']);

function withParts(effect: EffectView): readonly EffectView[] {
  return [effect, ...effect.children.flatMap(withParts)];
}

function callOf({ kind, request, result }: EffectView): TracedCall {
  const from = isJsonObject(request) && typeof request['cwd'] === 'string' ? request['cwd'] : null;
  const text = textsOfCall(result).join('\n');
  // The prompt of a model is text: a folder named in it is not read.
  return {
    words: textsOfCall(request),
    from,
    text,
    given: text,
    isProgram: kind !== 'ask',
    readsUnseen: unseen.has(kind),
  };
}

/** The path with all links resolved, also for a file that does not exist yet; null if it cannot be resolved. */
export function realOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    // It does not exist: resolve its folder.
    const parent = dirname(path);
    if (parent === path) return null;
    const real = realOf(parent);
    return real === null ? null : join(real, basename(path));
  }
}
