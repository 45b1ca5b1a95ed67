// Opens techne for a command line: with its skill library and its answerer.
import { resolve } from 'node:path';
import type { OpenTechne, OpenTechneOptions } from '../techne/create-techne.ts';
import { openTechne } from '../techne/create-techne.ts';
import type { SkillLibrary } from '../techne/open-skills.ts';
import { isAtTerminal } from './ask-person.ts';
import type { CommandContext } from './context.ts';
import { answererSpec } from './parse-arguments.ts';

interface WithTechneOptions extends Pick<
  OpenTechneOptions,
  'snapshot' | 'onEvent' | 'onWarning' | 'watched'
> {
  readonly library: SkillLibrary;
  /** The value of --answer; null chooses the first available answerer. */
  readonly answerer: string | null;
}

/** Closes it after `work`, also if `work` fails. */
export async function withTechne<T>(
  context: CommandContext,
  options: WithTechneOptions,
  work: (techne: OpenTechne) => Promise<T>,
): Promise<T> {
  const techne = await openTechneFor(context, options);
  try {
    return await work(techne);
  } finally {
    await techne.close();
  }
}

function openTechneFor(
  { io, args }: CommandContext,
  { answerer, ...options }: WithTechneOptions,
): Promise<OpenTechne> {
  const record = args.value('record');
  return openTechne({
    ...options,
    homeFolder: io.homeFolder,
    variables: io.env,
    answerer: answererSpec(answerer, io.cwd),
    record: record === null ? null : resolve(io.cwd, record),
    terminal: isAtTerminal(io),
  });
}
