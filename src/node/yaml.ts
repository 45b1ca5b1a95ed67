// The YAML library, loaded when the first file needs it.
//
// It loads synchronously: a head is parsed when a caller first reads one of its fields, and reading a field does not wait.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Frontmatter } from '../skill/frontmatter/read-frontmatter.ts';
import { parseWholeFrontmatter } from '../skill/frontmatter/read-frontmatter.ts';
import type { ParseFull } from '../skill/yaml/node.ts';
import type { YamlLibrary } from '../skill/yaml/compose-document.ts';
import { createParseFull } from '../skill/yaml/parse-full.ts';
import { packageFolder } from './package-info.ts';

/** The library bundled into one file, by its path in the package; set by the build. */
declare const TECHNE_YAML: string | undefined;

let loaded: ParseFull | null = null;

export const nodeParseFull: ParseFull = (text, start, end, report) => {
  loaded ??= createParseFull(loadLibrary());
  return loaded(text, start, end, report);
};

function loadLibrary(): YamlLibrary {
  const require = createRequire(import.meta.url);
  return require(
    typeof TECHNE_YAML === 'undefined' ? 'yaml' : join(packageFolder(), TECHNE_YAML),
  ) as YamlLibrary;
}

/** The frontmatter of a whole SKILL.md. */
export function nodeFrontmatter(text: string): Frontmatter {
  return parseWholeFrontmatter(text, nodeParseFull);
}
