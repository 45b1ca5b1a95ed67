// The full parser with the library imported statically, for callers that need it anyway, and for tests.
import { Composer, Lexer, Parser, isAlias, isMap, isScalar, isSeq } from 'yaml';
import type { ParseFull } from './node.ts';
import type { YamlLibrary } from './compose-document.ts';
import { createParseFull } from './parse-full.ts';

/** Only these, so that a bundle leaves the rest of the library out. */
const yaml: YamlLibrary = { Composer, Lexer, Parser, isAlias, isMap, isScalar, isSeq };

export const parseFull: ParseFull = createParseFull(yaml);
