// Data of the server in a component: loading, there, or a fault that says what to do.
//
//   const skills = load(() => call('listSkills'), () => [live.skills]);
//   {#if skills.value} … {:else}<Waiting of={skills} />{/if}
//
// `again` names what it depends on; when one of them changes, it is loaded again, and the old value stays until then. An answer that comes
// late, after a newer question, is dropped.
import { ApiError } from '../../../src/client/transport.ts';

export interface Fault {
  readonly message: string;
  readonly hint: string | null;
  readonly code: string;
  /** It was not found, so that trying again makes no sense. */
  readonly isMissing: boolean;
}

export interface Loaded<T> {
  /** `undefined` until it is there. */
  readonly value: T | undefined;
  readonly fault: Fault | null;
  readonly isLoading: boolean;
  reload(): void;
}

/** To be called while a component is made. */
export function load<T>(ask: () => Promise<T>, again: () => unknown = () => undefined): Loaded<T> {
  let value = $state.raw<T | undefined>(undefined);
  let fault = $state.raw<Fault | null>(null);
  let isLoading = $state(true);
  let asked = 0;
  let manual = $state(0);
  $effect(() => {
    again();
    void manual;
    asked += 1;
    const number = asked;
    isLoading = true;
    ask().then(
      (given) => {
        if (number !== asked) return;
        [value, fault, isLoading] = [given, null, false];
      },
      (error: unknown) => {
        if (number !== asked) return;
        [fault, isLoading] = [faultOf(error), false];
      },
    );
  });
  return {
    get value() {
      return value;
    },
    get fault() {
      return fault;
    },
    get isLoading() {
      return isLoading;
    },
    reload: () => {
      manual += 1;
    },
  };
}

export function faultOf(error: unknown): Fault {
  if (error instanceof ApiError)
    return {
      message: error.message,
      hint: error.faults.length > 0 ? error.faults.join('; ') : error.hint,
      code: error.code,
      isMissing: error.status === 404,
    };
  return {
    message: 'the server cannot be reached',
    hint: 'Is techne studio still running? This page goes on by itself when it is back.',
    code: 'UNREACHABLE',
    isMissing: false,
  };
}
