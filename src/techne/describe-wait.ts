// Why a queued run has not begun, in words.
import { counted } from '../base/render-table.ts';
import type { LimitState, RunLimit, Wait } from '../ports/served-runs.ts';

/** Such as `the limit of skill "report": 2 at a time, 2 are driven now`. */
export function describeWait(wait: Wait): string {
  switch (wait.reason) {
    case 'limit':
      return `the limit of ${limitName(wait.limit)}: ${limitText(wait.limit)}; ${useText(wait.limit)}`;
    case 'worker':
      return `a worker: none that lives takes runs of the queue "${wait.queue}" (techne worker --queue ${wait.queue})`;
    case 'place':
      return `a free place of a worker; ${counted(wait.ahead, 'run')} of the queue "${wait.queue}" before it`;
  }
}

export function limitName({ kind, name }: Pick<RunLimit, 'kind' | 'name'>): string {
  return kind === 'all' ? 'all runs' : `${kind} "${name}"`;
}

export function limitText({ concurrency, rate }: RunLimit): string {
  return [
    ...(concurrency === null ? [] : [`${concurrency} at a time`]),
    ...(rate === null ? [] : [`${rate.runs} in ${rate.seconds} s`]),
  ].join(', ');
}

function useText({ driven, rate, begun }: LimitState): string {
  return `${driven} driven now${rate === null ? '' : `, ${begun} begun in the last ${rate.seconds} s`}`;
}
