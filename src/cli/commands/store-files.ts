// techne store files: list, push, get, remove, forget
//
// JSON: {files: [{name, digest, files, bytes, source, by, at}]}, one of them, {folder, files, bytes}, {removed}, {run}.
import { inStore } from '../in-store.ts';
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import { counted, renderTable } from '../../base/render-table.ts';
import { getFiles, pushFiles } from '../../techne/travel/files.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { openLibrary } from '../open-library.ts';
import { withServing } from '../with-serving.ts';

export function runStoreFiles(context: CommandContext): Promise<number> {
  const { args, io, json, out, err, columns } = context;
  const [action = 'list', name, other] = args.positionals;
  const named = (what: string): string => {
    if (name === undefined) throw missing(`techne store files ${action} ${what}`);
    return name;
  };
  return withServing(context, 'files of runs', async (serving, { find }) => {
    const { shared } = serving;
    switch (action) {
      case 'push': {
        if (name === undefined || other === undefined) throw missing('techne store files push NAME SOURCE');
        const library = await openLibrary(context);
        const { cwd, homeFolder, env: variables } = io;
        const pushed = await pushFiles(name, other, { library, serving, cwd, homeFolder, variables });
        if (json) out.json({ ...pushed });
        else out.line(`${name}: ${counted(pushed.files, 'file')}, ${pushed.bytes} bytes, ${pushed.digest}`);
        return exitCodes.fine;
      }
      case 'get': {
        if (name === undefined || other === undefined) throw missing('techne store files get RUN FOLDER');
        const got = await getFiles(await find(name), other, { serving, cwd: io.cwd });
        if (json) out.json(got);
        else out.line(`${printableLine(got.folder)}: ${counted(got.files, 'file')}, ${got.bytes} bytes`);
        return exitCodes.fine;
      }
      case 'remove': {
        const removed = named('NAME');
        if (!(await shared.removeFiles(removed)))
          throw new TechneError(
            'WORKSPACE_UNKNOWN',
            `the store has no files of the name "${printableLine(removed)}"`,
            {
              hint: 'techne store files list',
            },
          );
        if (json) out.json({ removed });
        else out.line(`${removed} is removed; runs keep the files that they began with`);
        return exitCodes.fine;
      }
      case 'forget': {
        const run = await find(named('RUN'));
        await shared.forgetFault(run);
        if (json) out.json({ run });
        else
          out.line(
            inStore(
              `${run} continues with the files that were kept last: techne worker release ${run}`,
              context.args.value('store'),
            ),
          );
        return exitCodes.fine;
      }
      default: {
        const files = await shared.listFiles();
        if (json) out.json({ files });
        else if (files.length === 0)
          err.line('There are none. "techne store files push NAME FOLDER" adds some.');
        else
          out.write(
            renderTable(
              files.map((one) => [
                one.name,
                counted(one.files, 'file'),
                `${one.bytes}`,
                one.at.slice(0, 16).replace('T', ' '),
                printableLine(one.by),
                printableLine(one.source),
              ]),
              columns,
            ),
          );
        return exitCodes.fine;
      }
    }
  });
}

function missing(line: string): TechneError {
  return new TechneError('USAGE', 'something is missing', { hint: line });
}
