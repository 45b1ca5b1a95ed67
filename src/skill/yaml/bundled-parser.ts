// The full parser with the library imported statically, for callers that need it anyway, and for tests.
import * as yaml from 'yaml';
import type { ParseFull } from './node.ts';
import * as full from './parse-full.ts';

export const parseFull: ParseFull = full.createParseFull(yaml);

/** See `parse-full.ts`. */
export const parseUnguarded: ParseFull = (text, start, end, report) =>
  full.parseUnguarded(yaml, text, start, end, report);
