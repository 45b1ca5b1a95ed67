// The environment of a command: what it needs to work, and what the configuration names.
//
// V1. A list of what is passed on: keys, tokens and sockets of agents stay behind unless commands.environment names them.
// V2. What changes how programs are loaded is never passed on: it would reach bubblewrap itself.
// V3. Of PATH only absolute entries: any other means the folder the command runs in.
import { delimiter, isAbsolute } from 'node:path';
import type { CommandOutcome } from '../../ports/shell.ts';

const passedOn = /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|NO_COLOR|TMPDIR)$/;
const passedOnOnWindows =
  /^(?:Path|PATHEXT|SystemRoot|SYSTEMROOT|windir|ComSpec|TEMP|TMP|USERPROFILE|APPDATA|LOCALAPPDATA|ProgramFiles|ProgramData)$/;
/** Shorter values could be part of anything. */
const shortestSecret = 6;
const loaderVariable = /^(?:LD_|DYLD_|GLIBC_TUNABLES$)/;

export function isLoaderVariable(name: string): boolean {
  return loaderVariable.test(name);
}

/** The output without the values of these variables: they are secrets more often than not. */
export function withoutValues(
  outcome: CommandOutcome,
  names: readonly string[],
  variables: { readonly [name: string]: string | undefined },
): CommandOutcome {
  const hide = (text: string): string =>
    names.reduce(
      (shown, name) =>
        (variables[name]?.length ?? 0) < shortestSecret
          ? shown
          : shown.replaceAll(variables[name] as string, `[${name}]`),
      text,
    );
  return {
    ...outcome,
    stdout: hide(outcome.stdout),
    stderr: hide(outcome.stderr),
    combined: hide(outcome.combined),
  };
}

export function commandEnvironment(
  variables: { readonly [name: string]: string | undefined },
  named: readonly string[],
): { readonly [name: string]: string } {
  const environment: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined || value.includes('\0') || loaderVariable.test(name)) continue;
    if (
      passedOn.test(name) ||
      (process.platform === 'win32' && passedOnOnWindows.test(name)) ||
      named.includes(name)
    )
      environment[name] = value;
  }
  const path = (environment['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .join(delimiter);
  environment['PATH'] = path === '' ? '/usr/local/bin:/usr/bin:/bin' : path;
  return environment;
}
