// The YAML library, loaded when the first file needs it.
//
// Y1. Synchronously: a head that was only glanced at is parsed when someone looks at it, and looking does not wait.
import { createRequire } from 'node:module';
import type { ParseFull } from '../skill/yaml/node.ts';
import type { YamlLibrary } from '../skill/yaml/parse-full.ts';
import { createParseFull } from '../skill/yaml/parse-full.ts';

let loaded: ParseFull | null = null;

export const nodeParseFull: ParseFull = (text, start, end, report) => {
  loaded ??= createParseFull(createRequire(import.meta.url)('yaml') as YamlLibrary);
  return loaded(text, start, end, report);
};
