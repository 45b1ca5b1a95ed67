// Names of queues, as people write them.
import { TechneError } from '../base/error.ts';
import { queueName } from '../worker/run-queue.ts';

/** Throws USAGE. */
export function mustBeQueue(name: string): string {
  if (queueName.test(name)) return name;
  throw new TechneError('USAGE', `"${name.slice(0, 80)}" cannot be the name of a queue`, {
    hint: name.includes(':')
      ? 'a name such as reports; limits are in the store: techne store limit set --queue reports --concurrency 2 --rate 10/60'
      : 'letters, digits, ".", "_" and "-", such as reports',
  });
}
