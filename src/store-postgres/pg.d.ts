// What we use of the driver. Its published types bring those of Node into every file that they reach.
declare module 'pg' {
  export type QueryResultRow = object;

  interface Query {
    readonly name?: string;
    readonly text: string;
    readonly values?: unknown[];
  }

  interface Queryable {
    /** The caller knows the columns that it asks for. */
    // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
    query<Row extends QueryResultRow>(query: Query | string, values?: unknown[]): Promise<{ rows: Row[] }>;
  }

  export class Client implements Queryable {
    constructor(options: object);
    query: Queryable['query'];
    connect(): Promise<void>;
    end(): Promise<void>;
    on(event: 'error', listener: (error: Error) => void): this;
    on(event: 'end', listener: () => void): this;
    on(event: 'notification', listener: (message: { payload?: string }) => void): this;
  }

  export interface PoolClient extends Queryable {
    release(error?: Error): void;
    on(event: 'error', listener: (error: Error) => void): this;
  }

  export class Pool implements Queryable {
    constructor(options: object);
    query: Queryable['query'];
    connect(): Promise<PoolClient>;
    end(): Promise<void>;
    on(event: 'error', listener: (error: Error) => void): this;
    on(event: 'connect', listener: (client: PoolClient) => void): this;
  }

  const driver: { Client: typeof Client; Pool: typeof Pool };
  export default driver;
}
