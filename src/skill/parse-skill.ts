// Parses a whole SKILL.md, for callers that have the text: editors, installers, tests.
//
//   text -> { head, body, diagnostics }
import type { Diagnostic } from '../base/diagnostic.ts';
import { collectInto, compareDiagnostics } from '../base/diagnostic.ts';
import type { FolderEntryLike, SkillBody, SkillHead } from './types.ts';
import { parseBody } from './body/parse-body.ts';
import { parseWholeFrontmatter } from './frontmatter/read-frontmatter.ts';
import { headOfFrontmatter } from './parse-head.ts';

/** What the text alone does not say. */
export interface ParseSkillOptions {
  /** The skill's identity. */
  readonly folderName: string;
  /** What lies beside the file; a `SKILL.star` makes it a program. Default: nothing. */
  readonly entries?: readonly FolderEntryLike[];
  /** How the file is called in diagnostics. Default: `SKILL.md`. */
  readonly path?: string;
}

/** Always whole, whatever is wrong with the text. */
export interface ParsedSkill {
  readonly head: SkillHead;
  readonly body: SkillBody;
  /** By place. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Never fails on what the text says; everything that is wrong with it is in `diagnostics`. */
export async function parseSkill(text: string, options: ParseSkillOptions): Promise<ParsedSkill> {
  const { parseFull } = await import('./yaml/bundled-parser.ts');
  const diagnostics: Diagnostic[] = [];
  const report = collectInto(diagnostics, options.path ?? 'SKILL.md');
  // Size limits are about files; a text in memory is as large as its holder allowed.
  const context = {
    folderName: options.folderName,
    entries: options.entries ?? [],
    fileBytes: text.length,
  };
  const head = headOfFrontmatter(parseWholeFrontmatter(text, parseFull), context, report);
  return { head, body: parseBody(text), diagnostics: diagnostics.sort(compareDiagnostics) };
}
