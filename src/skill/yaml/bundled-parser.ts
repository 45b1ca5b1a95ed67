// The full parser with the library imported statically, for callers that need it anyway, and for tests.
import { isAlias, isMap, isScalar, isSeq, parseDocument } from 'yaml';
import type { ParseFull } from './node.ts';
import type { YamlLibrary } from './parse-full.ts';
import * as full from './parse-full.ts';

/** Only these, so that a bundle leaves the rest of the library out. */
const yaml: YamlLibrary = { isAlias, isMap, isScalar, isSeq, parseDocument };

export const parseFull: ParseFull = full.createParseFull(yaml);

/** See `parse-full.ts`. */
export const parseUnguarded: ParseFull = (text, start, end, report) =>
  full.parseUnguarded(yaml, text, start, end, report);
