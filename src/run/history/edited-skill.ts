// The edited skill of a fork: whether its input fits, whether it is trusted, and what is pinned of its plan.
//
// The input is checked against the pinned SKILL.md with the edits, not against the folder: a fork runs those bytes. What
// `techne run` refuses is refused here too, in the same words, and defaults are filled in as there.
import { TechneError } from '../../base/error.ts';
import { canonicalJson } from '../../base/json.ts';
import type { JsonObject } from '../../base/json.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import type { Answerer } from '../../ports/answerer.ts';
import type { Blobs } from '../../ports/blobs.ts';
import type { Sha256 } from '../../ports/environment.ts';
import type { SkillSource, SkillToRun } from '../../ports/skill-source.ts';
import type { ToolHost } from '../../ports/tool-host.ts';
import type { RunStarted } from '../../journal/entry.ts';
import { parseBody } from '../../skill/body/parse-body.ts';
import { parseHead } from '../../skill/parse-head.ts';
import type { ParseFull } from '../../skill/yaml/node.ts';
import { isTrusted } from '../start/admit-run.ts';
import type { CheckedInput } from '../start/check-input.ts';
import { checkInput } from '../start/check-input.ts';
import { bundlePath } from '../plan/runs.ts';
import type { LoadPlanRuns } from '../plan/runs.ts';
import type { RunFacts } from '../run-facts.ts';
import type { EditedSkill, ForkEdits } from './fork.ts';

/** Where no SKILL.md can be read (`parseFull` is null), nothing is known of its inputs. */
export async function checkEditedInput(
  {
    parseFull,
    blobs,
    plans,
  }: {
    readonly parseFull: ParseFull | null;
    readonly blobs: Pick<Blobs, 'get'>;
    readonly plans: LoadPlanRuns;
  },
  { meta: { skill, files: pinned }, settings: { folder } }: RunFacts,
  input: JsonObject,
  edited: NonNullable<ForkEdits['files']>,
): Promise<CheckedInput> {
  if (parseFull === null) return { ok: true, input };
  const { name } = skill;
  const files = new Map<string, Uint8Array>();
  for (const [path, digest] of Object.entries(pinned))
    if (path !== bundlePath) files.set(path, await blobs.get(digest));
  for (const [path, content] of Object.entries(edited)) files.set(path, content);
  const bytes = files.get('SKILL.md');
  const text = bytes === undefined ? '' : decodeUtf8(bytes).text;
  const head = parseHead(
    text,
    { folderName: name, entries: [], complete: true, fileBytes: bytes?.length ?? 0, parseFull },
    () => undefined,
  );
  if (bytes === undefined || head === 'more') return { ok: true, input };
  const body = parseBody(text);
  const declared = head.inputs !== null && head.inputs.length > 0 ? head.inputs : null;
  const facts: Pick<SkillToRun, 'name' | 'instructions' | 'inputs' | 'inputsAreTyped'> = {
    name,
    instructions: body.text,
    inputs: declared ?? (body.inputKeys.length > 0 ? body.inputKeys : null),
    inputsAreTyped: declared !== null,
  };
  return skill.form !== 'program'
    ? (await plans()).checkInput({ parseFull }, { ...facts, folder, files }, input)
    : checkInput(facts, input);
}

/** Trusted only if it is what is in the folder of the skill now, and that is trusted. */
export async function judgeEdited(
  { skills, sha256 }: { readonly skills: SkillSource; readonly sha256: Sha256 },
  { meta: { skill }, settings: { folder } }: RunFacts,
  files: RunStarted['files'],
): Promise<EditedSkill> {
  const found = await skills.find(skill.name).catch((error: unknown) => {
    if (error instanceof TechneError) return null;
    throw error;
  });
  const isThere =
    found !== null &&
    found.runnable.ok &&
    found.folder === folder &&
    [...found.files].every(([path, bytes]) => files[path] === `sha256:${sha256(bytes)}`);
  return isThere
    ? { digest: found.digest, trusted: isTrusted(found) }
    : { digest: `sha256:${sha256(canonicalJson({ edited: skill.digest, files }))}`, trusted: false };
}

interface ReplanParts {
  readonly parseFull: ParseFull | null;
  readonly skills: SkillSource;
  readonly tools: ToolHost;
  readonly answerer: Answerer;
  readonly plans: LoadPlanRuns;
}

/** The plan of an edited skill. Throws USAGE. */
export async function replanEdited(
  { parseFull, skills, tools, answerer, plans }: ReplanParts,
  { meta: { skill }, settings: { folder } }: RunFacts,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<ReadonlyMap<string, Uint8Array>> {
  if (parseFull === null) throw new TechneError('ENVIRONMENT', 'this host reads no plans');
  return (await plans()).replan({ skills, tools, answerer, parseFull }, { name: skill.name, folder, files });
}
