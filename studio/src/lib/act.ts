// Something that a person does: one request, then a message about it.
//
//   await act('Run cancelled', () => call('cancelRun', { params: { run } }))
//
// The CSRF header comes with `call`. `undefined`: it failed, and the message says why.
import { faultOf } from './load.svelte.ts';
import { toasts } from './toasts.svelte.ts';

export async function act<T>(done: string | null, work: () => Promise<T>): Promise<T | undefined> {
  try {
    const value = await work();
    if (done !== null) toasts.done(done);
    return value;
  } catch (error) {
    const { message, hint } = faultOf(error);
    toasts.fault(message, hint);
    return undefined;
  }
}
