// Why a measurement ended early, for people.
import type { Stop } from '../../eval/work-through.ts';
import { errorsInARow } from '../../eval/work-through.ts';

export function stopText(stop: Stop): string {
  switch (stop) {
    case 'interrupted':
      return 'stopped; this is what was measured by then';
    case 'calls':
      return 'stopped: the calls of --max-calls are spent; this is what was measured by then';
    case 'tokens':
      return 'stopped: the tokens of --max-tokens are spent; this is what was measured by then';
    case 'errors':
      return `stopped: the model failed ${errorsInARow} times in a row`;
  }
}
