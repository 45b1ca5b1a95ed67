// techne learn
//
// JSON: {from, chats, runs, calls, isCut, faults, learned}; each of `learned` is {name, digest, count, sources, examples, steps, inputs,
// outcome}, where outcome.what is known, would-propose, proposed or refused.
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import { counted } from '../../base/render-table.ts';
import type { ChatModel } from '../../ports/model.ts';
import type { LearnedRoutine } from '../../techne/learn/learn.ts';
import { learn, learnedJson } from '../../techne/learn/learn.ts';
import type { LearnFrom, ReadWork } from '../../techne/learn/read-work.ts';
import { findSource, readWork } from '../../techne/learn/read-work.ts';
import { localDay } from '../../techne/local-time.ts';
import { withArchive } from '../../techne/open-archive.ts';
import type { SkillLibrary } from '../../techne/open-skills.ts';
import { Proposals } from '../../techne/proposals/proposals.ts';
import { archivePlace } from '../archive-place.ts';
import { WaitingLine } from '../chat/waiting-line.ts';
import type { CommandContext } from '../context.ts';
import { openEvalModel } from '../eval/open-eval-model.ts';
import { listenForStop } from '../eval/stop.ts';
import { exitCodes } from '../exit-code.ts';
import { createPaint } from '../io.ts';
import { openLibrary, reportConfig } from '../open-library.ts';
import { answererSpec, numberOption } from '../parse-arguments.ts';

const usualDays = 30;

export async function runLearn(context: CommandContext): Promise<number> {
  const { args, io, out, err, json } = context;
  const most = numberOption(args, 'limit', 1, 50) ?? 5;
  const wantedLeast = numberOption(args, 'least', 1, 1000);
  const isEverywhere = args.flag('everywhere');
  const dryRun = args.flag('dry-run');
  const library = await openLibrary(context);
  reportConfig(context, library.loaded);
  const model = dryRun ? null : await openModel(context, library);
  const line = new WaitingLine(context);
  const stop = listenForStop(context);
  try {
    line.start('reading the history');
    const { from, work } = await withArchive(archivePlace(context), async (archive) => {
      const { homeFolder } = io;
      const source = await findSource(args.value('from') ?? `${usualDays}d`, {
        homeFolder,
        archive,
        nowMs: Date.now(),
      });
      return {
        from: source,
        work: await readWork({
          homeFolder,
          archive,
          from: source,
          workspace: isEverywhere ? null : archive.workspace,
          signal: stop.signal,
          onProgress: (chats, runs) => {
            if ((chats + runs) % 50 === 0)
              line.start(`reading the history: ${counted(chats, 'conversation')}, ${counted(runs, 'run')}`);
          },
        }),
      };
    });
    const learned = stop.signal.aborted
      ? []
      : await learn({
          proposals: new Proposals({ library, homeFolder: io.homeFolder }),
          work,
          least: wantedLeast ?? (from.kind === 'since' ? 3 : 1),
          most,
          scope: isEverywhere ? 'user' : null,
          model,
          dryRun,
          signal: stop.signal,
          onProgress: (text) => line.start(text),
        });
    line.stop();
    for (const { id, reason } of work.faults)
      err.line(`warning: ${printableLine(id)} cannot be read: ${printableLine(reason)}`);
    if (json) {
      const { chats, runs, calls, isCut, faults } = work;
      out.json({ from, chats, runs, calls, isCut, faults, learned: learned.map(learnedJson) });
    } else show(context, from, work, learned);
    if (stop.exitCode !== null) err.line('stopped; what was proposed before stays proposed');
    const isWhole = work.faults.length === 0 && learned.every(({ outcome }) => outcome.what !== 'refused');
    return stop.exitCode ?? (isWhole ? exitCodes.fine : exitCodes.files);
  } finally {
    line.stop();
    stop.close();
  }
}

/** Without a wish: a model of the configuration, or none. */
async function openModel(context: CommandContext, library: SkillLibrary): Promise<ChatModel | null> {
  const { args, io } = context;
  const wanted = answererSpec(args.value('answer'), io.cwd);
  if (args.flag('no-model')) {
    if (wanted !== null)
      throw new TechneError('USAGE', '--no-model and --answer exclude each other', {
        hint: 'leave one of them out',
      });
    return null;
  }
  if (wanted !== null) return openEvalModel(context, library, wanted, 'techne learn');
  return Object.keys(library.loaded.config.models).length === 0
    ? null
    : openEvalModel(context, library, null, 'techne learn');
}

function show(
  context: CommandContext,
  from: LearnFrom,
  { chats, runs, calls, isCut, works }: ReadWork,
  learned: readonly LearnedRoutine[],
): void {
  const { out, err, quiet, colour } = context;
  const paint = createPaint(colour);
  const where =
    from.kind === 'since'
      ? `since ${localDay(from.sinceMs)}: ${counted(chats, 'conversation')}, ${counted(runs, 'run')}`
      : `in the ${from.kind === 'chat' ? 'conversation' : 'run'} ${from.id}`;
  out.line(`Looked at ${counted(calls, 'call')} ${where}.`);
  if (isCut) err.line('warning: there is more than is looked at; older work was left out');
  const isDry = context.args.flag('dry-run');
  const fresh = learned.filter(({ outcome }) => outcome.what !== 'known');
  for (const one of fresh) {
    out.line();
    showRoutine(context, one);
  }
  const known = learned.flatMap(({ name, routine: { count }, outcome }) =>
    outcome.what === 'known'
      ? [`  ${name}, ${counted(count, 'time')}: ${printableLine(outcome.reason)}`]
      : [],
  );
  if (known.length > 0) {
    out.line(`\n${paint.bold('Not proposed again')}`);
    for (const text of known) out.line(text);
  }
  if (fresh.length === 0 && known.length === 0)
    out.line(
      works.length === 0
        ? 'There is no work to learn from yet.'
        : 'Nothing was done again often enough to be worth a skill.',
    );
  if (fresh.length > 0 && !quiet)
    out.line(
      fresh.some(({ outcome }) => outcome.what === 'proposed')
        ? '\nNothing is installed yet. Review: techne proposals'
        : isDry
          ? '\nNothing was proposed. Leave out --dry-run to propose it.'
          : '\nNothing was proposed.',
    );
}

function showRoutine({ out, colour }: CommandContext, { routine, name, outcome }: LearnedRoutine): void {
  const paint = createPaint(colour);
  const { count, sources, steps, inputs, examples } = routine;
  out.line(
    `${paint.bold(name)}: done ${counted(count, 'time')}, in ${sources === 1 ? 'one conversation or run' : `${sources} conversations or runs`} (${examples.map(({ kind, id }) => `${kind === 'chat' ? 'chat' : 'run'} ${id}`).join(', ')}${sources > examples.length ? ' …' : ''})`,
  );
  for (const [index, step] of steps.entries())
    out.line(
      `  ${index + 1}. ${step.kind === 'skill' ? 'run' : step.kind} ${printableLine(step.text)}${step.repeats ? ' (several times)' : ''}`,
    );
  if (inputs.length > 0)
    out.line(
      `  inputs: ${inputs.map((input) => `${input.name} (${input.isSecret ? 'secret' : input.type})`).join(', ')}`,
    );
  if (outcome.what === 'refused')
    out.line(`  ${paint.red('Not proposed')}: ${printableLine(outcome.reason)}`);
  if (outcome.what !== 'proposed') return;
  const { proposal, report, draft, note } = outcome;
  const failed = report.checks.filter((check) => check.outcome === 'failed');
  out.line(
    `  Proposed as ${proposal.id} (${draft === 'model' ? 'drafted by the model' : 'a scaffold'}); ${failed.length === 0 ? paint.green('no check failed') : paint.red(`failed: ${failed.map((check) => check.name).join(', ')}`)}`,
  );
  if (note !== null) out.line(`  ${printableLine(note)}`);
}
