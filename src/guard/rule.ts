// A rule: what a scan looks for, as data.
//
// The rule says what was found, how bad it is and what to do. Where it is found is said by its own sentences and patterns, or by a
// detector that names its code. Each rule has examples that must be found and examples that must not (test/guard/rules/), and both are
// run as tests.
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
  /** Patterns over the concepts of a sentence (prose/sentence-pattern.ts); one of them must be true. */
  readonly sentences?: readonly string[];
  /** Patterns over texts; one of them must be found. */
  readonly patterns?: readonly RulePattern[];
  /** Examples that have to be computed; the others are in test/guard/rules/, outside of what is shipped. */
  readonly found?: readonly RuleExample[];
  readonly clean?: readonly RuleExample[];
}

export interface RulePattern {
  /** In lower case, at least three characters each: whatever `regex` matches contains one of them. */
  readonly literals: readonly string[];
  /** Bounded (pattern-cost.ts); never with `g` or `y`. */
  readonly regex: RegExp;
  /** Where it is looked for. `code`: scripts and code inside Markdown; `all`: every text. */
  readonly in: 'code' | 'all';
}
