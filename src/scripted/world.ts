// A script -> a world for runs: its answers, the results of commands and tools, and the replies to forms. What the script
// does not mention is done by this machine as usual.
//
//   `script:FILE` -> Script (script-file.ts), read and parsed once -> ScriptedWorld
//
// Each run has the whole script, together with the runs nested in it: what one run used is there for the next one. A
// script with a fault is not used at all.
import { TechneError } from '../base/error.ts';
import type { JsonObject } from '../base/json.ts';
import type { Answerer, AskContext, AskOutcome, AskRequest } from '../ports/answerer.ts';
import type { CommandCaller, CommandHost } from '../ports/command-host.ts';
import type { ToolHost } from '../ports/tool-host.ts';
import type { Questioner } from '../run/drive/drive.ts';
import { isAsk } from '../run/effect/effect.ts';
import type { RunView } from '../run/history/inspect.ts';
import type { ScriptedCommandHost } from './commands.ts';
import { createScriptedCommands } from './commands.ts';
import { ScriptedInputs } from './inputs.ts';
import type { RefusedInput } from './inputs.ts';
import type { Script, ScriptedAnswer } from './script-file.ts';
import type { ScriptedToolHost } from './tools.ts';
import { createScriptedTools } from './tools.ts';
import { cutText } from '../base/cut-text.ts';
import { printableLine } from '../base/printable.ts';
import { placeOf } from '../base/span.ts';
import { decodeUtf8 } from '../base/utf8.ts';
import type { Files } from '../ports/files.ts';
import { FileFault } from '../ports/files.ts';
import { parseScript } from './script-file.ts';
import { isAbsolute, resolve } from 'node:path';

export interface ScriptedWorld {
  readonly answerer: Answerer;
  /** Instead of the commands of this machine; `null` when the script has none. */
  readonly commands: CommandHost | null;
  /** Instead of the tools of this machine; `null` when the script has none. */
  readonly tools: ToolHost | null;
  /** Replies to forms; `null` when the script has none. */
  readonly questioner: Questioner | null;
  /** Counts as used what a run that is resumed has already used. */
  skip(run: RunView): void;
}

/** What a script has for one run and the runs nested in it. */
interface RunScript {
  readonly commands: ScriptedCommandHost;
  readonly tools: ScriptedToolHost;
  readonly inputs: ScriptedInputs;
}

function createScriptedWorld(name: string, script: Script): ScriptedWorld {
  const runs = new Map<string, RunScript>();
  const of = (run: string): RunScript => {
    const known = runs.get(run) ?? {
      commands: createScriptedCommands(script.commands),
      tools: createScriptedTools(script.tools),
      inputs: new ScriptedInputs(script.inputs),
    };
    runs.set(run, known);
    return known;
  };
  const ofCaller = ({ run, outermost = run }: CommandCaller): RunScript => of(outermost);
  const listing = createScriptedTools(script.tools);
  const commands: CommandHost = {
    judge: (call, caller, approval) => ofCaller(caller).commands.judge(call, caller, approval),
    run: (call, caller, context) => ofCaller(caller).commands.run(call, caller, context),
  };
  const tools: ToolHost = {
    ...listing,
    judge: (call, caller, approval) => ofCaller(caller).tools.judge(call, caller, approval),
    call: (call, caller, context) => ofCaller(caller).tools.call(call, caller, context),
  };
  const answerer = createScriptAnswerer(name, script.answers);
  return {
    answerer,
    commands: script.commands.length === 0 ? null : commands,
    tools: script.tools.length === 0 ? null : tools,
    questioner: script.inputs.length === 0 ? null : scriptQuestioner((run) => of(run).inputs, refuse),
    skip({ run, effects, questions }) {
      const used = of(run);
      for (const { kind, state, request } of effects) {
        if (state === 'under-way') continue;
        const {
          argv = [],
          tool = '',
          args = {},
        } = request as {
          readonly argv?: readonly string[];
          readonly tool?: string;
          readonly args?: JsonObject;
        };
        if (kind === 'command') used.commands.take(argv);
        if (kind === 'tool') used.tools.take(tool, args);
        if (isAsk(kind)) answerer.take(run, request as JsonObject);
      }
      used.inputs.skip(questions.filter(({ answer }) => answer !== null));
    },
  };
}

/** Answers forms with the replies for the run, each once. A reply that the form refuses is reported and the form stays open. */
export function scriptQuestioner(
  inputsOf: (run: string) => ScriptedInputs,
  onRefused: (refused: RefusedInput, run: string) => void,
): Questioner {
  /** By question, since several runs may ask at the same time. */
  const given = new Map<string, RefusedInput['input']>();
  return (question, { run, refused }) => {
    const before = given.get(question.id);
    if (refused !== null && before !== undefined) {
      onRefused({ input: before, message: refused.message }, question.run);
      return 'open';
    }
    const input = inputsOf(run).take(question);
    if (input === null) return 'open';
    given.set(question.id, input);
    return { answer: input.value };
  };
}

function refuse({ message }: RefusedInput, run: string): never {
  throw new TechneError('ANSWER_REFUSED', `a form refused the reply of the script: ${message}`, {
    hint: `fix "inputs" of the script, then: techne runs resume ${run}`,
  });
}

// Reading the file of a script.

const maxBytes = 64 * 1024 * 1024;

/** Throws ENVIRONMENT when there is no such file, FILE_INVALID when it is not a script. */
export async function loadScript(path: string, files: Files): Promise<Script> {
  const text = await readAnswerFile(path, files);
  const parsed = parseScript(text, path);
  if (parsed.ok) return parsed.script;
  const [first] = parsed.diagnostics;
  if (first === undefined) throw new Error('a script without faults was refused');
  const place = first.span === null ? null : placeOf(text, first.span.start);
  const more = parsed.diagnostics.length - 1;
  throw new TechneError(
    'FILE_INVALID',
    `${path}${place === null ? '' : `:${place.line}:${place.column}`}: ${first.code}: ${printableLine(first.message)}${more === 0 ? '' : ` (and ${more} more)`}`,
    first.hint === null ? {} : { hint: first.hint },
  );
}

/** The text of a script or a recording. Throws ENVIRONMENT or FILE_INVALID. */
export async function readAnswerFile(path: string, files: Files): Promise<string> {
  let read: Awaited<ReturnType<Files['read']>>;
  try {
    read = await files.read(path, maxBytes);
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    throw new TechneError('ENVIRONMENT', `${path} cannot be read: ${error.message}`, { cause: error });
  }
  if (read === null)
    throw new TechneError('ENVIRONMENT', `there is no file ${path}`, {
      hint: 'give the path of a file of answers',
    });
  const { text, valid } = decodeUtf8(read.bytes);
  if (!valid)
    throw new TechneError('FILE_INVALID', `${path} is not a text in UTF-8`, { hint: 'save it as UTF-8' });
  return text;
}

/** `null` when `wanted` is not a script. Relative names start at `cwd`. Throws ENVIRONMENT or FILE_INVALID. */
export async function openScriptedWorld(
  wanted: string,
  cwd: string,
  files: Files,
): Promise<ScriptedWorld | null> {
  const [, name] = /^script:([^]+)$/.exec(wanted) ?? [];
  if (name === undefined) return null;
  const path = isAbsolute(name) ? name : resolve(cwd, name);
  return createScriptedWorld(`script:${path}`, await loadScript(path, files));
}

// Scripted answers, for tests, demos, and work without a network.
//
// The n-th ask of a run gets the n-th answer, also after a resume; with `match: true` it gets the first that fits, and
// answers with the same purpose and texts are given one after the other, the last one again and again. An
// answer for another ask is not given: the ask fails with what was expected and what came. Reading a text for a form
// has no number among the asks: its answer is found by the purpose ("read the reply to STEP", "read the request for
// STEP"), and a request is read only if the script has that answer. A script has no side effects, so it satisfies
// every fence.

interface ScriptAnswerer extends Answerer {
  /** As if this ask had been answered: what a run did before this process. */
  take(run: string, request: JsonObject): void;
  /** The answers that no ask of this process has used. */
  unused(): readonly ScriptedAnswer[];
}

/** The next answer is for another ask. */
export class ScriptMisfit extends Error {
  readonly answer: ScriptedAnswer;

  constructor(message: string, answer: ScriptedAnswer) {
    super(message);
    this.name = 'ScriptMisfit';
    this.answer = answer;
  }
}

export function createScriptAnswerer(name: string, answers: readonly ScriptedAnswer[]): ScriptAnswerer {
  const used = new Set<ScriptedAnswer>();
  const byMatch = answers[0]?.match === true;
  const sequence = new Turns(answers);
  return {
    name,
    description: `${answers.length} scripted ${answers.length === 1 ? 'answer' : 'answers'}`,
    fenced: true,
    readsFor: (wanted) => answers.some(({ purpose }) => purpose === wanted),
    unused: () => answers.filter((answer) => !used.has(answer)),
    take(run, { purpose = null, prompt = '', system = '' }) {
      const asked = {
        purpose: purpose as string | null,
        prompt: `${system as string}\n\n${prompt as string}`,
      };
      if (byMatch) sequence.next(run, answers.find((answer) => misfit(answer, asked, 0) === null) ?? null);
    },
    async answer(request: AskRequest, context: AskContext): Promise<AskOutcome> {
      const { ordinal, retry } = context;
      const scripted = byMatch
        ? sequence.of(context, firstThatFits(answers, request))
        : inOrder(answers, request, ordinal, retry);
      used.add(scripted);
      const { gives, retries, turns, exhausted, inputTokens, outputTokens } = scripted;
      if (gives.kind === 'error') throw new Error(gives.message);
      const answer = retry === 0 ? gives.text : (retries[retry - 1] ?? retries.at(-1) ?? gives.text);
      return { answer, exhausted, turns, usage: { inputTokens, outputTokens, costMicros: 0 } };
    },
  };
}

function inOrder(
  all: readonly ScriptedAnswer[],
  request: AskRequest,
  ordinal: number,
  retry: number,
): ScriptedAnswer {
  if (ordinal === 0) {
    const found = all.find(({ purpose }) => purpose === request.purpose);
    if (found === undefined)
      throw new Error(
        `the script has no answer for ${JSON.stringify(request.purpose)}; give it one with that purpose`,
      );
    return found;
  }
  const answers = all.filter(({ purpose }) => purpose === null || !readingPurpose.test(purpose));
  const scripted = answers[ordinal - 1];
  if (scripted === undefined)
    throw new Error(
      `the script has ${counted(answers.length)}, but this is ask ${ordinal}${describeAsk(request)}`,
    );
  const fault = misfit(scripted, request, retry);
  if (fault !== null)
    throw new ScriptMisfit(`answer ${ordinal} of the script is for another ask: ${fault}`, scripted);
  return scripted;
}

/** Whose turn it is among the answers for the same asks. */
class Turns {
  readonly #answers: readonly ScriptedAnswer[];
  /** How many of the same were given, by run. */
  readonly #given = new Map<string, number>();
  /** By ask: a retry is answered by the same one. */
  readonly #taken = new Map<string, ScriptedAnswer>();

  constructor(answers: readonly ScriptedAnswer[]) {
    this.#answers = answers;
  }

  of({ run, outermost = run, key, retry }: AskContext, first: ScriptedAnswer): ScriptedAnswer {
    const ask = `${run} ${key}`;
    const before = retry === 0 ? undefined : this.#taken.get(ask);
    const taken = before ?? this.next(outermost, first) ?? first;
    this.#taken.set(ask, taken);
    return taken;
  }

  next(run: string, first: ScriptedAnswer | null): ScriptedAnswer | null {
    if (first === null) return null;
    const same = this.#answers.filter((answer) => sameAsks(answer, first));
    const place = `${run} ${this.#answers.indexOf(first)}`;
    const given = this.#given.get(place) ?? 0;
    this.#given.set(place, given + 1);
    return same[Math.min(given, same.length - 1)] ?? first;
  }
}

function sameAsks(a: ScriptedAnswer, b: ScriptedAnswer): boolean {
  return (
    a.purpose === b.purpose &&
    a.contains.length === b.contains.length &&
    a.contains.every((text, at) => text === b.contains[at])
  );
}

function firstThatFits(answers: readonly ScriptedAnswer[], request: AskRequest): ScriptedAnswer {
  const scripted = answers.find((answer) => misfit(answer, request, 0) === null);
  if (scripted === undefined)
    throw new Error(
      `none of the ${counted(answers.length)} in the script matches this ask${describeAsk(request)}`,
    );
  return scripted;
}

/** Purposes of reading a text for a form, which are outside the order. */
const readingPurpose = /^read the (?:reply to|request for) /;

/** Why the answer is not for this ask, or null. */
function misfit(
  { purpose, contains }: ScriptedAnswer,
  request: Pick<AskRequest, 'purpose' | 'prompt'>,
  retry: number,
): string | null {
  if (purpose !== null && purpose !== request.purpose)
    return `expected the purpose ${JSON.stringify(purpose)}, got ${request.purpose === null ? 'none' : JSON.stringify(short(request.purpose))}`;
  // A retry repeats the prompt and the answer that was wrong; the first try has been compared.
  const missing = retry > 0 ? undefined : contains.find((text) => !request.prompt.includes(text));
  return missing === undefined
    ? null
    : `expected a prompt with ${JSON.stringify(missing)}, got ${JSON.stringify(short(request.prompt))}`;
}

function describeAsk({ purpose, prompt }: AskRequest): string {
  return ` (${purpose === null ? '' : `purpose ${JSON.stringify(short(purpose))}, `}prompt ${JSON.stringify(short(prompt))})`;
}

function short(text: string): string {
  const cut = cutText(text, 200);
  return cut.truncated ? `${cut.text}…` : cut.text;
}

function counted(count: number): string {
  return `${count} ${count === 1 ? 'answer' : 'answers'}`;
}
