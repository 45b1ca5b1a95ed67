// techne hub export
//
// JSON: {file, skills: [name], leftOut: [{name, why}]}; without --out the lock itself is on standard output, with or without --json.
import { resolve } from 'node:path';
import { printableLine } from '../../base/printable.ts';
import { counted } from '../../base/render-table.ts';
import type { Scope } from '../../hub/install/place.ts';
import type { ForeignFormat } from '../../hub/lock/skills-lock.ts';
import { exportLock, writeExport } from '../../techne/hub/foreign-locks.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { withHub } from '../hub/with-hub.ts';

export async function runHubExport(context: CommandContext): Promise<number> {
  const { args, io, out, err, json } = context;
  return withHub(context, async (work) => {
    const hub = work.hub.at((args.value('to') ?? work.hub.preferred) as Scope);
    const given = args.value('out');
    const file = given === null ? null : resolve(io.cwd, given);
    const format = (args.value('format') ?? 'skills-lock') as ForeignFormat;
    const { text, names, leftOut } = await exportLock(hub, format, file, Date.now());
    work.pause();
    for (const { name, why } of leftOut) err.line(`Left out: ${printableLine(name)}: ${why}`);
    if (file === null) out.write(text.endsWith('\n') ? text : `${text}\n`);
    else {
      await writeExport(file, text);
      if (json) out.json({ file, skills: names, leftOut });
      else out.line(`Wrote ${counted(names.length, 'skill')} to ${printableLine(given as string)}`);
    }
    return leftOut.length === 0 ? exitCodes.fine : exitCodes.files;
  });
}
