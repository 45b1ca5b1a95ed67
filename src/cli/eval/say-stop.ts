// Why a measurement ended early, and what was left out for it, for people.
import { printableLine } from '../../base/printable.ts';
import type { Stop } from '../../measure/eval/work-through.ts';
import { errorsInARow } from '../../measure/eval/work-through.ts';
import { counted } from '../../base/render-table.ts';

export interface LeftOut {
  /** `case` or `prompt`. */
  readonly what: string;
  readonly total: number;
  readonly unmeasured: number;
  /** What the model said when it refused the connection. */
  readonly refusal: string | null;
}

export function stopText(stop: Stop, { what, total, unmeasured, refusal }: LeftOut): string {
  const reason = reasonOf(stop, refusal);
  const begun = reason === null ? 'stopped' : `stopped: ${reason}`;
  if (total > 0 && unmeasured >= total) return `${begun}; none was measured`;
  const so = `${begun}; this is what was measured by then`;
  return unmeasured === 0
    ? so
    : `${so}; ${counted(unmeasured, what)} of ${total} ${unmeasured === 1 ? 'was' : 'were'} not measured`;
}

function reasonOf(stop: Stop, refusal: string | null): string | null {
  switch (stop) {
    case 'interrupted':
      return null;
    case 'calls':
      return 'the calls of --max-calls are spent';
    case 'tokens':
      return 'the tokens of --max-tokens are spent';
    case 'errors':
      return `the model failed ${errorsInARow} times in a row`;
    case 'refused':
      return `nobody listens where the model should be: ${printableLine(refusal ?? 'the connection was refused').slice(0, 300)}`;
  }
}
