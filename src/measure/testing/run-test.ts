// A test and a skill -> a run of the skill on the real engine in a scripted world, and the faults of it.
//
// Nothing real is performed: answers, commands, tools and replies to forms come from the test, journal and blobs are in
// memory. So an untrusted skill can be tested. A call without a script, and a scripted answer or command that is not
// used, fail the test whatever else it expects. The run stops after the first unexpected call, and its later faults are
// not reported; so it does at a form without a reply, unless the test expects the run to pause. Retries and pauses take
// no time (test-clock.ts).
import type { Json, JsonObject } from '../../base/json.ts';
import { createMemoryNotes } from '../../graph/write/create-note-host.ts';
import type { Span } from '../../base/span.ts';
import { createScriptAnswerer, ScriptMisfit, scriptQuestioner } from '../../scripted/world.ts';
import type { ScriptedAnswer } from '../../scripted/script-file.ts';
import { nodeSha256 } from '../../node/environment.ts';
import { nodeParseFull } from '../../node/yaml.ts';
import type { Answerer, AskContext, AskOutcome, AskRequest } from '../../ports/answerer.ts';
import type { Ids } from '../../ports/ids.ts';
import type { SkillSource } from '../../ports/skill-source.ts';
import { createMemoryRunStore } from '../../journal/memory-run-store.ts';
import { createMemoryBlobs } from '../../ports/memory-blobs.ts';
import type { RunView } from '../../run/history/inspect.ts';
import { createRunner } from '../../run/create-runner.ts';
import type { ObservedRun } from './compare.ts';
import { compareWithExpected } from './compare.ts';
import { createScriptedCommands } from '../../scripted/commands.ts';
import { ScriptedInputs } from '../../scripted/inputs.ts';
import { createScriptedTools } from '../../scripted/tools.ts';
import { drive } from '../../run/drive/drive.ts';
import type { SkillTest, TestFault, TestOutcome } from './skill-test.ts';
import { TestClock } from './test-clock.ts';
import { isJsonObject } from '../../base/json.ts';
import { missingFields } from '../../run/clarify/clarify.ts';
import { formOf } from '../../run/clarify/form.ts';
import type { PendingQuestion } from '../../run/result/result.ts';

/** A message for each form; other questions have none. */
function waitingForms(questions: readonly Pick<PendingQuestion, 'question'>[]): readonly string[] {
  return questions.flatMap(({ question }) => {
    if (!isJsonObject(question) || question['type'] !== 'form') return [];
    const { collected, error } = question;
    const form = formOf(question);
    const given = isJsonObject(collected) ? collected : {};
    const open = form.fields.filter(({ name }) => !Object.hasOwn(given, name));
    const needed = missingFields(form, given).map(({ name }) => `${name} (needed)`);
    const others = open.filter(({ required }) => !required).map(({ name }) => name);
    const why = typeof error === 'string' ? `; the reply before was refused: ${error}` : '';
    return [
      `no reply is scripted for the form "${form.step}", with the fields ${[...needed, ...others].join(', ')}${why}`,
    ];
  });
}

export async function runSkillTest(
  skill: string,
  skills: SkillSource,
  test: SkillTest,
): Promise<TestOutcome> {
  const { unexpected, waiting, unused, observed } = await performTest(skill, skills, test);
  if (unexpected.length > 0) return { test, ok: false, faults: unexpected };
  const open = test.expect.status?.value === 'paused' ? [] : waiting;
  if (open.length > 0)
    return {
      test,
      ok: false,
      faults: [
        ...open.map((message): TestFault => ({
          what: 'inputs',
          message,
          expected: null,
          got: null,
          span: test.span,
        })),
        ...unused.inputs,
      ],
    };
  const faults = [
    ...compareWithExpected(test, observed),
    ...unused.answers,
    ...unused.tools,
    ...unused.inputs,
    ...unused.commands,
  ];
  return { test, ok: faults.length === 0, faults };
}

/** What came of a test, whatever it expects. */
export interface PerformedTest {
  /** Calls that the test has nothing for: the run was stopped at the first one. */
  readonly unexpected: readonly TestFault[];
  /** A message for each form that is still open. */
  readonly waiting: readonly string[];
  /** What the test has, and no call took. */
  readonly unused: { readonly [what in 'answers' | 'commands' | 'tools' | 'inputs']: readonly TestFault[] };
  readonly observed: ObservedRun;
  /** null: the run was not started. */
  readonly view: RunView | null;
  /** A run that was nested in it. */
  readonly inspect: (run: string) => Promise<RunView>;
}

export async function performTest(
  skill: string,
  skills: SkillSource,
  test: SkillTest,
): Promise<PerformedTest> {
  const stop = new AbortController();
  const unexpected: TestFault[] = [];
  const onUnexpected = (what: string, message: string, got: Json, span: Span = test.span): void => {
    unexpected.push({ what, message, expected: null, got, span });
    stop.abort(new Error('an unexpected call'));
  };
  let commandCount = 0;
  const scripted = createScriptedCommands(test.commands, (argv) =>
    onUnexpected('commands', `a command without a scripted result: ${JSON.stringify(argv)}`, argv),
  );
  const tools = createScriptedTools(test.tools, ({ tool, args }) =>
    onUnexpected(
      'tools',
      `a call of the tool ${tool} without a scripted result: ${JSON.stringify(args)}`,
      args,
    ),
  );
  const inputs = new ScriptedInputs(test.inputs);
  const answerer = new WatchedAnswerer(test.answers, (message, prompt, answer) =>
    onUnexpected('answers', message, prompt, answer?.span),
  );
  const clock = new TestClock(test.now);
  const notes = new Map(test.notes);
  const runner = createRunner({
    store: createMemoryRunStore(),
    blobs: createMemoryBlobs(nodeSha256),
    skills: readWithin(clock, skills),
    commands: {
      judge: (call, caller, approval) => {
        commandCount += 1;
        return scripted.judge(call, caller, approval);
      },
      run: (call, caller, context) => scripted.run(call, caller, context),
    },
    tools,
    answerers: [answerer],
    clock,
    ids: countedIds(),
    sha256: nodeSha256,
    parseFull: nodeParseFull,
    workspace: '/workspace',
    notes: createMemoryNotes(notes, nodeParseFull, test.noteFolders),
    // Nothing is written, so every file exists unless the test lists them.
    artifacts: {
      look: async (path) =>
        test.artifacts === null || test.artifacts.includes(path)
          ? { exists: true, bytes: 1, reason: null }
          : { exists: false, bytes: null, reason: 'does not exist' },
    },
  });
  const replies = scriptQuestioner(
    () => inputs,
    ({ input, message }) => {
      unexpected.push({
        what: `inputs ${test.inputs.indexOf(input) + 1}`,
        message: `the form refused this reply: ${message}`,
        expected: null,
        got: input.value,
        span: input.span,
      });
    },
  );
  const result = await drive(
    (request) => runner.start({ skill, input: test.input, limits: test.limits, ...request }),
    { runner, questions: [replies], cancel: stop.signal },
  );
  const view = result.run === null ? null : await runner.inspect(result.run);
  return {
    unexpected,
    waiting: waitingForms(result.questions),
    unused: {
      answers: answerer.unused().map((answer) => unusedAnswer(test, answer)),
      tools: tools.unused().map((tool): TestFault => ({
        what: `tools ${test.tools.indexOf(tool) + 1}`,
        message: `no call used this result: ${tool.tool} ${JSON.stringify(tool.args)}`,
        expected: null,
        got: null,
        span: tool.span,
      })),
      inputs: inputs.unused().map((input): TestFault => ({
        what: `inputs ${test.inputs.indexOf(input) + 1}`,
        message: `no form used this reply${inputs.meantBy(input, result.questions)}`,
        expected: input.value,
        got: null,
        span: input.span,
      })),
      commands: scripted.unused().map((command): TestFault => ({
        what: `commands ${test.commands.indexOf(command) + 1}`,
        message: `no command used this result: ${JSON.stringify(command.argv)}`,
        expected: null,
        got: null,
        span: command.span,
      })),
    },
    observed: {
      result,
      trace: view?.trace ?? [],
      prompts: answerer.prompts(result.run),
      commands: commandCount,
      note: noteIn(result.envelope, notes),
    },
    view,
    inspect: (run) => runner.inspect(run),
  };
}

function noteIn(envelope: JsonObject | null, notes: ReadonlyMap<string, string>): string | null {
  const note = envelope?.['note'];
  return isJsonObject(note) && typeof note['path'] === 'string' ? (notes.get(note['path']) ?? null) : null;
}

/** Skills are read from real files: a wait of the run is not over before that is. */
function readWithin(clock: TestClock, skills: SkillSource): SkillSource {
  return {
    names: () => skills.names(),
    find: (name) => clock.during(skills.find(name)),
    mayContinue: (skill) => clock.during(skills.mayContinue(skill)),
    ...(skills.findForStep === undefined
      ? {}
      : { findForStep: (name: string) => clock.during(skills.findForStep?.(name) ?? Promise.resolve(null)) }),
  };
}

function unusedAnswer(test: SkillTest, answer: ScriptedAnswer): TestFault {
  const text = answer.gives.kind === 'answer' ? answer.gives.text : answer.gives.message;
  return {
    what: `answers ${test.answers.indexOf(answer) + 1}`,
    message: 'no ask used this answer',
    expected: text,
    got: null,
    span: answer.span,
  };
}

/** The answerer of scripts, and its result. */
class WatchedAnswerer implements Answerer {
  readonly name = 'script';
  readonly description = 'the answers of a test';
  readonly fenced = true;
  /** By run and number; what is asked again is not another one. */
  readonly #prompts = new Map<string, { readonly run: string; readonly ordinal: number; prompt: string }>();
  readonly #answers: readonly ScriptedAnswer[];
  readonly #script: ReturnType<typeof createScriptAnswerer>;
  readonly #onUnexpected: (message: string, prompt: string, answer: ScriptedAnswer | null) => void;

  constructor(
    answers: readonly ScriptedAnswer[],
    onUnexpected: (message: string, prompt: string, answer: ScriptedAnswer | null) => void,
  ) {
    this.#answers = answers;
    this.#script = createScriptAnswerer(this.name, answers);
    this.#onUnexpected = onUnexpected;
  }

  unused(): readonly ScriptedAnswer[] {
    return this.#script.unused();
  }

  /** In the order of the asks; those of nested runs come behind, as they were made. */
  prompts(outermost: string | null): readonly string[] {
    const all = [...this.#prompts.values()];
    const own = all.filter(({ run }) => run === outermost).sort((a, b) => a.ordinal - b.ordinal);
    return [...own, ...all.filter(({ run }) => run !== outermost)].map(({ prompt }) => prompt);
  }

  readsFor(purpose: string): boolean {
    return this.#script.readsFor?.(purpose) === true;
  }

  async answer(request: AskRequest, context: AskContext): Promise<AskOutcome> {
    const { run, ordinal, retry } = context;
    // Reading a text for a form is not an ask of the skill.
    if (retry === 0 && ordinal > 0)
      this.#prompts.set(`${run} ${ordinal}`, { run, ordinal, prompt: request.prompt });
    try {
      return await this.#script.answer(request, context);
    } catch (error) {
      const message = (error as Error).message;
      const isScripted = this.#answers.some(
        ({ gives }) => gives.kind === 'error' && gives.message === message,
      );
      // The prompt is shown whole beside it.
      if (!isScripted)
        this.#onUnexpected(
          message.replace(/(?:, got "| \((?:purpose|prompt) )[^]*$/, (end) =>
            end.startsWith(',') && !message.includes('a prompt with') ? end : '',
          ),
          request.prompt,
          error instanceof ScriptMisfit ? error.answer : null,
        );
      throw error;
    }
  }
}

function countedIds(): Ids {
  let made = 0;
  return { ulid: () => `01${String((made += 1)).padStart(24, '0')}`, nonce: () => `nonce-${(made += 1)}` };
}
