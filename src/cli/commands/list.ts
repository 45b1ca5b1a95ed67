// techne list
import type { Diagnostic } from '../../base/diagnostic.ts';
import { printableLine, escapeUnsafe } from '../../base/printable.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { Facts, Skill } from '../../registry/types.ts';
import { createPaint } from '../io.ts';
import type { CommandContext } from '../context.ts';
import { countProblems, problemsText } from '../../techne/count-problems.ts';
import { describeSkill, shadowsByName } from '../../techne/describe-skill.ts';
import { factWords, reasonsAgainst, refusalsIn } from '../../techne/skill-limits.ts';
import { displayPath, homePath } from '../../techne/paths.ts';
import { exitCodes } from '../exit-code.ts';
import { openLibrary, reportConfig } from '../open-library.ts';
import { counted, renderTable } from '../../base/render-table.ts';
import { listFacts } from '../../techne/list-facts.ts';

export async function runList(context: CommandContext): Promise<number> {
  const library = await openLibrary(context);
  reportConfig(context, library.loaded);
  const loaded = await library.load();
  const snapshot = onlySource(loaded, context);
  const factsOf = await listFacts(library, loaded, snapshot.skills);
  if (context.json) writeJson(context, snapshot, factsOf);
  else writeText(context, snapshot, factsOf);
  const strict = context.args.flag('strict');
  // Counting parses every head; JSON output skips that.
  if (context.json && !strict) return exitCodes.fine;
  const counts = countProblems(snapshot);
  const problems = problemsText(counts);
  if (!context.json && !context.quiet && problems !== null) context.err.line(problems);
  return strict && counts.error > 0 ? exitCodes.files : exitCodes.fine;
}

type Listed = Pick<Snapshot, 'skills' | 'shadowed' | 'refused' | 'diagnostics'>;
type FactsOf = (skill: Skill) => Facts;

/** Applies --source; files that are not skills have no source. */
function onlySource(snapshot: Snapshot, { args }: CommandContext): Listed {
  const source = args.value('source');
  if (source === null) return snapshot;
  const refused = snapshot.refused.filter((skill) => skill.source === source);
  return {
    skills: snapshot.skills.filter((skill) => skill.source === source),
    shadowed: snapshot.shadowed.filter(({ skill }) => skill.source === source),
    refused,
    diagnostics: refusalsIn({ refused, diagnostics: snapshot.diagnostics }),
  };
}

/**
 * `[{name, description, form, source, host, path, ready, visible, listed, executable, shadows}]`. With --all each skill also has
 * `reasons` [{code, message, hint}], and there follow shadowed ones, which have `shadowedBy` and `reason` instead of facts,
 * and what was skipped: `{skipped: true, code, message, path}`.
 */
function writeJson({ out, args }: CommandContext, snapshot: Listed, factsOf: FactsOf): void {
  const shadows = shadowsByName(snapshot.shadowed);
  const all = args.flag('all');
  const rows = snapshot.skills.map((skill) => {
    const facts = factsOf(skill);
    const described = describeSkill(skill, facts, shadows.get(skill.name) ?? []);
    return JSON.stringify(all ? { ...described, reasons: reasonsAgainst(facts) } : described);
  });
  if (all) {
    for (const { skill, winner, reason } of snapshot.shadowed) {
      const { name, description, source, file, root, card } = skill;
      rows.push(
        JSON.stringify({
          name,
          description,
          form: card.form,
          source,
          host: root.host,
          path: file,
          shadowedBy: winner.file,
          reason,
        }),
      );
    }
    for (const { code, message, path } of skippedIn(snapshot))
      rows.push(JSON.stringify({ skipped: true, code, message, path }));
  }
  // One skill per line.
  out.write(rows.length === 0 ? '[]\n' : `[\n${rows.map(escapeUnsafe).join(',\n')}\n]\n`);
}

/** Diagnostics of files and folders that are not skills. */
function skippedIn(snapshot: Listed): readonly Diagnostic[] {
  const skillFiles = new Set(
    [...snapshot.skills, ...snapshot.shadowed.map(({ skill }) => skill)].map(({ file }) => file),
  );
  return snapshot.diagnostics.filter(({ path }) => !skillFiles.has(path));
}

function writeText(context: CommandContext, snapshot: Listed, factsOf: FactsOf): void {
  const { out, args, columns, colour, quiet, io } = context;
  const paint = createPaint(colour);
  const facts = snapshot.skills.map((skill) => factsOf(skill));
  const rows = snapshot.skills.map((skill, at) => [
    ...identity(skill),
    factWords(facts[at] as (typeof facts)[number]),
    printableLine(skill.description),
  ]);
  if (rows.length > 0)
    out.write(renderTable([['NAME', 'SOURCE', 'FORM', 'FACTS', 'DESCRIPTION'], ...rows], columns));
  if (args.flag('all')) writeAll(context, snapshot, factsOf);
  if (quiet) return;
  const unready = facts.filter(({ ready }) => !ready.ok).length;
  const barred = facts.filter(({ visibleToUser }) =>
    visibleToUser.reasons.some(({ code }) => code === 'NOT_TRUSTED'),
  ).length;
  const unsound = facts.filter(({ sound }) => !sound.ok).length;
  const parts = [counted(snapshot.skills.length, 'skill')];
  if (unsound > 0) parts.push(`${unsound} cannot run`);
  if (unready > 0) parts.push(`${unready} not ready`);
  if (barred > 0) parts.push(`${barred} not offered`);
  if (snapshot.shadowed.length > 0) parts.push(`${snapshot.shadowed.length} shadowed`);
  if (snapshot.refused.length > 0) parts.push(`${snapshot.refused.length} refused`);
  if (rows.length > 0) out.line();
  out.line(paint.dim(parts.join(', ') + (parts.length > 1 && !args.flag('all') ? ' (--all shows why)' : '')));
  if (rows.length === 0)
    out.line(
      `No skills were found for ${printableLine(homePath(io.cwd, io))}. "techne new my-skill" creates one; "techne doctor" shows where techne looks.`,
    );
}

function identity(skill: Skill): readonly string[] {
  return [printableLine(skill.name), skill.source, skill.card.form];
}

function writeAll({ out, io, quiet }: CommandContext, snapshot: Listed, factsOf: FactsOf): void {
  const shown = (path: string): string => printableLine(displayPath(path, io));
  const against = snapshot.skills.flatMap((skill) => {
    const reasons = reasonsAgainst(factsOf(skill));
    return reasons.map(
      ({ code, message, hint }) =>
        `  ${printableLine(skill.name)}: ${code} ${printableLine(message)}${hint === null || quiet ? '' : ` (${printableLine(hint)})`}`,
    );
  });
  const shadowed = snapshot.shadowed.map(
    ({ skill, winner, reason }) =>
      `  ${printableLine(skill.name)}: ${shown(skill.file)}, shadowed by ${shown(winner.file)}: ${printableLine(reason)}`,
  );
  const skipped = skippedIn(snapshot).map(
    ({ code, path, message }) => `  ${shown(path)}: ${code} ${printableLine(message)}`,
  );
  for (const [title, lines] of [
    ['Limited:', against],
    ['Shadowed:', shadowed],
    ['Skipped:', skipped],
  ] as const) {
    if (lines.length > 0) out.write(`\n${title}\n${lines.join('\n')}\n`);
  }
}
