// A test of a skill: its input, its script, its expectations.
import type { Json, JsonObject } from '../../base/json.ts';
import type { Span } from '../../base/span.ts';
import type {
  ScriptedAnswer,
  ScriptedCommand,
  ScriptedInput,
  ScriptedTool,
} from '../../scripted/script-file.ts';
import type { RunLimits } from '../../run/budget/limits.ts';
import type { TestMoment } from './test-clock.ts';

/** A test as its file has it. */
export interface SkillTest {
  readonly name: string;
  /** The file it is in, and where. */
  readonly path: string;
  readonly span: Span;
  /** null: no input. */
  readonly input: Json;
  readonly answers: readonly ScriptedAnswer[];
  readonly commands: readonly ScriptedCommand[];
  readonly tools: readonly ScriptedTool[];
  /** Replies to forms. */
  readonly inputs: readonly ScriptedInput[];
  /** Files of the workspace that an output contract finds; null: every one it looks for. */
  readonly artifacts: readonly string[] | null;
  /** Notes of the vault, by path; what the run writes is added to them. */
  readonly notes: ReadonlyMap<string, string>;
  /** `TYPE=FOLDER`, as in the configuration; a test file has none. Default: none. */
  readonly noteFolders?: readonly string[];
  readonly limits: Partial<RunLimits>;
  /** When the run begins; null: now. */
  readonly now: TestMoment | null;
  readonly expect: Expectation;
}

/** null: it does not matter. */
export interface Expectation {
  /** Of the result (`accepted`, `ok` …), or of the run (`completed`, `failed`, `refused` …). */
  readonly status: Expected<string> | null;
  readonly answer: Expected<string> | null;
  readonly answerContains: readonly Expected<string>[];
  /** Texts in the note that the run wrote. */
  readonly noteContains: readonly Expected<string>[];
  /** Fields of the result; what is not named does not matter. */
  readonly result: Expected<JsonObject> | null;
  /** Every entry that the program traces, in order. */
  readonly trace: Expected<readonly Expected<ExpectedTrace>[]> | null;
  readonly error: Expected<ExpectedError> | null;
  readonly asks: Expected<number> | null;
  readonly commands: Expected<number> | null;
  /** What the n-th prompt contains. */
  readonly prompts: Expected<readonly (readonly Expected<string>[])[]> | null;
}

/** Of a run that is only looked at. */
export const noExpectation: Expectation = {
  status: null,
  answer: null,
  answerContains: [],
  noteContains: [],
  result: null,
  trace: null,
  error: null,
  asks: null,
  commands: null,
  prompts: null,
};

export interface Expected<T> {
  readonly value: T;
  readonly span: Span;
}

export interface ExpectedTrace {
  readonly kind: string;
  /** Fields of the data; what is not named does not matter. */
  readonly data: JsonObject | null;
}

export interface ExpectedError {
  readonly code: string | null;
  readonly contains: string | null;
}

/** One difference between a test and its run. */
export interface TestFault {
  /** `answer`, `result.rounds`, `trace 2`, `answers 3` … */
  readonly what: string;
  readonly message: string;
  /** Where the two can be compared. */
  readonly expected: Json;
  readonly got: Json;
  readonly span: Span;
}

/** The outcome of a test. */
export interface TestOutcome {
  readonly test: SkillTest;
  readonly ok: boolean;
  readonly faults: readonly TestFault[];
}
