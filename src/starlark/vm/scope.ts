// The variables that the inputs at a prompt share.
//
// One input is one program and one run; what it binds is there for the next one, also for functions made earlier.
import type { Value } from '../value/value.ts';
import type { Frame, ModuleState } from './machine.ts';

/** The variables that the inputs at a prompt share. */
export class Scope {
  /** @internal Values by name, in the order they were first bound. */
  readonly values = new Map<string, Value>();
  /** @internal Every input so far: functions made there may still be called. */
  readonly modules: ModuleState[] = [];
  /** @internal Of the run of the latest input, which may have been dropped half-way. */
  tasks: readonly Frame[] = [];

  /** The names bound so far. Give them to `compile` as predeclared, besides those of host functions. */
  get names(): readonly string[] {
    return [...this.values.keys()];
  }
}
