// A snapshot -> the skills that can be run, with the bytes that were judged.
import type { SkillSource, SkillToRun } from '../host/ports/skill-source.ts';
import type { DecodeUtf8, Sha256 } from '../host/ports/environment.ts';
import { canonicalJson } from '../base/json.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { Fact } from '../registry/types.ts';
import { parseBody } from '../skill/parse-body.ts';

export interface SnapshotSkillsOptions {
  readonly snapshot: Pick<Snapshot, 'has' | 'get' | 'readFile' | 'skills'>;
  /** Verifies trust and content now. */
  readonly isRunnable: (name: string) => Promise<Fact>;
  readonly sha256: Sha256;
  readonly decodeUtf8: DecodeUtf8;
}

export function createSnapshotSkills({ snapshot, isRunnable, sha256, decodeUtf8 }: SnapshotSkillsOptions): SkillSource {
  return {
    names: () => snapshot.skills.filter(({ card }) => card.form !== 'instructions' && card.bar === null).map(({ name }) => name),
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
