// A limited number of places for runs: who finds none free waits for one, in the order of asking.
//
// Nothing is started while it waits, so a caller that is turned away can simply ask again.
import { TechneError } from '../base/error.ts';

interface RunPlacesOptions {
  readonly places: number;
  /** How long one waits. */
  readonly waitMs: number;
  /** How many may wait. Default: 1000. */
  readonly maxWaiting?: number;
}

export class RunPlaces {
  readonly #options: RunPlacesOptions;
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  constructor(options: RunPlacesOptions) {
    this.#options = options;
  }

  /** Resolves with a function that gives the place back, once. Throws LOCKED, or RUN_UNFINISHED if `signal` aborts. */
  async take(signal: AbortSignal): Promise<() => void> {
    const { places, maxWaiting = 1_000 } = this.#options;
    if (this.#taken < places) this.#taken += 1;
    else if (this.#waiting.size >= maxWaiting)
      throw turnedAway(`${places} runs are running here, and ${this.#waiting.size} more wait`);
    else await this.#wait(signal);
    let isFree = false;
    return () => {
      if (isFree) return;
      isFree = true;
      const [next] = this.#waiting;
      // The place goes to the one that waited longest.
      if (next === undefined) this.#taken -= 1;
      else next();
    };
  }

  #wait(signal: AbortSignal): Promise<void> {
    const { places, waitMs } = this.#options;
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', cancelled);
        this.#waiting.delete(given);
      };
      const given = (): void => {
        stop();
        resolve();
      };
      const cancelled = (): void => {
        stop();
        reject(new TechneError('RUN_UNFINISHED', 'the call was cancelled before its run started'));
      };
      const timer = setTimeout(() => {
        stop();
        reject(
          turnedAway(`${places} runs are running here, and none of them ended in ${waitMs / 1_000} seconds`),
        );
      }, waitMs);
      this.#waiting.add(given);
      signal.addEventListener('abort', cancelled);
      if (signal.aborted) cancelled();
    });
  }
}

function turnedAway(why: string): TechneError {
  return new TechneError('LOCKED', `${why}, so nothing was started`, {
    hint: 'call again later, or cancel one of them with run_cancel',
  });
}
