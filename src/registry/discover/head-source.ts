// Where the head of a found skill comes from.
//
//   ParsedHead    parsed while the skill was found
//   GlancedHead   recognised as plain; parsed when more than its card is needed
//   RecordedHead  taken from the index cache (head-index.ts); decoded on demand
//
// All give the same card, the same head and the same diagnostics.
import type { Diagnostic } from '../../base/diagnostic.ts';
import { collectInto } from '../../base/diagnostic.ts';
import type { FileSignature } from '../../ports/files.ts';
import type { SkillCard } from '../../skill/card.ts';
import { cardOf } from '../../skill/card.ts';
import type { Glimpse } from '../../skill/frontmatter/glance.ts';
import { cardOfGlimpse } from '../../skill/frontmatter/glance.ts';
import { parseHead } from '../../skill/parse-head.ts';
import type { SkillHead } from '../../skill/types.ts';
import type { ParseFull } from '../../skill/yaml/node.ts';

/** Keeps what it worked out. */
export interface HeadSource {
  /** Of the SKILL.md it was read from. */
  readonly signature: FileSignature;
  /** The frontmatter, where a glance at it was enough. */
  readonly glanced: string | null;
  readonly description: string;
  card(folderName: string): SkillCard;
  head(folderName: string): SkillHead;
  diagnostics(folderName: string, file: string): readonly Diagnostic[];
}

export class ParsedHead implements HeadSource {
  readonly signature: FileSignature;
  readonly glanced = null;
  private readonly parsed: SkillHead;
  private readonly reported: readonly Diagnostic[];
  private known: SkillCard | null = null;

  constructor(signature: FileSignature, parsed: SkillHead, reported: readonly Diagnostic[]) {
    this.signature = signature;
    this.parsed = parsed;
    this.reported = reported;
  }

  get description(): string {
    return this.parsed.description;
  }

  card(): SkillCard {
    return (this.known ??= cardOf(this.parsed, this.reported));
  }

  head(): SkillHead {
    return this.parsed;
  }

  diagnostics(): readonly Diagnostic[] {
    return this.reported;
  }
}

export class GlancedHead implements HeadSource {
  readonly signature: FileSignature;
  readonly glanced: string;
  private readonly glimpse: Glimpse;
  private known: SkillCard | null = null;
  private readonly parseFull: ParseFull;
  private read: ParsedGlance | null = null;

  constructor(signature: FileSignature, glanced: string, glimpse: Glimpse, parseFull: ParseFull) {
    this.signature = signature;
    this.glanced = glanced;
    this.glimpse = glimpse;
    this.parseFull = parseFull;
  }

  get description(): string {
    return this.glimpse.description;
  }

  card(): SkillCard {
    return (this.known ??= cardOfGlimpse(this.glimpse, this.parseFull));
  }

  head(folderName: string): SkillHead {
    this.read ??= parseGlanced(this.glanced, folderName, folderName, this.signature, this.parseFull);
    return this.read.head;
  }

  diagnostics(folderName: string, file: string): readonly Diagnostic[] {
    this.read ??= parseGlanced(this.glanced, folderName, file, this.signature, this.parseFull);
    return this.read.diagnosticsFor(file);
  }
}

/** What `parseHead` makes of a frontmatter that `glance` took. */
class ParsedGlance {
  readonly head: SkillHead;
  private readonly reported: readonly Diagnostic[];

  constructor(head: SkillHead, reported: readonly Diagnostic[]) {
    this.head = head;
    this.reported = reported;
  }

  diagnosticsFor(file: string): readonly Diagnostic[] {
    return this.reported.map((diagnostic) => ({ ...diagnostic, path: file }));
  }
}

function parseGlanced(
  text: string,
  folderName: string,
  file: string,
  signature: FileSignature,
  parseFull: ParseFull,
): ParsedGlance {
  const reported: Diagnostic[] = [];
  // Nothing in the folder makes it executable, or it would not have been taken.
  const context = { folderName, entries: [], complete: true, fileBytes: Number(signature.size), parseFull };
  const head = parseHead(text, context, collectInto(reported, file));
  if (typeof head === 'string')
    throw new Error(`parseHead answered "${head}" to a head that a glance had taken: ${file}`);
  return new ParsedGlance(head, reported);
}
