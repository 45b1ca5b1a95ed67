// techne __complete: names for the completion scripts.
//
// Shells expand the offered words, so only names with plain characters are offered.
import { archivePlace } from '../archive-place.ts';
import { TechneError } from '../../base/error.ts';
import { configKeys } from '../../config/keys.ts';
import { foldRun, openQuestions } from '../../journal/run-state.ts';
import type { CommandContext } from '../context.ts';
import { openLibrary } from '../open-library.ts';
import { withArchive } from '../../techne/open-archive.ts';
import type { RunArchive } from '../../techne/open-archive.ts';

/** The most names to offer. */
const maxRuns = 50;

const plain = /^[A-Za-z0-9][A-Za-z0-9._-]*(?::?=)?$/;

export async function runComplete(context: CommandContext): Promise<number> {
  const [what = '', of = ''] = context.args.positionals;
  const names = await namesOf(context, what, of);
  context.out.write(
    names
      .filter((name) => plain.test(name))
      .map((name) => `${name}\n`)
      .join(''),
  );
  return 0;
}

async function namesOf(context: CommandContext, what: string, of: string): Promise<readonly string[]> {
  switch (what) {
    case 'key':
      return configKeys.map((key) => key.path);
    case 'skill':
    case 'executable': {
      const { skills } = await (await openLibrary(context)).load();
      return skills
        .filter(({ card }) => what === 'skill' || (card.form !== 'instructions' && card.bar === null))
        .map(({ name }) => name);
    }
    case 'input':
      return inputsOf(context, of);
    case 'waiting':
      return waitingRuns(context);
    default:
      return withArchive(archivePlace(context), async ({ index }) => [
        'last',
        ...(await index.names(maxRuns)),
      ]);
  }
}

/** `task=`, and `count:=` for a value that is not text. */
async function inputsOf(context: CommandContext, name: string): Promise<readonly string[]> {
  const snapshot = await (await openLibrary(context)).load();
  if (!snapshot.has(name)) return [];
  const { head } = snapshot.get(name);
  if (head.inputs === null || head.inputs.length === 0)
    return (await snapshot.readBody(name)).inputKeys.map(({ key }) => `${key}=`);
  return head.inputs.map(
    ({ key, schema }) =>
      `${key}${schema?.['type'] === undefined || schema['type'] === 'string' ? '=' : ':='}`,
  );
}

async function waitingRuns(context: CommandContext): Promise<readonly string[]> {
  return withArchive(archivePlace(context), async ({ index, store }) => {
    const names = await index.names(maxRuns);
    const waiting: string[] = [];
    for (const run of names) if (await waits(store, run)) waiting.push(run);
    return waiting[0] === names[0] && waiting.length > 0 ? ['last', ...waiting] : waiting;
  });
}

async function waits(store: RunArchive['store'], run: string): Promise<boolean> {
  try {
    const state = foldRun(await store.read(run));
    return state.ended === null && openQuestions(state).length > 0;
  } catch (error) {
    // An unreadable run does not wait for an answer.
    if (error instanceof TechneError) return false;
    throw error;
  }
}
