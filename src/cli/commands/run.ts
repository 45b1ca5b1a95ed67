// techne run
//
// JSON: {status, run, skill, text, envelope, error: {code, message, hint}, questions, undecided, usage}; the exit code
// follows the status (exit-code.ts).
import type { SkillLibrary } from '../../host/open-skills.ts';
import { requireTerminal } from '../ask-person.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { trustSkill } from '../grant-trust.ts';
import { openLibrary } from '../open-library.ts';
import { reportConfig } from '../report-config.ts';
import { resolveSkill } from '../resolve-skill.ts';
import { driveRun } from '../run/drive-run.ts';
import { limitsOf, shownLimits } from '../run/limits.ts';
import { readRunInput } from '../run/read-input.ts';

export async function runRun(context: CommandContext): Promise<number> {
  const { args, io, json } = context;
  const [name = '', ...words] = args.positionals;
  const limits = limitsOf(args);
  const input = await readRunInput([...args.values('input'), ...words], io);
  const library = await openLibrary(context);
  if (!json) reportConfig(context, library.loaded);
  if (args.flag('trust') && !(await mayRun(context, library, name))) return exitCodes.refused;
  return driveRun(context, {
    library,
    answerer: args.value('answer'),
    before: null,
    limits: shownLimits(limits),
    begin: ({ runner }, answerer, signal) => runner.start({ skill: name, input, limits, answerer, signal }),
  });
}

/** --trust: asks a person, when there is something to be asked. */
async function mayRun(context: CommandContext, library: SkillLibrary, name: string): Promise<boolean> {
  const snapshot = await library.load();
  const skill = resolveSkill(snapshot, name);
  const { ok, reasons } = await library.isRunnable(snapshot, name);
  const lacksTrust = reasons.some(({ code }) => code === 'NOT_TRUSTED' || code === 'CHANGED_SINCE_TRUSTED');
  // Anything else that is in the way, trust does not mend: the run says what it is.
  if (ok || !lacksTrust) return true;
  requireTerminal(context.io);
  if ((await trustSkill(context, library, skill, snapshot)) !== null) return true;
  context.err.line('Nothing was trusted, so nothing was run.');
  return false;
}
