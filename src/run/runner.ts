// What a runner is: what it needs from the host, what it is asked for, and what it throws.
//
// A run that could not start is a result (`refused`, or `failed` for a program with errors) with `run: null`, and nothing
// was spent. Requests about runs that cannot be honoured throw a TechneError. `createRunner` (create-runner.ts) makes one.
import type { Abort } from '../base/abort.ts';
import type { Json } from '../base/json.ts';
import type { Audience, Through } from '../journal/entry.ts';
import type { Answerer } from '../ports/answerer.ts';
import type { Artifacts } from '../ports/artifacts.ts';
import type { Blobs } from '../ports/blobs.ts';
import type { CommandHost } from '../ports/command-host.ts';
import type { Sha256 } from '../ports/environment.ts';
import type { Ids } from '../ports/ids.ts';
import type { NoteHost } from '../ports/note-host.ts';
import type { RunClock } from '../ports/run-clock.ts';
import type { RunStore } from '../ports/run-store.ts';
import type { RunTravel } from '../ports/shared-files.ts';
import type { SkillSource } from '../ports/skill-source.ts';
import type { ToolHost } from '../ports/tool-host.ts';
import type { ParseFull } from '../skill/yaml/node.ts';
import type { RunLimits } from './budget/limits.ts';
import type { OnRunEvent } from './events.ts';
import type { ForkRequest } from './history/fork.ts';
import type { InspectRequest, RunView } from './history/inspect.ts';
import type { ReplayReport } from './history/replay.ts';
import type { HostFilters } from './plan/templates.ts';
import type { RunResult } from './result/result.ts';
import type { Delivery } from './tell/tell-run.ts';

/** What runs need from the host. */
export interface RunnerOptions {
  readonly store: RunStore;
  readonly blobs: Blobs;
  readonly skills: SkillSource;
  readonly commands: CommandHost;
  /** Default: none. */
  readonly tools?: ToolHost;
  /** Looks at files that output contracts name. Default: null, so that they count as missing. */
  readonly artifacts?: Artifacts | null;
  /** Writes the notes of skills. Default: null, so that such a skill gives its result and no note. */
  readonly notes?: NoteHost | null;
  /** Reads the YAML of plans. Default: null, so that compositions, workflows and chains are refused. */
  readonly parseFull?: ParseFull | null;
  /** Further filters of templates in plans; each must give the same for the same. Default: none. */
  readonly filters?: HostFilters;
  /** By their names; the first is the default. */
  readonly answerers: readonly Answerer[];
  readonly clock: RunClock;
  readonly ids: Ids;
  readonly sha256: Sha256;
  /** The folder that runs work in; a run of another folder does not continue here. Default: '', none. */
  readonly workspace?: string;
  /** Default: `defaultLimits`. */
  readonly defaults?: RunLimits;
  /** What callers can raise limits to. Default: `maximumLimits`. */
  readonly maximum?: RunLimits;
  /** How long a question can be answered. Default: null, forever. */
  readonly questionTtlMs?: number | null;
  /** Must not throw. Default: none. */
  readonly onEvent?: OnRunEvent;
}

/** What to run. */
export interface StartRequest {
  readonly skill: string;
  /** null: none. */
  readonly input: Json;
  readonly limits?: Partial<RunLimits>;
  /** The name of an answerer. Default: the first. */
  readonly answerer?: string;
  /** Aborts: the run is cancelled. */
  readonly signal?: Abort;
  /** Aborts: nothing more begins, and the run is detached when the effects under way have ended. */
  readonly drain?: Abort;
  /** Gets the events of this run and of its nested runs, besides the listener of the runner. Must not throw. */
  readonly onEvent?: OnRunEvent;
}

/** What to run later. */
export interface SubmitRequest extends Omit<StartRequest, 'signal' | 'drain'> {
  /** The id of the new run: a ULID. Default: a new one. */
  readonly run?: string;
  /** What starts it; the journal records it. Default: not known. */
  readonly startedBy?: string;
  /** What travels with it to the worker that resumes it. Default: nothing. */
  readonly travel?: RunTravel;
}

/** How a run is resumed. */
export interface ResumeRequest {
  /** Instead of the one the run was started with. */
  readonly answerer?: string;
  readonly signal?: Abort;
  /** As of `start`. */
  readonly drain?: Abort;
  /** As of `start`. */
  readonly onEvent?: OnRunEvent;
}

/** An answer to a question of a run. */
export interface Answer {
  readonly question: string;
  readonly nonce: string;
  readonly value: Json;
  readonly from: Audience;
  /** Who declares that these are the words of a person; the journal records it. */
  readonly through?: Through;
  /** Who answers, such as the name of a token; the journal records it. Default: not known. */
  readonly name?: string;
}

/** A person's decision about an effect with an unknown outcome. */
export interface Decision {
  readonly key: string;
  readonly as: 'done' | 'retry' | 'fail';
  readonly value: Json;
  readonly by: string;
}

/** Starts, resumes and manages runs. */
export interface Runner {
  start(request: StartRequest): Promise<RunResult>;
  /**
   * Makes a run as `start` does, and leaves it to whoever resumes it: it is durable, and has no owner. A string is its id;
   * a result says why there is none. Throws RUN_EXISTS.
   */
  submit(request: SubmitRequest): Promise<string | RunResult>;
  /**
   * Resumes a run and its nested runs. Of a run that has ended it gives the result again. Throws RUN_UNKNOWN,
   * RUN_OWNED, JOURNAL_CORRUPT, PROFILE_UNSUPPORTED, and EXECUTION_OFF or NOT_TRUSTED when it cannot continue.
   */
  resume(run: string, request?: ResumeRequest): Promise<RunResult>;
  /** Also finds questions of nested runs. Throws QUESTION_UNKNOWN, QUESTION_EXPIRED, ANSWER_REFUSED with the reason: then the question is still open. */
  answer(run: string, answer: Answer): Promise<Delivery>;
  /** All of them, or none if one is refused; each to the run that asked. Throws as `answer`. `posted`: at least one was. */
  answerAll(answers: readonly (Answer & { readonly run: string })[]): Promise<Delivery>;
  /** Throws DECISION_UNKNOWN. */
  decide(run: string, decision: Decision): Promise<Delivery>;
  /** A run without an owner has ended when this resolves. */
  cancel(run: string, reason: string, by?: string, onEvent?: OnRunEvent): Promise<Delivery>;
  /** Performs nothing. */
  replay(run: string): Promise<ReplayReport>;
  /** A new run that begins with what the old one has done, up to `from`. An edited input is checked as that of `start` is. */
  fork(run: string, request: ForkRequest & ResumeRequest): Promise<RunResult>;
  /** Makes the new run as `fork` does, and leaves it to whoever resumes it, as `submit` does. */
  submitFork(run: string, request: ForkRequest): Promise<string | RunResult>;
  inspect(run: string, request?: InspectRequest): Promise<RunView>;
  /** Runs that this process drives now. */
  readonly active: readonly string[];
}
