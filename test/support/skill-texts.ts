// Reads SKILL.md texts the way tests want to talk about them: the head, and faults as "CODE line:column".
import type { Diagnostic } from '../../src/base/diagnostic.ts';
import { collectInto } from '../../src/base/diagnostic.ts';
import { placeOf } from '../../src/base/span.ts';
import type { FolderEntryLike, HeadContext, SkillHead } from '../../src/skill/types.ts';
import type { Frontmatter } from '../../src/skill/frontmatter/read-frontmatter.ts';
import { parseFrontmatter } from '../../src/skill/frontmatter/read-frontmatter.ts';
import { parseHead } from '../../src/skill/parse-head.ts';
import type { StrictContext } from '../../src/skill/check/validate-strict.ts';
import { validateStrict } from '../../src/skill/check/validate-strict.ts';
import { parseFull } from '../../src/skill/yaml/bundled-parser.ts';

export function entriesOf(...names: readonly string[]): readonly FolderEntryLike[] {
  return names.map((name) =>
    name.endsWith('/') ? { name: name.slice(0, -1), kind: 'folder' } : { name, kind: 'file' },
  );
}

export function contextOf(text: string, options: Partial<HeadContext> = {}): HeadContext {
  return {
    folderName: 'tides',
    entries: entriesOf('SKILL.md'),
    complete: true,
    fileBytes: text.length,
    parseFull,
    ...options,
  };
}

/** "CODE line:column", or the bare code where there is no place. */
export function faultLine(text: string, fault: Diagnostic): string {
  if (fault.span === null) return fault.code;
  const { line, column } = placeOf(text, fault.span.start);
  return `${fault.code} ${line}:${column}`;
}

export interface HeadReading {
  readonly head: SkillHead;
  readonly frontmatter: Frontmatter;
  readonly faults: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export function readHead(text: string, options: Partial<HeadContext> = {}): HeadReading {
  const diagnostics: Diagnostic[] = [];
  const context = contextOf(text, options);
  const frontmatter = parseFrontmatter(text, context.parseFull, context);
  if (frontmatter === 'more') throw new Error('the text is not whole');
  const head = parseHead(text, context, collectInto(diagnostics, 'SKILL.md'));
  if (typeof head === 'string') throw new Error(`no head: ${head}`);
  return { head, frontmatter, faults: diagnostics.map((fault) => faultLine(text, fault)), diagnostics };
}

/** The head of a skill called `tides` whose frontmatter goes on with `fields`. */
export function readFields(fields: string, options: Partial<HeadContext> = {}): HeadReading {
  return readHead(
    `---\nname: tides\ndescription: Tells tides. Use when asked.\n${fields}\n---\nBody.\n`,
    options,
  );
}

export function strictFaults(text: string, options: Partial<StrictContext> = {}): readonly string[] {
  const diagnostics: Diagnostic[] = [];
  const { head, frontmatter } = readHead(text, options);
  validateStrict(head, frontmatter, { ...contextOf(text), ...options }, collectInto(diagnostics, 'SKILL.md'));
  return diagnostics.map((fault) => faultLine(text, fault));
}
