// Commands under the policy of the host: allow patterns, approvals, sandbox and process groups, as one port.
//
// `judge` decides and performs nothing. The engine asks it before anything is journaled, and again with the approval
// after an operator has answered. It remembers `always` and `never`. `run` is called once for each attempt, after an
// `allow` and after its `effect.started` is durable. It never rejects for what a command did: a command that cannot be
// started is an outcome. When the signal aborts, it settles only after no process of the command is alive. The port
// serves the program's `command` and the commands of a nested agent: neither can do more than the other. An approval
// holds for the terms that were shown: the engine passes it on only while `judge` gives the same terms, and `run` starts
// nothing under other terms.
import type { Abort } from '../base/abort.ts';
import type { CommandOutcome } from './shell.ts';
import { objectSchema } from './tool.ts';

/** A command that a skill wants to be run. */
export interface CommandCall {
  /** Not empty. */
  readonly argv: readonly string[];
  /** Relative to the host's working folder; null is that folder. */
  readonly cwd: string | null;
  /** Within the limits of the run already. */
  readonly timeoutMs: number;
  readonly stdin: string | null;
  /** Of each stream; the engine cuts the text that the program gets further. */
  readonly maxOutputBytes: number;
  /** Variables that are set, and names of the host's own that are passed on. Loader variables never are. Default: none. */
  readonly environment?: {
    readonly set: { readonly [name: string]: string };
    readonly pass: readonly string[];
  };
  /** Written below the working folder before the program starts, each whole or not at all. Default: none. */
  readonly files?: readonly { readonly path: string; readonly content: string }[];
  /** What the content of the caller's skill folder must be digested to, or nothing runs. Default: it is not looked at. */
  readonly content?: string;
}

/** On whose behalf. */
export interface CommandCaller {
  readonly run: string;
  /** Of the effect: `3`, or `3/2` for a nested agent. */
  readonly key: string;
  readonly skill: string;
  /** Of the skill's content, as the run was started with. */
  readonly digest: string;
  /** Whether its content was trusted when the run was started. What is not trusted runs in a sandbox or not at all. */
  readonly trusted: boolean;
  /** Can be read and not written to by the command; null when the skill has none. */
  readonly skillFolder: string | null;
  /** Of a nested run: the run that all of it is part of. Default: `run`. */
  readonly outermost?: string | undefined;
  /** With an approval: who gave it. Default: not known. */
  readonly approvedBy?: string;
}

/** An operator's decision about a command: once or always. */
export type Approval = 'once' | 'always' | 'deny' | 'never';
export const approvals: readonly Approval[] = ['once', 'always', 'deny', 'never'];

/** Whether a command may run, or who must approve it. */
export type CommandVerdict =
  | { readonly kind: 'allow' }
  /** Becomes `error: …` in the result of the command: the program continues. */
  | { readonly kind: 'deny'; readonly reason: string }
  /** The run pauses with a question to the operator; `reason` says why it is asked, `terms` under what it would run. */
  | { readonly kind: 'approve'; readonly reason: string; readonly terms?: string };

/** Judges commands and runs them. */
export interface CommandHost {
  judge(call: CommandCall, caller: CommandCaller, approval: Approval | null): Promise<CommandVerdict>;
  run(call: CommandCall, caller: CommandCaller, context: CommandRunContext): Promise<CommandOutcome>;
}

/** How one command is run. */
export interface CommandRunContext {
  readonly signal: Abort;
  /** Before another attempt of the same key, what is left alive of the earlier ones is ended. Default: 1. */
  readonly attempt?: number;
  /** What the operator approved; under anything else nothing is started. Default: no operator was asked. */
  readonly terms?: string;
  /** Whether a file of the call may be written, by its path below the working folder, links resolved. Default: every file. */
  readonly mayWrite?: (path: string) => boolean;
  /** Output as it comes, for people to watch. */
  onOutput(text: string): void;
}

/** Of the tool by which a model runs a command. */
export const commandParameters = objectSchema(
  {
    argv: {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      description: 'The program and its arguments, each by itself.',
    },
    cwd: { type: 'string', description: 'The folder to run in. Default: the working folder.' },
    stdin: { type: 'string' },
    timeout_seconds: { type: 'number', exclusiveMinimum: 0 },
  },
  ['argv'],
);
