// What is wrong with a template, gathered by the lexer, the parser and the compiler.
//
// A tag reports one fault of its text or grammar: what follows it inside the tag is not to be trusted. At most
// `maxFaults` are reported, then one TEMPLATE_MORE.
import type { DiagnosticCode } from '../../base/codes.ts';
import { collectInto, compareDiagnostics, type Diagnostic } from '../../base/diagnostic.ts';
import type { Span } from '../../base/span.ts';

const maxFaults = 50;

export class Faults {
  private readonly kept: Diagnostic[] = [];
  private readonly faultyTags = new Set<number>();
  private readonly report: ReturnType<typeof collectInto>;
  private count = 0;

  constructor(path: string) {
    this.report = collectInto(this.kept, path);
  }

  add(code: DiagnosticCode, at: Span, message: string, hint?: string): void {
    this.count += 1;
    if (this.kept.length < 4 * maxFaults) this.report(code, { start: at.start, end: at.end }, message, hint);
  }

  /** A fault inside the tag that begins at `tag` of which only the first fault is reported. */
  addIn(tag: number, code: DiagnosticCode, at: Span, message: string, hint?: string): void {
    if (this.faultyTags.has(tag)) return;
    this.faultyTags.add(tag);
    this.add(code, at, message, hint);
  }

  get any(): boolean {
    return this.count > 0;
  }

  /** In the order of the text. */
  diagnostics(): readonly Diagnostic[] {
    const reported = this.kept.sort(compareDiagnostics).slice(0, maxFaults);
    const next = this.kept[maxFaults];
    if (next === undefined) return reported;
    collectInto(reported, next.path)(
      'TEMPLATE_MORE',
      next.span,
      'further faults are not listed',
      'fix those above first',
    );
    return reported;
  }
}
