// Whether evals/evals.json contains test prompts as docs/guide/evals.md describes them.
//
// Only what is missing is reported. A file with `evals` instead of `triggers` is in another host's format and is not
// checked.
import type { Report } from '../../base/diagnostic.ts';
import type { Json } from '../../base/json.ts';
import { isJsonObject, parseJson } from '../../base/json.ts';
import { scaffoldTexts } from '../scaffold/texts.ts';
import type { Form } from '../types.ts';

export const evalsFile = 'evals/evals.json';
export const evalKinds = ['positive', 'explicit', 'pasted-history', 'neighbouring-domain'] as const;

const hint = 'techne new writes a file with one of each kind';

interface EvalsExpected {
  /** A rubric must be among them, too. Default: it need not. */
  readonly needsRubric?: boolean;
  /** Of the skill, to find prompts of `techne new` that were not replaced. Default: not compared. */
  readonly description?: string;
}

export function checkEvals(
  text: string,
  report: Report,
  { needsRubric = false, description }: EvalsExpected = {},
): void {
  let value: Json;
  try {
    value = parseJson(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    report('LINT_EVALS', null, `the test prompts are not valid JSON: ${(error as Error).message}`, hint);
    return;
  }
  if (!isJsonObject(value))
    return report('LINT_EVALS', null, 'the test prompts must be an object with triggers', hint);
  const { triggers } = value;
  if (triggers === undefined && Array.isArray(value['evals'])) return;
  if (!Array.isArray(triggers))
    return report('LINT_EVALS', null, 'there is no list "triggers" of test prompts', hint);
  const kinds: readonly unknown[] = evalKinds;
  const seen = new Set<unknown>();
  // For a judge of results (techne eval output): beside the prompts, or one of them.
  let hasRubric = Array.isArray(value['rubric']) && value['rubric'].length > 0;
  for (const [at, prompt] of triggers.entries()) {
    const kind = isJsonObject(prompt) ? prompt['kind'] : undefined;
    if (!isJsonObject(prompt) || typeof prompt['message'] !== 'string')
      report('LINT_EVALS', null, `triggers[${at}] has no message`, hint);
    if (kinds.includes(kind)) seen.add(kind);
    else if (kind === 'rubric') hasRubric = true;
    else
      report(
        'LINT_EVALS',
        null,
        `triggers[${at}] has no kind, or one that techne does not know`,
        `use ${evalKinds.join(', ')}`,
      );
  }
  if (needsRubric && !hasRubric)
    report(
      'STRICT_PLAN',
      null,
      'there is no rubric among the test prompts',
      'add "rubric": ["what a good result has"] beside triggers',
    );
  const example = exampleOf(triggers);
  if (example !== null && description !== undefined && description !== example.description)
    report(
      'LINT_EVALS',
      null,
      `the test prompts are still those of the example about ${example.about}`,
      'write prompts that people would use for this skill',
    );
  const missing = evalKinds.filter((kind) => !seen.has(kind));
  if (missing.length > 0)
    report('LINT_EVALS', null, `there is no test prompt of the kind ${missing.join(', ')}`, hint);
}

/** The example of `techne new` that a prompt was taken from unchanged. */
function exampleOf(prompts: readonly Json[]): (typeof scaffoldTexts)[Form] | null {
  const messages = new Set(prompts.map((prompt) => (isJsonObject(prompt) ? prompt['message'] : null)));
  return Object.values(scaffoldTexts).find(({ positive }) => messages.has(positive)) ?? null;
}
