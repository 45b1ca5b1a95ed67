// What was done before: calls of tools, commands and runs of skills, in the order in which they were made.
import type { JsonObject } from '../../base/json.ts';

/** A call that went well. What its arguments hold is data of others: never followed, only compared and masked. */
export interface DoneCall {
  readonly kind: 'command' | 'tool' | 'skill';
  /** Of the tool or the skill; of a command it is `command`. */
  readonly name: string;
  /** Of a command: `argv`, and what else it was called with. */
  readonly args: JsonObject;
}

/** One conversation, one agent inside a run, or the runs that a person started one after the other. */
export interface DoneWork {
  readonly kind: 'chat' | 'run' | 'runs';
  /** Of the chat, the run, or the first of the runs. */
  readonly id: string;
  readonly calls: readonly DoneCall[];
  /** What the person had asked for last, before each call; `null` where there was no person. */
  readonly asked: readonly (string | null)[];
  /** The skills that the model had before each call. */
  readonly under: readonly (readonly string[])[];
}
