// techne runs import
//
// JSON: {run, added: [run], blobs}.
import { inStore } from '../in-store.ts';
import { resolve } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import { counted } from '../../base/render-table.ts';
import { foldRun } from '../../journal/run-state.ts';
import { createNodeFiles } from '../../node/files/files.ts';
import { FileFault } from '../../ports/files.ts';
import { withArchive } from '../../techne/open-archive.ts';
import { displayPath } from '../../techne/paths.ts';
import { importRun, maxFileBytes, parseRunFile } from '../../techne/run-file/move-run.ts';
import { archivePlace } from '../archive-place.ts';
import { askPerson, requirePerson } from '../ask-person.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';

export async function runRunsImport(context: CommandContext): Promise<number> {
  const { args, io, json, out, quiet } = context;
  const trusted = args.flag('trust');
  if (trusted) requirePerson(io, 'vouching for a file', 'without --trust the run can be shown and replayed');
  const path = resolve(io.cwd, args.positionals[0] as string);
  const name = printableLine(displayPath(path, io));
  const file = parseRunFile(await readFile(path, name), name);
  const [first] = file.runs;
  if (first === undefined) return exitCodes.files;
  const { meta, status } = foldRun(first.entries);
  const skill = printableLine(meta.skill.name);
  if (trusted) {
    const question = `Run ${first.run} of the skill "${skill}", from ${name}, can then execute what the file holds. Do you know where it comes from?`;
    if (!(await askPerson(context, question)))
      throw new TechneError('NOT_TRUSTED', 'nothing was imported', {
        hint: 'without --trust the run can be shown and replayed',
      });
  }
  return withArchive(archivePlace(context), async (archive) => {
    const { run, added } = await importRun(archive, file, { trusted, nowMs: Date.now() });
    if (json) out.json({ run, added, blobs: file.blobs.length });
    else if (added.length === 0) out.line(`Run ${run} is there already.`);
    else {
      const nested = added.length - 1;
      out.line(
        `Run ${run} of ${skill} (${status}) was added${nested > 0 ? `, with ${counted(nested, 'nested run')}` : ''}.`,
      );
      if (!quiet)
        out.line(
          inStore(
            `To look into it: techne runs show ${run}, techne runs replay ${run}`,
            context.args.value('store'),
          ),
        );
    }
    return exitCodes.fine;
  });
}

async function readFile(path: string, name: string): Promise<Uint8Array> {
  try {
    const read = await createNodeFiles().read(path, maxFileBytes);
    if (read === null) throw new TechneError('FILE_MISSING', `there is no file "${name}"`);
    return read.bytes;
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    throw new TechneError(
      error.kind === 'too-large' ? 'FILE_LIMIT' : 'FILE_DENIED',
      `"${name}" cannot be read: ${error.message}`,
      { cause: error },
    );
  }
}
