// techne store: look after the Postgres that a team keeps its runs in.
import type { CommandSpec, OptionSpec } from './command-spec.ts';
import { storeOption } from './run-options.ts';
import { files, trust } from './store-run-commands.ts';

const adminStore: OptionSpec = {
  ...storeOption,
  description:
    'The store: postgres://ADMINISTRATOR@HOST:PORT/DATABASE (default: runs.store of the configuration)',
};

const show: CommandSpec = {
  name: 'store show',
  summary: 'Show the versions, sizes and counts of a store',
  details: [
    '--json prints {address, server, schema, version, newest, queueVersion, tenant, tables, runs, served, held}.',
  ],
  positionals: [],
  options: [adminStore],
  examples: [{ line: 'techne store show', what: 'How large the tables are, and how many runs there are' }],
  load: async () => (await import('../commands/store.ts')).runStoreShow,
};

const migrate: CommandSpec = {
  name: 'store migrate',
  summary: 'Create the tables of a store, or migrate them',
  details: [
    'Migrates the tables of the address, those of the queue, and those of every tenant of the database; then grants tenants their rights again. Migrations only go forward. Processes of the version before can run meanwhile. Every command migrates by itself if its database user may change tables.',
    '--json prints {migrated: [{schema, from, to, queue}]}.',
  ],
  positionals: [],
  options: [adminStore],
  examples: [
    {
      line: 'techne store migrate --store postgres://admin@db/techne',
      what: 'Before the workers of a new version start',
    },
  ],
  load: async () => (await import('../commands/store.ts')).runStoreMigrate,
};

const tenant: CommandSpec = {
  name: 'store tenant',
  summary: 'Add, list and remove tenants, each with tables and a user of its own',
  details: [
    'add NAME makes a schema for runs, one for the queue, and a role with a password, which is printed once. The role can use the tables of its tenant and nothing else: it can neither change them nor see the runs of others. Servers, workers and people of the tenant use the address that is printed. list shows the tenants. remove NAME removes one with its role and its tables; while it has runs, only with --force, after a person at a terminal has agreed, or with --yes.',
    'The user of --store needs CREATEROLE, and CREATE on the database. --json prints {tenant, schema, role, address, password, queue}, {tenants} or {removed}.',
  ],
  positionals: [
    {
      name: 'ACTION',
      description: 'list (default), add or remove',
      required: false,
      repeatable: false,
      choices: ['list', 'add', 'remove'],
      complete: 'none',
    },
    {
      name: 'NAME',
      description: 'The name of the tenant',
      required: false,
      repeatable: false,
      complete: 'none',
    },
  ],
  options: [
    adminStore,
    {
      name: 'role',
      value: 'NAME',
      description: 'The role of the tenant in the database (default techne_NAME)',
    },
    {
      name: 'password-file',
      value: 'FILE',
      complete: 'path',
      description: 'A file with the password of the role (default: techne makes one and prints it)',
    },
    { name: 'force', description: 'Remove the tenant also while it has runs' },
    { name: 'yes', description: 'Agree to --force without a question' },
  ],
  examples: [
    {
      line: 'techne store tenant add acme --store postgres://admin@db/techne',
      what: 'Prints the address for acme, and the password',
    },
    { line: 'techne store tenant list', what: 'Every tenant, and how many runs it has' },
  ],
  load: async () => (await import('../commands/store-tenant.ts')).runStoreTenant,
};

const limit: CommandSpec = {
  name: 'store limit',
  summary: 'Limit how many runs are driven at a time, and how many begin in a period',
  details: [
    'A limit is for all runs of the store, for those of a queue (--queue) or for those of a skill (--skill), on all workers together. If several limits apply to a run, all of them count. --concurrency counts runs that a worker drives: one that waits for a person does not count, and those of a dead worker count until its lease ends. --rate counts runs that begin; one that continues after an answer does not wait for it. Runs at their limit wait; other runs are started before them.',
    'With --tenant the limit is that of a tenant: its workers obey it; its users can read it (techne store limit list) but not change it. set replaces an existing limit. Workers see a change at once. --json prints {limits: [{kind, name, concurrency, rate, driven, begun, queued}]}, {set} or {removed}.',
  ],
  positionals: [
    {
      name: 'ACTION',
      description: 'list (default), set or remove',
      required: false,
      repeatable: false,
      choices: ['list', 'set', 'remove'],
      complete: 'none',
    },
  ],
  options: [
    adminStore,
    { name: 'queue', value: 'NAME', description: 'Of the runs of this queue' },
    { name: 'skill', value: 'NAME', description: 'Of the runs of this skill', complete: 'skill' },
    { name: 'tenant', value: 'NAME', description: 'In the store of this tenant' },
    { name: 'concurrency', value: 'N', description: 'Runs at a time on all workers; 0 stops them' },
    {
      name: 'rate',
      value: 'RUNS/SECONDS',
      description: 'The most runs that may begin in any period of SECONDS',
    },
  ],
  examples: [
    {
      line: 'techne store limit set --queue reports --concurrency 2 --rate 10/60',
      what: 'For the queue reports: two at a time, and ten a minute',
    },
    { line: 'techne store limit set --tenant acme --concurrency 8', what: 'Eight runs of acme at a time' },
    { line: 'techne store limit list', what: 'The limits, and how much of each is used' },
  ],
  load: async () => (await import('../commands/store-limit.ts')).runStoreLimit,
};

export const storeCommand: CommandSpec = {
  name: 'store',
  summary: 'Administer the database of a team: tables, tenants, limits, trust, files',
  details: ['techne store without a command is techne store show.'],
  positionals: [],
  options: [],
  examples: [...show.examples, ...migrate.examples],
  subcommands: [show, migrate, tenant, limit, trust, files],
  load: show.load,
};
