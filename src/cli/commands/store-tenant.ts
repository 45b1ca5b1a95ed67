// techne store tenant
//
// JSON: add: {tenant, schema, role, address, password, queue}; list: {tenants: [{name, schema, role, version, runs, unfinished}]};
// remove: {removed}.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import { counted, renderTable } from '../../base/render-table.ts';
import type { StoreAdmin } from '../../techne/store/open-admin.ts';
import { withStoreAdmin } from '../../techne/store/open-admin.ts';
import { askPerson } from '../ask-person.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { isAtTerminal } from '../io.ts';
import { storePlace, withoutQueue } from './store.ts';

export function runStoreTenant(context: CommandContext): Promise<number> {
  const [action = 'list', name] = context.args.positionals;
  if (action === 'list' && name !== undefined)
    throw new TechneError('USAGE', 'techne store tenant list takes no name');
  if (action !== 'list' && name === undefined)
    throw new TechneError('USAGE', `techne store tenant ${action} needs the name of the tenant`, {
      hint: `techne store tenant ${action} acme`,
    });
  return withStoreAdmin(storePlace(context), (admin) => {
    if (action === 'list') return list(context, admin);
    return action === 'add' ? add(context, admin, name as string) : remove(context, admin, name as string);
  });
}

async function add(context: CommandContext, admin: StoreAdmin, name: string): Promise<number> {
  const { args, json, out, err, quiet } = context;
  const role = args.value('role');
  const password = givenPassword(context);
  const added = await admin.addTenant(name, {
    ...(role === null ? {} : { role }),
    ...(password === null ? {} : { password }),
  });
  if (json) {
    out.json({ ...added });
    return exitCodes.fine;
  }
  out.line(`address   ${added.address}`);
  if (added.password !== null) out.line(`password  ${added.password}`);
  if (!quiet && added.password !== null)
    err.line('The password is shown only once. Set it as PGPASSWORD, or add it to ~/.pgpass.');
  if (!added.queue) err.line(withoutQueue);
  return exitCodes.fine;
}

function givenPassword({ args, io }: CommandContext): string | null {
  const file = args.value('password-file');
  if (file === null) return null;
  try {
    return readFileSync(resolve(io.cwd, file), 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new TechneError(
      'FILE_DENIED',
      `the file of the password cannot be read: ${(error as Error).message}`,
    );
  }
}

async function list({ json, out, err, columns }: CommandContext, admin: StoreAdmin): Promise<number> {
  const tenants = await admin.tenants();
  if (json) out.json({ tenants });
  else if (tenants.length === 0) err.line('There is no tenant. "techne store tenant add NAME" adds one.');
  else
    out.write(
      renderTable(
        [
          ['TENANT', 'SCHEMA', 'ROLE', 'VERSION', 'RUNS', 'UNFINISHED'],
          ...tenants.map((one) => [
            printableLine(one.name),
            one.schema,
            one.role,
            `${one.version}`,
            `${one.runs}`,
            `${one.unfinished}`,
          ]),
        ],
        columns,
      ),
    );
  return exitCodes.fine;
}

async function remove(context: CommandContext, admin: StoreAdmin, name: string): Promise<number> {
  const { args, io, json, out } = context;
  const tenant = await admin.findTenant(name);
  if (tenant.runs > 0) {
    const has = `the tenant "${name}" has ${counted(tenant.runs, 'run')}, ${tenant.unfinished} of them unfinished`;
    if (!args.flag('force'))
      throw new TechneError('USAGE', has, {
        hint: 'techne runs export keeps a run; --force removes the tenant with everything',
      });
    if (!args.flag('yes')) {
      if (!isAtTerminal(io))
        throw new TechneError(
          'PERSON_NEEDED',
          `${has}: a person at a terminal must agree that they are removed`,
          {
            hint: 'at a terminal, or with --yes',
          },
        );
      if (!(await askPerson(context, `${has}. Remove the tenant with all of them?`))) return exitCodes.files;
    }
  }
  await admin.removeTenant(tenant);
  if (json) out.json({ removed: name });
  else out.line(`The tenant "${name}" is gone, with its tables and its role.`);
  return exitCodes.fine;
}
