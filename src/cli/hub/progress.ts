// What is being fetched, on standard error: one redrawn line on a terminal, else a line for each thing that begins.
import { cutToWidth } from '../../base/cut-text.ts';
import { printableLine } from '../../base/printable.ts';
import type { Progress } from '../../hub/source/source.ts';
import type { CommandContext } from '../context.ts';
import { columnsOf } from '../io.ts';

const clearLine = '\r\u001B[K';
const redrawMs = 100;

const words: { readonly [phase in Progress['phase']]: string } = {
  resolve: 'Looking at',
  download: 'Fetching',
  unpack: 'Unpacking',
  scan: 'Scanning',
  install: 'Installing',
};

export interface HubProgress {
  readonly tell: (progress: Progress) => void;
  /** Leaves the line empty. */
  end(): void;
}

export function hubProgress({ io, err, quiet }: CommandContext): HubProgress {
  if (quiet) return { tell: () => undefined, end: () => undefined };
  const columns = columnsOf(io.stderr);
  let last = '';
  let drawnMs = 0;
  let isDrawn = false;
  return {
    tell(progress) {
      const begun = `${words[progress.phase]} ${printableLine(progress.what)}`;
      if (columns === null) {
        if (begun !== last) err.line(begun);
        last = begun;
        return;
      }
      const now = performance.now();
      if (begun === last && now - drawnMs < redrawMs) return;
      [last, drawnMs, isDrawn] = [begun, now, true];
      err.write(`${clearLine}${cutToWidth(begun + amount(progress), columns - 1)}`);
    },
    end() {
      if (isDrawn) err.write(clearLine);
      isDrawn = false;
      last = '';
    },
  };
}

function amount({ doneBytes, totalBytes }: Progress): string {
  if (doneBytes === null) return ' …';
  if (totalBytes === null || totalBytes === 0) return ` ${sizeText(doneBytes)}`;
  return ` ${sizeText(doneBytes)} of ${sizeText(totalBytes)}`;
}

export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
