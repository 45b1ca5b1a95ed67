// techne runs export
//
// JSON, with --out: {run, runs, blobs, bytes, file}. The file never replaces another one, and is whole or not there.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { counted } from '../../base/render-table.ts';
import { foldRun } from '../../journal/run-state.ts';
import { createNodeFiles } from '../../node/files/files.ts';
import { withArchive } from '../../techne/open-archive.ts';
import { displayPath } from '../../techne/paths.ts';
import { exportRun, renderRunFile } from '../../techne/run-file/move-run.ts';
import { archivePlace } from '../archive-place.ts';
import type { CommandContext } from '../context.ts';

export function runRunsExport(context: CommandContext): Promise<number> {
  const { args, io, json, out, err, quiet } = context;
  const named = args.value('out');
  const file = named === null ? null : resolve(io.cwd, named);
  if (file === null && (json || io.stdout.isTTY === true))
    throw new TechneError('USAGE', 'the file of the run has no name', {
      hint: 'write --out FILE, or redirect the output',
    });
  if (file !== null && existsSync(file))
    throw new TechneError('TARGET_EXISTS', `"${displayPath(file, io)}" exists already`, {
      hint: 'name another file, or remove that one',
    });
  return withArchive(archivePlace(context), async (archive) => {
    const given = await archive.find(args.positionals[0] as string);
    const filed = await exportRun(archive, given);
    const [first] = filed.runs;
    if (first === undefined) return 0;
    const bytes = renderRunFile(filed);
    const say = (line: string): void => {
      if (!quiet) err.line(`techne: ${line}`);
    };
    if (first.run !== given) say(`run ${given} is inside of ${first.run}, which is exported as a whole`);
    if (foldRun(first.entries).ended === null)
      say(`run ${first.run} has not ended; the file is what it has done so far`);
    if (file === null) {
      out.write(bytes.toString());
      return 0;
    }
    await createNodeFiles().writeAtomic(file, bytes, 0o600);
    const facts = {
      run: first.run,
      runs: filed.runs.length,
      blobs: filed.blobs.length,
      bytes: bytes.length,
      file,
    };
    if (json) out.json(facts);
    else
      out.line(
        `${displayPath(file, io)}: run ${first.run}, ${counted(facts.runs - 1, 'nested run')}, ${counted(facts.blobs, 'blob')}, ${counted(facts.bytes, 'byte')}`,
      );
    return 0;
  });
}
