// Runs a command.
//
// argv only, never a shell. The process gets a group of its own, which is killed completely on time-out and abort; no
// process of it is alive when `run` resolves. The outcome is reported as it is known (exit code, signal, timed out,
// denied, not started), never guessed from text. `run` never rejects for what a command did or because it cannot be
// started.

import type { Abort } from '../base/abort.ts';

export interface CommandRequest {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly environment: { readonly [name: string]: string };
  readonly stdin: string | null;
  /** Kept of each stream, its beginning and its end; what is between them is read and dropped. */
  readonly maxOutputBytes: number;
  readonly sandbox: SandboxSpec | null;
  /** The same for every attempt of the same command, also of another process. Letters and digits. Default: none. */
  readonly mark?: string;
  /** Ends what earlier attempts (of the same mark) left alive before it starts. Default: false. */
  readonly isRetry?: boolean;
}

/** Real paths. */
export interface SandboxSpec {
  readonly readRoots: readonly string[];
  readonly writeRoots: readonly string[];
  /** Stays read-only, also inside a write root. Default: nothing. */
  readonly protect?: readonly string[];
  /** Inside a write root they stay as they are, also where they are not there yet. Default: nothing. */
  readonly hold?: readonly string[];
  /** Files that cannot be read and folders that are empty for the command. Default: nothing. */
  readonly hide?: readonly string[];
  readonly network: boolean;
  /** Processes and threads of the command together, and private memory of each process. Default: none of its own. */
  readonly limits?: { readonly processes: number; readonly memoryBytes: number };
}

/** How a command ended. */
export interface CommandOutcome {
  readonly started: boolean;
  /** Why it was not started. */
  readonly fault: string | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly aborted: boolean;
  readonly stdout: string;
  readonly stderr: string;
  /** Both streams in the order in which they arrived. */
  readonly combined: string;
  readonly truncated: boolean;
  readonly durationMs: number;
}

export interface Shell {
  /** Whether commands can be confined on this machine, and why not. */
  readonly sandbox: { readonly available: boolean; readonly detail: string };
  /** `onOutput` gets the text of both streams as it comes, up to what is kept of a stream. */
  run(request: CommandRequest, signal: Abort, onOutput?: (text: string) => void): Promise<CommandOutcome>;
}
