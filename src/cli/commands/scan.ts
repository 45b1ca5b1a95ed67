// techne scan
//
// JSON: {verdict, rulesVersion, skills: [{name, folder, verdict, findings, accepted, scanned, notScanned, names, rulesVersion,
//        digest}]}
// With --rules: {rulesVersion, rules: [{code, severity, category, title, message, hint}]}
// The same files, rules and options give the same bytes; --judge asks a model, which may not.
import { isAbsolute, relative, resolve } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { printable, printableLine } from '../../base/printable.ts';
import { counted, renderTable } from '../../base/render-table.ts';
import type { Finding, Severity, Verdict } from '../../guard/report.ts';
import type { JsonObject, Json } from '../../base/json.ts';
import { acceptCommand } from '../../techne/hub/words.ts';
import { displayPath } from '../../techne/paths.ts';
import { packageVersion } from '../../node/package-info.ts';
import type { SkillLibrary } from '../../techne/open-skills.ts';
import type { ScannedTarget, ScanTarget } from '../../techne/scan-skills.ts';
import {
  isAsBadAs,
  isSource,
  resolveTargets,
  scanRules,
  scanTargets,
  worstVerdict,
  rulesVersion,
} from '../../techne/scan-skills.ts';
import type { Files } from '../../ports/files.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { openLibrary, reportConfig } from '../open-library.ts';
import { artifactOf, renderSarifLog } from '../render-sarif.ts';
import { ScanStopped, watchScan } from '../scan-watch.ts';

export async function runScan(context: CommandContext): Promise<number> {
  const { args, out, io } = context;
  const format = args.value('format') ?? (context.json ? 'json' : 'text');
  if (context.json && format !== 'json')
    throw new TechneError('USAGE', `--json and --format ${format} contradict each other`, {
      hint: 'give one of them',
    });
  if (args.flag('rules')) return listRules(context, format);
  const library = await openLibrary(context);
  if (format === 'text') reportConfig(context, library.loaded);
  const sources = args.positionals.filter((given) => isSource(given, io.cwd, library.files));
  if (sources.length > 0 && args.flag('judge'))
    throw new TechneError('USAGE', '--judge reads skills of this machine, not sources', {
      hint: 'leave it out, or install the skills first',
    });
  const fetched = await scanSources(context, sources, library.files);
  if (fetched === null) return exitCodes.interrupted;
  const given = args.positionals.filter((one) => !sources.includes(one));
  const targets =
    sources.length > 0 && given.length === 0
      ? []
      : await resolveTargets({ given, cwd: io.cwd, homeFolder: io.homeFolder }, library);
  const here = await scanHere(context, targets, library);
  if (here === null) return exitCodes.interrupted;
  let scanned = [...here, ...fetched];
  if (args.flag('judge')) scanned = [...(await judged(context, library, scanned))];
  const verdict = worstVerdict(scanned);
  if (format === 'sarif') out.json(sarifOf(scanned, io.cwd));
  else if (format === 'json')
    out.json({
      verdict,
      rulesVersion,
      skills: scanned.map(({ name, folder, report }) => ({ name, folder, ...report })),
    });
  else writeText(context, scanned, new Set(fetched));
  const limit = (args.value('fail-on') ?? 'dangerous') as Verdict;
  return isAsBadAs(verdict, limit) ? exitCodes.files : exitCodes.fine;
}

/** `null`: the person stopped it. */
async function scanHere(
  context: CommandContext,
  targets: readonly ScanTarget[],
  library: SkillLibrary,
): Promise<readonly ScannedTarget[] | null> {
  const watch = watchScan(context);
  const places = new Map(targets.map((target, index) => [target, index]));
  try {
    return await scanTargets(targets, library, context.io.homeFolder, (target, progress) =>
      watch.pause(target.name, places.get(target) ?? 0, targets.length, progress),
    );
  } catch (error) {
    if (!(error instanceof ScanStopped)) throw error;
    context.err.line('Stopped; the scan is not finished.');
    return null;
  } finally {
    watch.end();
  }
}

/** The skills of sources, fetched and not kept; `null`: the person stopped it. */
async function scanSources(
  context: CommandContext,
  sources: readonly string[],
  files: Files,
): Promise<readonly ScannedTarget[] | null> {
  if (sources.length === 0) return [];
  const found: ScannedTarget[] = [];
  // A name alone could also be a package; here it is a file that is there.
  const asWritten = (source: string): string =>
    files.stat(resolve(context.io.cwd, source)) === null || source.includes('/') ? source : `./${source}`;
  const { withHub } = await import('../hub/with-hub.ts');
  const code = await withHub({ ...context, quiet: true }, async ({ hub }) => {
    for (const source of sources)
      for (const { name, report } of await hub.scanSource(asWritten(source)))
        found.push({ name, folder: source, real: source, report });
    return 0;
  });
  return code === 0 ? found : null;
}

async function judged(
  { io, err, quiet }: CommandContext,
  { loaded: { config }, files }: SkillLibrary,
  scanned: readonly ScannedTarget[],
): Promise<readonly ScannedTarget[]> {
  const [{ openChatModel }, { judgeTarget }] = await Promise.all([
    import('../../answerers/open-chat-model.ts'),
    import('../../techne/scan-skills.ts'),
  ]);
  const model = await openChatModel({ wanted: 'model', config, variables: io.env, files });
  const done: ScannedTarget[] = [];
  for (const one of scanned) {
    if (!quiet) err.line(`${model.name} reads ${printableLine(one.name)} …`);
    done.push(await judgeTarget(one, model, files));
  }
  return done;
}

function listRules({ out, columns }: CommandContext, format: string): number {
  const rules = scanRules().map(({ code, severity, category, title, message, hint }) => ({
    code,
    severity,
    category,
    title,
    message,
    hint,
  }));
  if (format === 'sarif')
    throw new TechneError('USAGE', '--rules has no SARIF', { hint: 'use --format json' });
  if (format === 'json') out.json({ rulesVersion, rules });
  else {
    out.write(
      renderTable(
        [
          ['RULE', 'SEVERITY', 'CATEGORY', 'WHAT IT FINDS'],
          ...rules.map(({ code, severity, category, title }) => [code, severity, category, title]),
        ],
        columns,
      ),
    );
    out.line(`${counted(rules.length, 'rule')}, version ${rulesVersion}`);
  }
  return exitCodes.fine;
}

/** `fetched`: those of a source, which are in no folder. */
function writeText(
  context: CommandContext,
  scanned: readonly ScannedTarget[],
  fetched: ReadonlySet<ScannedTarget>,
): void {
  const { out, io, quiet, args } = context;
  const counts = new Map<Verdict, number>();
  /** Of findings that say what a skill has, not that something is wrong with it. */
  const left = new Map<string, number>();
  const isShown = ({ severity }: Finding): boolean =>
    args.flag('all') || (severity !== 'info' && (!quiet || severity !== 'low'));
  for (const one of scanned) {
    const { name, folder, report } = one;
    counts.set(report.verdict, (counts.get(report.verdict) ?? 0) + 1);
    const shown = report.findings.filter(isShown);
    for (const finding of report.findings)
      if (finding.severity === 'info' && !isShown(finding))
        left.set(finding.rule, (left.get(finding.rule) ?? 0) + 1);
    if (report.verdict === 'clean' && shown.length === 0 && scanned.length > 1) continue;
    out.line(
      `${report.verdict.toUpperCase()}  ${printableLine(name)}  ${printableLine(displayPath(folder, io))}`,
    );
    for (const finding of shown) writeFinding(context, finding);
    if (shown.length > 0 && report.verdict !== 'clean' && !quiet)
      out.line(
        `  if ${shown.length === 1 ? 'it is' : 'they are'} wrong${fetched.has(one) ? ', with the skill in a FOLDER' : ''}: ${printableLine(acceptCommand(shown, fetched.has(one) ? null : displayPath(folder, io)))}`,
      );
    for (const { file, message } of report.notScanned)
      out.line(`  not wholly scanned: ${printableLine(file)}: ${printableLine(message)}`);
    for (const { finding, reason, by, at } of report.accepted)
      out.line(
        `  accepted: ${finding.rule} ${printableLine(finding.file)}:${finding.line} by ${printableLine(by)} on ${at.slice(0, 10)}: ${printableLine(reason)}`,
      );
    out.line('');
  }
  if (left.size > 0 && !quiet) {
    const rules = [...left]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([rule, count]) => `${rule} ${count}`);
    const total = [...left.values()].reduce((sum, count) => sum + count, 0);
    out.line(`for your information, shown by --all: ${counted(total, 'finding')} (${rules.join(', ')})`);
  }
  const parts = (['dangerous', 'incomplete', 'caution', 'clean'] as const)
    .filter((verdict) => counts.has(verdict))
    .map((verdict) => `${counts.get(verdict)} ${verdict}`);
  out.line(
    `${counted(scanned.length, 'skill')} scanned: ${parts.length === 0 ? 'nothing found' : parts.join(', ')}`,
  );
}

function writeFinding({ out, quiet }: CommandContext, finding: Finding): void {
  const { rule, severity, file, line, column, excerpt, decoded, hiddenBy, message, hint, fingerprint } =
    finding;
  out.line(`  ${printableLine(file)}:${line}:${column}  ${severity} ${rule}: ${printableLine(message)}`);
  if (excerpt !== '') out.line(`    ${printable(printableLine(excerpt))}`);
  if (decoded !== null)
    out.line(`    reads (${hiddenBy.map(printableLine).join(', ')}): ${printable(printableLine(decoded))}`);
  if (!quiet) out.line(`    ${printableLine(hint)} [${fingerprint.slice(0, 12)}]`);
}

const levels: Record<Severity, string> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  info: 'note',
};

function sarifOf(scanned: readonly (ScannedTarget & ScanTarget)[], cwd: string): JsonObject {
  const used = new Set(
    scanned.flatMap(({ report }) => [
      ...report.findings.map(({ rule }) => rule),
      ...report.accepted.map(({ finding }) => finding.rule),
    ]),
  );
  const rules = [
    ...scanRules().filter(({ code }) => used.has(code)),
    ...(scanned.some(({ report }) => report.notScanned.length > 0) ? [notScannedRule] : []),
  ];
  const indexOf = new Map(rules.map(({ code }, index) => [code, index]));
  const placeOf = (folder: string, file: string): JsonObject => {
    const whole = `${folder}/${file}`;
    // A source is no folder of this machine; one that has a scheme is an address already.
    if (/^[A-Za-z][\w+.-]+:/.test(folder))
      return { uri: artifactOf(`x/${whole}`)['uri'].slice(2).replace('%3A', ':') };
    if (!isAbsolute(folder)) return artifactOf(whole);
    const path = relative(cwd, whole);
    return artifactOf(path.startsWith('..') || path === '' ? whole : path);
  };
  const resultOf = (folder: string, finding: Finding, more: JsonObject): JsonObject => ({
    ruleId: finding.rule,
    ruleIndex: indexOf.get(finding.rule) as number,
    level: levels[finding.severity],
    message: {
      text:
        finding.decoded === null
          ? `${finding.message} (${finding.hint})`
          : `${finding.message} It reads: ${finding.decoded} (${finding.hint})`,
    },
    locations: [
      {
        physicalLocation: {
          artifactLocation: placeOf(folder, finding.file),
          region: {
            startLine: finding.line,
            startColumn: finding.column,
            snippet: { text: finding.excerpt },
          },
        },
      },
    ],
    partialFingerprints: { 'techneFinding/v1': finding.fingerprint },
    ...more,
  });
  return renderSarifLog({
    rules: rules.map(({ code, title, severity, hint }) => ({
      id: code,
      text: title,
      level: levels[severity],
      help: hint,
    })),
    results: scanned.flatMap(({ folder, report }): Json[] => [
      ...report.findings.map((finding) => resultOf(folder, finding, {})),
      ...report.accepted.map(({ finding, reason, by }) =>
        resultOf(folder, finding, {
          suppressions: [{ kind: 'external', justification: `${reason} (${by})` }],
        }),
      ),
      ...report.notScanned.map(({ file, message }) => ({
        ruleId: notScannedRule.code,
        ruleIndex: indexOf.get(notScannedRule.code) as number,
        level: 'warning',
        message: { text: `not wholly scanned: ${message}` },
        locations: [{ physicalLocation: { artifactLocation: placeOf(folder, file) } }],
      })),
    ]) as JsonObject[],
    folder: cwd,
    version: packageVersion(),
  });
}

const notScannedRule = {
  code: 'NOT_SCANNED',
  title: 'a file that could not be wholly scanned',
  severity: 'medium' as const,
  hint: 'Look at the file yourself.',
};
