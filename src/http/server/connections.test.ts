import { describe, expect, it } from 'vitest';
import { Connections } from './connections.ts';
import type { Connection } from './connections.ts';

function createSocket(remoteAddress: string): Connection & { closed: boolean } {
  let tell = (): void => undefined;
  const socket = {
    remoteAddress,
    closed: false,
    destroy() {
      socket.closed = true;
      tell();
    },
    once(_event: 'close', listener: () => void) {
      tell = listener;
    },
  };
  return socket;
}

/** 16 places: 4 without a token, 2 of them for one peer, and 12 with it. */
function connectAll(peers: readonly string[]) {
  const connections = new Connections(16);
  const sockets = peers.map(createSocket);
  for (const socket of sockets) connections.add(socket);
  return { connections, sockets, open: () => sockets.map((socket) => (socket.closed ? '-' : '+')).join('') };
}

describe('Connections', () => {
  it('closes the oldest of a peer that has too many', () => {
    expect(connectAll(['a', 'b', 'a', 'a', 'a']).open()).toBe('-+-++');
  });

  it('closes the oldest of all where the places are full', () => {
    expect(connectAll(['a', 'b', 'c', 'd', 'e', 'f']).open()).toBe('--++++');
  });

  it('never closes one that proved itself', () => {
    const { connections, sockets, open } = connectAll(['a', 'a']);
    expect(sockets.map((socket) => connections.prove(socket))).toEqual([true, true]);
    for (let count = 0; count < 20; count += 1) connections.add(createSocket('a'));
    expect(open()).toBe('++');
  });

  it('has room for so many that proved themselves, and for another when one leaves', () => {
    const connections = new Connections(16);
    const prove = (): boolean => {
      const socket = createSocket('a');
      connections.add(socket);
      return connections.prove(socket);
    };
    const first = createSocket('a');
    connections.add(first);
    expect([connections.prove(first), connections.prove(first)]).toEqual([true, true]);
    expect(Array.from({ length: 12 }, prove)).toEqual([...Array<boolean>(11).fill(true), false]);
    first.destroy();
    expect([prove(), prove()]).toEqual([true, false]);
  });
});
