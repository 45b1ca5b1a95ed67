// The files of a skill -> a report.
//
//   GuardFile[] -> classify -> views, embedded code -> detectors -> findings -> verdict
//
// S1. Never throws on any content, and takes time in proportion to it: each file has its own budget of work and its own deadline.
// S2. Fails closed: what was not wholly read is in `notScanned`, and the verdict is at least `incomplete`.
// S3. The same files, rules and options give the same report; only a deadline can make a difference, and then it says so.
import { isExcluded, manifestOf } from '../skill/resources.ts';
import { parseHead } from '../skill/parse-head.ts';
import type { SkillHead } from '../skill/types.ts';
import type { ParseFull } from '../skill/yaml/node.ts';
import type { Sha256 } from '../ports/environment.ts';
import type { Gap, Inflate } from './classify/classify.ts';
import { classify, isGitData } from './classify/classify.ts';
import { ignoredFiles } from './classify/ignored.ts';
import type { Detector, GuardFile, RawFinding, ScannedSkill, ScannedText, Work } from './detector.ts';
import type { NameBook } from './detect/name-book.ts';
import { createNameBook } from './detect/name-book.ts';
import { embeddedOf } from './embedded.ts';
import { finishFindings } from './findings.ts';
import type { NotScanned, Report, Verdict, Finding, ScannedContent } from './report.ts';
import { inScanOrder } from './scan-order.ts';
import { allDetectors, allRules } from './all-rules.ts';
import { rulesVersion } from './version.ts';
import type { Rule } from './rule.ts';
import { runAs } from './run-as.ts';
import { frontmatterViews } from './view/frontmatter-views.ts';
import { makeViews, viewOf } from './view/make-views.ts';
import { unchanged } from './view/mapped-text.ts';
import { nameView } from './view/name-view.ts';
import { WorkExceeded, WorkMeter } from './work.ts';

export interface GuardPorts {
  readonly sha256: Sha256;
  readonly inflate: Inflate;
  /** Of a clock that never goes back. */
  readonly nowMs: () => number;
  readonly parseFull: ParseFull;
}

export interface GuardOptions {
  /** The name of the folder. */
  readonly name: string;
  /** Bytes of one text that are read. Default: 1 MiB. */
  readonly maxTextBytes?: number;
  /** Files that are read. Default: 2,000. */
  readonly maxFiles?: number;
  /** Bytes of all files that are read. Default: 32 MiB. */
  readonly maxBytes?: number;
  /** Of one file. Default: 1,000 ms. */
  readonly deadlineMs?: number;
  /** A file that is about to be handed out: it is scanned before the others. Default: none. */
  readonly first?: string;
  /** The names that it must not be taken for. Default: well-known ones. */
  readonly names?: NameBook;
  /** Called with the work that was done, in units. For tests. */
  readonly onWork?: (units: number) => void;
  /** Instead of those that techne has. For tests. */
  readonly detectors?: readonly Detector[];
  readonly rules?: readonly Rule[];
}

const mebibyte = 1024 * 1024;

/** Units of work for a file. The texts of 999 public skills take 33 for each character, and at most 55. */
const baseUnits = 4_000_000;
const unitsPerCharacter = 120;

export function scanSkill(files: readonly GuardFile[], ports: GuardPorts, options: GuardOptions): Report {
  const steps = scanSteps(files, ports, options);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** How far a scan is: the work on each file counts once for reading it and once for judging it. */
export interface ScanProgress {
  readonly file: string;
  readonly done: number;
  readonly total: number;
}

/** The same, with a pause before each file: whoever waits there can be heard, or throw to stop the scan. */
export async function scanSkillInSteps(
  files: readonly GuardFile[],
  ports: GuardPorts,
  options: GuardOptions,
  pause: (progress: ScanProgress) => Promise<void>,
): Promise<Report> {
  const steps = scanSteps(files, ports, options);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    await pause(step.value);
  }
}

function* scanSteps(
  files: readonly GuardFile[],
  ports: GuardPorts,
  options: GuardOptions,
): Generator<ScanProgress, Report> {
  const limits = {
    maxTextBytes: options.maxTextBytes ?? mebibyte,
    maxFiles: options.maxFiles ?? 2000,
    maxBytes: options.maxBytes ?? 32 * mebibyte,
    deadlineMs: options.deadlineMs ?? 1000,
  };
  const rules = options.rules ?? allRules;
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  const notScanned = new Map<string, Gap>();
  const scanned: ScannedContent[] = [];
  const texts: ScannedText[] = [];
  const meters = new Map<string, WorkMeter>();
  const found: RawFinding[] = [];
  const report = (finding: RawFinding): void => {
    found.push(finding);
  };
  let bytes = 0;

  const inOrder = inScanOrder(sorted, options.first);
  for (const [index, file] of inOrder.entries()) {
    yield { file: file.path, done: index, total: inOrder.length * 2 };
    bytes += file.bytes?.length ?? 0;
    if (index >= limits.maxFiles || bytes > limits.maxBytes) {
      notScanned.set(file.path, {
        reason: 'too-many-files',
        message: 'the skill has more files than are scanned',
      });
      continue;
    }
    const { text, language, gap } = classify(file, { ...limits, inflate: ports.inflate });
    if (gap !== null) notScanned.set(file.path, gap);
    else scanned.push({ file: file.path, size: file.size, sha256: ports.sha256(file.bytes ?? '') });
    if (text === '') continue;
    const meter = new WorkMeter(
      { units: baseUnits + unitsPerCharacter * text.length, ms: limits.deadlineMs },
      ports.nowMs,
    );
    meters.set(file.path, meter);
    guarded(file.path, meter, (work) => {
      const { views, hidden, gap: more } = makeViews(text, language, ports.inflate, work);
      const embedded = embeddedOf(views);
      const left = more ?? embedded.gap;
      if (left !== null && !notScanned.has(file.path)) notScanned.set(file.path, left);
      texts.push({
        path: file.path,
        language,
        executable: file.executable,
        raw: text,
        views,
        embedded: embedded.blocks,
        hidden,
      });
    });
  }

  // Detectors look at texts in the order of their names, whatever was read first.
  texts.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));

  addViews();

  const ignored = ignoredFiles(sorted);
  for (const path of ignored.unread)
    if (!notScanned.has(path))
      notScanned.set(path, { reason: 'too-large', message: 'it has more patterns than are read' });
  for (const [path, by] of ignored.hidden)
    if (!notScanned.has(path))
      notScanned.set(path, {
        reason: 'ignored',
        message: `"${by}" of the skill hides it from other readers; it was scanned all the same`,
      });

  const head = headOf(sorted, texts, options.name, ports.parseFull);
  const names = options.names ?? wellKnownBook();
  const calledNames = [...new Set([options.name, head?.declaredName ?? options.name])];
  const skill: ScannedSkill = {
    name: options.name,
    head,
    calledNames,
    names,
    texts,
    files: sorted,
  };
  const used = options.detectors ?? allDetectors;
  for (const [index, text] of texts.entries()) {
    yield { file: text.path, done: inOrder.length + index, total: inOrder.length * 2 };
    const meter = meters.get(text.path) as WorkMeter;
    guarded(text.path, meter, (work) => {
      for (const detector of used) detector.findInText?.(text, skill, report, work);
    });
  }
  const total = texts.reduce((sum, { raw }) => sum + raw.length, 0);
  const meter = new WorkMeter(
    {
      units: baseUnits + unitsPerCharacter * total,
      ms: limits.deadlineMs * (1 + Math.ceil(total / mebibyte)),
    },
    ports.nowMs,
  );
  yield { file: 'SKILL.md', done: inOrder.length * 2 - 1, total: inOrder.length * 2 };
  guarded('SKILL.md', meter, (work) => {
    for (const detector of used) detector.findInSkill?.(skill, report, work);
  });

  options.onWork?.([...meters.values(), meter].reduce((sum, { spent }) => sum + spent, 0));
  const { findings, dropped } = finishFindings(found, skill, rules, ports.sha256);
  if (dropped && !notScanned.has('SKILL.md'))
    notScanned.set('SKILL.md', { reason: 'too-large', message: 'more was found than is reported' });
  const left = [...notScanned]
    .map(([file, gap]): NotScanned => ({ file, ...gap }))
    .toSorted((a, b) => (a.file < b.file ? -1 : 1));
  return {
    verdict: verdictOf(findings, left),
    findings,
    accepted: [],
    scanned: scanned
      .filter(({ file }) => !notScanned.has(file))
      .toSorted((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0)),
    notScanned: left,
    names: calledNames.map((name) => ({ name, takenFor: names.lookAlike(name) })),
    rulesVersion,
    digest: digestOf(sorted, ports.sha256),
  };

  /** What takes more than the text itself to know: the values of the frontmatter, names of files, what a file is run with. */
  function addViews(): void {
    const languages = runAs(texts, sorted);
    const byPath = new Map(texts.map((text, index) => [text.path, index]));
    for (const file of sorted) {
      const index = byPath.get(file.path);
      const text = index === undefined ? undefined : texts[index];
      const raw = text?.raw ?? '';
      const name = nameView(file.path);
      const views = [
        ...(file.path.toLowerCase() === 'skill.md' ? frontmatterViews(raw, ports.parseFull) : []),
        ...(name === null ? [] : [name]),
        ...[...(languages.get(file.path) ?? [])]
          .filter((language) => language !== text?.language)
          .map((language) => viewOf('raw', unchanged(raw), [], language)),
      ];
      if (views.length === 0) continue;
      if (text !== undefined && index !== undefined)
        texts[index] = { ...text, views: [...text.views, ...views] };
      else {
        const { path, executable } = file;
        texts.push({ path, language: 'text', executable, raw, views, embedded: [], hidden: [] });
        meters.set(path, new WorkMeter({ units: baseUnits, ms: limits.deadlineMs }, ports.nowMs));
      }
    }
    for (const { path } of sorted)
      if (isGitData(path) && !notScanned.has(path) && texts.some(({ raw }) => raw.includes('.git/')))
        notScanned.set(path, { reason: 'binary', message: 'the skill refers to what git keeps for itself' });
  }

  /** What costs too much, or what a detector fails on, is named, and the rest goes on (S1, S2). */
  function guarded(path: string, work: WorkMeter, step: (work: Work) => void): void {
    try {
      step(work);
      if (work.leftOut !== null && !notScanned.has(path))
        notScanned.set(path, { reason: 'timed-out', message: work.leftOut });
    } catch (error) {
      const message =
        error instanceof WorkExceeded
          ? error.message
          : `${failureWords}: ${error instanceof Error ? error.message : String(error)}`;
      notScanned.set(path, { reason: 'timed-out', message });
    }
  }
}

let wellKnown: NameBook | null = null;

function wellKnownBook(): NameBook {
  return (wellKnown ??= createNameBook({ shipped: [], others: [] }));
}

/** How a fault of ours begins: tests look for it. */
export const failureWords = 'the scanner failed on it';

export function verdictOf(
  findings: readonly Pick<Finding, 'severity'>[],
  notScanned: readonly NotScanned[],
): Verdict {
  if (findings.some(({ severity }) => severity === 'critical' || severity === 'high')) return 'dangerous';
  if (notScanned.length > 0) return 'incomplete';
  return findings.some(({ severity }) => severity === 'medium') ? 'caution' : 'clean';
}

function headOf(
  files: readonly GuardFile[],
  texts: readonly ScannedText[],
  name: string,
  parseFull: ParseFull,
): SkillHead | null {
  const main = texts.find(({ path }) => path.toLowerCase() === 'skill.md');
  if (main === undefined) return null;
  const entries = files
    .filter(({ path }) => !path.includes('/'))
    .map(({ path, kind }) => ({ name: path, kind }));
  const head = parseHead(
    main.raw,
    { folderName: name, entries, complete: true, fileBytes: main.raw.length, parseFull },
    () => {},
  );
  return head === 'more' ? null : head;
}

/** As of the manifest of a snapshot, so that both name the same tree. */
function digestOf(files: readonly GuardFile[], sha256: Sha256): string {
  const rows = files
    .filter(({ path, kind }) => kind !== 'other' && !isExcluded(path))
    .map(({ path, kind, size, executable, bytes, target }) =>
      kind === 'link'
        ? { path, size: 0, executable: false, sha256: sha256(`link:${target ?? 'nowhere'}`) }
        : { path, size, executable, sha256: bytes === null ? 'unread' : sha256(bytes) },
    );
  return manifestOf(rows, sha256).digest;
}
