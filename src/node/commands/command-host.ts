// Commands of skills under the policy of this machine.
//
//   CommandCall × CommandCaller -> verdict                      (judge: decides, and performs nothing)
//   CommandCall × CommandCaller -> request of the shell -> outcome   (run)
//
// `judge` checks in this order: an empty command; a folder outside; commands.deny; an untrusted skill without a
// sandbox; a required sandbox that is missing or cannot be made; `never`; commands.allow; the operator's answer;
// `always`; else it asks. An answer never overrides a denial, and a broken approvals file grants nothing. A pattern of
// commands.allow covers a plain command: with variables or files of its own, the same words do something else.
//
// `always` holds for the exact command of the exact skill, and not if the folder of the skill has changed since the
// run began: the command may run a file of it. What the digest does not cover is hidden from the command
// (uncovered-files.ts). `run` checks folders and sandbox again, because days may pass between the two. The files of an entry point are written just before it starts, for trusted
// skills only, and all or none as far as policy decides; the values of variables passed by name are removed from its
// output.
import { TechneError } from '../../base/error.ts';
import { changesStartOf } from '../../base/start-variables.ts';
import type { Config } from '../../config/types.ts';
import { canonicalJson } from '../../base/json.ts';
import type { ApprovedCommand, Approvals } from './approvals.ts';
import { ConfinedFiles } from '../confined/confined-files.ts';
import { ToolFault } from '../../ports/tool.ts';
import { commandEnvironment, withoutValues } from './environment.ts';
import { withGuards } from './guard-variables.ts';
import { allows, denies, parseCommandPattern } from './pattern.ts';
import { placesForFiles, placesToReach, placeToRun } from './places.ts';
import { uncoveredFiles } from './uncovered-files.ts';
import { nodeSha256 } from '../environment.ts';
import { notStarted } from '../shell/launch.ts';
import type {
  Approval,
  CommandCall,
  CommandCaller,
  CommandHost,
  CommandVerdict,
} from '../../ports/command-host.ts';
import type { SandboxSpec, Shell } from '../../ports/shell.ts';

interface CommandHostOptions {
  readonly shell: Shell;
  /** Where commands run. */
  readonly workspace: string;
  readonly config: Pick<Config, 'commands' | 'sandbox'>;
  readonly approvals: Approvals;
  readonly variables: { readonly [name: string]: string | undefined };
  readonly homeFolder: string;
  /** The digest of what a skill folder holds now; `null` if unknown. Default: unknown. */
  readonly contentOf?: (folder: string) => Promise<string | null>;
  /** Where skills are and are looked for: commands do not write there. Default: none. */
  readonly skillPlaces?: readonly string[];
}

type Plan =
  | { readonly ok: true; readonly cwd: string; readonly sandbox: SandboxSpec | null }
  | { readonly ok: false; readonly reason: string };

export function createCommandHost({
  shell,
  workspace,
  config,
  approvals,
  variables,
  homeFolder,
  contentOf = async () => null,
  skillPlaces = [],
}: CommandHostOptions): CommandHost {
  const { mode } = config.sandbox;
  const places = { workspace, homeFolder, sandbox: config.sandbox, skillPlaces };
  const parsed = (text: string): { text: string; pattern: ReturnType<typeof parseCommandPattern> } => ({
    text,
    pattern: parseCommandPattern(text),
  });
  const allowed = config.commands.allow.map(parsed);
  const denied = config.commands.deny.map(parsed);

  function plan(
    { argv, cwd, environment, files = [] }: CommandCall,
    { skill, trusted, skillFolder }: CommandCaller,
  ): Plan {
    const no = (reason: string): Plan => ({ ok: false, reason });
    if (argv.length === 0 || argv[0] === '') return no('the command is empty');
    if (argv.some((text) => text.includes('\0')))
      return no('the command contains a NUL character, which cannot be passed to a program');
    const folder = placeToRun(places, cwd);
    if (!folder.ok) return no(folder.reason);
    for (const name of Object.keys(environment?.set ?? {})) {
      const what = changesStartOf(name);
      if (what !== null)
        return no(`a skill may not set the variable ${name}: it changes what ${what} loads or starts`);
    }
    if (files.length > 0 && !trusted) return no(`"${skill}" is not trusted, so no files are written for it`);
    const denial = denied.find(({ pattern }) => denies(pattern, argv));
    if (denial !== undefined) return no(`commands.deny has "${denial.text}"`);
    const bare = (): Plan => {
      const uncovered = uncoveredFiles(skill, skillFolder, false);
      return uncovered.ok ? { ok: true, cwd: folder.value, sandbox: null } : no(uncovered.reason);
    };
    if (mode === 'off')
      return trusted
        ? bare()
        : no(
            `"${skill}" is not trusted, so its commands run in a sandbox or not at all, and sandbox.mode is "off"`,
          );
    if (!shell.sandbox.available) {
      if (!trusted)
        return no(
          `"${skill}" is not trusted, so its commands run in a sandbox or not at all, and there is none: ${shell.sandbox.detail}`,
        );
      if (mode === 'required')
        return no(`sandbox.mode is "required", and there is no sandbox: ${shell.sandbox.detail}`);
      return bare();
    }
    // An untrusted skill may read the workspace and change nothing.
    const reach = placesToReach(
      trusted ? places : { ...places, sandbox: { ...config.sandbox, writeRoots: [] } },
      skillFolder,
    );
    if (!reach.ok) return no(reach.reason);
    const uncovered = uncoveredFiles(skill, skillFolder, true);
    if (!uncovered.ok) return no(uncovered.reason);
    const { hide } = uncovered;
    return {
      ok: true,
      cwd: folder.value,
      sandbox: hide.length === 0 ? reach.value : { ...reach.value, hide },
    };
  }

  /** Whether the folder of the skill is known to hold something else than the run was started with. An entry point is looked at by itself. */
  async function isChanged(
    { content }: CommandCall,
    { digest, skillFolder }: CommandCaller,
  ): Promise<boolean> {
    if (content !== undefined || skillFolder === null) return false;
    try {
      const now = await contentOf(skillFolder);
      return now !== null && now !== digest;
    } catch (error) {
      if (error instanceof TechneError) return true;
      throw error;
    }
  }

  /** Writes the files of an entry point. Why it cannot run, or `null`. */
  async function prepare(
    { content, files = [] }: CommandCall,
    { skill, skillFolder }: CommandCaller,
    mayWrite: (path: string) => boolean,
  ): Promise<string | null> {
    if (content !== undefined) {
      const now = skillFolder === null ? null : await contentOf(skillFolder);
      if (now !== content)
        return `the folder of "${skill}" does not hold what was checked when the run began; start it anew`;
    }
    if (files.length === 0) return null;
    const confined = new ConfinedFiles({
      roots: placesForFiles(places),
      guarded: skillFolder === null ? [] : [skillFolder],
    });
    try {
      for (const { path } of files) await confined.checkWrite(path, mayWrite);
      for (const { path, content: text } of files) await confined.writeText(path, text, mayWrite);
      return null;
    } catch (error) {
      if (error instanceof ToolFault) return `a file could not be written: ${error.message}`;
      throw error;
    }
  }

  return {
    async judge(call, caller, approval) {
      const planned = plan(call, caller);
      if (!planned.ok) return { kind: 'deny', reason: planned.reason };
      const terms = termsOf(planned.cwd, planned.sandbox);
      const pattern = allowed.find((each) => allows(each.pattern, call.argv));
      const given = givenBesides(call);
      const cover =
        pattern === undefined
          ? 'no pattern of commands.allow covers it'
          : `"${pattern.text}" of commands.allow covers the plain command, and this one has ${given}`;
      const why = `${cover}. It would run ${terms}${planned.sandbox !== null ? '' : ` (${mode === 'off' ? 'sandbox.mode is "off"' : shell.sandbox.detail})`}`;
      const command = commandOf(call, caller, planned.cwd, planned.sandbox !== null);
      const known = await recall(approvals, command);
      if (known.verdict === 'never')
        return {
          kind: 'deny',
          reason: `the operator said "never" to this command of "${command.skill}" (see "${approvals.file}")`,
        };
      if (pattern !== undefined && given === null) return { kind: 'allow' };
      if (approval !== null) return decide(approvals, command, approval, caller.approvedBy);
      if (known.verdict !== 'always')
        return {
          kind: 'approve',
          reason: known.fault === null ? why : `${why}. The approval cannot be saved: ${known.fault}`,
          terms,
        };
      return (await isChanged(call, caller))
        ? {
            kind: 'approve',
            reason: `the folder of "${command.skill}" has changed since the run began, so "always" does not cover it. It would run ${terms}`,
            terms,
          }
        : { kind: 'allow' };
    },

    async run(call, caller, context) {
      const planned = plan(call, caller);
      if (!planned.ok) return notStarted(planned.reason, context.signal.aborted);
      const terms = termsOf(planned.cwd, planned.sandbox);
      if (context.terms !== undefined && context.terms !== terms)
        return notStarted(
          `the operator approved that it runs ${context.terms}, and now it would run ${terms}`,
          context.signal.aborted,
        );
      const fault = await prepare(call, caller, context.mayWrite ?? (() => true));
      if (fault !== null) return notStarted(fault, context.signal.aborted);
      const { argv, timeoutMs, stdin, maxOutputBytes, environment: wanted } = call;
      const pass = wanted?.pass ?? [];
      const own = commandEnvironment(variables, [...config.commands.environment, ...pass]);
      const environment = { ...withGuards(own, planned.cwd), ...wanted?.set };
      const show = pass.length === 0 ? (text: string) => context.onOutput(text) : () => undefined;
      const outcome = await shell.run(
        {
          argv,
          cwd: planned.cwd,
          timeoutMs,
          environment,
          stdin,
          maxOutputBytes,
          sandbox: planned.sandbox,
          mark: markOf(caller),
          isRetry: (context.attempt ?? 1) > 1,
        },
        context.signal,
        show,
      );
      return pass.length === 0 ? outcome : withoutValues(outcome, pass, variables);
    },
  };
}

/** What a command gets that its words do not show; `null` for a plain command, which a pattern can cover. */
function givenBesides({ environment, files = [] }: CommandCall): string | null {
  const { set = {}, pass = [] } = environment ?? {};
  const parts = [
    ...[...Object.keys(set), ...pass].map((name) => `the variable ${name}`),
    ...files.map(({ path }) => `the file "${path}" written first`),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}

function commandOf(
  { argv, stdin, environment, files = [], content }: CommandCall,
  { skill, digest }: CommandCaller,
  cwd: string,
  sandboxed: boolean,
): ApprovedCommand {
  const isPlain = environment === undefined && files.length === 0;
  const given = isPlain
    ? stdin
    : canonicalJson({
        stdin,
        content: content ?? null,
        set: environment?.set ?? {},
        pass: environment?.pass ?? [],
        files: files.map(({ path, content: text }) => ({ path, text })),
      });
  return { skill, digest, argv, cwd, stdin: given === null ? null : nodeSha256(given), sandboxed };
}

async function decide(
  approvals: Approvals,
  command: ApprovedCommand,
  approval: Approval,
  by: string | undefined,
): Promise<CommandVerdict> {
  switch (approval) {
    case 'once':
      return { kind: 'allow' };
    case 'always':
      await remember(approvals, command, 'always', by);
      return { kind: 'allow' };
    case 'deny':
      return { kind: 'deny', reason: 'the operator said no to this command' };
    case 'never': {
      const fault = await remember(approvals, command, 'never', by);
      return {
        kind: 'deny',
        reason: `the operator said "never" to this command${fault === null ? '' : `, which could not be remembered: ${fault}`}`,
      };
    }
  }
}

async function recall(
  approvals: Approvals,
  command: ApprovedCommand,
): Promise<{ readonly verdict: 'always' | 'never' | null; readonly fault: string | null }> {
  try {
    return { verdict: await approvals.recall(command), fault: null };
  } catch (error) {
    if (!(error instanceof TechneError)) throw error;
    return { verdict: null, fault: error.message };
  }
}

/** Why it could not be remembered, or `null`. The answer still counts for this command. */
async function remember(
  approvals: Approvals,
  command: ApprovedCommand,
  verdict: 'always' | 'never',
  by: string | undefined,
): Promise<string | null> {
  try {
    await approvals.remember(command, verdict, by);
    return null;
  } catch (error) {
    if (!(error instanceof TechneError)) throw error;
    return error.message;
  }
}

/** The same for every attempt of the same command of a run. */
function markOf({ run, key }: CommandCaller): string {
  return nodeSha256(`${run} ${key}`).slice(0, 24);
}

/** Where it would run and what it could do there: what an operator approves. */
function termsOf(cwd: string, sandbox: SandboxSpec | null): string {
  if (sandbox === null) return `in "${cwd}" WITHOUT a sandbox`;
  const writes =
    sandbox.writeRoots.length === 0
      ? 'can write nowhere'
      : `can write to ${sandbox.writeRoots.map((root) => `"${root}"`).join(', ')}`;
  return `in "${cwd}" in a sandbox that ${writes} and has ${sandbox.network ? 'the whole network' : 'no network'}`;
}
