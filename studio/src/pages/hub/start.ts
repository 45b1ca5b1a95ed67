// Starts a job of the hub, and leads to it.
import type { OperationInput } from '../../../../src/api/operation.ts';
import type { Operations } from '../../../../src/api/operations.ts';
import { act } from '../../lib/act.ts';
import { go } from '../../lib/router.svelte.ts';
import { call, session } from '../../lib/session.svelte.ts';

export type JobRequest = OperationInput<Operations['startHubJob']>['body'];

export async function startJob(body: JobRequest): Promise<string | undefined> {
  const job = await act(null, () => call('startHubJob', { body }));
  if (job !== undefined) go(`/hub/jobs/${job.id}`);
  return job?.id;
}

/** Why this person cannot do it; `null`: they can. */
export function whyNotOperator(): string | null {
  return session.now?.role === 'operator' ? null : 'This needs the role "operator"';
}
