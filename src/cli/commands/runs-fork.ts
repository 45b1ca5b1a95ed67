// techne runs fork
//
// JSON: as for techne run; `run` is the new run.
import { archivePlace } from '../archive-place.ts';
import { basename } from 'node:path';
import { decodeUtf8 } from '../../base/utf8.ts';
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import { describeFaults } from '../../base/diagnostic.ts';
import { compileProgram } from '../../run/program/program-interpreter.ts';
import { emptyObject, isJsonObject } from '../../base/json.ts';
import type { JsonObject } from '../../base/json.ts';
import { editOutcome } from '../../run/history/edit-outcome.ts';
import type { ForkEdits, ForkRequest } from '../../run/history/fork.ts';
import type { EffectView, RunView } from '../../run/history/inspect.ts';
import type { CommandContext } from '../context.ts';
import { openLibraryOf } from '../open-library.ts';
import { withTechne, driveRun } from '../run/drive-run.ts';
import { adviseOnInput } from '../run/render-result.ts';
import { parseValue } from '../../techne/run-input.ts';
import { limitsOf, shownLimits, readRunInput } from '../run/read-input.ts';
import { withArchive } from '../../techne/open-archive.ts';
import { readBytes } from '../star/read-program.ts';

const maxProgramBytes = 64 * 1024;

export async function runRunsFork(context: CommandContext): Promise<number> {
  const { args, io } = context;
  const given = limitsOf(args);
  const input = await readRunInput(args.values('input'), io);
  const view = await withArchive(archivePlace(context), async ({ runner, find }) =>
    runner.inspect(await find(args.positionals[0] as string)),
  );
  const files = await programEdit(context, view);
  const from = args.value('from');
  const edits: ForkEdits = {
    ...(input === null ? {} : { input: { ...(isJsonObject(view.input) ? view.input : {}), ...input } }),
    ...(files === null ? {} : { files }),
    ...(args.values('edit').length === 0 ? {} : { outcomes: outcomesOf(args.values('edit'), view) }),
    ...(Object.keys(given).length === 0 ? {} : { limits: given }),
  };
  const request: ForkRequest = { ...(from === null ? {} : { from: keyOf(view, from) }), edits };
  const answerer = args.value('answer');
  const opening = {
    library: await openLibraryOf(context, view),
    answerer: answerer ?? view.settings.answerer,
  };
  return withTechne(context, opening, (techne) =>
    driveRun(context, techne, {
      // The reused calls are unknown before the new run exists: scripted command results are used from the start.
      before: null,
      limits: shownLimits(given, view.limits),
      namesAnswerer: true,
      begin: async (options) =>
        adviseOnInput(
          await techne.runs.fork(techne.snapshot, view.run, request, {
            ...options,
            asChosen: answerer !== null,
          }),
          args.values('input'),
        ),
    }),
  );
}

async function programEdit(
  { args, io }: CommandContext,
  { settings }: RunView,
): Promise<NonNullable<ForkEdits['files']> | null> {
  const file = args.value('program');
  if (file === null) return null;
  const bytes = await readBytes(file, io, maxProgramBytes);
  if (settings.program === null) return { [basename(file)]: bytes };
  // Shown by the given name; the engine uses its path in the skill.
  const { text } = decodeUtf8(bytes);
  const compiled = compileProgram(text, printableLine(file));
  if (!compiled.ok)
    throw new TechneError(
      'FILE_INVALID',
      `the edited program has errors:\n${describeFaults(compiled.diagnostics, text)}`,
    );
  return { [settings.program]: bytes };
}

/** By its key; `confirm` and `inputs` also without the `$`, which shells expand. */
function callOf({ effects, run }: RunView, key: string): EffectView {
  const found =
    effects.find((effect) => effect.key === key) ?? effects.find((effect) => effect.key === `$${key}`);
  if (found !== undefined) return found;
  throw new TechneError('USAGE', `run ${run} made no call "${key}"`, {
    hint:
      effects.length === 0
        ? 'it made no calls'
        : `its calls are ${effects
            .map((effect) => effect.key)
            .slice(0, 20)
            .join(', ')}; see "techne runs show ${run}"`,
  });
}

/** A step over a list has one call per item: all of them are performed again. */
function keyOf(view: RunView, key: string): string {
  return view.effects.some((effect) => effect.key.startsWith(`${key}[`)) ? key : callOf(view, key).key;
}

/** Throws USAGE for an invalid edit, and for an outcome that does not fit the call (run/history/edit-outcome.ts). */
function outcomesOf(edits: readonly string[], view: RunView): JsonObject {
  const outcomes = emptyObject();
  for (const edit of edits) {
    const [, name = '', sign, text = ''] = /^([^=:]+)(:?=)([^]*)$/.exec(edit) ?? [];
    if (name === '')
      throw new TechneError('USAGE', `--edit ${edit.slice(0, 60)} is not KEY=VALUE`, {
        hint: 'such as --edit 2="another answer", or --edit 3:=\'{"ok": true, "exit_code": 0, "result": ""}\'',
      });
    const call = callOf(view, name);
    const edited = editOutcome(
      call,
      sign === ':='
        ? { kind: 'json', value: parseValue(text, `the value of "${name}"`) }
        : { kind: 'text', text },
      view,
    );
    if (!edited.ok)
      throw new TechneError(
        'USAGE',
        `--edit ${name} does not fit ${edited.what}: ${edited.faults.join('; ')}`,
        edited.shape === null
          ? {}
          : {
              hint: `such as --edit ${name}:='${JSON.stringify(edited.shape).replaceAll("'", String.raw`'\''`)}'`,
            },
      );
    outcomes[call.key] = edited.value;
  }
  return outcomes;
}
