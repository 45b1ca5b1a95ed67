// Files that an ignore file of the skill itself would hide from other scanners and tools.
//
//   files -> path -> the ignore file that hides it; ignore files with more patterns than are read
//
// Our scan never honours such a file. But what a skill hides from its readers was hidden on purpose, so it is named. Patterns are those
// of .gitignore: `*`, `?`, `**`, a leading and a trailing slash, `!`. They are matched without regular expressions, in bounded time.
import { decodeUtf8 } from '../../base/utf8.ts';
import type { GuardFile } from '../detector.ts';

const names = /(?:^|\/)\.(?:skill|clawhub|agent|scan|git|npm|docker|cursor|claude)ignore$/;
const maxBytes = 64 * 1024;
const maxPatterns = 1000;
const maxLength = 1000;

export interface IgnoredFiles {
  readonly hidden: ReadonlyMap<string, string>;
  /** Ignore files that were not wholly read: what else they hide is not known. */
  readonly unread: readonly string[];
}

export function ignoredFiles(files: readonly GuardFile[]): IgnoredFiles {
  const hidden = new Map<string, string>();
  const unread: string[] = [];
  for (const { path: source, bytes } of files) {
    if (bytes === null || !names.test(source)) continue;
    const base = source.slice(0, source.lastIndexOf('/') + 1);
    const lines = decodeUtf8(bytes.subarray(0, maxBytes))
      .text.split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#'));
    const patterns = lines.filter((line) => line.length <= maxLength).slice(0, maxPatterns);
    if (bytes.length > maxBytes || patterns.length < lines.length) unread.push(source);
    for (const { path } of files) {
      if (!path.startsWith(base) || path === source) continue;
      if (isIgnored(path.slice(base.length), patterns)) hidden.set(path, source);
    }
  }
  return { hidden, unread };
}

/** The last pattern that fits the path or a folder above it decides. */
function isIgnored(path: string, patterns: readonly string[]): boolean {
  const segments = path.split('/');
  let ignored = false;
  for (const pattern of patterns) {
    const negated = pattern.startsWith('!');
    const plain = negated ? pattern.slice(1) : pattern;
    const folderOnly = plain.endsWith('/');
    const inner = folderOnly ? plain.slice(0, -1) : plain;
    const rooted = inner.includes('/');
    const wanted = (inner.startsWith('/') ? inner.slice(1) : inner).split('/');
    for (let end = 1; end <= segments.length; end += 1) {
      if (folderOnly && end === segments.length) break;
      const part = rooted ? segments.slice(0, end) : segments.slice(end - 1, end);
      if (fits(part, wanted)) {
        ignored = !negated;
        break;
      }
    }
  }
  return ignored;
}

function fits(segments: readonly string[], wanted: readonly string[]): boolean {
  return wild(segments, wanted, '**', (segment, pattern) =>
    wild(Array.from(segment), Array.from(pattern), '*', (letter, one) => one === '?' || one === letter),
  );
}

/** Matches with one kind of wildcard; goes back to the last one only, so it takes at most the product of both lengths. */
function wild(
  items: readonly string[],
  patterns: readonly string[],
  any: string,
  same: (item: string, pattern: string) => boolean,
): boolean {
  let item = 0;
  let pattern = 0;
  let star = -1;
  let from = 0;
  while (item < items.length) {
    if (patterns[pattern] === any) {
      star = pattern;
      from = item;
      pattern += 1;
    } else if (pattern < patterns.length && same(items[item] as string, patterns[pattern] as string)) {
      item += 1;
      pattern += 1;
    } else if (star >= 0) {
      pattern = star + 1;
      from += 1;
      item = from;
    } else {
      return false;
    }
  }
  return patterns.slice(pattern).every((one) => one === any);
}
