// The environment of a command: what it needs to work, and what the configuration names.
//
// Keys, tokens and agent sockets are not passed on unless commands.environment names them. Variables that change how
// programs are loaded are never passed on: they would reach bubblewrap itself. PATH keeps only absolute entries: any
// other means the folder the command runs in.
import { delimiter, isAbsolute } from 'node:path';
import { changesStartOf } from '../../base/start-variables.ts';
import type { CommandOutcome } from '../../ports/shell.ts';

const passedOn = /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|NO_COLOR|TMPDIR)$/;
const passedOnOnWindows =
  /^(?:Path|PATHEXT|SystemRoot|SYSTEMROOT|windir|ComSpec|TEMP|TMP|USERPROFILE|APPDATA|LOCALAPPDATA|ProgramFiles|ProgramData)$/;
/** Shorter values would match by accident. */
const shortestSecret = 6;

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
    if (value === undefined || value.includes('\0') || changesStartOf(name) === 'the dynamic linker')
      continue;
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
