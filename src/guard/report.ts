// What a scan of a skill found.
//
//   file tree -> Report { verdict, findings, what was scanned and what was not, the version of the rules, the digest }
//
// A report fails closed: what could not be read makes it `incomplete`, never `clean`. The same tree, rules and options give
// the same report, byte for byte: findings are sorted, and nothing depends on the clock except that a file may time out.

/** `incomplete`: nothing bad was found, but not everything could be read. `dangerous` wins over `incomplete`, and that over `caution`. */
export type Verdict = 'clean' | 'caution' | 'incomplete' | 'dangerous';

/** `critical` and `high` make a skill dangerous, `medium` calls for caution; `low` and `info` change no verdict. */
export type Severity = 'critical' | 'high' | 'medium' | 'low' | 'info';
/** The worst first. */
export const severities: readonly Severity[] = ['critical', 'high', 'medium', 'low', 'info'];

/** One thing that a rule found. Texts of the skill are bounded, and not yet printable. */
export interface Finding {
  /** The code of the rule, such as `EXFIL_SECRET`. */
  readonly rule: string;
  readonly severity: Severity;
  /** Relative to the skill folder, with `/`. */
  readonly file: string;
  /** From 1. Where the text stands in the file, also when it was found in a decoded view of it. */
  readonly line: number;
  readonly column: number;
  /** The text at the place, at most 200 characters. */
  readonly excerpt: string;
  /** What it says once decoded, where it was hidden; else null. At most 400 characters. */
  readonly decoded: string | null;
  /** How it was hidden, outermost first: `zero-width`, `base64`, `html-comment` … Empty: it is in plain sight. */
  readonly hiddenBy: readonly string[];
  /** Why it matters: one sentence. */
  readonly message: string;
  /** What to do about it: one sentence. */
  readonly hint: string;
  /** Identifies the finding for a suppression: stable while the rule, the file and the text found stay the same. */
  readonly fingerprint: string;
}

/** Why a file was not, or not wholly, scanned. */
export type NotScannedReason =
  | 'undecodable'
  | 'too-large'
  | 'timed-out'
  | 'binary'
  | 'archive'
  | 'ignored'
  | 'link'
  | 'unreadable'
  | 'too-many-files';

export interface NotScanned {
  readonly file: string;
  readonly reason: NotScannedReason;
  /** One sentence for a person. */
  readonly message: string;
}

export interface ScannedContent {
  readonly file: string;
  readonly size: number;
  readonly sha256: string;
}

export interface CalledName {
  readonly name: string;
  /** `null`: no name that is known. */
  readonly takenFor: string | null;
}

export interface Report {
  readonly verdict: Verdict;
  /** By severity, then file, line, column and rule. Suppressed ones are in `accepted` instead. */
  readonly findings: readonly Finding[];
  /** Findings that a person accepted (guard/accept.ts), with the reason; they change no verdict. */
  readonly accepted: readonly AcceptedFinding[];
  readonly scanned: readonly ScannedContent[];
  readonly notScanned: readonly NotScanned[];
  /** What the skill is called, and which known name each is taken for; a report holds while these answers do. */
  readonly names: readonly CalledName[];
  readonly rulesVersion: string;
  /** Of the manifest of the tree (skill/resources.ts). */
  readonly digest: string;
}

export interface AcceptedFinding {
  readonly finding: Finding;
  readonly reason: string;
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
}
