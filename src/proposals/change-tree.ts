// What somebody wants changed -> the files of the skill as they would be.
//
//   files of the base + request -> files of the candidate, or PROPOSAL_REFUSED with the reason
//
// A patch is exact: its old text must stand in the file once. Nothing is guessed, merged or normalised. New files are not
// executable; files that stay keep what they were.
import { TechneError } from '../base/error.ts';
import { printableLine } from '../base/printable.ts';
import { decodeUtf8, encodeUtf8 } from '../base/utf8.ts';
import { isExcluded, isSafeRelativePath } from '../skill/resources.ts';

export interface CandidateFile {
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

/** By path inside the skill folder, with `/`. */
export type CandidateTree = ReadonlyMap<string, CandidateFile>;

export interface Patch {
  readonly path: string;
  /** Must stand in the file exactly once. */
  readonly old: string;
  readonly new: string;
}

/** The whole of a file; `text: null` removes it. */
export interface WholeFile {
  readonly path: string;
  readonly text: string | null;
}

export type ChangeRequest =
  | { readonly kind: 'create'; readonly skill: string; readonly files: readonly WholeFile[] }
  | {
      readonly kind: 'edit';
      readonly skill: string;
      readonly patches: readonly Patch[];
      readonly files: readonly WholeFile[];
    }
  | { readonly kind: 'delete'; readonly skill: string }
  | { readonly kind: 'rename'; readonly skill: string; readonly newName: string };

/** Of one candidate. */
export const candidateLimits = { files: 200, bytes: 2 * 1024 * 1024, why: 2000 } as const;

/** The name of a skill, as the standard has it. */
export const skillNamePattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** `base`: the files as they are; `null` where there is no skill. Gives `null` for a deletion. Throws PROPOSAL_REFUSED. */
export function changeTree(base: CandidateTree | null, request: ChangeRequest): CandidateTree | null {
  checkName(request.kind === 'rename' ? request.newName : request.skill, request.kind === 'create');
  if (request.kind === 'create') {
    if (base !== null) throw refused(`the skill "${request.skill}" exists`, 'propose an edit of it');
    return checked(withFiles(new Map(), request.files));
  }
  if (base === null) throw refused(`there is no skill "${request.skill}"`, 'propose to create it');
  switch (request.kind) {
    case 'delete':
      return null;
    case 'rename':
      return checked(renamed(base, request.skill, request.newName));
    case 'edit': {
      const files = new Map(base);
      for (const patch of request.patches) files.set(patch.path, patched(files.get(patch.path), patch));
      const changed = checked(withFiles(files, request.files));
      if (isSame(base, changed)) throw refused('the edit changes nothing', 'give other text');
      return changed;
    }
  }
}

function checkName(name: string, isNew: boolean): void {
  if (name.length <= 64 && skillNamePattern.test(name)) return;
  if (!isNew && isSafeRelativePath(name) && !name.includes('/')) return;
  throw refused(
    `"${printableLine(name).slice(0, 80)}" cannot be the name of a skill`,
    'use lower-case letters, digits and single hyphens, at most 64',
  );
}

function withFiles(
  files: Map<string, CandidateFile>,
  given: readonly WholeFile[],
): Map<string, CandidateFile> {
  const seen = new Set<string>();
  for (const { path, text } of given) {
    if (seen.has(path)) throw refused(`"${printableLine(path)}" is given twice`, 'give each file once');
    seen.add(path);
    if (text === null) {
      if (!files.delete(path))
        throw refused(`there is no file "${printableLine(path)}" to remove`, 'leave it out');
    } else files.set(path, { bytes: encodeUtf8(text), executable: files.get(path)?.executable ?? false });
  }
  return files;
}

function patched(file: CandidateFile | undefined, { path, old, new: next }: Patch): CandidateFile {
  const shown = printableLine(path);
  if (file === undefined)
    throw refused(`there is no file "${shown}" to patch`, 'give the whole file instead');
  const { text, valid } = decodeUtf8(file.bytes);
  if (!valid)
    throw refused(`"${shown}" is not UTF-8 text, so it cannot be patched`, 'give the whole file instead');
  if (old === '')
    throw refused(`the old text of a patch of "${shown}" is empty`, 'quote the text to be replaced');
  const at = text.indexOf(old);
  if (at < 0) throw refused(`the old text is not in "${shown}"`, 'read the file again and quote it exactly');
  if (text.indexOf(old, at + 1) >= 0)
    throw refused(`the old text stands more than once in "${shown}"`, 'quote more lines around it');
  return { ...file, bytes: encodeUtf8(text.slice(0, at) + next + text.slice(at + old.length)) };
}

/** The same files, with the name in the frontmatter replaced. */
function renamed(base: CandidateTree, from: string, to: string): Map<string, CandidateFile> {
  const file = base.get('SKILL.md');
  const { text, valid } = decodeUtf8(file?.bytes ?? new Uint8Array());
  const head = /^---[ \t]*\r?\n[^]*?\n---[ \t]*(?:\r?\n|$)/.exec(text)?.[0] ?? '';
  const names = [...head.matchAll(/^name:[ \t]*(["']?)([^"'\r\n]*?)\1[ \t]*$/gm)];
  if (file === undefined || !valid || names.length !== 1 || names[0]?.[2] !== from)
    throw refused(
      `SKILL.md of "${printableLine(from)}" has no plain line "name: ${printableLine(from)}" in its frontmatter`,
      'propose the new skill and the deletion of the old one',
    );
  const start = names[0].index;
  const line = names[0][0];
  const next = `${text.slice(0, start)}name: ${to}${text.slice(start + line.length)}`;
  return new Map(base).set('SKILL.md', { ...file, bytes: encodeUtf8(next) });
}

function checked(files: Map<string, CandidateFile>): CandidateTree {
  if (!files.has('SKILL.md')) throw refused('a skill needs a SKILL.md', 'give the file SKILL.md');
  if (files.size > candidateLimits.files)
    throw refused(`a proposal may have at most ${candidateLimits.files} files`, 'propose less');
  let bytes = 0;
  for (const [path, file] of files) {
    if (!isSafeRelativePath(path))
      throw refused(
        `"${printableLine(path).slice(0, 200)}" is not a path inside the skill`,
        'give paths relative to the folder of the skill, with "/" and without ".."',
      );
    if (isExcluded(path))
      throw refused(`"${printableLine(path)}" is a file that skills do not have`, 'leave it out');
    bytes += file.bytes.length;
  }
  if (bytes > candidateLimits.bytes)
    throw refused(`a proposal may have at most ${candidateLimits.bytes} bytes`, 'propose less');
  return files;
}

function isSame(a: CandidateTree, b: CandidateTree): boolean {
  return (
    a.size === b.size &&
    [...a].every(([path, { bytes }]) => {
      const other = b.get(path)?.bytes;
      return (
        other !== undefined &&
        other.length === bytes.length &&
        bytes.every((byte, index) => byte === other[index])
      );
    })
  );
}

function refused(message: string, hint: string): TechneError {
  return new TechneError('PROPOSAL_REFUSED', message, { hint });
}
