// The edited input of a fork against what the skill takes, before anything is made or spent.
//
// C1. Judged by the pinned SKILL.md, edits included, not by what is in the folder now: a fork runs those bytes.
// C2. What `techne run` refuses is refused here, in the same words; defaults are filled in as there.
import { decodeUtf8 } from '../../base/utf8.ts';
import type { JsonObject } from '../../base/json.ts';
import type { SkillToRun } from '../../ports/skill-source.ts';
import { parseBody } from '../../skill/body/parse-body.ts';
import { parseHead } from '../../skill/parse-head.ts';
import type { ParseFull } from '../../skill/yaml/node.ts';
import type { CheckedInput } from '../start/check-input.ts';
import { checkInput } from '../start/check-input.ts';
import type { LoadPlanRuns } from '../plan/runs.ts';

interface ForkInputParts {
  readonly name: string;
  readonly folder: string | null;
  readonly isPlan: boolean;
  /** The pinned files, with the edited ones in their places. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly input: JsonObject;
  readonly plans: LoadPlanRuns;
  readonly parseFull: ParseFull;
}

export async function checkForkInput({
  name,
  folder,
  isPlan,
  files,
  input,
  plans,
  parseFull,
}: ForkInputParts): Promise<CheckedInput> {
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
  return isPlan
    ? (await plans()).checkInput({ parseFull }, { ...facts, folder, files }, input)
    : checkInput(facts, input);
}
