// The asynchronous file calls that change something, as one argument: tests fail the Nth one.
import type { promises } from 'node:fs';

export type AsyncCalls = Pick<typeof promises, 'open' | 'rename' | 'unlink' | 'mkdir' | 'link' | 'readFile'>;
