// The report of a pipeline as a table of skills: text for a terminal, Markdown for the summary of a step.
import { printableLine } from '../../base/printable.ts';
import { counted, renderTable } from '../../base/render-table.ts';
import type { Severity } from '../../base/codes.ts';
import type { CiKind, KeyedFinding } from '../../techne/ci/finding.ts';
import { ciKinds } from '../../techne/ci/finding.ts';
import type { CiReport, CiSkill } from '../../techne/ci/run-ci.ts';

export interface Judged {
  readonly report: CiReport;
  readonly kinds: ReadonlySet<CiKind>;
  /** The keys of findings that are in the baseline. */
  readonly known: ReadonlySet<string>;
  readonly gone: number;
  /** How many findings make it fail. */
  readonly failing: number;
}

type Row = readonly string[];

const mostRows = { text: 40, markdown: 300 };
const mostFindings = 200;

export function renderTextTable(judged: Judged, columns: number | null): string {
  const { shown, left } = rowsOf(judged, mostRows.text);
  if (shown.length === 0) return '';
  const rows = shown.map((row) => row.map((cell) => printableLine(cell)));
  const more = left === 0 ? '' : `and ${counted(left, 'skill')} more without findings\n`;
  return `${renderTable([head(judged), ...rows], columns)}${more}`;
}

/** One sentence: what was looked at, and why or since when; or where no skill was. */
export function describeScope({ report: { base, everything, found, searched, skills } }: Judged): string {
  if (searched !== null)
    return `no skill was found: a skill is a folder with a SKILL.md, and techne looked in ${searched.map((path) => `"${path}"`).join(', ')}`;
  const of = `${skills.length} of ${counted(found, 'skill')}`;
  if (everything !== null) return `${of}, because ${everything}`;
  return `${of} concerned by changes since ${base?.name} (${base?.commit.slice(0, 8)})`;
}

/** A named path without a skill fails, whatever was found. */
export function hasPassed({ report: { without }, failing }: Judged): boolean {
  return failing === 0 && without === 0;
}

/** One sentence: what was found. */
export function describeOutcome(judged: Judged): string {
  const {
    report: { findings, without },
    known,
    gone,
  } = judged;
  const count = (level: Severity): number =>
    findings.filter(({ severity, key }) => severity === level && !known.has(key)).length;
  const parts = [
    counted(count('error'), 'error'),
    counted(count('warning'), 'warning'),
    counted(count('info'), 'note'),
    ...(known.size === 0 ? [] : [`${known.size} known`]),
    ...(without === 0 ? [] : [`${counted(without, 'path')} without a skill`]),
    ...(gone === 0 ? [] : [`${gone} in the baseline no longer ${gone === 1 ? 'occurs' : 'occur'}`]),
  ];
  return `${hasPassed(judged) ? 'passed' : 'failed'}: ${parts.join(', ')}`;
}

export function renderMarkdown(judged: Judged): string {
  const { report, known } = judged;
  const { shown, left } = rowsOf(judged, mostRows.markdown);
  const line = (row: Row): string => `| ${row.join(' | ')} |\n`;
  const news = report.findings.filter(({ key, severity }) => !known.has(key) && severity !== 'info');
  const table =
    shown.length === 0
      ? ''
      : `${line(head(judged))}${line(head(judged).map(() => '---'))}${shown.map((row) => line(row.map(escapeMarkdown))).join('')}\n`;
  const rows = news
    .slice(0, mostFindings)
    .map(({ severity, code, shown: path, line: at, message }) =>
      line([severity, code, escapeMarkdown(at === null ? path : `${path}:${at}`), escapeMarkdown(message)]),
    );
  const list =
    rows.length === 0
      ? ''
      : `${line(['level', 'code', 'where', 'what'])}${line(['---', '---', '---', '---'])}${rows.join('')}\n`;
  return [
    `### techne ci: ${escapeMarkdown(describeOutcome(judged))}\n\n`,
    `${escapeMarkdown(describeScope(judged))}\n\n`,
    table,
    left === 0 ? '' : `and ${counted(left, 'skill')} more without findings\n\n`,
    list,
    news.length > mostFindings ? `and ${news.length - mostFindings} more\n\n` : '',
  ].join('');
}

function head({ kinds }: Judged): Row {
  return ['SKILL', ...ciKinds.filter((kind) => kinds.has(kind)).map((kind) => kind.toUpperCase())];
}

/** Skills with findings come first; only others are left out. */
function rowsOf(judged: Judged, most: number): { readonly shown: readonly Row[]; readonly left: number } {
  const { report, kinds } = judged;
  const byPlace = new Map<string, KeyedFinding[]>();
  for (const one of report.findings) {
    const list = byPlace.get(one.skill ?? '');
    if (list === undefined) byPlace.set(one.skill ?? '', [one]);
    else list.push(one);
  }
  const rows = report.skills.map((one) => {
    const own = (byPlace.get(one.skill.name) ?? []).filter(
      ({ shown, code }) => code === 'TRIGGER_TAKEN' || isIn(shown, one.path),
    );
    const isTelling = own.some(({ key, severity }) => !judged.known.has(key) && severity !== 'info');
    const cells = ciKinds
      .filter((kind) => kinds.has(kind))
      .map((kind) =>
        cellOf(
          kind,
          one,
          own.filter((finding) => finding.kind === kind),
          judged.known,
        ),
      );
    return { isTelling, row: [one.skill.name, ...cells] };
  });
  const telling = rows.filter(({ isTelling }) => isTelling);
  const shown = [...telling, ...rows.filter(({ isTelling }) => !isTelling)].slice(
    0,
    Math.max(most, telling.length),
  );
  return { shown: shown.map(({ row }) => row), left: rows.length - shown.length };
}

function cellOf(
  kind: CiKind,
  { tests, prompts }: CiSkill,
  findings: readonly KeyedFinding[],
  known: ReadonlySet<string>,
): string {
  const news = findings.filter(({ key }) => !known.has(key));
  const count = (level: Severity): number => news.filter(({ severity }) => severity === level).length;
  const parts = [
    ...(count('error') === 0
      ? []
      : [kind === 'test' ? `${count('error')} failed` : counted(count('error'), 'error')]),
    ...(count('warning') === 0 ? [] : [counted(count('warning'), 'warning')]),
    ...(findings.length === news.length ? [] : [`${findings.length - news.length} known`]),
  ];
  const total = kind === 'test' ? tests : kind === 'triggers' ? prompts : null;
  if (parts.length > 0) return `${parts.join(', ')}${total === null ? '' : ` of ${total}`}`;
  return total === null ? 'ok' : total === 0 ? '-' : `${total} ok`;
}

function isIn(path: string, folder: string): boolean {
  return folder === '.' || path === folder || path.startsWith(`${folder}/`);
}

/** No character of a skill means anything in Markdown or HTML, nor makes a link. */
export function escapeMarkdown(text: string): string {
  return printableLine(text).replace(/[!-/:-@[-`{-~]/g, (mark) => `\\${mark}`);
}
