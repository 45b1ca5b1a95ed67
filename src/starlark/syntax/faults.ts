// What is wrong with a program, gathered by the lexer and the parser and reported in the order of the text.
//
// A text fault that garbles what follows it leaves a `scar`; a grammar fault that a scar explains is not reported. At
// most `maxFaults` are reported, of them at most `maxWarnings` warnings, then one STAR_MORE. If there is an error, one
// is reported.
import type { DiagnosticCode } from '../../base/codes.ts';
import { severityOf } from '../../base/codes.ts';
import type { Report } from '../../base/diagnostic.ts';

const maxFaults = 50;
/** Fewer, so that they never crowd out what makes a program unusable. */
const maxWarnings = 10;

interface Fault {
  readonly code: DiagnosticCode;
  readonly start: number;
  readonly end: number;
  readonly message: string;
  readonly hint: string | undefined;
}

export class Faults {
  private readonly kept: Fault[] = [];
  private errors = 0;
  private warnings = 0;
  private readonly scars: number[] = [];
  private isSorted = true;

  add(code: DiagnosticCode, start: number, end: number, message: string, hint?: string): void {
    const isError = severityOf(code) === 'error';
    if (isError) this.errors += 1;
    else this.warnings += 1;
    // Twice as many as are reported, so that those of one stage do not crowd out those of the other.
    if (isError ? this.errors <= 2 * maxFaults : this.warnings <= maxWarnings)
      this.kept.push({ code, start, end, message, hint });
  }

  /** The text around `offset` is not to be trusted. */
  scar(offset: number): void {
    // A bracket is found to be unclosed long after it was read.
    if (this.scars.length > 0 && (this.scars[this.scars.length - 1] as number) > offset)
      this.isSorted = false;
    this.scars.push(offset);
  }

  isScarred(start: number, end: number): boolean {
    if (!this.isSorted) this.scars.sort((a, b) => a - b);
    this.isSorted = true;
    let low = 0;
    let high = this.scars.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.scars[middle] as number) < start) low = middle + 1;
      else high = middle;
    }
    return low < this.scars.length && (this.scars[low] as number) <= end;
  }

  /** There is no use in looking for more. */
  get isFull(): boolean {
    return this.errors >= 2 * maxFaults;
  }

  reportTo(report: Report): void {
    this.kept.sort((a, b) => a.start - b.start);
    for (const fault of this.kept.slice(0, maxFaults)) {
      report(fault.code, { start: fault.start, end: fault.end }, fault.message, fault.hint);
    }
    const next = this.kept[maxFaults] ?? this.kept.at(-1);
    if (next === undefined || this.errors + this.warnings <= Math.min(maxFaults, this.kept.length)) return;
    report(
      'STAR_MORE',
      { start: next.start, end: next.end },
      'further faults are not listed',
      'fix those above first',
    );
  }
}
