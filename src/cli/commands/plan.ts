// techne plan
//
// Prints the plan to standard output and its diagnostics to standard error; with inputs, also what would come of it.
//
// JSON: {plan, diagnostics}; plan is null when the skill has an error that keeps it from running. `plan` is as in src/plan/plan.ts.
import { basename, dirname, resolve, sep } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { renderDiagnostic } from '../../base/render-diagnostic.ts';
import type { Plan } from '../../plan/plan.ts';
import { renderPlanMermaid } from '../../plan/render-mermaid.ts';
import { renderPlanSvg } from '../../plan/render-svg.ts';
import { renderPlanText } from '../../plan/render-text.ts';
import type { CommandContext } from '../context.ts';
import { describeDiagnostic } from '../../base/describe-diagnostic.ts';
import { displayPath } from '../../techne/paths.ts';
import { exitCodes } from '../exit-code.ts';
import { openLibrary, reportConfig } from '../open-library.ts';
import { planSkill } from '../../techne/plan-skill.ts';
import { counted } from '../../base/render-table.ts';
import type { SkillLibrary } from '../../techne/open-skills.ts';
import { namedRoot } from '../../techne/open-skills.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { Skill } from '../../registry/types.ts';
import { createPaint } from '../io.ts';
import { previewRun } from '../run/preview-run.ts';
import { readRunInput } from '../run/read-input.ts';
import { openNotes } from '../../techne/open-notes.ts';
import { resolveSkill } from '../../techne/resolve-skill.ts';

const renderers: { readonly [format: string]: (plan: Plan) => string } = {
  text: renderPlanText,
  mermaid: renderPlanMermaid,
  svg: renderPlanSvg,
};

export async function runPlan(context: CommandContext): Promise<number> {
  const { args, out, err, io, colour, columns, quiet } = context;
  const format = args.value('format') ?? (context.json ? 'json' : 'text');
  if (context.json && format !== 'json')
    throw new TechneError('USAGE', `--json and --format ${format} contradict each other`, {
      hint: 'give one of them',
    });
  const library = await openLibrary(context);
  reportConfig(context, library.loaded);
  const [given, ...words] = args.positionals;
  const { snapshot, skill } = await resolvePlanSkill(library, io.cwd, given as string);
  const { plan, diagnostics, textAt } = await planSkill(library, snapshot, skill);
  const { head } = skill;

  if (format === 'json')
    out.json({
      plan,
      diagnostics: diagnostics.map((diagnostic) => describeDiagnostic(diagnostic, textAt(diagnostic.path))),
    });
  else if (plan !== null) {
    out.write((renderers[format] as (plan: Plan) => string)(plan));
    if (words.length > 0 && format === 'text') {
      const notes = plan.note === undefined ? null : openNotes(library, snapshot);
      out.write(
        `\n${await previewRun({
          snapshot,
          skill: skill.name,
          input: await readRunInput(words, io),
          notes: new Map(notes?.graph.nodes().map(({ path }) => [path, notes.vault.textOf(path)])),
          noteFolders: library.loaded.config.graph.folders,
          paint: createPaint(colour),
        })}`,
      );
    }
  }
  if (format !== 'json') {
    const errors = diagnostics.filter(
      ({ severity, code }) => severity === 'error' || code === head.bar?.code,
    );
    for (const diagnostic of errors)
      err.line(
        renderDiagnostic({ ...diagnostic, path: displayPath(diagnostic.path, io) }, textAt(diagnostic.path), {
          colour,
          width: Math.min(columns ?? 100, 140) - 2,
        }),
      );
    const warnings = diagnostics.filter(({ severity }) => severity === 'warning').length;
    if (warnings > 0 && !quiet)
      err.line(
        `${counted(warnings, 'warning')} about the plan: techne check ${displayPath(skill.folder, io)} shows them`,
      );
  }
  return plan === null ? exitCodes.files : exitCodes.fine;
}

/** The SKILL argument is a name or a path: a word with a slash, or that ends in .md, is a path. */
async function resolvePlanSkill(
  library: SkillLibrary,
  cwd: string,
  given: string,
): Promise<{ readonly snapshot: Snapshot; readonly skill: Skill }> {
  if (!given.includes('/') && !given.includes(sep) && !given.endsWith('.md')) {
    const snapshot = await library.load();
    return { snapshot, skill: resolveSkill(snapshot, given) };
  }
  const path = resolve(cwd, given);
  const folder = basename(path).toLowerCase() === 'skill.md' ? dirname(path) : path;
  if (library.files.stat(folder) === null)
    throw new TechneError('FILE_MISSING', `"${given}" does not exist`, {
      hint: `techne looked for it at "${path}"`,
    });
  const snapshot = await library.load([namedRoot(folder)]);
  const skill = snapshot.skills.find((one) => one.folder === folder) ?? snapshot.skills[0];
  if (skill === undefined)
    throw new TechneError('SKILL_UNKNOWN', `"${given}" is not a skill`, {
      hint: 'give the name of a skill, its folder or its SKILL.md',
    });
  return { snapshot, skill };
}
