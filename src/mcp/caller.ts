// Who calls: the runs that it started, and the skills that its model knows (techne/own-runs.ts).
//
// L1. What its user says to a form, a caller passes on for runs that it started itself. Whoever started another one waits for
//     a person, and a model that finds the run must not speak for them.
import type { RunReach } from '../techne/own-runs.ts';

export interface Caller extends RunReach {
  /** Whether it may pass on at all what its user says to a form. */
  readonly relaysForms: boolean;
}
