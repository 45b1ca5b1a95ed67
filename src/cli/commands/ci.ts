// techne ci
//
// JSON: {ok, root, base: {name, commit} | null, everything, found, searched, skills: [{name, path, why, cached, tests, prompts}], findings: [{kind,
// code, severity, skill, path, line, column, endLine, endColumn, message, hint, key, known}], baseline: {path, known, gone: [{key,
// kind, code, path, message}], written} | null, notices}. Paths are relative to `root` where they are inside it.
import { appendFile } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import { cutToWidth } from '../../base/cut-text.ts';
import { TechneError } from '../../base/error.ts';
import { renderJson, printableLine } from '../../base/printable.ts';
import { counted } from '../../base/render-table.ts';
import { encodeUtf8 } from '../../base/utf8.ts';
import type { Severity } from '../../base/codes.ts';
import { FileFault } from '../../ports/files.ts';
import type { BaselineEntry } from '../../techne/ci/baseline.ts';
import { compareWithBaseline, entryOf, readBaseline, writeBaseline } from '../../techne/ci/baseline.ts';
import type { CiKind, KeyedFinding } from '../../techne/ci/finding.ts';
import { ciKinds } from '../../techne/ci/finding.ts';
import { openGit } from '../../techne/ci/git.ts';
import type { ResultCache } from '../../techne/ci/result-cache.ts';
import { noCache, openResultCache } from '../../techne/ci/result-cache.ts';
import type { CiReport } from '../../techne/ci/run-ci.ts';
import { runCi } from '../../techne/ci/run-ci.ts';
import type { SkillLibrary } from '../../techne/open-skills.ts';
import { ciCacheFile, displayPath } from '../../techne/paths.ts';
import { renderAnnotations, stopCommands } from '../ci/annotations.ts';
import { renderCiSarif } from '../ci/sarif.ts';
import type { Judged } from '../ci/summary.ts';
import { describeOutcome, describeScope, hasPassed, renderMarkdown, renderTextTable } from '../ci/summary.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { columnsOf, createPaint } from '../io.ts';
import { openLibrary } from '../open-library.ts';

const levels: readonly Severity[] = ['error', 'warning', 'info'];

export async function runCiCommand(context: CommandContext): Promise<number> {
  const { args, io, err } = context;
  const options = optionsOf(context);
  const watch = watchWork(context);
  const library = await openLibrary(context);
  const known = options.baseline === null ? null : await baselineOf(options, library);
  const notices: string[] = [];
  const sarif = args.value('sarif');
  const sarifPath = sarif === null ? null : resolve(io.cwd, sarif);
  if (sarifPath !== null && library.files.stat(sarifPath)?.isDirectory() === true)
    throw new TechneError('USAGE', `--sarif "${sarifPath}" is a folder`, { hint: 'name the file to write' });
  const cache = await openCache(context, library, (text) => notices.push(text));
  let report: CiReport;
  try {
    report = await runCi(
      {
        paths: args.positionals,
        cwd: io.cwd,
        homeFolder: io.homeFolder,
        variables: io.env,
        base: args.value('base'),
        all: args.flag('every') || options.writes,
        kinds: options.kinds,
        strict: args.flag('strict'),
        cache,
        pause: watch.pause,
      },
      library,
    );
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    watch.end();
    await cache.save();
    err.line('Stopped; what was done is in the cache, and nothing else was written.');
    return exitCodes.interrupted;
  }
  watch.end();
  const fault = await cache.save();
  if (fault !== null) notices.push(fault);

  const compared = compareWithBaseline(known ?? [], report, {
    kinds: options.kinds,
    isWhole: report.everything !== null && args.positionals.length === 0,
    files: library.files,
  });
  const written = await keepBaseline(options, library, known ?? [], report, compared.gone);
  const accepted = written === null || !options.writes ? compared.known : written;
  const failing = report.findings.filter(
    ({ key, severity }) => !accepted.has(key) && levels.indexOf(severity) <= levels.indexOf(options.failOn),
  ).length;
  const judged: Judged = {
    report,
    kinds: options.kinds,
    known: accepted,
    gone: options.writes ? 0 : compared.gone.length,
    failing,
  };

  if (sarifPath !== null) {
    const log = renderCiSarif(report.findings, accepted, report.root);
    await writeFile(library, sarifPath, `${renderJson(log, 2)}\n`);
  }
  await writeStepSummary(context, judged);
  const ok = hasPassed(judged);
  if (options.format === 'json')
    writeJson(context, judged, {
      ok,
      written: written?.size ?? null,
      file: options.baseline,
      gone: compared.gone,
      notices,
    });
  else {
    for (const text of notices) err.line(`note: ${printableLine(text)}`);
    writeText(context, judged, options.format === 'github', compared.gone);
    if (written !== null && options.baseline !== null)
      err.line(
        `${counted(written.size, 'known finding')} in ${printableLine(displayPath(options.baseline, io))}`,
      );
  }
  return ok ? exitCodes.fine : exitCodes.files;
}

interface CiOptions {
  readonly format: string;
  readonly kinds: ReadonlySet<CiKind>;
  readonly failOn: Severity;
  /** Absolute. */
  readonly baseline: string | null;
  readonly writes: boolean;
  readonly prunes: boolean;
}

function optionsOf({ args, io, json }: CommandContext): CiOptions {
  const usual = io.env['GITHUB_ACTIONS'] === 'true' ? 'github' : 'text';
  const format = args.value('format') ?? (json ? 'json' : usual);
  if (json && format !== 'json')
    throw new TechneError('USAGE', `--json and --format ${format} contradict each other`, {
      hint: 'give one of them',
    });
  const baseline = args.value('baseline');
  const [writes, prunes] = [args.flag('write-baseline'), args.flag('prune-baseline')];
  for (const [is, name] of [
    [writes, '--write-baseline'],
    [prunes, '--prune-baseline'],
  ] as const)
    if (is && baseline === null)
      throw new TechneError('USAGE', `${name} needs --baseline FILE`, {
        hint: `techne ci --baseline techne-baseline.json ${name}`,
      });
  if (writes && args.value('base') !== null)
    throw new TechneError('USAGE', '--write-baseline looks at every skill, so --base has no meaning', {
      hint: 'leave one of them out',
    });
  const only = args.values('only') as readonly CiKind[];
  return {
    format,
    kinds: new Set(only.length === 0 ? ciKinds : only),
    failOn: (args.value('fail-on') ?? 'error') as Severity,
    baseline: baseline === null ? null : resolve(io.cwd, baseline),
    writes,
    prunes,
  };
}

async function baselineOf(
  { baseline, writes }: CiOptions,
  { files }: SkillLibrary,
): Promise<readonly BaselineEntry[]> {
  const path = baseline as string;
  const entries = await readBaseline(files, path);
  if (entries === null && !writes)
    throw new TechneError('FILE_MISSING', `the baseline "${path}" does not exist`, {
      hint: 'write it first, and commit it: --write-baseline',
    });
  return entries ?? [];
}

/** The keys of what was written; `null`: nothing was to be. */
async function keepBaseline(
  { baseline, writes, prunes, failOn, kinds }: CiOptions,
  { files }: SkillLibrary,
  known: readonly BaselineEntry[],
  { findings }: CiReport,
  gone: readonly BaselineEntry[],
): Promise<ReadonlySet<string> | null> {
  if (baseline === null || !(writes || (prunes && gone.length > 0))) return null;
  const isGone = new Set(gone.map(({ key }) => key));
  const kept = known.filter(({ key, kind }) => !isGone.has(key) && !(writes && kinds.has(kind)));
  // Notes never fail, unless that was asked for.
  const telling = findings.filter(({ severity }) => severity !== 'info' || failOn === 'info');
  const entries = writes ? [...kept, ...telling.map(entryOf)] : kept;
  try {
    await writeBaseline(files, baseline, entries);
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    throw new TechneError('FILE_DENIED', `the baseline was not written: ${error.message}`, { cause: error });
  }
  return new Set(entries.map(({ key }) => key));
}

async function openCache(
  { args, io }: CommandContext,
  { files, loaded }: SkillLibrary,
  onNotice: (text: string) => void,
): Promise<ResultCache> {
  const named = args.value('cache');
  if (args.flag('no-cache')) {
    if (named !== null)
      throw new TechneError('USAGE', '--cache and --no-cache contradict each other', {
        hint: 'give one of them',
      });
    return noCache;
  }
  if (named === null && !loaded.config.cache.enabled) return noCache;
  if (named === null) return openResultCache(files, ciCacheFile(io.homeFolder), onNotice);
  const path = resolve(io.cwd, named);
  if (await cameWithRepository(path, { files, loaded }, io.env)) {
    onNotice(
      `the cache "${path}" came with the repository: it is ignored, since a change could bring its own`,
    );
    return noCache;
  }
  return openResultCache(files, path, onNotice);
}

async function cameWithRepository(
  path: string,
  { files, loaded }: Pick<SkillLibrary, 'files' | 'loaded'>,
  variables: CommandContext['io']['env'],
): Promise<boolean> {
  try {
    const real = files.realPath(path);
    if (real === null) return false;
    const git = await openGit(loaded.workspace, variables);
    return !('fault' in git) && git.holds(real);
  } catch (error) {
    // Whoever reads it says why it cannot be.
    if (error instanceof FileFault) return false;
    throw error;
  }
}

async function writeFile({ files }: SkillLibrary, path: string, text: string): Promise<void> {
  try {
    await files.writeAtomic(path, encodeUtf8(text), 0o644);
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    throw new TechneError('FILE_DENIED', `"${path}" was not written: ${error.message}`, { cause: error });
  }
}

async function writeStepSummary({ io, err }: CommandContext, judged: Judged): Promise<void> {
  const path = io.env['GITHUB_STEP_SUMMARY'] ?? '';
  if (path === '') return;
  try {
    await appendFile(path, renderMarkdown(judged));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    err.line(`note: the summary of the step was not written: ${printableLine(error.message)}`);
  }
}

function writeText(
  { out, io, quiet, colour, columns }: CommandContext,
  judged: Judged,
  isGitHub: boolean,
  gone: readonly BaselineEntry[],
): void {
  const { report, known } = judged;
  const paint = createPaint(colour);
  const news = report.findings.filter(({ key }) => !known.has(key));
  const stop = isGitHub ? stopCommands() : null;
  if (stop !== null) out.line(stop.begin);
  out.line(printableLine(describeScope(judged)));
  for (const one of news) {
    if (one.severity === 'info') continue;
    const path = displayPath(resolve(report.root, one.shown), io);
    const place =
      one.line === null ? path : `${path}:${one.line}${one.column === null ? '' : `:${one.column}`}`;
    const level = one.severity === 'error' ? paint.red('error') : paint.yellow('warning');
    out.line(`${printableLine(place)}: ${level} ${one.code}: ${printableLine(one.message)}`);
    if (one.hint !== null && !quiet) out.line(`  ${paint.dim(printableLine(one.hint))}`);
  }
  for (const { path, code, message } of quiet ? [] : gone)
    out.line(`${printableLine(path)}: no longer occurs: ${printableLine(code)}: ${printableLine(message)}`);
  if (gone.length > 0 && !quiet) out.line('  --prune-baseline removes what no longer occurs');
  const table = renderTextTable(judged, columns);
  if (table !== '') out.write(`\n${table}\n`);
  // Without a skill or a finding the first line says everything.
  if (report.searched === null || report.findings.length > 0 || judged.gone > 0)
    out.line(describeOutcome(judged));
  if (stop === null) return;
  out.line(stop.end);
  const folder = io.env['GITHUB_WORKSPACE'] ?? report.root;
  const pathOf = ({ shown }: KeyedFinding): string => {
    const from = relative(folder, resolve(report.root, shown));
    return from.startsWith('..') || isAbsolute(from) ? shown : from;
  };
  out.write(
    renderAnnotations(
      news.filter(({ severity }) => severity !== 'info'),
      pathOf,
    ),
  );
}

function writeJson(
  { out }: CommandContext,
  { report, known, kinds }: Judged,
  end: {
    readonly ok: boolean;
    readonly written: number | null;
    readonly file: string | null;
    readonly gone: readonly BaselineEntry[];
    readonly notices: readonly string[];
  },
): void {
  const { root, base, everything, found, searched, skills, findings } = report;
  out.json({
    ok: end.ok,
    root,
    base,
    everything,
    kinds: [...kinds],
    found,
    searched,
    skills: skills.map(({ skill, path, why, cached, tests, prompts }) => ({
      name: skill.name,
      path,
      why,
      cached,
      tests,
      prompts,
    })),
    findings: findings.map((one) => ({
      kind: one.kind,
      code: one.code,
      severity: one.severity,
      skill: one.skill,
      path: one.shown,
      line: one.line,
      column: one.column,
      endLine: one.endLine,
      endColumn: one.endColumn,
      message: one.message,
      hint: one.hint,
      key: one.key,
      known: known.has(one.key),
    })),
    baseline:
      end.file === null ? null : { path: end.file, known: known.size, gone: end.gone, written: end.written },
    notices: end.notices,
  });
}

class Stopped extends Error {}

const redrawMs = 100;
const firstMs = 500;

/** Says on a terminal what is being done, and hears Ctrl-C. */
function watchWork({ io, err, quiet }: CommandContext): {
  readonly pause: (doing: string) => Promise<void>;
  readonly end: () => void;
} {
  const columns = quiet ? null : columnsOf(io.stderr);
  let stopped = false;
  const stopListening = io.onInterrupt?.(() => (stopped = true)) ?? (() => undefined);
  let yieldedMs = performance.now();
  let drawnMs = yieldedMs + firstMs;
  let isDrawn = false;
  return {
    async pause(doing) {
      const now = performance.now();
      if (now - yieldedMs < 10 && !stopped) return;
      await new Promise(setImmediate);
      yieldedMs = performance.now();
      if (stopped) throw new Stopped();
      if (columns === null || now - drawnMs < redrawMs) return;
      drawnMs = now;
      isDrawn = true;
      err.write(`\r\u001B[K${cutToWidth(printableLine(doing), columns - 1)}`);
    },
    end() {
      if (isDrawn) err.write('\r\u001B[K');
      stopListening();
    },
  };
}
