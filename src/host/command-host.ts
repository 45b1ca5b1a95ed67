// Commands of skills under the policy of this machine.
//
//   CommandCall × CommandCaller -> verdict                      (judge: decides, and performs nothing)
//   CommandCall × CommandCaller -> request of the shell -> outcome   (run)
//
// Q1. The order of `judge`: not a command; a folder outside; denied; not trusted and no sandbox; a sandbox that is
//     required and missing, or that cannot be made; allowed; refused for good; the operator's answer; approved for good; ask.
// Q2. No answer of an operator gets past a denial. `always` holds for exactly this command of exactly this skill: argv,
//     input, folder, the digest of the skill, and not without the sandbox if it was given for one in it. `never` holds
//     for the argv and the name of the skill, whatever else changes.
// Q3. An approvals file that cannot be used grants nothing: the operator is asked, and told why.
// Q4. `run` looks at places and sandbox again: between the two an operator may have taken days to answer.
import { TechneError } from '../base/error.ts';
import type { Config } from '../config/types.ts';
import type { ApprovedCommand, Approvals } from './approvals.ts';
import { commandEnvironment } from './command-policy-environment.ts';
import { allows, denies, parsePattern } from './command-policy-pattern.ts';
import { placesToReach, placeToRun } from './command-policy-places.ts';
import { nodeSha256 } from './node-environment.ts';
import { notStarted } from './node-shell-launch.ts';
import type { Approval, CommandCall, CommandCaller, CommandHost, CommandVerdict } from './ports/command-host.ts';
import type { SandboxSpec, Shell } from './ports/shell.ts';

export interface CommandHostOptions {
  readonly shell: Shell;
  /** Where commands run. */
  readonly workspace: string;
  readonly config: Pick<Config, 'commands' | 'sandbox'>;
  readonly approvals: Approvals;
  readonly variables: { readonly [name: string]: string | undefined };
  readonly homeFolder: string;
}

type Plan = { readonly ok: true; readonly cwd: string; readonly sandbox: SandboxSpec | null } | { readonly ok: false; readonly reason: string };

export function createCommandHost({ shell, workspace, config, approvals, variables, homeFolder }: CommandHostOptions): CommandHost {
  const { mode } = config.sandbox;
  const places = { workspace, homeFolder, sandbox: config.sandbox };
  const allowed = config.commands.allow.map(parsePattern);
  const denied = config.commands.deny.map((text) => ({ text, pattern: parsePattern(text) }));

  function plan({ argv, cwd }: CommandCall, { skill, trusted, skillFolder }: CommandCaller): Plan {
    const no = (reason: string): Plan => ({ ok: false, reason });
    if (argv.length === 0 || argv[0] === '') return no('the command is empty');
    if (argv.some((text) => text.includes('\0'))) return no('the command holds a NUL character, which no program can be given');
    const folder = placeToRun(places, cwd);
    if (!folder.ok) return no(folder.reason);
    const denial = denied.find(({ pattern }) => denies(pattern, argv));
    if (denial !== undefined) return no(`commands.deny has "${denial.text}"`);
    if (mode === 'off') return trusted ? { ok: true, cwd: folder.value, sandbox: null } : no(`"${skill}" is not trusted, so its commands run in a sandbox or not at all, and sandbox.mode is "off"`);
    if (!shell.sandbox.available) {
      if (!trusted) return no(`"${skill}" is not trusted, so its commands run in a sandbox or not at all, and there is none: ${shell.sandbox.detail}`);
      if (mode === 'required') return no(`sandbox.mode is "required", and there is no sandbox: ${shell.sandbox.detail}`);
      return { ok: true, cwd: folder.value, sandbox: null };
    }
    // What nobody vouches for may look at the workspace, and change nothing.
    const reach = placesToReach(trusted ? places : { ...places, sandbox: { ...config.sandbox, writeRoots: [] } }, skillFolder);
    return reach.ok ? { ok: true, cwd: folder.value, sandbox: reach.value } : no(reach.reason);
  }

  return {
    async judge(call, caller, approval) {
      const planned = plan(call, caller);
      if (!planned.ok) return { kind: 'deny', reason: planned.reason };
      if (allowed.some((pattern) => allows(pattern, call.argv))) return { kind: 'allow' };
      return decide(approvals, commandOf(call, caller, planned.cwd, planned.sandbox !== null), approval, askWhy(planned.cwd, planned.sandbox, shell.sandbox.detail, mode));
    },

    async run(call, caller, context) {
      const planned = plan(call, caller);
      if (!planned.ok) return notStarted(planned.reason, context.signal.aborted);
      const { argv, timeoutMs, stdin, maxOutputBytes } = call;
      const environment = commandEnvironment(variables, config.commands.environment);
      return shell.run({ argv, cwd: planned.cwd, timeoutMs, environment, stdin, maxOutputBytes, sandbox: planned.sandbox }, context.signal, (text) => context.onOutput(text));
    },
  };
}

function commandOf({ argv, stdin }: CommandCall, { skill, digest }: CommandCaller, cwd: string, sandboxed: boolean): ApprovedCommand {
  return { skill, digest, argv, cwd, stdin: stdin === null ? null : nodeSha256(stdin), sandboxed };
}

async function decide(approvals: Approvals, command: ApprovedCommand, approval: Approval | null, why: string): Promise<CommandVerdict> {
  const known = await recall(approvals, command);
  if (known.verdict === 'never') return { kind: 'deny', reason: `the operator said "never" to this command of "${command.skill}" (see "${approvals.file}")` };
  switch (approval) {
    case 'once':
      return { kind: 'allow' };
    case 'always':
      await remember(approvals, command, 'always');
      return { kind: 'allow' };
    case 'deny':
      return { kind: 'deny', reason: 'the operator said no to this command' };
    case 'never': {
      const fault = await remember(approvals, command, 'never');
      return { kind: 'deny', reason: `the operator said "never" to this command${fault === null ? '' : `, which could not be remembered: ${fault}`}` };
    }
    case null:
      return known.verdict === 'always' ? { kind: 'allow' } : { kind: 'approve', reason: known.fault === null ? why : `${why}. Nothing can be remembered: ${known.fault}` };
  }
}

async function recall(approvals: Approvals, command: ApprovedCommand): Promise<{ readonly verdict: 'always' | 'never' | null; readonly fault: string | null }> {
  try {
    return { verdict: await approvals.recall(command), fault: null };
  } catch (error) {
    if (!(error instanceof TechneError)) throw error;
    return { verdict: null, fault: error.message };
  }
}

/** Why it could not be remembered, or `null`. What was answered counts for this command all the same. */
async function remember(approvals: Approvals, command: ApprovedCommand, verdict: 'always' | 'never'): Promise<string | null> {
  try {
    await approvals.remember(command, verdict);
    return null;
  } catch (error) {
    if (!(error instanceof TechneError)) throw error;
    return error.message;
  }
}

function askWhy(cwd: string, sandbox: SandboxSpec | null, detail: string, mode: string): string {
  const list = 'no pattern of commands.allow covers it';
  if (sandbox === null) return `${list}. It would run in "${cwd}" WITHOUT a sandbox (${mode === 'off' ? 'sandbox.mode is "off"' : detail})`;
  const writes = sandbox.writeRoots.length === 0 ? 'can write nowhere' : `can write to ${sandbox.writeRoots.map((root) => `"${root}"`).join(', ')}`;
  return `${list}. It would run in "${cwd}" in a sandbox that ${writes} and has ${sandbox.network ? 'the whole network' : 'no network'}`;
}
