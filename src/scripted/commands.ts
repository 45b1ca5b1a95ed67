// Scripted results of commands; nothing runs on this machine.
//
// A command takes the first unused result for its argv, and judging it again takes the same one. A command without a
// result is denied and reported.
import type { ScriptedCommand } from './script-file.ts';
import { fitsArgv } from './script-file.ts';
import type { CommandCall, CommandHost } from '../ports/command-host.ts';
import type { CommandOutcome } from '../ports/shell.ts';

export interface ScriptedCommandHost extends CommandHost {
  unused(): readonly ScriptedCommand[];
  /** As if a command had been judged: what a run did before this process. */
  take(argv: readonly string[]): void;
}

export function createScriptedCommands(
  commands: readonly ScriptedCommand[],
  onUnexpected: (argv: readonly string[]) => void = () => {},
): ScriptedCommandHost {
  const used = new Set<ScriptedCommand>();
  /** By run and key. */
  const taken = new Map<string, ScriptedCommand>();
  const takeFor = (argv: readonly string[]): ScriptedCommand | null => {
    const found = commands.find((command) => !used.has(command) && fitsArgv(command.argv, argv)) ?? null;
    if (found !== null) used.add(found);
    return found;
  };
  const of = (
    { argv }: CommandCall,
    caller: { readonly run: string; readonly key: string },
  ): ScriptedCommand | null => {
    const place = `${caller.run} ${caller.key}`;
    const found = taken.get(place) ?? takeFor(argv);
    if (found !== null) taken.set(place, found);
    return found;
  };
  return {
    unused: () => commands.filter((command) => !used.has(command)),
    take: (argv) => void takeFor(argv),
    async judge(call, caller) {
      const scripted = of(call, caller);
      if (scripted === null) {
        onUnexpected(call.argv);
        return { kind: 'deny', reason: `the script has no result for ${JSON.stringify(call.argv)}` };
      }
      return scripted.denied === null ? { kind: 'allow' } : { kind: 'deny', reason: scripted.denied };
    },
    async run(call, caller) {
      const scripted = of(call, caller);
      if (scripted === null) throw new Error(`the script has no result for ${JSON.stringify(call.argv)}`);
      return outcomeOf(scripted);
    },
  };
}

/** An exit code of -1 is a command that could not be started. */
function outcomeOf(command: ScriptedCommand): CommandOutcome {
  const { exitCode, stdout, stderr, output, signal, timedOut } = command;
  const started = exitCode >= 0 || signal !== null;
  return {
    started,
    fault: started ? null : stderr || 'it could not be started',
    exitCode: started && !timedOut && signal === null ? exitCode : null,
    signal,
    timedOut,
    aborted: false,
    stdout,
    stderr: started ? stderr : '',
    combined: started ? (output ?? stdout + stderr) : '',
    truncated: false,
    durationMs: 0,
  };
}
