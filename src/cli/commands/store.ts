// techne store show, migrate
//
// JSON: the description of the store; {migrated: [{schema, from, to, queue}]}.
import { printableLine } from '../../base/printable.ts';
import { counted, renderTable } from '../../base/render-table.ts';
import { withStoreAdmin } from '../../techne/store/open-admin.ts';
import type { StorePlace } from '../../techne/store/open-admin.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';

export function storePlace({ io, args }: CommandContext): StorePlace {
  return { homeFolder: io.homeFolder, cwd: io.cwd, store: args.value('store') };
}

export function runStoreShow(context: CommandContext): Promise<number> {
  const { json, out, columns } = context;
  return withStoreAdmin(storePlace(context), async (admin) => {
    const store = await admin.describe();
    if (json) {
      out.json({ ...store });
      return exitCodes.fine;
    }
    const { address, server, version, newest, queueVersion, tenant, runs, served, held, tables } = store;
    const all = Object.values(runs).reduce((sum, one) => sum + one, 0);
    const byStatus = Object.entries(runs).map(([status, count]) => `${count} ${status}`);
    const rows: (readonly [string, string])[] = [
      ['store', printableLine(address)],
      ['server', `Postgres ${printableLine(server)}`],
      [
        'tables',
        version === null
          ? 'none yet'
          : `version ${version}${version < newest ? `, this techne needs ${newest}` : ''}`,
      ],
      ['queue', queueVersion === null ? 'none yet' : `version ${queueVersion}`],
      ...(tenant === null ? [] : [['tenant', printableLine(tenant)] as const]),
      ['runs', `${all}${all === 0 ? '' : `: ${byStatus.join(', ')}`}`],
      ['workers', `${counted(served, 'run')} to drive or waiting for an answer, ${held} held`],
    ];
    out.write(rows.map(([key, value]) => `${key.padEnd(8)}  ${value}\n`).join(''));
    if (version !== null)
      out.write(
        `\n${renderTable(
          [
            ['TABLE', 'ROWS', 'SIZE'],
            ...tables.map((one) => [one.table, `~${one.rows}`, bytesText(one.bytes)]),
          ],
          columns,
        )}`,
      );
    return exitCodes.fine;
  });
}

export function runStoreMigrate(context: CommandContext): Promise<number> {
  const { json, out, err } = context;
  return withStoreAdmin(storePlace(context), async (admin) => {
    const migrated = await admin.migrate();
    if (json) out.json({ migrated });
    else
      for (const { schema, from, to } of migrated)
        out.line(from === to ? `${schema}: version ${to}, as it was` : `${schema}: version ${from} -> ${to}`);
    if (!json && migrated.some(({ queue }) => !queue)) err.line(withoutQueue);
    return exitCodes.fine;
  });
}

export const withoutQueue =
  'The tables of the queue were left out, since the package "@dbos-inc/dbos-sdk" is not installed here: workers need them. Install it (npm install @dbos-inc/dbos-sdk@5), then: techne store migrate';

function bytesText(bytes: number): string {
  for (const [unit, size] of [
    ['GB', 1e9],
    ['MB', 1e6],
  ] as const)
    if (bytes >= size) return `${(bytes / size).toFixed(1)} ${unit}`;
  return `${Math.ceil(bytes / 1000)} kB`;
}
