// The ports of a run that travels: what they are asked names recorded places, what performs it has those of this machine.
//
// After everything that may have written files, `afterWrite` keeps them before the answer is given. So an outcome is
// recorded only when the files that it speaks of are kept, and whoever continues the run has them.
import type { Approvals } from '../node/commands/approvals.ts';
import type { Artifacts } from '../ports/artifacts.ts';
import type { CommandCaller, CommandHost, CommandVerdict } from '../ports/command-host.ts';
import type { NoteHost } from '../ports/note-host.ts';
import type { SkillSource } from '../ports/skill-source.ts';
import type { ToolHost } from '../ports/tool-host.ts';
import type { Places } from './places.ts';
import { mapObject, mapTexts, skillsPlace, workspacePlace } from './places.ts';

export interface TravelHosts {
  readonly places: Places;
  /** Throws where the run must not continue. */
  readonly afterWrite: () => Promise<void>;
}

/** The ports of a run that came from elsewhere. */
export interface TravelledHosts {
  /** Where it works, as it records it. */
  readonly workspace: string;
  readonly approvals: Approvals;
  skills(source: SkillSource, folderOf: (name: string) => string | null): SkillSource;
  commands(host: CommandHost): CommandHost;
  tools(host: ToolHost): ToolHost;
  artifacts(artifacts: Artifacts): Artifacts;
  notes(host: NoteHost): NoteHost;
}

export function createTravelledHosts(hosts: TravelHosts, approvals: Approvals): TravelledHosts {
  return {
    workspace: workspacePlace,
    approvals: travellingApprovals(approvals, hosts.places),
    skills: travellingSkills,
    commands: (host) => travellingCommands(host, hosts),
    tools: (host) => travellingTools(host, hosts),
    artifacts: (artifacts) => travellingArtifacts(artifacts, hosts.places),
    notes: (host) => travellingNotes(host, hosts),
  };
}

/** `folderOf`: where the skill of a name is on this machine; null: there is none. */
export function travellingSkills(
  source: SkillSource,
  folderOf: (name: string) => string | null,
): SkillSource {
  const recorded = <T extends { readonly name: string; readonly folder: string | null }>(
    skill: T | null,
  ): T | null =>
    skill === null || skill.folder === null ? skill : { ...skill, folder: `${skillsPlace}/${skill.name}` };
  return {
    names: () => source.names(),
    find: async (name) => recorded(await source.find(name)),
    ...(source.findForStep === undefined
      ? {}
      : { findForStep: async (name: string) => recorded((await source.findForStep?.(name)) ?? null) }),
    mayContinue: (skill) =>
      source.mayContinue({ ...skill, folder: skill.folder === null ? null : folderOf(skill.name) }),
  };
}

function travellingCommands(host: CommandHost, { places, afterWrite }: TravelHosts): CommandHost {
  const { toHere, toRecord } = places;
  const here = (call: Parameters<CommandHost['run']>[0]): Parameters<CommandHost['run']>[0] => ({
    ...call,
    argv: call.argv.map(toHere),
    cwd: call.cwd === null ? null : toHere(call.cwd),
    stdin: call.stdin === null ? null : toHere(call.stdin),
    ...(call.environment === undefined
      ? {}
      : {
          environment: {
            ...call.environment,
            set: mapObject(call.environment.set, toHere) as { readonly [name: string]: string },
          },
        }),
    ...(call.files === undefined
      ? {}
      : {
          files: call.files.map(({ path, content }) => ({ path: toHere(path), content: toHere(content) })),
        }),
  });
  return {
    judge: async (call, caller, approval) =>
      recordedVerdict(await host.judge(here(call), callerHere(caller, toHere), approval), toRecord),
    async run(call, caller, context) {
      const { terms } = context;
      const outcome = await host.run(here(call), callerHere(caller, toHere), {
        ...context,
        ...(terms === undefined ? {} : { terms: toHere(terms) }),
        onOutput: (text) => context.onOutput(toRecord(text)),
      });
      if (outcome.started) await afterWrite();
      const { fault, stdout, stderr, combined } = outcome;
      return {
        ...outcome,
        fault: fault === null ? null : toRecord(fault),
        stdout: toRecord(stdout),
        stderr: toRecord(stderr),
        combined: toRecord(combined),
      };
    },
  };
}

function travellingTools(host: ToolHost, { places, afterWrite }: TravelHosts): ToolHost {
  const { toHere, toRecord } = places;
  return {
    list: () => host.list(),
    find: (name) => host.find(name),
    judge: async (call, caller, approval) =>
      recordedVerdict(
        await host.judge(
          { ...call, args: mapObject(call.args, toHere) },
          callerHere(caller, toHere),
          approval,
        ),
        toRecord,
      ),
    async call(call, caller, context) {
      const { terms } = context;
      const outcome = await host.call(
        { ...call, args: mapObject(call.args, toHere) },
        callerHere(caller, toHere),
        { ...context, ...(terms === undefined ? {} : { terms: toHere(terms) }) },
      );
      // What only looks is often called; what failed may have written before.
      await afterWrite();
      return outcome.ok
        ? { ...outcome, text: toRecord(outcome.text), value: mapTexts(outcome.value, toRecord) }
        : { ...outcome, message: toRecord(outcome.message) };
    },
    close: () => host.close(),
  };
}

function travellingArtifacts(artifacts: Artifacts, { toHere, toRecord }: Places): Artifacts {
  return {
    async look(path) {
      const fact = await artifacts.look(toHere(path));
      return fact.reason === null ? fact : { ...fact, reason: toRecord(fact.reason) };
    },
  };
}

function travellingNotes(host: NoteHost, { afterWrite }: TravelHosts): NoteHost {
  return {
    judge: (caller) => host.judge(caller),
    prepare: (request, pathFault) => host.prepare(request, pathFault),
    read: (path) => host.read(path),
    async replace(path, before, after) {
      const done = await host.replace(path, before, after);
      await afterWrite();
      return done;
    },
  };
}

/** Lasting decisions name recorded places, so that they hold on every worker. */
function travellingApprovals(approvals: Approvals, { toRecord }: Places): Approvals {
  return {
    file: approvals.file,
    recall: (command) => approvals.recall({ ...command, cwd: toRecord(command.cwd) }),
    remember: (command, verdict, by) =>
      approvals.remember({ ...command, cwd: toRecord(command.cwd) }, verdict, by),
  };
}

function callerHere(caller: CommandCaller, toHere: (text: string) => string): CommandCaller {
  return caller.skillFolder === null ? caller : { ...caller, skillFolder: toHere(caller.skillFolder) };
}

function recordedVerdict(verdict: CommandVerdict, toRecord: (text: string) => string): CommandVerdict {
  if (verdict.kind === 'allow') return verdict;
  if (verdict.kind === 'deny') return { ...verdict, reason: toRecord(verdict.reason) };
  const { terms } = verdict;
  return {
    ...verdict,
    reason: toRecord(verdict.reason),
    ...(terms === undefined ? {} : { terms: toRecord(terms) }),
  };
}
