// techne doctor
//
// JSON: {environment: [{name, ok, detail, hint}], answerers: [{name, available, chosen, detail, hint}], roots: [{path, source, host, exists, skills, shadowed, fault}], skills: [{name, path, facts}],
// refused: [{name, path, reasons}] by strict loading, problems: {errors, warnings} in skill files, diagnostics: those of the configuration},
// where `skills` are those that cannot be used; with NAME the one skill, with `passed` (by the guard) and `runnable` among its facts, and
// `preflight` {ok, problems, notes}: why a run of a plan would be refused; null if it is not a plan or not runnable.
// `ok` is null for something optional that is missing.
import { accessSync, constants, promises } from 'node:fs';
import { dirname } from 'node:path';
import type { Severity } from '../../base/codes.ts';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { TechneError } from '../../base/error.ts';
import { nearest } from '../../base/nearest.ts';
import { printableLine } from '../../base/printable.ts';
import type { AnswererFact } from '../../answerers/detect-answerers.ts';
import { detectAnswerers, factOf, firstChoice } from '../../answerers/detect-answerers.ts';
import { userConfigFile } from '../../node/load-config.ts';
import { openEmbedder } from '../../node/embed/open-embedder.ts';
import { makeFolders } from '../../node/files/durable.ts';
import { FileFault } from '../../ports/files.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { Verdict } from '../../guard/report.ts';
import type { Fact, Root, Skill } from '../../registry/types.ts';
import { createPaint } from '../io.ts';
import { countProblems, problemsText } from '../count-problems.ts';
import type { CommandContext } from '../context.ts';
import { describeDiagnostic } from '../../base/describe-diagnostic.ts';
import { reasonsAgainst, refusalsIn } from '../describe-skill.ts';
import { displayPath, homePath } from '../../techne/paths.ts';
import { examineServers } from '../../techne/examine-servers.ts';
import { exitCodes } from '../exit-code.ts';
import type { OpenRuns } from '../../techne/open-runs.ts';
import type { SkillLibrary } from '../../techne/open-skills.ts';
import type { PreflightReport } from '../../run/plan/preflight.ts';
import { indexFile } from '../../techne/open-skills.ts';
import { configText, openLibrary, reportConfig } from '../open-library.ts';
import { packageVersion } from '../../node/package-info.ts';
import { counted, renderTable } from '../../base/render-table.ts';
import { resolveSkill } from '../../techne/resolve-skill.ts';

interface Finding {
  readonly name: string;
  readonly ok: boolean | null;
  readonly detail: string;
  readonly hint: string | null;
}

export async function runDoctor(context: CommandContext): Promise<number> {
  const { args, out, json } = context;
  const library = await openLibrary(context);
  const snapshot = await library.load();
  const [name] = args.positionals;
  if (name !== undefined) return explainSkill(context, library, snapshot, resolveSkill(snapshot, name));

  const environment = await examine(context, library, snapshot);
  const answerers = findAnswerers(context, library);
  const roots = library.roots.map((root) => describeRoot(library, snapshot, root));
  const problems = countProblems(snapshot);
  const troubled = snapshot.skills.filter(
    (skill) => args.flag('all') || reasonsAgainst(snapshot.facts(skill)).length > 0,
  );
  if (json) {
    out.json({
      environment,
      answerers,
      roots,
      skills: troubled.map((skill) => ({ name: skill.name, path: skill.file, facts: snapshot.facts(skill) })),
      refused: snapshot.refused.map((skill) => ({
        name: skill.name,
        path: skill.file,
        reasons: reasonsToRefuse(snapshot, skill).map(({ code, message, hint }) => ({ code, message, hint })),
      })),
      problems: { errors: problems.error, warnings: problems.warning },
      diagnostics: library.loaded.diagnostics.map((diagnostic) =>
        describeDiagnostic(diagnostic, configText(library.loaded, diagnostic)),
      ),
    });
  } else {
    reportConfig(context, library.loaded);
    writeEnvironment(context, environment);
    writeAnswerers(context, answerers);
    writeRoots(context, roots);
    writeSkills(context, snapshot, troubled, problems);
  }
  const broken = environment.some(({ ok }) => ok === false) || roots.some(({ fault }) => fault !== null);
  const unready = args.flag('strict') && snapshot.skills.some((skill) => !snapshot.facts(skill).ready.ok);
  const invalid =
    problems.error > 0 || unready || library.loaded.diagnostics.some(({ severity }) => severity === 'error');
  return invalid ? exitCodes.files : broken ? exitCodes.environment : exitCodes.fine;
}

interface RootLine {
  readonly path: string;
  readonly source: string;
  readonly host: string;
  readonly exists: boolean;
  /** Counts the chosen skills, and the shadowed ones. */
  readonly skills: number;
  readonly shadowed: number;
  /** Why the folder cannot be read. */
  readonly fault: string | null;
}

function describeRoot({ files }: SkillLibrary, snapshot: Snapshot, { path, source, host }: Root): RootLine {
  const isHere = (skill: Skill): boolean => skill.root.path === path;
  const line = {
    path,
    source,
    host,
    skills: snapshot.skills.filter(isHere).length,
    shadowed: snapshot.shadowed.filter(({ skill }) => isHere(skill)).length,
  };
  try {
    const exists = files.stat(path)?.isDirectory() === true;
    if (exists) files.list(path);
    return { ...line, exists, fault: null };
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    return { ...line, exists: true, fault: error.message };
  }
}

function writeEnvironment({ out, colour, quiet }: CommandContext, environment: readonly Finding[]): void {
  const paint = createPaint(colour);
  const marks = { true: paint.green('ok'), false: paint.red('!!'), null: paint.dim('--') };
  out.line(paint.bold('Environment'));
  const widest = Math.max(...environment.map(({ name }) => name.length));
  for (const { name, ok, detail, hint } of environment) {
    out.line(
      `  ${marks[`${ok}`]}  ${name.padEnd(widest)}  ${printableLine(detail)}${hint === null || quiet ? '' : ` (${printableLine(hint)})`}`,
    );
  }
}

/** Looks at names only: prints no key, starts nothing and uses no network. */
function findAnswerers(
  { io }: CommandContext,
  { loaded, environment }: SkillLibrary,
): readonly AnswererFact[] {
  const candidates = detectAnswerers({
    config: loaded.config,
    variables: io.env,
    hasTerminal: io.stdin.isTTY === true && io.stderr.isTTY === true,
    findProgram: (name) => environment.findProgram(name),
  });
  const chosen = firstChoice(candidates);
  return candidates.map((candidate) => factOf(candidate, chosen));
}

function writeAnswerers({ out, colour, quiet }: CommandContext, answerers: readonly AnswererFact[]): void {
  const paint = createPaint(colour);
  out.line(
    `\n${paint.bold('Answerers')}${quiet ? '' : paint.dim('  the first available one answers, unless --answer names another')}`,
  );
  const widest = Math.max(...answerers.map(({ name }) => name.length));
  for (const { name, available, chosen, detail, hint } of answerers) {
    const mark = chosen ? paint.green('->') : available ? paint.green('ok') : paint.dim('--');
    out.line(
      `  ${mark}  ${printableLine(name).padEnd(widest)}  ${printableLine(detail)}${hint === null || quiet ? '' : ` (${printableLine(hint)})`}`,
    );
  }
}

function writeRoots({ out, colour, args, io, quiet }: CommandContext, roots: readonly RootLine[]): void {
  const paint = createPaint(colour);
  out.line(`\n${paint.bold('Folders')}`);
  const shown = roots.filter(({ exists }) => exists || args.flag('all'));
  out.write(
    renderTable(
      shown.map((root) => [
        `  ${root.fault === null ? '  ' : paint.red('!!')}  ${printableLine(homePath(root.path, io))}`,
        root.source,
        root.host,
        rootState(root),
      ]),
      null,
    ),
  );
  if (shown.length < roots.length && !quiet)
    out.line(
      paint.dim(
        `  ${counted(roots.length - shown.length, 'other folder')} would be searched if they existed (--all)`,
      ),
    );
}

function rootState({ exists, skills, shadowed, fault }: RootLine): string {
  if (fault !== null) return `cannot be read: ${printableLine(fault)}`;
  return exists
    ? `${counted(skills + shadowed, 'skill')}${shadowed === 0 ? '' : `, ${shadowed} of them shadowed`}`
    : 'does not exist';
}

function writeSkills(
  { out, colour, quiet }: CommandContext,
  snapshot: Snapshot,
  troubled: readonly Skill[],
  problems: Record<Severity, number>,
): void {
  const paint = createPaint(colour);
  out.line(`\n${paint.bold('Skills')}`);
  for (const skill of troubled) {
    const reasons = reasonsAgainst(snapshot.facts(skill));
    out.line(`  ${printableLine(skill.name)}${reasons.length === 0 ? '  ok' : ''}`);
    for (const { code, message, hint } of reasons)
      out.line(
        `      ${code} ${printableLine(message)}${hint === null || quiet ? '' : ` (${printableLine(hint)})`}`,
      );
  }
  for (const skill of snapshot.refused) {
    out.line(`  ${printableLine(skill.name)}`);
    for (const { code, message, hint } of reasonsToRefuse(snapshot, skill))
      out.line(
        `      ${code} ${printableLine(message)}${hint === null || quiet ? '' : ` (${printableLine(hint)})`}`,
      );
  }
  const refused = snapshot.refused.length === 0 ? '' : `, ${snapshot.refused.length} refused`;
  out.line(
    `  ${counted(snapshot.skills.length, 'skill')}, ${snapshot.skills.filter((skill) => snapshot.facts(skill).ready.ok).length} ready, ${snapshot.shadowed.length} shadowed${refused}`,
  );
  const seen = problemsText(problems, quiet);
  if (seen !== null) out.line(`  ${seen}`);
}

function reasonsToRefuse(snapshot: Snapshot, skill: Skill): readonly Diagnostic[] {
  return refusalsIn({ refused: [skill], diagnostics: snapshot.diagnostics });
}

async function explainSkill(
  context: CommandContext,
  library: SkillLibrary,
  snapshot: Snapshot,
  skill: Skill,
): Promise<number> {
  const { out, io } = context;
  const paint = createPaint(context.colour);
  const facts = snapshot.facts(skill);
  const runnable = await tryRunnable(library, snapshot, skill);
  const passed = await passedByGuard(library, skill);
  const all = { found: { ok: true, reasons: [] }, ...facts, passed, runnable } satisfies Record<string, Fact>;
  const isPlan = skill.card.form !== 'instructions' && skill.card.form !== 'program';
  const preflight =
    isPlan && runnable.ok ? await withRuns(context, library, (runs) => runs.preflight(skill.name)) : null;
  const exitCode =
    !facts.ready.ok || !facts.sound.ok
      ? exitCodes.files
      : preflight?.ok === false
        ? exitCodes.environment
        : exitCodes.fine;
  if (context.json) {
    out.json({
      name: skill.name,
      path: skill.file,
      form: skill.card.form,
      facts: all,
      preflight: preflight === null ? null : { ...preflight },
    });
    return exitCode;
  }
  reportConfig(context, library.loaded);
  out.line(
    `${paint.bold(printableLine(skill.name))}  ${skill.card.form}, ${skill.source}, ${printableLine(displayPath(skill.file, io))}`,
  );
  const labels = {
    found: 'found',
    ready: 'ready',
    visibleToUser: 'visible to people',
    visibleToModel: 'visible to the model',
    listed: 'listed',
    passed: 'passed by the guard',
    runnable: 'runnable',
  };
  for (const [key, label] of Object.entries(labels) as [keyof typeof labels, string][]) {
    const fact = all[key];
    out.line(`  ${fact.ok ? paint.green('yes') : paint.yellow('no ')}  ${label}`);
    for (const { code, message, hint } of fact.reasons) {
      out.line(`         ${code} ${printableLine(message)}`);
      if (hint !== null && !context.quiet) out.line(`         hint: ${printableLine(hint)}`);
    }
  }
  if (preflight !== null) writePreflight(context, preflight);
  for (const { winner, skill: loser, reason } of snapshot.shadowed) {
    if (winner.name === skill.name)
      out.line(`  chosen over ${printableLine(displayPath(loser.file, io))}: ${printableLine(reason)}`);
  }
  if (skill.diagnostics.length > 0 && !context.quiet)
    out.line(
      `  ${counted(skill.diagnostics.length, 'finding')} in its file; run "techne check ${printableLine(displayPath(skill.folder, io))}"`,
    );
  return exitCode;
}

function writePreflight({ out, colour }: CommandContext, { ok, problems, notes }: PreflightReport): void {
  const paint = createPaint(colour);
  out.line(`  ${ok ? paint.green('yes') : paint.yellow('no ')}  everything its steps need is available`);
  for (const line of [...problems, ...notes]) out.line(`         ${printableLine(line)}`);
}

/** Opens what a run would use; nothing runs. */
async function withRuns<T>(
  { io }: CommandContext,
  library: SkillLibrary,
  work: (runs: OpenRuns) => Promise<T>,
): Promise<T> {
  const { openRuns } = await import('../../techne/open-runs.ts');
  const runs = await openRuns({
    library,
    cwd: library.loaded.workspace,
    homeFolder: io.homeFolder,
    variables: io.env,
    terminal: io.stdin.isTTY === true && io.stderr.isTTY === true,
  });
  try {
    return await work(runs);
  } finally {
    await runs.close();
  }
}

/** A fact that cannot be determined is a no, with the reason. */
async function tryRunnable(library: SkillLibrary, snapshot: Snapshot, skill: Skill): Promise<Fact> {
  try {
    return await library.isRunnable(snapshot, skill.name);
  } catch (error) {
    if (!(error instanceof TechneError)) throw error;
    return { ok: false, reasons: [{ code: 'NOT_TRUSTED', message: error.message, hint: error.hint }] };
  }
}

async function examine(
  context: CommandContext,
  library: SkillLibrary,
  snapshot: Snapshot,
): Promise<readonly Finding[]> {
  const { io } = context;
  const { loaded, environment } = library;
  const { config } = loaded;
  const findings: Finding[] = [];
  const add = (name: string, ok: boolean | null, detail: string, hint: string | null = null): void => {
    findings.push({ name, ok, detail, hint });
  };
  const program = (name: string, label: string, use: string): void => {
    const path = environment.findProgram(name);
    add(label, path === null ? null : true, path ?? 'not found', path === null ? use : null);
  };

  add('techne', true, packageVersion());
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const recent = major > 20 || (major === 20 && minor >= 19);
  add('node', recent, process.versions.node, recent ? null : 'techne needs 20.19 or newer');
  program('git', 'git', 'needed to install skills from repositories');
  if (io.platform === 'linux') {
    const required = config.sandbox.mode === 'required';
    const path = environment.findProgram('bwrap');
    const use = required
      ? 'sandbox.mode is "required", so no command of a skill can run: install bubblewrap'
      : 'install bubblewrap, so that commands of skills run in a sandbox';
    // Being installed is not enough: a kernel can forbid what it needs, so it is tried.
    const sandbox =
      path === null ? null : (await import('../../node/sandbox/detect.ts')).detectSandbox(undefined);
    const works = sandbox?.available === true;
    add(
      'sandbox',
      works ? true : required ? false : null,
      sandbox?.detail ?? 'bubblewrap is not installed',
      works ? null : use,
    );
  }
  program('rg', 'ripgrep', 'optional; makes file search faster');
  findings.push(
    ...(await examineServers({
      library,
      variables: io.env,
      start: context.args.flag('servers')
        ? () => withRuns(context, library, (runs) => runs.checkServers())
        : null,
    })),
  );

  const userFile = userConfigFile(io.homeFolder);
  for (const [label, layer, none] of [
    ['user config', 'user', userFile],
    ['workspace config', 'workspace', 'techne.json'],
  ] as const) {
    const file = loaded.files.find((each) => each.layer === layer);
    const faults = loaded.diagnostics.filter(
      ({ path, severity }) => path === file?.path && severity === 'error',
    ).length;
    add(
      label,
      file === undefined ? null : faults === 0,
      file === undefined ? `none (${displayPath(none, io)})` : homePath(file.path, io),
      faults === 0 ? null : `${counted(faults, 'error')}, see "techne config"`,
    );
  }
  add('workspace', true, homePath(loaded.workspace, io));
  await examineTrust(context, library, add);
  await examineGuard(library, snapshot, add);
  examineDisabled(library, snapshot, add);
  await examineCache(context, library, add);
  examineEmbeddings(context, library, add);
  add(
    'watch',
    true,
    `reloads ${config.watch.debounceMs} ms after a change; polls every ${config.watch.pollMs} ms where the system cannot notify`,
  );
  return findings;
}

type Add = (name: string, ok: boolean | null, detail: string, hint?: string | null) => void;

/** Names under skills.disabled that no skill has. */
function examineDisabled({ loaded }: SkillLibrary, snapshot: Snapshot, add: Add): void {
  for (const name of loaded.config.skills.disabled) {
    if (snapshot.has(name)) continue;
    const meant = nearest(
      name,
      snapshot.skills.map((skill) => skill.name),
    );
    add(
      'disabled',
      null,
      `skills.disabled names "${name}", which is not a skill`,
      meant === null ? null : `did you mean "${meant}"?`,
    );
  }
}

/** Which embeddings are used for matching, or why none are. Computes no embedding. */
function examineEmbeddings(
  { io }: CommandContext,
  {
    loaded: {
      config: {
        match: { embeddings },
      },
    },
  }: SkillLibrary,
  add: Add,
): void {
  if (Object.keys(embeddings).length === 0)
    return add(
      'embeddings',
      null,
      'none; skills are matched by words',
      'set match.embeddings to also match by meaning',
    );
  const { embedder, notices } = openEmbedder(embeddings, { variables: io.env });
  add(
    'embeddings',
    embedder === null ? null : true,
    embedder === null
      ? 'none can be used; skills are matched by words'
      : `skills are also matched by ${embedder.name}`,
    notices.length === 0 ? null : notices.join('; '),
  );
}

async function examineCache(
  { io, args }: CommandContext,
  { loaded, files }: SkillLibrary,
  add: Add,
): Promise<void> {
  const file = indexFile(io.homeFolder);
  const shown = homePath(file, io);
  if (!loaded.config.cache.enabled || args.flag('no-cache')) return add('cache', null, 'off');
  try {
    const size = files.stat(file)?.size;
    // Creating the folder as a load does is the only way to find out whether that works.
    await makeFolders(promises, dirname(file), 0o700);
    accessSync(dirname(file), constants.W_OK);
    add('cache', true, `${shown}, ${size === undefined ? 'empty' : `${size} bytes`}`);
  } catch (error) {
    if (!(error instanceof Error && (error instanceof FileFault || 'code' in error))) throw error;
    add('cache', null, `${shown} cannot be written: ${error.message}`, 'every start reads all skills again');
  }
}

async function passedByGuard(library: SkillLibrary, skill: Skill): Promise<Fact> {
  const reason = await (await library.openGuard()).reasonOn('onRead', skill);
  return { ok: reason?.code !== 'GUARD_REFUSED', reasons: reason === null ? [] : [reason] };
}

/** Scans what was not scanned before. */
async function examineGuard(library: SkillLibrary, snapshot: Snapshot, add: Add): Promise<void> {
  const { onRead, onRun } = library.loaded.config.guard;
  const policy = `onRead ${onRead}, onRun ${onRun}`;
  if (onRead === 'off' && onRun === 'off') return add('guard', null, policy, 'skills are not scanned');
  const guard = await library.openGuard();
  const names: Record<Verdict, string[]> = { clean: [], caution: [], incomplete: [], dangerous: [] };
  for (const skill of snapshot.skills)
    if (skill.origin.kind !== 'builtin') names[(await guard.verdict(skill)).verdict].push(skill.name);
  const found = (['dangerous', 'incomplete', 'caution', 'clean'] as const)
    .filter((verdict) => names[verdict].length > 0)
    .map((verdict) =>
      verdict === 'clean'
        ? `${names.clean.length} clean`
        : `${names[verdict].length} ${verdict} (${shortList(names[verdict])})`,
    );
  const isFine = names.dangerous.length === 0;
  add(
    'guard',
    isFine ? true : null,
    `${policy}${found.length === 0 ? '' : `; ${found.join(', ')}`}`,
    found.length === 0 || names.clean.length === snapshot.skills.length
      ? null
      : 'techne scan shows the findings',
  );
}

function shortList(names: readonly string[]): string {
  const shown = names.slice(0, 3).map(printableLine).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}

/** Names a trusted folder around this workspace, because its trust does not cover this one (trust-reach.ts). */
async function examineTrust({ io }: CommandContext, library: SkillLibrary, add: Add): Promise<void> {
  const {
    workspace,
    trusted,
    config: { trust },
  } = library.loaded;
  try {
    const store = await library.openTrust();
    const { folders, digests } = await store.list();
    const detail = `${counted(folders.length + trust.folders.length, 'folder')} and ${counted(digests.length, 'skill')} trusted`;
    const around = (await store.isTrustedWorkspace(workspace, trust.folders))
      ? null
      : await store.folderAround(workspace, trust.folders);
    if (around === null)
      return add('trust', true, trusted === false ? `${detail}; this workspace is not` : detail);
    add(
      'trust',
      true,
      `${detail}; this workspace is not: ${homePath(around, io)} is trusted as one workspace, without the workspaces below it`,
      `if everything in this workspace is your own work: techne trust "${workspace}", or add it to trust.folders`,
    );
  } catch (error) {
    if (!(error instanceof TechneError)) throw error;
    add('trust', false, error.message, error.hint);
  }
}
