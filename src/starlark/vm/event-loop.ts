// A turn of the event loop, for whatever else waits in the process: timers, sockets, clicks.
//
// The core has no types of Node or the web, and nothing is looked up when the module is loaded: what there is, is found
// when it is needed. No clock is read and nothing is delayed.

interface Platform {
  readonly setImmediate?: (then: () => void) => unknown;
  readonly MessageChannel?: new () => { readonly port1: Port; readonly port2: Port };
}

interface Port {
  addEventListener(type: 'message', listener: () => void): void;
  start(): void;
  postMessage(message: null): void;
  close(): void;
}

/**
 * Lets everything that is due run, then continues: by `setImmediate` (Node, Bun, Deno), else by a `MessageChannel`
 * (browsers, workers). Where there is neither, only other promises get a turn.
 */
export function yieldToEventLoop(): Promise<void> {
  const { setImmediate, MessageChannel } = globalThis as unknown as Platform;
  if (typeof setImmediate === 'function') return new Promise((resolve) => void setImmediate(resolve));
  if (typeof MessageChannel !== 'function') return Promise.resolve();
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(null);
  });
}
