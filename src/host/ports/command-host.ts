// Commands under the policy of the host: allow patterns, approvals, sandbox, process groups, as one port.
//
// H1. `judge` decides and performs nothing. The engine asks it before anything is journaled, and again with the
//     approval after an operator has answered. It remembers `always` and `never`.
// H2. `run` is called once for each attempt, after an `allow` and after its `effect.started` is durable. It never
//     rejects for what a command did: a command that could not be started is an outcome (shell.ts, C2). When the
//     signal aborts, it resolves (or rejects) only after nothing of the command is alive.
// H3. The same port serves the program's `command` and the commands of a nested agent: neither can do more.
import type { Abort } from '../../base/abort.ts';
import type { CommandOutcome } from './shell.ts';

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
  /** The folder of the skill, for allow rules and read roots; null when it has none. */
  readonly skillFolder: string | null;
}

export type Approval = 'once' | 'always' | 'deny' | 'never';
export const approvals: readonly Approval[] = ['once', 'always', 'deny', 'never'];

export type CommandVerdict =
  | { readonly kind: 'allow' }
  /** Becomes `error: …` in the result of the command: the program goes on. */
  | { readonly kind: 'deny'; readonly reason: string }
  /** The run pauses with a question to the operator; `reason` says why it is asked. */
  | { readonly kind: 'approve'; readonly reason: string };

export interface CommandHost {
  judge(call: CommandCall, caller: CommandCaller, approval: Approval | null): Promise<CommandVerdict>;
  run(call: CommandCall, caller: CommandCaller, context: CommandContext): Promise<CommandOutcome>;
}

export interface CommandContext {
  readonly signal: Abort;
  /** Output as it comes, for people to watch. */
  onOutput(text: string): void;
}
