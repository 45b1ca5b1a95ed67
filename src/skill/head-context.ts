// What is known about a skill before its SKILL.md is parsed.
import type { ParseFull } from './yaml/node.ts';

/** One entry of the skill folder, as a listing gives it. */
export interface FolderEntryLike {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
}

export interface HeadContext {
  readonly folderName: string;
  /** The entries of the skill folder itself, not of folders below. */
  readonly entries: readonly FolderEntryLike[];
  /** `text` is the whole file, not its head. */
  readonly complete: boolean;
  readonly fileBytes: number;
  /** Asked only about what the plain parser is unsure of, so that it can load the YAML package then. */
  readonly parseFull: ParseFull;
}
