// The caller of a tool: the runs that it started, and the skills that its model knows (techne/own-runs.ts).
//
// A caller relays the answers of its user to forms only for runs that it started itself: the starter of another run waits for a
// person, and a model that finds that run must not answer for them.
import type { RunReach } from '../techne/own-runs.ts';

export interface Caller extends RunReach {
  /** Whether the caller may relay the answers of its user to forms. */
  readonly relaysForms: boolean;
}
