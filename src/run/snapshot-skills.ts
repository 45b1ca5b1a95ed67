// A snapshot -> the skills that can be run, with the bytes that were judged.
//
// N1. A run goes on as long as something vouches for its skill in the place where it was: the folder is still trusted, or
//     some version there is. What was edited since, or is no longer ready, does not strand it. `techne untrust` does.
import type { SkillSource, SkillToRun } from '../host/ports/skill-source.ts';
import type { DecodeUtf8, Sha256 } from '../host/ports/environment.ts';
import { TechneError } from '../base/error.ts';
import { canonicalJson } from '../base/json.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { Fact, ReasonCode } from '../registry/types.ts';
import { parseBody } from '../skill/parse-body.ts';

export interface SnapshotSkillsOptions {
  readonly snapshot: Pick<Snapshot, 'has' | 'get' | 'readFile' | 'skills'>;
  /** `execution.policy`: off is off, also for runs that were started before. */
  readonly policy: 'trusted' | 'off';
  /** Verifies trust and content now. */
  readonly isRunnable: (name: string) => Promise<Fact>;
  readonly sha256: Sha256;
  readonly decodeUtf8: DecodeUtf8;
}

/** Reasons that also stop a run under way (N1). */
const stopping: readonly ReasonCode[] = ['EXECUTION_OFF', 'DISABLED', 'NOT_TRUSTED'];

export function createSnapshotSkills({ snapshot, policy, isRunnable, sha256, decodeUtf8 }: SnapshotSkillsOptions): SkillSource {
  return {
    names: () => (policy === 'off' ? [] : snapshot.skills.filter(({ card }) => card.form !== 'instructions' && card.bar === null).map(({ name }) => name)),
    async mayContinue({ name, folder }) {
      if (policy === 'off') return { ok: false, reasons: [{ code: 'EXECUTION_OFF', message: 'execution is switched off', hint: null }] };
      // Another skill of the same name says nothing about this one.
      if (!snapshot.has(name) || snapshot.get(name).folder !== folder) return { ok: true, reasons: [] };
      const { reasons } = await isRunnable(name).catch(orEdited);
      const against = reasons.filter(({ code }) => stopping.includes(code));
      return { ok: against.length === 0, reasons: against };
    },
    async find(name): Promise<SkillToRun | null> {
      if (!snapshot.has(name)) return null;
      const { head, description, folder, card } = snapshot.get(name);
      const runnable = await isRunnable(name);
      // Read through the snapshot, which gives the bytes it was judged by or throws STALE.
      const files = new Map([['SKILL.md', await snapshot.readFile(name, 'SKILL.md')]]);
      if (runnable.ok && head.program !== null) files.set(head.program, await snapshot.readFile(name, head.program));
      const body = parseBody(decodeUtf8(files.get('SKILL.md') as Uint8Array).text);
      const declared = head.inputs !== null && head.inputs.length > 0 ? head.inputs : null;
      const listed = body.inputKeys.length > 0 ? body.inputKeys : null;
      return {
        name,
        description,
        form: card.form,
        digest: `sha256:${sha256(canonicalJson(Object.fromEntries([...files].map(([path, bytes]) => [path, sha256(bytes)]))))}`,
        folder,
        runnable,
        instructions: body.text,
        inputs: declared ?? listed,
        inputsAreTyped: declared !== null,
        program: head.program,
        files: runnable.ok ? files : new Map(),
        allowedTools: head.allowedTools,
        model: head.model,
      };
    },
  };
}

/** That the files are no longer those of the snapshot is an edit like any other. */
function orEdited(error: unknown): Fact {
  if (error instanceof TechneError && error.code === 'STALE') return { ok: false, reasons: [] };
  throw error;
}
