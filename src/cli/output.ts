// Buffered text for a stream.
//
// `flush` resolves when the reader has all of it, so an exit cuts nothing off. If the reader closes the stream (EPIPE), the rest
// is dropped without an error.
import type { Writable } from 'node:stream';
import { TechneError } from '../base/error.ts';
import { renderJson } from '../base/printable.ts';

export class Output {
  /** The reader closed the stream. */
  left = false;
  private readonly stream: Writable;
  private fault: Error | null = null;
  private pending = 0;
  private wake: (() => void) | null = null;

  constructor(stream: Writable) {
    this.stream = stream;
    stream.on('error', (error: NodeJS.ErrnoException) => this.failed(error));
  }

  write(text: string): void {
    if (this.left || this.fault !== null || text === '') return;
    this.pending += 1;
    this.stream.write(text, (error) => {
      if (error !== null && error !== undefined) this.failed(error);
      this.pending -= 1;
      if (this.pending === 0) this.wake?.();
    });
  }

  line(text = ''): void {
    this.write(`${text}\n`);
  }

  json(value: unknown): void {
    this.write(`${renderJson(value, 2)}\n`);
  }

  async flush(): Promise<void> {
    if (this.pending > 0)
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    if (this.fault !== null)
      throw new TechneError('ENVIRONMENT', `the output cannot be written: ${this.fault.message}`, {
        cause: this.fault,
      });
  }

  private failed(error: NodeJS.ErrnoException): void {
    // The first error has the reason; later ones only report a closed stream.
    if (this.left || this.fault !== null) return;
    if (error.code === 'EPIPE') this.left = true;
    else this.fault = error;
  }
}
