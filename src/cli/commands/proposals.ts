// techne proposals
//
// JSON: a proposal is its record (proposals/proposal.ts), a report {proposal, checks, risk, declaredRisk, capabilities, verdict,
// unknownSkills}. `list` gives {proposals, faults, frozen}; `show` and `check` {proposal, report}; `diff` {proposal, files}; `history`
// {entries, torn}; `auto` an array of {proposal, what, reason}; the others the proposal.
import { resolve } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import { counted, renderTable } from '../../base/render-table.ts';
import type { CheckName, Proposal, ProposalReport } from '../../proposals/proposal.ts';
import type { AutoOutcome } from '../../techne/proposals/auto-enable.ts';
import { autoEnable } from '../../techne/proposals/auto-enable.ts';
import { checkNamesInOrder } from '../../techne/proposals/check-proposal.ts';
import { Proposals } from '../../techne/proposals/proposals.ts';
import { createJsonlEvents } from '../../node/events/jsonl.ts';
import { localTime } from '../../techne/local-time.ts';
import { displayPath } from '../../techne/paths.ts';
import { askPerson, requirePerson } from '../ask-person.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { trustSkill } from '../grant-trust.ts';
import { createPaint } from '../io.ts';
import type { Paint } from '../io.ts';
import { openLibrary, reportConfig } from '../open-library.ts';
import { fileChanges } from '../../techne/proposals/file-changes.ts';
import { renderChanges } from '../proposals/render-changes.ts';

async function open(context: CommandContext): Promise<Proposals> {
  const library = await openLibrary(context);
  reportConfig(context, library.loaded);
  return new Proposals({ library, homeFolder: context.io.homeFolder });
}

/** With `--events`: what changes is written there, all of it before the command ends. */
async function withEvents<T>(
  context: CommandContext,
  work: (proposals: Proposals) => Promise<T>,
): Promise<T> {
  const { args, io, err } = context;
  const library = await openLibrary(context);
  reportConfig(context, library.loaded);
  const file = args.value('events');
  const sink =
    file === null
      ? null
      : createJsonlEvents({
          target: resolve(io.cwd, file),
          onFault: (error) => err.line(`warning: events cannot be written: ${printableLine(error.message)}`),
        });
  try {
    return await work(
      new Proposals({ library, homeFolder: io.homeFolder, onEvent: (event) => sink?.onEvent(event) }),
    );
  } finally {
    await sink?.close();
  }
}

const idOf = ({ args }: CommandContext): string => args.positionals[0] as string;
const reasonOf = ({ args }: CommandContext, otherwise: string): string => args.value('reason') ?? otherwise;

async function runList(context: CommandContext): Promise<number> {
  const { out, err, json, args, columns, quiet } = context;
  const { queue } = await open(context);
  const { proposals, faults } = await queue.list();
  const frozen = await queue.isFrozen();
  const shown = args.flag('all')
    ? proposals
    : proposals.filter(({ state }) => state === 'pending' || state === 'stale');
  for (const { path, message } of faults)
    err.line(
      `warning: ${printableLine(displayPath(path, context.io))} cannot be used: ${printableLine(message)}`,
    );
  if (json) out.json({ proposals: shown, faults, frozen });
  else if (shown.length === 0) out.line('No proposal waits.');
  else
    out.write(
      renderTable(
        [
          ['ID', 'STATE', 'CHANGE', 'SKILL', 'BY', 'MADE', 'WHY'],
          ...shown.map(({ id, state, kind, skill, origin, madeAt, why }) => [
            id,
            state,
            kind,
            printableLine(skill),
            `${origin.by}, ${origin.surface}`,
            localTime(madeAt),
            printableLine(why).slice(0, 60),
          ]),
        ],
        columns,
      ),
    );
  if (frozen && !quiet) err.line('Frozen: nothing takes effect without you (techne proposals unfreeze).');
  return faults.length > 0 ? exitCodes.files : exitCodes.fine;
}

async function runShow(context: CommandContext): Promise<number> {
  const proposals = await open(context);
  const proposal = await proposals.queue.get(idOf(context));
  const report = (await proposals.queue.report(proposal.id)) ?? (await proposals.check(proposal.id)).report;
  const { entries } = await proposals.history(proposal.id);
  if (context.json) context.out.json({ proposal, report, history: entries });
  else {
    describe(context, proposal);
    writeChecks(context, report);
    context.out.line('\nHistory');
    for (const entry of entries)
      context.out.line(
        `  ${localTime(entry.at)} ${entry.act} by ${printableLine(entry.by)}: ${printableLine(entry.reason)}`,
      );
  }
  return exitCodes.fine;
}

async function runDiff(context: CommandContext): Promise<number> {
  const proposals = await open(context);
  const proposal = await proposals.queue.get(idOf(context));
  return showDiff(context, proposals, proposal);
}

async function showDiff(context: CommandContext, { queue }: Proposals, proposal: Proposal): Promise<number> {
  const changes = fileChanges(await queue.tree(proposal, 'base'), await queue.tree(proposal, 'candidate'));
  const report = await queue.report(proposal.id);
  if (context.json)
    context.out.json({ proposal, files: changes.map(({ path, what, lines }) => ({ path, what, lines })) });
  else
    for (const line of renderChanges(changes, report, createPaint(context.colour)))
      context.out.write(`${line}\n`);
  return exitCodes.fine;
}

async function runCheck(context: CommandContext): Promise<number> {
  const proposals = await open(context);
  const given = context.args.positionals[0];
  const ids =
    given === undefined
      ? (await proposals.queue.list()).proposals
          .filter(({ state }) => state === 'pending' || state === 'stale')
          .map(({ id }) => id)
      : [(await proposals.queue.get(given)).id];
  const all: { readonly proposal: Proposal; readonly report: ProposalReport }[] = [];
  for (const id of ids) all.push(await proposals.check(id));
  const outcomes = await autoEnable(proposals);
  if (context.json) context.out.json(given === undefined ? all : all[0]);
  else
    for (const { proposal, report } of all) {
      describe(context, proposal);
      writeChecks(context, report);
      const auto = outcomes.find((one) => one.proposal.id === proposal.id);
      if (auto !== undefined) context.out.line(`  without you: ${auto.what}: ${printableLine(auto.reason)}`);
      context.out.line();
    }
  if (!context.json && all.length === 0) context.out.line('No proposal waits.');
  return all.some(({ report }) => report.checks.some(({ outcome }) => outcome === 'failed'))
    ? exitCodes.files
    : exitCodes.fine;
}

async function runAccept(context: CommandContext): Promise<number> {
  const { args, io } = context;
  const despite = args.values('despite').map((name) => {
    if ((checkNamesInOrder as readonly string[]).includes(name)) return name as CheckName;
    throw new TechneError('USAGE', `there is no check "${printableLine(name)}"`, {
      hint: `the checks are ${checkNamesInOrder.join(', ')}`,
    });
  });
  requirePerson(io, 'accepting a proposal', 'run it in a terminal; agents cannot accept proposals');
  return withEvents(context, (proposals) => decide(context, proposals, despite));
}

async function decide(
  context: CommandContext,
  proposals: Proposals,
  despite: readonly CheckName[],
): Promise<number> {
  const { err, json, out } = context;
  const { proposal, report } = await proposals.check(idOf(context));
  // What is shown here is what is installed below: the digests go along.
  const shown = { base: proposal.base, candidate: proposal.candidate };
  const page = { ...context, out: err, json: false };
  describe(page, proposal);
  await showDiff(page, proposals, proposal);
  writeChecks(page, report);
  const failed = report.checks.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name);
  const although =
    failed.length === 0 ? '' : ` although ${counted(failed.length, 'check')} failed (${failed.join(', ')})`;
  if (
    !(await askPerson(
      context,
      `${proposal.id}: ${proposal.kind} ${printableLine(proposal.skill)}${although}?`,
    ))
  ) {
    err.line('Nothing was changed.');
    return exitCodes.files;
  }
  const done = await proposals.accept(proposal.id, {
    shown,
    despite,
    reason: reasonOf(context, 'accepted at a terminal'),
  });
  if (json) out.json(done);
  else
    out.line(
      `Accepted: ${done.kind} ${printableLine(done.skill)}. Take it back with: techne proposals rollback ${done.id}`,
    );
  if (done.candidate !== null) {
    const library = await openLibrary(context);
    const snapshot = await library.load();
    const name = done.newName ?? done.skill;
    if (snapshot.has(name) && (await snapshot.manifest(name)).digest === done.candidate)
      await trustSkill(context, library, snapshot.get(name), snapshot);
  }
  return exitCodes.fine;
}

async function runReject(context: CommandContext): Promise<number> {
  requirePerson(context.io, 'rejecting a proposal', 'run it in a terminal');
  const done = await (await open(context)).reject(idOf(context), reasonOf(context, 'rejected at a terminal'));
  return said(context, done, `Rejected: ${done.kind} ${printableLine(done.skill)}.`);
}

async function runEdit(context: CommandContext): Promise<number> {
  requirePerson(context.io, 'changing a proposal', 'run it in a terminal');
  const [, folder = ''] = context.args.positionals;
  const proposals = await open(context);
  const done = await proposals.replace(
    idOf(context),
    resolve(context.io.cwd, folder),
    reasonOf(context, 'replaced at a terminal'),
  );
  return said(context, done, `Proposed: ${done.kind} ${printableLine(done.skill)}, proposal ${done.id}.`);
}

async function runRollback(context: CommandContext): Promise<number> {
  requirePerson(context.io, 'rolling back a proposal', 'run it in a terminal');
  const done = await withEvents(context, (proposals) =>
    proposals.rollback(idOf(context), 'person', reasonOf(context, 'rolled back at a terminal')),
  );
  return said(context, done, `Rolled back: ${done.kind} ${printableLine(done.skill)}.`);
}

async function runHistory(context: CommandContext): Promise<number> {
  const { entries, torn } = await (await open(context)).history(context.args.positionals[0] ?? null);
  if (context.json) context.out.json({ entries, torn });
  else {
    for (const { at, proposal, act, by, reason } of entries)
      context.out.line(
        `${localTime(at)}  ${proposal ?? '-'.padEnd(16)}  ${act} by ${printableLine(by)}: ${printableLine(reason)}`,
      );
    if (entries.length === 0) context.out.line('Nothing was proposed yet.');
    for (const line of torn) context.err.line(`warning: line ${line} of the audit cannot be read`);
  }
  return torn.length > 0 ? exitCodes.files : exitCodes.fine;
}

async function runAuto(context: CommandContext): Promise<number> {
  const outcomes = await withEvents(context, autoEnable);
  if (context.json) context.out.json(outcomes);
  else if (outcomes.length === 0) context.out.line('No proposal waits.');
  else for (const outcome of outcomes) context.out.line(autoLine(outcome));
  return exitCodes.fine;
}

function autoLine({ proposal, what, reason }: AutoOutcome): string {
  return `${proposal.id} ${what}: ${proposal.kind} ${printableLine(proposal.skill)}: ${printableLine(reason)}`;
}

/** Anybody may stop; only a person starts again. */
async function runFreeze(context: CommandContext): Promise<number> {
  await (await open(context)).queue.setFrozen(true, reasonOf(context, 'frozen'));
  if (context.json) context.out.json({ frozen: true });
  else context.out.line('Frozen: nothing takes effect without you.');
  return exitCodes.fine;
}

async function runUnfreeze(context: CommandContext): Promise<number> {
  requirePerson(context.io, 'unfreezing proposals', 'run it in a terminal');
  await (await open(context)).queue.setFrozen(false, reasonOf(context, 'unfrozen at a terminal'));
  if (context.json) context.out.json({ frozen: false });
  else context.out.line('Proposals can take effect by proposals.autoEnable again.');
  return exitCodes.fine;
}

function said({ out, json }: CommandContext, proposal: Proposal, text: string): number {
  if (json) out.json(proposal);
  else out.line(text);
  return exitCodes.fine;
}

function describe({ out, io }: CommandContext, proposal: Proposal): void {
  const { id, kind, skill, newName, state, folder, why, origin, madeAt, base, candidate } = proposal;
  out.line(
    `Proposal ${id}: ${kind} ${printableLine(skill)}${newName === null ? '' : ` to ${printableLine(newName)}`} (${state})`,
  );
  out.line(`  in      ${printableLine(displayPath(folder, io))}`);
  out.line(
    `  by      ${origin.by} (${[origin.surface, origin.client, origin.model].flatMap((one) => (one === null || one === undefined ? [] : [printableLine(one)])).join(', ')}), ${localTime(madeAt)}`,
  );
  for (const [name, value] of [
    ['chat', origin.conversation],
    ['run', origin.run],
  ] as const)
    if (value !== null) out.line(`  ${name.padEnd(7)} ${printableLine(value)}`);
  out.line(`  why     ${printableLine(why)}`);
  out.line(`  from    ${base ?? 'nothing'}`);
  out.line(`  into    ${candidate ?? 'nothing'}`);
}

function writeChecks({ out, colour }: CommandContext, report: ProposalReport): void {
  const paint = createPaint(colour);
  out.line(
    `\nChecks: ${report.risk} risk (declared: ${report.declaredRisk ?? 'nothing'}), guard: ${report.verdict}`,
  );
  for (const { name, outcome, reason, details } of report.checks) {
    out.line(`  ${mark(outcome, paint)} ${name}: ${printableLine(reason)}`);
    if (outcome === 'failed')
      for (const detail of details.slice(0, 10)) out.line(`      ${printableLine(detail)}`);
  }
}

function mark(outcome: 'passed' | 'failed' | 'skipped', paint: Paint): string {
  return outcome === 'passed'
    ? paint.green('passed ')
    : outcome === 'failed'
      ? paint.red('failed ')
      : paint.yellow('skipped');
}

export const proposalCommands = {
  list: runList,
  show: runShow,
  diff: runDiff,
  check: runCheck,
  accept: runAccept,
  reject: runReject,
  edit: runEdit,
  rollback: runRollback,
  history: runHistory,
  auto: runAuto,
  freeze: runFreeze,
  unfreeze: runUnfreeze,
} as const;
