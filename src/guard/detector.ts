// Between the reading of files and the rules: what a detector is given, and what it reports.
//
//   GuardFile[] -> classify, decode, views -> ScannedSkill -> detectors -> RawFinding[] -> Report
//
// Views are made once and shared by all detectors. A detector is pure, takes time in proportion to the text, and asks `work`
// before it does more than look at a text once.
import type { SkillHead } from '../skill/types.ts';
import type { NameBook } from './detect/name-book.ts';
import type { Severity } from './report.ts';

/** An entry of the folder of a skill, as the scanner gets it. */
export interface GuardFile {
  /** Relative, with `/`. */
  readonly path: string;
  readonly kind: 'file' | 'link' | 'other';
  readonly size: number;
  readonly executable: boolean;
  /** `null`: it could not be read, or is too large to be. */
  readonly bytes: Uint8Array | null;
  /** Of what is neither: why it is not there. Default: it is a device or the like. */
  readonly why?: string;
  /** Where a link leads, as in the manifest: `in:PATH`, `out` or `nowhere`. Default: it is no link. */
  readonly target?: string;
}

/** The language that a text is read in, by its name, its first line and its content. */
export type Language =
  | 'markdown'
  | 'shell'
  | 'python'
  | 'javascript'
  | 'powershell'
  | 'ruby'
  | 'perl'
  | 'php'
  | 'starlark'
  | 'json'
  | 'yaml'
  | 'toml'
  | 'html'
  | 'notebook'
  | 'text';

/**
 * How a view was made. `raw`: the file as it is. `normalised`: all of it, as a person would read it (no invisible characters,
 * look-alikes and entities as plain letters). `joined`: all of it as prose on one line, so that a sentence over several lines,
 * comments or list items is one. `literals`: all of it with split literals and continued lines put together and escapes decoded.
 * `fragment`: a part that was hidden or encoded.
 */
export type ViewKind = 'raw' | 'normalised' | 'joined' | 'literals' | 'fragment';

/** One way to read a text. */
export interface View {
  readonly kind: ViewKind;
  readonly text: string;
  /** Empty for the raw text; else how this text was hidden or changed, outermost first. */
  readonly hiddenBy: readonly string[];
  readonly language: Language;
  /** The offset in the raw text of the file that an offset of this text comes from. Never decreasing. */
  rawOffset(offset: number): number;
}

/** A fenced code block or inline command of Markdown, or a script inside another file. */
export interface Embedded {
  readonly language: Language;
  readonly text: string;
  readonly rawOffset: (offset: number) => number;
  readonly hiddenBy: readonly string[];
}

/** Something that a person does not see as a model reads it. */
export interface HiddenText {
  /** The rule that it breaks (hidden/hidden-rules.ts). */
  readonly rule: string;
  readonly way: string;
  /** In the raw text. */
  readonly start: number;
  readonly end: number;
  /** What a model reads there; '' where there is nothing to show. */
  readonly decoded: string;
}

export interface ScannedText {
  readonly path: string;
  readonly language: Language;
  readonly executable: boolean;
  /** The file as decoded UTF-8. */
  readonly raw: string;
  /** The first is the raw text; the others differ from it. */
  readonly views: readonly View[];
  readonly embedded: readonly Embedded[];
  /** What the making of views came upon; it is reported by techne itself. */
  readonly hidden: readonly HiddenText[];
}

export interface ScannedSkill {
  /** The name of the folder. */
  readonly name: string;
  /** `null`: there is no SKILL.md that can be read. */
  readonly head: SkillHead | null;
  /** Its folder and its `name`, each once: what a person may know it by. */
  readonly calledNames: readonly string[];
  /** The names that it could be taken for. */
  readonly names: NameBook;
  readonly texts: readonly ScannedText[];
  /** All entries, also those that are no text. */
  readonly files: readonly GuardFile[];
}

export interface RawFinding {
  readonly rule: string;
  readonly path: string;
  /** In the raw text. */
  readonly start: number;
  readonly end: number;
  readonly decoded: string | null;
  readonly hiddenBy: readonly string[];
  /** Instead of the rule's own, where the place makes it better or worse. */
  readonly severity?: Severity;
  /** Instead of the rule's own. */
  readonly message?: string;
}

/** Counts the work on a file; throws `WorkExceeded` beyond the limit, which makes the file `timed-out`. */
export interface Work {
  /** About one unit for each character that is looked at. */
  charge(units: number): void;
  /** Says that a limit left something out, and why; the file then counts as not wholly scanned, and the scan goes on. */
  leaveOut?(why: string): void;
}

export type ReportFinding = (finding: RawFinding) => void;

/** One or both of its functions. What a text costs too much of is `timed-out`, and the other texts are still looked at. */
export interface Detector {
  readonly name: string;
  /** Called for each text. */
  findInText?(text: ScannedText, skill: ScannedSkill, report: ReportFinding, work: Work): void;
  /** Called once: for what takes several files, the head or the names of files. */
  findInSkill?(skill: ScannedSkill, report: ReportFinding, work: Work): void;
}
