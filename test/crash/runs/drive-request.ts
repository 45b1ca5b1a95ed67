// What the child process that drives a run is told, and what it says.
import type { RunResult } from '../../../src/run/result/result.ts';
import type { KillHow } from './kill-switch.ts';

export interface DriveRequest {
  /** Holds `runs` and `blobs`. */
  readonly folder: string;
  /** Where the world is written down. */
  readonly log: string;
  /** Default: `crash`. */
  readonly skill?: string;
  /** Resumes this one. Default: starts one. */
  readonly run?: string;
  /** Of the calls that change the disk. Default: 0, never. */
  readonly killAt?: number;
  readonly killHow?: KillHow;
  /** The process is killed when this was done, before anything can be written about its end. Default: never. */
  readonly killAfterAct?: string;
}

export type DriveLine =
  | { readonly type: 'result'; readonly result: RunResult; readonly calls: number }
  | { readonly type: 'error'; readonly code: string | null; readonly message: string }
  | { readonly type: 'run.started' | 'run.paused'; readonly run: string }
  | { readonly type: 'question.asked' | 'question.answered'; readonly run: string; readonly id: string };
