// The part of the web's AbortSignal that the core uses, so that it compiles without the DOM and without Node.

export interface Abort {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}
