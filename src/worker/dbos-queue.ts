// The RunQueue on DBOS Transact: one workflow for each kick, without steps, which resumes a run and never throws.
//
// Only the public API is used, and nothing of DBOS is known elsewhere, so that another engine can take its place. The version of
// the application is constant: with another one, work that was queued before an upgrade would wait for ever. DBOS keeps its
// tables in a schema of its own. Kicks that are over are deleted: our journal is the record.
import { TechneError } from '../base/error.ts';
import type { Dispatcher, Kick, RunQueue } from './run-queue.ts';

export interface DbosOptions {
  readonly url: string;
  /** The schema of the tables of DBOS. */
  readonly schema: string;
  readonly onFault: (message: string) => void;
}

export interface DbosQueueOptions extends DbosOptions {
  /** Of this process, as the store of runs knows it. */
  readonly worker: string;
  readonly queues: readonly string[];
  readonly concurrency: number;
}

/** Of the tables: another version of the engine brings them forward when it is first used. */
export const queueVersion = 'queue: dbos 5.3.0';
const workflowName = 'techne.kick';
const version = 'techne';
const application = 'techne';
/** The store tells workers of new runs at once; this finds what it does not tell. */
const pollMs = 5_000;
const atOnce = 1_000;
/** Kicks that are over are kept for so long, for who looks at the queue. */
const keptMs = 3_600_000;

/** By a variable: its published types bring those of Node into every file of the project. What we use of it is below. */
const sdkName = '@dbos-inc/dbos-sdk';

interface Sdk {
  readonly DBOS: Engine;
  readonly DBOSClient: { create(options: object): Promise<EngineClient> };
}

interface Engine {
  migrate(url: string, options: { readonly schemaName: string }): Promise<void>;
  setConfig(options: object): void;
  registerWorkflow(work: (run: string) => Promise<void>, options: { readonly name: string }): unknown;
  launch(): Promise<void>;
  registerQueue(name: string, options: object): Promise<unknown>;
  shutdown(options: { readonly deregister: boolean }): Promise<void>;
}

interface EngineClient {
  enqueue(options: object, run: string): Promise<unknown>;
  listWorkflows(filter: object): Promise<
    readonly {
      readonly workflowID: string;
      readonly executorId?: string;
      readonly input?: readonly unknown[];
    }[]
  >;
  cancelWorkflows(ids: readonly string[]): Promise<void>;
  deleteWorkflows(ids: readonly string[]): Promise<void>;
  destroy(): Promise<void>;
}

/** Throws ENVIRONMENT where the engine is not installed. */
export async function mustHaveEngine(): Promise<void> {
  await loadSdk();
}

/** Makes or updates the tables of DBOS. */
export async function migrateQueue({ url, schema }: Pick<DbosOptions, 'url' | 'schema'>): Promise<void> {
  const { DBOS } = await loadSdk();
  // The engine says on standard output what it does, and that belongs to the command.
  const output: { log: unknown } = console;
  const { log } = output;
  output.log = () => undefined;
  try {
    await DBOS.migrate(url, { schemaName: schema });
  } finally {
    output.log = log;
  }
}

/** For processes that only queue runs. */
export async function openDispatcher(options: DbosOptions): Promise<Dispatcher> {
  const client = await openClient(options, 2);
  return { enqueue: (kick) => enqueue(client, kick), close: () => client.destroy() };
}

/** For a worker. There is one in a process, since DBOS is one. */
export async function openDbosQueue(options: DbosQueueOptions): Promise<RunQueue> {
  const { url, schema, worker, queues, concurrency } = options;
  const { DBOS } = await loadSdk();
  const client = await openClient(options, 2);
  let work: (run: string) => Promise<void> = () => Promise.resolve();
  // What the engine says of kicks that end with the worker is no fault: their runs were detached.
  let isClosing = false;
  DBOS.setConfig({
    name: application,
    systemDatabaseUrl: url,
    systemDatabaseSchemaName: schema,
    systemDatabasePoolSize: 4,
    executorID: worker,
    applicationVersion: version,
    runMigrations: false,
    useListenNotify: false,
    listenQueues: [...queues],
    logger: loggerOf({
      ...options,
      onFault: (message) => (isClosing ? undefined : options.onFault(message)),
    }),
  });
  DBOS.registerWorkflow(async (run: string) => work(run), { name: workflowName });
  return {
    enqueue: (kick) => enqueue(client, kick),
    async listen(given) {
      work = given;
      await DBOS.launch();
      // How many runs of a queue go at a time is counted by the store (take_runs), not by the engine.
      for (const queue of queues)
        await DBOS.registerQueue(queue, {
          workerConcurrency: concurrency,
          minPollingIntervalMs: pollMs,
          onConflict: 'always_update',
        });
    },
    async free(living) {
      const pending = await client.listWorkflows({
        workflowName,
        status: 'PENDING',
        limit: atOnce,
        loadOutput: false,
      });
      if (pending.length === 0) return [];
      const alive = await living();
      const lost = pending.filter(({ executorId }) => executorId !== undefined && !alive.has(executorId));
      if (lost.length === 0) return [];
      await client.cancelWorkflows(lost.map(({ workflowID }) => workflowID));
      return lost.flatMap(({ input }) => (typeof input?.[0] === 'string' ? [input[0]] : []));
    },
    async forget(kicks) {
      for (let at = 0; at < kicks.length; at += atOnce) {
        // One that the engine has just given to a worker ends by itself.
        const found = await client.listWorkflows({
          workflowIDs: kicks.slice(at, at + atOnce),
          status: ['ENQUEUED', 'SUCCESS', 'CANCELLED'],
          loadInput: false,
          loadOutput: false,
        });
        if (found.length > 0) await client.deleteWorkflows(found.map(({ workflowID }) => workflowID));
      }
    },
    async tidy() {
      const over = { workflowName, completedBefore: new Date(Date.now() - keptMs).toISOString() };
      // Those that were cancelled are of no queue.
      for (const which of [{ queueName: [...queues] }, { status: 'CANCELLED' }]) {
        const found = await client.listWorkflows({
          ...over,
          ...which,
          limit: atOnce,
          loadInput: false,
          loadOutput: false,
        });
        if (found.length > 0) await client.deleteWorkflows(found.map(({ workflowID }) => workflowID));
      }
    },
    async close() {
      isClosing = true;
      await DBOS.shutdown({ deregister: true });
      await client.destroy();
    },
  };
}

async function enqueue(client: EngineClient, kick: Kick): Promise<void> {
  const { run, id, queue, priority, delaySeconds } = kick;
  await client.enqueue(
    {
      queueName: queue,
      workflowName,
      workflowID: id,
      deduplicationID: run,
      duplicationPolicy: 'return-existing',
      appVersion: version,
      priority,
      ...(delaySeconds === undefined ? {} : { delaySeconds }),
    },
    run,
  );
}

async function openClient(options: DbosOptions, connections: number): Promise<EngineClient> {
  const { DBOSClient } = await loadSdk();
  return DBOSClient.create({
    systemDatabaseUrl: options.url,
    systemDatabaseSchemaName: options.schema,
    systemDatabasePoolSize: connections,
    applicationName: application,
    logger: loggerOf(options),
  });
}

function loggerOf({ onFault }: DbosOptions): {
  info(): void;
  debug(): void;
  warn(message: unknown): void;
  error(message: unknown): void;
} {
  const say = (message: unknown): void =>
    onFault(message instanceof Error ? message.message : String(message));
  return { info: () => undefined, debug: () => undefined, warn: say, error: say };
}

/** An optional dependency. Throws ENVIRONMENT where it is not installed. */
async function loadSdk(): Promise<Sdk> {
  // The engine calls the driver in a way that the driver warns of; that is not for those who run a worker.
  process.noDeprecation = true;
  try {
    return (await import(sdkName)) as Sdk;
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new TechneError(
      'ENVIRONMENT',
      'workers need the package "@dbos-inc/dbos-sdk", which is not installed: techne comes without it',
      {
        hint: 'npm install @dbos-inc/dbos-sdk@5 where techne is installed (npm install --global … for a global techne)',
        cause: error,
      },
    );
  }
}
