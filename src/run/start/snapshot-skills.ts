// A snapshot -> the skills that can be run, with the bytes that were judged.
//
// A run continues as long as its skill is still trusted in its place: the folder is trusted, or some version in it. An
// edited skill, or one that is no longer ready, does not stop it, unless the guard refuses it as it is now, or it is not as its lock says: its
// commands run files of its folder. `techne untrust` does, also for a skill that this
// snapshot does not have. The digest is the one that is trusted: of all files in the folder. So the operator is asked
// again about a permanent approval when any file of the skill has changed.
import type { NoteDeclaration } from '../../ports/note-host.ts';
import type { SkillHead } from '../../skill/types.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import type { SkillSource, SkillToRun, StepSkill } from '../../ports/skill-source.ts';
import type { Sha256 } from '../../ports/environment.ts';
import { TechneError } from '../../base/error.ts';
import { isJsonObject } from '../../base/json.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { Fact, ReasonCode } from '../../registry/types.ts';
import type { StartedSkill } from '../../registry/trust/trusted-skill.ts';
import { outputTemplate, withTemplate } from '../../skill/body/output-template.ts';
import { parseBody } from '../../skill/body/parse-body.ts';
import { scopesOf } from '../../skill/tools/tool-scope.ts';

interface SnapshotSkillsOptions {
  readonly snapshot: Pick<
    Snapshot,
    'has' | 'get' | 'readFile' | 'skills' | 'manifest' | 'facts' | 'listFiles'
  >;
  /** `execution.policy`: off is off, also for runs that were started before. */
  readonly policy: 'trusted' | 'off';
  /** `metaskills.enabled`: when false nothing is offered, and every call is refused. Default: true. */
  readonly metaskills?: boolean;
  /** Verifies trust and content now. */
  readonly isRunnable: (name: string) => Promise<Fact>;
  /** Asks about what a run was started with, whatever the snapshot holds: trust, the lock and the guard. */
  readonly isStillTrusted: (skill: StartedSkill) => Promise<Fact>;
  readonly sha256: Sha256;
}

/** Reasons that also stop a run under way; any other only prevents a start. */
const stopping: readonly ReasonCode[] = [
  'EXECUTION_OFF',
  'METASKILLS_OFF',
  'DISABLED',
  'NOT_TRUSTED',
  'DRIFTED',
  'GUARD_REFUSED',
];

export function createSnapshotSkills({
  snapshot,
  policy,
  metaskills = true,
  isRunnable,
  isStillTrusted,
  sha256,
}: SnapshotSkillsOptions): SkillSource {
  return {
    names: () =>
      policy === 'off' || !metaskills
        ? []
        : snapshot.skills
            .filter(({ card }) => card.form !== 'instructions' && card.bar === null)
            .map(({ name }) => name),
    async mayContinue(skill) {
      const { name, folder } = skill;
      if (policy === 'off')
        return {
          ok: false,
          reasons: [{ code: 'EXECUTION_OFF', message: 'execution is switched off', hint: null }],
        };
      if (!metaskills)
        return {
          ok: false,
          reasons: [{ code: 'METASKILLS_OFF', message: 'metaskills are switched off', hint: null }],
        };
      // Another skill of the same name says nothing about this one.
      const isHere = snapshot.has(name) && snapshot.get(name).folder === folder;
      const { reasons } = isHere ? await isRunnable(name).catch(orEdited) : unasked;
      const against = reasons.filter(({ code }) => stopping.includes(code));
      if (against.length > 0) return { ok: false, reasons: against };
      // Trust, or the guard after it, was not asked: the skill is not ready, or it changed.
      return reasons.some(({ code }) => code.startsWith('TRUSTED_'))
        ? { ok: true, reasons: [] }
        : isStillTrusted(skill);
    },
    async find(name): Promise<SkillToRun | null> {
      if (!snapshot.has(name)) return null;
      const { head, description, folder, card } = snapshot.get(name);
      const runnable = await isRunnable(name);
      // Read through the snapshot, which gives the bytes it was judged by or throws STALE.
      // Nothing is read of an installed skill that is not as locked.
      const isDrifted = runnable.reasons.some(({ code }) => code === 'DRIFTED');
      const text = isDrifted ? new Uint8Array() : await snapshot.readFile(name, 'SKILL.md');
      const files = new Map([['SKILL.md', text]]);
      if (runnable.ok && head.program !== null)
        files.set(head.program, await snapshot.readFile(name, head.program));
      for (const path of runnable.ok &&
      (card.form === 'workflow' || card.form === 'chain') &&
      head.output !== null
        ? templatesOf(head.output, await snapshot.listFiles(name))
        : [])
        files.set(path, await snapshot.readFile(name, path));
      const body = parseBody(decodeUtf8(files.get('SKILL.md') as Uint8Array).text);
      const declared = head.inputs !== null && head.inputs.length > 0 ? head.inputs : null;
      const listed = body.inputKeys.length > 0 ? body.inputKeys : null;
      return {
        name,
        description,
        form: card.form,
        digest: runnable.ok
          ? (await snapshot.manifest(name)).digest
          : `sha256:${sha256(files.get('SKILL.md') as Uint8Array)}`,
        folder,
        runnable,
        instructions: body.text,
        inputs: declared ?? listed,
        inputsAreTyped: declared !== null,
        program: head.program,
        files: runnable.ok ? files : new Map(),
        scopes: scopesOf(head),
        model: head.model,
        ...(head.limits === null ? {} : { limits: head.limits }),
        note: noteOf(head),
      };
    },
    async findForStep(name): Promise<StepSkill | null> {
      if (!snapshot.has(name)) return null;
      const skill = snapshot.get(name);
      const { head, folder, card } = skill;
      const file = await snapshot.readFile(name, 'SKILL.md');
      const entrypoint = head.frontmatter['entrypoint'] ?? null;
      const runnable = await isRunnable(name);
      const template = await outputTemplate(head.output, (path) => snapshot.readFile(name, path));
      return {
        name,
        form: card.form,
        digest: `sha256:${sha256(file)}`,
        content: runnable.ok && isJsonObject(entrypoint) ? (await snapshot.manifest(name)).digest : null,
        folder,
        ready: snapshot.facts(skill).ready,
        runnable,
        instructions: withTemplate(parseBody(decodeUtf8(file).text).text, template),
        scopes: scopesOf(head),
        model: head.model,
        entrypoint,
        capabilities: head.capabilities,
        env: head.requires?.env ?? [],
        file,
      };
    },
  };
}

/** null: it makes none, or does not say of which type. */
export function noteOf({ note, nodeType, suggestedEdges }: SkillHead): NoteDeclaration | null {
  return note === null || nodeType === null
    ? null
    : { ...note, type: nodeType, edges: [...new Set(suggestedEdges.map(({ type }) => type))] };
}

/** The output template of a workflow or chain, and what may be a variant of it: a file beside it whose name begins the same. */
function templatesOf(output: string, entries: Awaited<ReturnType<Snapshot['listFiles']>>): readonly string[] {
  const path = output.replace(/^(?:\.\/)+/, '');
  const dot = path.lastIndexOf('.');
  if (dot <= 0) return [];
  const [stem, extension] = [path.slice(0, dot), path.slice(dot)];
  return entries
    .filter(
      ({ path: other, entry }) => entry === 'file' && other.startsWith(stem) && other.endsWith(extension),
    )
    .map((one) => one.path);
}

/** That the files are no longer those of the snapshot, or may not be read, is an edit like any other: `isStillTrusted` judges it. */
function orEdited(error: unknown): Fact {
  if (error instanceof TechneError && ['STALE', 'CONTENT_REFUSED', 'DRIFTED'].includes(error.code))
    return unasked;
  throw error;
}

const unasked: Fact = { ok: false, reasons: [] };
