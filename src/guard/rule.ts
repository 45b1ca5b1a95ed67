// A rule: what a scan looks for, as data.
//
// The rule says what was found, how bad it is and what to do; a detector says where. Each rule has examples that must be found and
// examples that must not, and both are run as tests.
import type { Severity } from './report.ts';

/** A skill for a test: SKILL.md alone, or several files. */
export interface RuleExample {
  /** Paths -> texts. A plain text is the body of SKILL.md. */
  readonly files: string | { readonly [path: string]: string };
  /** What is special about it, where that is not plain to see. */
  readonly why?: string;
}

export interface Rule {
  /** Upper case with underscores: `EXFIL_SECRET`. Never used for something else later. */
  readonly code: string;
  readonly severity: Severity;
  /** What it belongs to: `hidden-text`, `exfiltration`, `persistence` … */
  readonly category: string;
  /** What it finds, in a few words, for `techne scan --rules` and SARIF. */
  readonly title: string;
  /** Why it matters: one sentence. */
  readonly message: string;
  /** What to do about it: one sentence. */
  readonly hint: string;
  readonly found: readonly RuleExample[];
  readonly clean: readonly RuleExample[];
}
