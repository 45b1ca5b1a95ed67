// techne doctor
//
// JSON: {environment: [{name, ok, detail, hint}], answerers: [{name, available, chosen, detail, hint}], roots: [{path, source, host, exists, skills, shadowed, fault}], skills: [{name, path, facts}],
// refused: [{name, path, reasons}] by strict loading, problems: {errors, warnings} in skill files, diagnostics: those of the configuration},
// where `skills` are those that cannot be used; with NAME the one skill, with `passed` (by the guard) and `runnable` among its facts, and
// `preflight` {ok, problems, notes}: why a run of a plan would be refused; null if it is not a plan or not runnable.
// `ok` is null for something optional that is missing.
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import type { AnswererFact } from '../../answerers/detect-answerers.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { Fact, Skill } from '../../registry/types.ts';
import { createPaint } from '../io.ts';
import { configText } from '../../node/load-config.ts';
import { problemsText } from '../../techne/count-problems.ts';
import type { ExaminedMachine, Finding, RootLine } from '../../techne/doctor/examine-machine.ts';
import { examineMachine } from '../../techne/doctor/examine-machine.ts';
import type { CommandContext } from '../context.ts';
import { describeDiagnostic } from '../../base/describe-diagnostic.ts';
import { reasonsAgainst } from '../../techne/skill-limits.ts';
import { displayPath, homePath } from '../../techne/paths.ts';
import { exitCodes } from '../exit-code.ts';
import type { OpenRuns } from '../../techne/open-runs.ts';
import type { SkillLibrary } from '../../techne/open-skills.ts';
import type { PreflightReport } from '../../run/plan/preflight.ts';
import { openLibrary, reportConfig } from '../open-library.ts';
import { counted, renderTable } from '../../base/render-table.ts';
import { resolveSkill } from '../../techne/resolve-skill.ts';

export async function runDoctor(context: CommandContext): Promise<number> {
  const { args, out, json } = context;
  const store = args.value('store');
  if (store !== null) {
    if (args.positionals.length > 0)
      throw new TechneError('USAGE', 'techne doctor --store checks a store, and takes no name of a skill');
    return (await import('./doctor-store.ts')).examineGivenStore(context, store);
  }
  const library = await openLibrary(context);
  const snapshot = await library.load();
  const [name] = args.positionals;
  if (name !== undefined) return explainSkill(context, library, snapshot, resolveSkill(snapshot, name));

  const { io } = context;
  const examined = await examineMachine({
    library,
    snapshot,
    homeFolder: io.homeFolder,
    cwd: io.cwd,
    variables: io.env,
    platform: io.platform,
    hasTerminal: io.stdin.isTTY === true && io.stderr.isTTY === true,
    usesCache: !args.flag('no-cache'),
    startServers: args.flag('servers')
      ? () => withRuns(context, library, (runs) => runs.checkServers())
      : null,
  });
  const { environment, answerers, roots, refused, problems } = examined;
  const troubled = args.flag('all') ? snapshot.skills : examined.troubled;
  if (json) {
    out.json({
      environment,
      answerers,
      roots,
      skills: troubled.map((skill) => ({ name: skill.name, path: skill.file, facts: snapshot.facts(skill) })),
      refused: refused.map(({ skill, reasons }) => ({
        name: skill.name,
        path: skill.file,
        reasons: reasons.map(({ code, message, hint }) => ({ code, message, hint })),
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
    writeSkills(context, snapshot, troubled, examined);
  }
  const broken = environment.some(({ ok }) => ok === false) || roots.some(({ fault }) => fault !== null);
  const unready = args.flag('strict') && snapshot.skills.some((skill) => !snapshot.facts(skill).ready.ok);
  const invalid =
    problems.error > 0 || unready || library.loaded.diagnostics.some(({ severity }) => severity === 'error');
  return invalid ? exitCodes.files : broken ? exitCodes.environment : exitCodes.fine;
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
  { refused: allRefused, problems }: ExaminedMachine,
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
  for (const { skill, reasons } of allRefused) {
    out.line(`  ${printableLine(skill.name)}`);
    for (const { code, message, hint } of reasons)
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

async function passedByGuard(library: SkillLibrary, skill: Skill): Promise<Fact> {
  const reason = await (await library.openGuard()).reasonOn('onRead', skill);
  return { ok: reason?.code !== 'GUARD_REFUSED', reasons: reason === null ? [] : [reason] };
}
