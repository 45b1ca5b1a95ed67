// A plan and inputs -> what a run would write or answer, without doing anything.
//
// The skill runs on the engine in a world of its own, as in a test, with a copy of the notes. A model, a tool or a person is not
// asked: where the run needs one, the preview ends there and says so.
import type { Json } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';
import { printable, printableLine } from '../../base/printable.ts';
import { diffLines } from '../../measure/testing/diff-lines.ts';
import { performTest } from '../../measure/testing/run-test.ts';
import { noExpectation } from '../../measure/testing/skill-test.ts';
import { skillsOf } from '../../measure/testing/test-skills.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { Paint } from '../io.ts';

const nowhere = { start: 0, end: 0 };

export interface PreviewRequest {
  readonly snapshot: Snapshot;
  readonly skill: string;
  readonly input: Json;
  /** By path; read only when the skill writes notes. */
  readonly notes: ReadonlyMap<string, string>;
  readonly noteFolders: readonly string[];
  readonly paint: Paint;
}

export async function previewRun(request: PreviewRequest): Promise<string> {
  const { snapshot, skill, input, notes, noteFolders, paint } = request;
  const { unexpected, waiting, observed } = await performTest(skill, skillsOf(snapshot), {
    name: 'preview',
    path: '',
    span: nowhere,
    input,
    answers: [],
    commands: [],
    tools: [],
    inputs: [],
    artifacts: null,
    notes,
    noteFolders,
    limits: {},
    now: null,
    expect: noExpectation,
  });
  const { result, note } = observed;
  const [first] = unexpected;
  if (first !== undefined || waiting.length > 0) {
    const what = { answers: 'a model is asked', commands: 'a command runs', tools: 'a tool is called' }[
      first?.what ?? ''
    ];
    return `preview   ${what ?? 'a form is filled in'} first, so the result is not known yet\n`;
  }
  if (result.error !== null)
    return `preview   ${paint.red(result.error.code)}: ${printable(result.error.message)}\n`;
  const shown = result.envelope?.['note'];
  if (isJsonObject(shown) && typeof shown['path'] === 'string' && note !== null) {
    const before = notes.get(shown['path']) ?? null;
    const path = printableLine(shown['path']);
    if (shown['action'] === 'unchanged') return `preview   ${path} would stay as it is\n`;
    const lines =
      before === null
        ? note.trimEnd().split('\n')
        : diffLines(before, note)
            .filter(({ sign, text }) => sign !== ' ' && text.trim() !== '')
            .map(({ sign, text }) => `${sign} ${text}`);
    return `preview   ${before === null ? 'would write' : 'would add to'} ${path}\n\n${lines.map((line) => (line === '' ? '\n' : `  ${printable(line)}\n`)).join('')}`;
  }
  const answer = result.envelope?.['answer'];
  return typeof answer === 'string' && answer.trim() !== ''
    ? `preview\n\n${printable(answer.trimEnd())}\n`
    : 'preview   no text comes of it\n';
}
