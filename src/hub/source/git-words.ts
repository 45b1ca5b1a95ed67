// The parts of a git source that a person writes: refs, folders, names of skills.
//
//   "feature/x"   "v1.2@pdf"   "skills/pdf/"
//
// A ref follows the rules of `git check-ref-format`, so that it can be no option and no expression of revisions. What may
// stand for "@" and "#" inside a ref is percent-encoded.
import { TechneError } from '../../base/error.ts';
import { hasHiddenCharacters, printableLine } from '../../base/printable.ts';
import { isSafeRelativePath } from '../../skill/resources.ts';

/** A commit, by the whole of its id (SHA-1 or SHA-256). */
export function isCommitId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

/** What git accepts as the name of a branch or tag. */
function isRefName(text: string): boolean {
  return (
    text !== '' &&
    text !== '@' &&
    text.length <= 250 &&
    !/^[-/]|[/.]$|\.\.|\/\/|@\{|[ ~^:?*[\\]/.test(text) &&
    !hasHiddenCharacters(text) &&
    !/[\n\t]/.test(text) &&
    text.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'))
  );
}

export interface RefAndSkills {
  readonly ref: string | null;
  readonly skills: readonly string[];
}

/** What follows "#": a ref, or `ref@skill`. `source` is for messages. */
export function readFragment(fragment: string | null, source: string): RefAndSkills {
  if (fragment === null) return { ref: null, skills: [] };
  const [ref = '', ...names] = fragment.split('@').map((part) => decoded(part, source));
  if (names.length > 1)
    throw new TechneError('SOURCE_AMBIGUOUS', `"${show(source)}" has more than one "@" after "#"`, {
      hint: 'write "@" as "%40" where it is part of the ref: "#pkg%401.0.0" or "#pkg%401.0.0@skill"',
    });
  if (!isRefName(ref))
    throw new TechneError('SOURCE_INVALID', `"${show(ref)}" is not a name that a branch or tag can have`, {
      hint: 'write a branch, a tag or a full commit id after "#"',
    });
  return { ref: isCommitId(ref.toLowerCase()) ? ref.toLowerCase() : ref, skills: names.map(readSkillName) };
}

/** The name of a skill to be taken; it is compared with what the source has. */
export function readSkillName(text: string): string {
  if (/^[\p{L}\p{N}][\p{L}\p{N}\p{M}._-]{0,63}$/u.test(text)) return text;
  throw new TechneError('SOURCE_INVALID', `"${show(text)}" is not the name of a skill`, {
    hint: 'a name has small letters, digits and "-"',
  });
}

/** A folder inside a source; `null` for its root. */
export function readFolder(text: string, source: string): string | null {
  const path = text.replace(/\/+$/, '');
  if (path === '') return null;
  if (isSafeRelativePath(path) && !hasHiddenCharacters(path)) return path;
  throw new TechneError('SOURCE_INVALID', `"${show(path)}" in "${show(source)}" is not a folder inside it`, {
    hint: 'write the path from the root of the repository, without ".." and "."',
  });
}

export function decoded(text: string, source: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    throw new TechneError(
      'SOURCE_INVALID',
      `"${show(source)}" has a "%" that is not followed by two hex digits`,
      {
        hint: 'write "%25" for a "%"',
        cause: error,
      },
    );
  }
}

export function show(text: string): string {
  const line = printableLine(text);
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
