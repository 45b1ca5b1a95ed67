// techne test
//
// JSON: {ok, passed, failed, skills: [{skill, path, tests: [{name, file, line, ok, faults: [{what, message, expected,
// got, line}]}]}], without: [name], diagnostics: [{code, severity, path, line, …}]}.
// The exit code is 1 if a test failed or a test file has an error. Skills without tests do not fail.
import { printableLine } from '../../base/printable.ts';
import { renderDiagnostic } from '../../base/render-diagnostic.ts';
import { placeOf } from '../../base/span.ts';
import { describeOutcome } from '../../measure/testing/describe-outcome.ts';
import { testSkills } from '../../measure/testing/test-skills.ts';
import type { SkillTests } from '../../measure/testing/test-skills.ts';
import type { TestOutcome } from '../../measure/testing/skill-test.ts';
import { createPaint } from '../io.ts';
import type { CommandContext } from '../context.ts';
import { describeDiagnostic } from '../../base/describe-diagnostic.ts';
import { displayPath } from '../../techne/paths.ts';
import { exitCodes } from '../exit-code.ts';
import { openLibrary, reportConfig } from '../open-library.ts';
import { counted } from '../../base/render-table.ts';
import { chooseSkills } from '../test/choose-skills.ts';
import { renderFault } from '../test/render-fault.ts';

export async function runTest(context: CommandContext): Promise<number> {
  const { args, json, out } = context;
  const library = await openLibrary(context);
  if (!json) reportConfig(context, library.loaded);
  const wanted = args.value('filter')?.toLowerCase() ?? null;
  const tested: SkillTests[] = [];
  const testable = new Set<string>();
  for (const { snapshot, skills, elsewhere } of await chooseSkills(context, library)) {
    // A named skill is always reported: nothing to test must not look like success.
    for (const { name, card } of skills)
      if (card.form !== 'instructions' || (args.positionals.length > 0 && skills.length === 1))
        testable.add(name);
    tested.push(
      ...(await testSkills({
        snapshot,
        files: library.files,
        skills,
        elsewhere,
        filter: ({ name, path }) => wanted === null || `${name}\n${path}`.toLowerCase().includes(wanted),
        onSkill: (tests) => (json ? undefined : writeSkill(context, tests)),
      })),
    );
  }
  const outcomes = tested.flatMap((one) => one.outcomes);
  const failed = outcomes.filter(({ ok }) => !ok).length;
  const faulty = tested.some(({ diagnostics }) => diagnostics.length > 0);
  const without = tested
    .filter(
      ({ skill, texts, diagnostics }) => testable.has(skill) && texts.size === 0 && diagnostics.length === 0,
    )
    .map(({ skill }) => skill);
  // A filter that matches nothing is likely a mistake.
  const nothing = wanted !== null && outcomes.length === 0;
  const ok = failed === 0 && !faulty && !nothing;
  if (json) {
    out.json({
      ok,
      passed: outcomes.length - failed,
      failed,
      skills: tested
        .filter(({ texts }) => texts.size > 0)
        .map((one) => ({
          skill: one.skill,
          path: one.folder,
          tests: one.outcomes.map((outcome) => describeOutcome(one, outcome)),
        })),
      without,
      diagnostics: tested.flatMap(({ diagnostics, texts }) =>
        diagnostics.map((diagnostic) => describeDiagnostic(diagnostic, texts.get(diagnostic.path) ?? null)),
      ),
    });
  } else writeEnd(context, { tested, outcomes, failed, without, nothing });
  return ok ? exitCodes.fine : exitCodes.files;
}

function writeSkill(
  context: CommandContext,
  { skill, folder, outcomes, diagnostics, texts }: SkillTests,
): void {
  const { out, io, quiet, colour } = context;
  const paint = createPaint(colour);
  for (const diagnostic of diagnostics) {
    out.line(
      renderDiagnostic(
        { ...diagnostic, path: displayPath(diagnostic.path, io), hint: quiet ? null : diagnostic.hint },
        texts.get(diagnostic.path) ?? null,
        { colour },
      ),
    );
  }
  const shown = quiet ? outcomes.filter(({ ok }) => !ok) : outcomes;
  if (shown.length === 0) return;
  out.line(`${paint.bold(printableLine(skill))}  ${paint.dim(printableLine(displayPath(folder, io)))}`);
  const said = new Set<string>();
  for (const { test, ok, faults } of shown) {
    const text = texts.get(test.path) ?? '';
    const place = `${displayPath(test.path, io)}:${placeOf(text, test.span.start).line}`;
    out.line(
      `  ${ok ? paint.green('ok') : paint.red('FAILED')}  ${printableLine(test.name)}${ok ? '' : `  ${paint.dim(printableLine(place))}`}`,
    );
    for (const fault of faults) {
      // A program that does not compile fails every test in the same way.
      const isSaid = fault.message.includes('PROGRAM_INVALID') && said.has(fault.message);
      said.add(fault.message);
      for (const line of isSaid ? ['the same: the program has errors'] : renderFault(fault, text, paint))
        out.line(line === '' ? '' : `      ${line}`);
    }
  }
}

interface End {
  readonly tested: readonly SkillTests[];
  readonly outcomes: readonly TestOutcome[];
  readonly failed: number;
  readonly without: readonly string[];
  readonly nothing: boolean;
}

function writeEnd(
  { out, args, quiet, colour }: CommandContext,
  { tested, outcomes, failed, without, nothing }: End,
): void {
  const paint = createPaint(colour);
  if (nothing)
    out.line(`No test has "${printableLine(args.value('filter') ?? '')}" in its name or file name.`);
  const skills = tested.filter(({ outcomes: own }) => own.length > 0).length;
  const faulty = new Set(tested.flatMap(({ diagnostics }) => diagnostics.map(({ path }) => path))).size;
  const tally = `${outcomes.length - failed} passed, ${failed} failed`;
  out.line(
    `${failed > 0 ? paint.red(tally) : tally} in ${counted(skills, 'skill')}${faulty === 0 ? '' : paint.red(`; ${counted(faulty, 'test file')} with errors`)}`,
  );
  if (without.length === 0 || quiet) return;
  out.line(
    paint.dim(
      `${counted(without.length, 'skill')} without tests: ${without
        .slice(0, 20)
        .map((name) => printableLine(name))
        .join(', ')}${without.length > 20 ? ` and ${without.length - 20} more` : ''}`,
    ),
  );
}
