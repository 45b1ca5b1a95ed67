// The skills of a snapshot -> which of them a call may have brought before the model (chat/trace/trace-skills.ts).
//
// R1. Texts are read before the first call that may give some: many conversations have none, and afterwards a program may have
//     done away with what it printed.
// R2. What was known once stays known while the conversation is open, also of skills that are changed or gone by then.
import { resolve } from 'node:path';
import type { SkillPlace, TracedCall } from '../../chat/trace/trace-skills.ts';
import { traceSkills } from '../../chat/trace/trace-skills.ts';
import type { TextTrace } from '../../chat/trace/trace-texts.ts';
import { createTextTrace } from '../../chat/trace/trace-texts.ts';
import { readOutsideFiles } from '../../node/chat/read-outside-files.ts';
import type { SkillFolder } from '../../node/chat/read-skill-texts.ts';
import { readSkillTexts } from '../../node/chat/read-skill-texts.ts';
import type { SkillLibrary } from '../../techne/open-skills.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { realOf } from './real-path.ts';

export interface SkillTrace {
  /** To be awaited before a call is carried out (R1). */
  readonly prepare: () => Promise<void>;
  /** What a call may have brought. */
  readonly find: (call: TracedCall) => Promise<readonly string[]>;
}

/** Of one conversation (R2). */
export interface KnownTexts {
  readonly texts: TextTrace;
  /** Skills that were not read whole: which path, and why. */
  readonly unread: Map<string, string>;
}

export function createKnownTexts(): KnownTexts {
  return { texts: createTextTrace(), unread: new Map() };
}

/** A skill, as it is named where its text is the reason to ask. */
export function nameDoubted({ unread }: Pick<KnownTexts, 'unread'>, skill: string): string {
  const why = unread.get(skill);
  return why === undefined ? skill : `${skill} (not read whole: ${why})`;
}

export interface OpenTraceOptions {
  readonly library: Pick<SkillLibrary, 'findTrusted'>;
  readonly snapshot: Snapshot;
  readonly workspace: string;
  readonly known: KnownTexts;
  /** When the conversation began, also where it was taken up again. */
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
  readonly places: readonly SkillPlace[];
  /** Those that nobody vouches for. */
  readonly untrusted: readonly SkillFolder[];
}

/** Also of those that another one hides: a file can be read all the same. `vouches` knows nothing of their names. */
async function findPlaces(library: Pick<SkillLibrary, 'findTrusted'>, snapshot: Snapshot): Promise<Places> {
  const trusted = await library.findTrusted(snapshot, [
    ...snapshot.skills,
    ...snapshot.shadowed.map(({ skill }) => skill),
  ]);
  const places: SkillPlace[] = [];
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
