// techne skills stats, techne skills curate
//
// JSON: stats {days, since, chats, runs, isCut, faults, skills}, a skill is measure/health/count-uses.ts with {present}; with NAME one
// such skill. curate {days, isTooShort, suggestions, proposed, faults}.
import { TechneError } from '../../base/error.ts';
import { nearest } from '../../base/nearest.ts';
import { printableLine } from '../../base/printable.ts';
import { counted, renderTable } from '../../base/render-table.ts';
import type { SkillUse } from '../../measure/health/count-uses.ts';
import { countUses } from '../../measure/health/count-uses.ts';
import type { Suggestion } from '../../measure/health/curate.ts';
import type { MadeProposals } from '../../techne/health/curate-skills.ts';
import { curatorReport, proposeSuggestions } from '../../techne/health/curate-skills.ts';
import type { ReadUses } from '../../techne/health/read-uses.ts';
import { readUses } from '../../techne/health/read-uses.ts';
import { localTime } from '../../techne/local-time.ts';
import { withArchive } from '../../techne/open-archive.ts';
import { Proposals } from '../../techne/proposals/proposals.ts';
import { archivePlace } from '../archive-place.ts';
import { WaitingLine } from '../chat/waiting-line.ts';
import type { CommandContext } from '../context.ts';
import { listenForStop } from '../eval/stop.ts';
import { exitCodes } from '../exit-code.ts';
import { createPaint } from '../io.ts';
import { openLibrary, reportConfig } from '../open-library.ts';
import { numberOption } from '../parse-arguments.ts';
import { costText, countText } from '../run/describe-effect.ts';

const usualDays = 90;
const dayMs = 24 * 60 * 60 * 1000;

export async function runSkillsStats(context: CommandContext): Promise<number> {
  const { args, out, json, columns, colour } = context;
  const days = daysOf(context);
  const [name] = args.positionals;
  const library = await openLibrary(context);
  reportConfig(context, library.loaded);
  const snapshot = await library.load();
  const sinceMs = Date.now() - days * dayMs;
  const read = await readHere(context, sinceMs);
  if (typeof read === 'number') return read;
  const all = countUses(
    read.events,
    snapshot.skills.map((skill) => skill.name),
  ).map((use) => ({ ...use, present: snapshot.has(use.skill) }));
  const { chats, runs, isCut, faults } = read;
  if (name !== undefined) {
    const one = all.find(({ skill }) => skill === name);
    if (one === undefined) throw unknown(name, all);
    if (json) out.json({ days, ...one, lastUsed: isoOf(one.lastUsed) });
    else showOne(context, one, days);
    return endOf(context, read);
  }
  const shown = args.flag('all') ? all : all.filter(({ uses, misses }) => uses + misses > 0);
  if (json)
    out.json({
      days,
      since: new Date(sinceMs).toISOString(),
      chats,
      runs,
      isCut,
      faults,
      skills: shown.map((use) => ({ ...use, lastUsed: isoOf(use.lastUsed) })),
    });
  else if (shown.length === 0)
    out.line(`No use of a skill was recorded in the last ${counted(days, 'day')}.`);
  else {
    const paint = createPaint(colour);
    out.write(
      renderTable(
        [
          ['SKILL', 'USES', 'ACTIVATIONS', 'RUNS', 'FAILED', 'COST', 'MISSES', 'LAST USED'].map((title) =>
            paint.dim(title),
          ),
          ...shown.map((use) => [
            `${printableLine(use.skill)}${use.present ? '' : ' (gone)'}`,
            countText(use.uses),
            `${countText(use.activations)}${use.suggested === 0 ? '' : ` (${countText(use.suggested)} suggested)`}`,
            countText(use.runs),
            use.failures === 0 ? '0' : paint.red(countText(use.failures)),
            use.costMicros === 0 ? '' : costText(use.costMicros),
            countText(use.misses),
            use.lastUsed === null ? 'never' : localTime(new Date(use.lastUsed).toISOString()),
          ]),
        ],
        columns,
      ),
    );
  }
  return endOf(context, read);
}

export async function runSkillsCurate(context: CommandContext): Promise<number> {
  const { args, out, io, json, quiet } = context;
  const days = daysOf(context);
  const library = await openLibrary(context);
  reportConfig(context, library.loaded);
  const snapshot = await library.load();
  const nowMs = Date.now();
  const read = await readHere(context, nowMs - days * dayMs);
  if (typeof read === 'number') return read;
  const proposals = new Proposals({ library, homeFolder: io.homeFolder });
  const { suggestions, isTooShort } = curatorReport(proposals, snapshot, read, { days, nowMs });
  const proposed = args.flag('propose') ? await proposeSuggestions(proposals, snapshot, suggestions) : [];
  if (json) out.json({ days, isTooShort, suggestions, proposed, faults: read.faults });
  else {
    for (const suggestion of suggestions) showSuggestion(context, suggestion, proposed);
    if (suggestions.length === 0) out.line('There is nothing to suggest.');
    if (isTooShort && !quiet)
      out.line(
        `The records do not reach back ${counted(days, 'day')}, so nothing is called unused. A shorter time: --days.`,
      );
    const isOpen = suggestions.some(({ what }) => what === 'retire' || what === 'merge');
    if (isOpen && !quiet)
      out.line(
        args.flag('propose')
          ? '\nNothing changed yet. Review: techne proposals'
          : '\nNothing changed. To propose to merge and retire them: techne skills curate --propose',
      );
  }
  return endOf(context, read);
}

function daysOf({ args }: CommandContext): number {
  return numberOption(args, 'days', 1, 3650) ?? usualDays;
}

/** Gives an exit code when it was stopped. */
async function readHere(context: CommandContext, sinceMs: number): Promise<ReadUses | number> {
  const line = new WaitingLine(context);
  const stop = listenForStop(context);
  try {
    line.start('reading the history');
    const read = await withArchive(archivePlace(context), (archive) =>
      readUses({
        homeFolder: context.io.homeFolder,
        archive,
        sinceMs,
        signal: stop.signal,
        onProgress: (chats, runs) => {
          if ((chats + runs) % 50 === 0)
            line.start(`reading the history: ${counted(chats, 'conversation')}, ${counted(runs, 'run')}`);
        },
      }),
    );
    return stop.exitCode ?? read;
  } finally {
    line.stop();
    stop.close();
  }
}

function endOf({ err }: CommandContext, { faults, isCut }: ReadUses): number {
  for (const { id, reason } of faults)
    err.line(`warning: ${printableLine(id)} cannot be read: ${printableLine(reason)}`);
  if (isCut) err.line('warning: there is more than is looked at; older uses were left out');
  return faults.length > 0 ? exitCodes.files : exitCodes.fine;
}

function showOne({ out }: CommandContext, use: SkillUse & { readonly present: boolean }, days: number): void {
  const { skill, uses, activations, suggested, runs, failures, costMicros, tokens, lastUsed, misses } = use;
  out.line(`${printableLine(skill)}${use.present ? '' : ' (gone)'}, last ${counted(days, 'day')}`);
  out.write(
    renderTable(
      [
        ['  uses', countText(uses)],
        ['  activations', `${countText(activations)}, ${countText(suggested)} of them suggested`],
        ['  tokens in prompts', countText(tokens)],
        ['  runs', `${countText(runs)}, ${countText(failures)} of them failed`],
        ['  cost of runs', costMicros === 0 ? 'none recorded' : costText(costMicros)],
        ['  last used', lastUsed === null ? 'never' : localTime(new Date(lastUsed).toISOString())],
        ['  misses', countText(misses)],
      ],
      null,
    ),
  );
  for (const message of use.missed) out.line(`    "${printableLine(message)}"`);
}

function showSuggestion(
  { out, colour }: CommandContext,
  suggestion: Suggestion,
  proposed: readonly MadeProposals[],
): void {
  const paint = createPaint(colour);
  const { what, skill, reason } = suggestion;
  const into = suggestion.what === 'merge' ? ` into ${printableLine(suggestion.into)}` : '';
  out.line(`${paint.bold(what)} ${printableLine(skill)}${into}: ${printableLine(reason)}`);
  if (suggestion.what === 'sharpen')
    for (const message of suggestion.messages) out.line(`  "${printableLine(message)}"`);
  const made = proposed.find((one) => one.suggestion === suggestion);
  for (const { id, kind, skill: of, state } of made?.proposals ?? [])
    out.line(`  proposal ${id}: ${kind} ${printableLine(of)} (${state})`);
  if (made !== undefined && made.refused !== null) out.line(`  not proposed: ${printableLine(made.refused)}`);
}

function unknown(name: string, all: readonly SkillUse[]): TechneError {
  const near = nearest(
    name,
    all.map(({ skill }) => skill),
  );
  return new TechneError(
    'SKILL_UNKNOWN',
    `there is no skill "${printableLine(name)}", and no use of one is recorded`,
    near === null ? {} : { hint: `did you mean "${near}"?` },
  );
}

function isoOf(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString();
}
