// techne run
//
// JSON: {status, run, skill, text, envelope, error: {code, message, hint}, questions, undecided, usage}; the exit code
// follows the status (exit-code.ts).
import { neverAborted } from '../../base/abort.ts';
import { TechneError } from '../../base/error.ts';
import type { SkillLibrary } from '../../techne/open-skills.ts';
import type { JsonObject } from '../../base/json.ts';
import { printableLine } from '../../base/printable.ts';
import type { InputFact } from '../../ports/skill-source.ts';
import { unknownKeys } from '../../run/start/check-input.ts';
import { requireTerminal } from '../ask-person.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { trustSkill } from '../grant-trust.ts';
import { openLibrary, reportConfig } from '../open-library.ts';
import { withTechne, driveRun } from '../run/drive-run.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { resolveSkill } from '../../techne/resolve-skill.ts';
import { adviseOnStart } from '../run/render-result.ts';
import { isReadable, LooseWord, likelyKey, neededFor, onlyTextKey } from '../../techne/run-input.ts';
import { limitsOf, readRunInput, shownLimits } from '../run/read-input.ts';
import { isAtTerminal } from '../io.ts';
import { usage } from '../parse-arguments.ts';

export async function runRun(context: CommandContext): Promise<number> {
  const { args, io, json } = context;
  const [given, ...words] = args.positionals;
  if (given === undefined && !isAtTerminal(io)) throw usage('NAME is missing', args.command);
  const skill = words.find((word) => !/[=@{]/.test(word));
  if (given !== undefined && /^[^\s=]+:?=/.test(given) && skill !== undefined)
    throw new TechneError(
      'USAGE',
      `"${printableLine(given.slice(0, 60))}" is an input, but the name of the skill comes first`,
      { hint: `techne run ${skill} ${given.slice(0, 60)} …` },
    );
  if (!args.flag('submit'))
    for (const name of ['queue', 'priority', 'key', 'deadline'])
      if (args.flag(name))
        throw new TechneError('USAGE', `--${name} is for --submit`, { hint: 'techne run NAME --submit' });
  const limits = limitsOf(args);
  const library = await openLibrary(context);
  if (!json) reportConfig(context, library.loaded);
  return withTechne(context, { library, answerer: args.value('answer') }, async (techne) => {
    const { snapshot } = techne;
    const name = given ?? (await pick(context, snapshot));
    if (name === null) return exitCodes.fine;
    const typed = await readWords(snapshot, name, [...args.values('input'), ...words], context);
    if (!context.quiet && typed !== null) await noteUnlisted(context, snapshot, name, typed);
    if (args.flag('trust') && !(await mayRun(context, library, snapshot, name))) return exitCodes.refused;
    const needed = await neededFor(snapshot, name, typed);
    const asks = isAtTerminal(io) && needed.length > 0 && (await library.isRunnable(snapshot, name)).ok;
    const input = asks ? await ask(context, name, needed, typed) : typed;
    if (asks && input === null) {
      context.err.line('Nothing was run.');
      return exitCodes.refused;
    }
    if (args.flag('submit')) {
      const { submitHere } = await import('../run/submit-run.ts');
      return submitHere(context, techne, { skill: name, input, limits });
    }
    return driveRun(context, techne, {
      before: null,
      limits: shownLimits(limits),
      namesAnswerer: args.value('answer') !== null,
      requireStatus: requiredStatus(args),
      begin: async (options) =>
        adviseOnStart(
          await techne.runs.start(snapshot, { skill: name, input, limits }, options),
          { words, needed },
          snapshot,
          io,
        ),
    });
  });
}

async function pick(context: CommandContext, snapshot: Snapshot): Promise<string | null> {
  const { pickSkill } = await import('../run/pick-skill.ts');
  return pickSkill(context, snapshot);
}

async function ask(
  context: CommandContext,
  name: string,
  needed: readonly InputFact[],
  given: JsonObject | null,
): Promise<JsonObject | null> {
  const { askInputs } = await import('../run/ask-inputs.ts');
  return askInputs(context, name, needed, given, neverAborted);
}

/** One text without a key is the value of the only text that the skill asks for. */
async function readWords(
  snapshot: Snapshot,
  name: string,
  words: readonly string[],
  { io, args }: CommandContext,
): Promise<JsonObject | null> {
  try {
    return await readRunInput(words, io);
  } catch (error) {
    if (!(error instanceof LooseWord)) throw error;
    // A misspelt name is the first thing to say.
    resolveSkill(snapshot, name);
    const key = await onlyTextKey(snapshot, name);
    const hint = await likelyKey(snapshot, name);
    if (key === null) throw new LooseWord(error.word, hint);
    if (words.some((word) => word.startsWith(`${key}=`) || word.startsWith(`${key}:=`)))
      throw usage(`"${printableLine(key)}" is given twice: by name, and as a text without one`, args.command);
    const at = words.indexOf(error.word);
    return await readRunInput(
      words.map((word, place) => (place === at ? `${key}=${word}` : word)),
      io,
    ).catch((again: unknown) => {
      throw again instanceof LooseWord ? new LooseWord(again.word, hint) : again;
    });
  }
}

/** Input keys that only the prose of a skill lists are not enforced, so an unknown key is only noted. */
async function noteUnlisted(
  { err }: CommandContext,
  snapshot: Snapshot,
  name: string,
  input: JsonObject,
): Promise<void> {
  if (!isReadable(snapshot, name) || (snapshot.get(name).head.inputs?.length ?? 0) > 0) return;
  const { inputKeys } = await snapshot.readBody(name);
  if (inputKeys.length === 0) return;
  for (const { key, meant } of unknownKeys(inputKeys, input)) {
    err.line(
      `techne: note: "${printableLine(name)}" lists no input "${printableLine(key)}"${meant === null ? '' : `; did you mean "${printableLine(meant)}"?`}`,
    );
  }
}

/** --require-status: a comma-separated list. */
function requiredStatus(args: CommandContext['args']): readonly string[] | null {
  const given = args.value('require-status');
  if (given === null) return null;
  const names = given
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length === 0)
    throw new TechneError('USAGE', '--require-status names no status', {
      hint: 'such as --require-status accepted,ok',
    });
  return names;
}

/** --trust: asks a person to trust the skill, unless it is trusted. */
async function mayRun(
  context: CommandContext,
  library: SkillLibrary,
  snapshot: Snapshot,
  name: string,
): Promise<boolean> {
  const skill = resolveSkill(snapshot, name);
  const { ok, reasons } = await library.isRunnable(snapshot, name);
  const lacksTrust = reasons.some(({ code }) => code === 'NOT_TRUSTED' || code === 'CHANGED_SINCE_TRUSTED');
  // Trust does not remove other obstacles: the run reports them.
  if (ok || !lacksTrust) return true;
  requireTerminal(context.io);
  if ((await trustSkill(context, library, skill, snapshot)) !== null) return true;
  context.err.line('The skill was not trusted, so it was not run.');
  return false;
}
