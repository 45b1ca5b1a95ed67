// Which connections stay open.
//
// A connection proves itself with its first request that has the token; until then it counts against a quarter of all
// places, and one peer gets at most half of those. Where these are full, the oldest one without a token is closed for
// the new one: a client with the token is always let in, however many others keep connections open. The other places
// are for connections that proved themselves.

/** What is needed of a socket. */
export interface Connection {
  readonly remoteAddress?: string | undefined;
  destroy(): void;
  once(event: 'close', listener: () => void): unknown;
}

export class Connections {
  readonly #maxUnproven: number;
  readonly #maxOfPeer: number;
  readonly #maxProven: number;
  /** By age, each with its peer. */
  readonly #unproven = new Map<Connection, string>();
  readonly #proven = new Set<Connection>();

  constructor(maxConnections: number) {
    this.#maxUnproven = Math.max(1, Math.floor(maxConnections / 4));
    this.#maxOfPeer = Math.max(1, Math.floor(this.#maxUnproven / 2));
    this.#maxProven = Math.max(1, maxConnections - this.#maxUnproven);
  }

  add(connection: Connection): void {
    const peer = connection.remoteAddress ?? '';
    const ofPeer = this.#ofPeer(peer);
    if (ofPeer.length >= this.#maxOfPeer) this.#drop(ofPeer[0]);
    else if (this.#unproven.size >= this.#maxUnproven) this.#drop(this.#unproven.keys().next().value);
    this.#unproven.set(connection, peer);
    connection.once('close', () => {
      this.#unproven.delete(connection);
      this.#proven.delete(connection);
    });
  }

  /** A request on it had the token. `false`: there is no room for it. */
  prove(connection: Connection): boolean {
    if (this.#proven.has(connection)) return true;
    if (this.#proven.size >= this.#maxProven) return false;
    this.#unproven.delete(connection);
    this.#proven.add(connection);
    return true;
  }

  #ofPeer(peer: string): readonly Connection[] {
    return [...this.#unproven].flatMap(([connection, from]) => (from === peer ? [connection] : []));
  }

  #drop(connection: Connection | undefined): void {
    if (connection === undefined) return;
    this.#unproven.delete(connection);
    connection.destroy();
  }
}
