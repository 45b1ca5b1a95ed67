// A scan at the command line: which skill is being read, on a terminal, and Ctrl-C.
//
// Ctrl-C is heard before the next file, so within the deadline of one file. Nothing is printed before a scan is whole, so nothing is left half
// written.
import { cutToWidth } from '../base/cut-text.ts';
import { printableLine } from '../base/printable.ts';
import type { ScanProgress } from '../guard/scan.ts';
import type { CommandContext } from './context.ts';
import { columnsOf } from './io.ts';

const clearLine = '\r\u001B[K';
const redrawMs = 100;
/** A scan that is over before is not worth a line. */
const firstMs = 500;

export class ScanStopped extends Error {}

export interface ScanWatch {
  /** Before each file. Throws `ScanStopped` after Ctrl-C. */
  readonly pause: (name: string, index: number, count: number, progress: ScanProgress) => Promise<void>;
  /** Leaves the line empty, and Ctrl-C to the process again. */
  end(): void;
}

export function watchScan({ io, err, quiet }: CommandContext): ScanWatch {
  const columns = quiet ? null : columnsOf(io.stderr);
  let stopped = false;
  const stopListening = io.onInterrupt?.(() => (stopped = true)) ?? (() => undefined);
  const startMs = performance.now();
  let drawnMs = startMs + firstMs - redrawMs;
  let isDrawn = false;
  return {
    async pause(name, index, count, { file, done, total }) {
      await new Promise(setImmediate);
      if (stopped) throw new ScanStopped();
      const now = performance.now();
      if (columns === null || now - drawnMs < redrawMs) return;
      drawnMs = now;
      isDrawn = true;
      const which = count > 1 ? ` (${index + 1} of ${count})` : '';
      const share = total === 0 ? 100 : Math.floor((100 * done) / total);
      const line = `Scanning ${printableLine(name)}${which}: ${share} %, ${printableLine(file)}`;
      err.write(`${clearLine}${cutToWidth(line, columns - 1)}`);
    },
    end() {
      if (isDrawn) err.write(clearLine);
      stopListening();
    },
  };
}
