// Two trees of a skill -> what changes, line by line.
import { decodeUtf8 } from '../../base/utf8.ts';
import { diffLines } from '../../measure/testing/diff-lines.ts';
import type { CandidateTree } from '../../proposals/change-tree.ts';

export interface ShownChange {
  readonly path: string;
  readonly what: 'added' | 'removed' | 'changed';
  /** `line`: its number in the new file; `null` for a line that goes, and for files that are not text. */
  readonly lines: readonly {
    readonly sign: ' ' | '-' | '+';
    readonly text: string;
    readonly line: number | null;
  }[];
}

export function fileChanges(
  base: CandidateTree | null,
  candidate: CandidateTree | null,
): readonly ShownChange[] {
  const paths = [...new Set([...(base?.keys() ?? []), ...(candidate?.keys() ?? [])])].sort();
  return paths.flatMap((path) => {
    const [old, fresh] = [base?.get(path), candidate?.get(path)];
    const [before, after] = [textOf(old?.bytes), textOf(fresh?.bytes)];
    if (old !== undefined && fresh !== undefined && Buffer.compare(old.bytes, fresh.bytes) === 0) return [];
    const what = old === undefined ? 'added' : fresh === undefined ? 'removed' : 'changed';
    if (before === null || after === null)
      return [
        {
          path,
          what,
          lines: [{ sign: '+', text: `(${fresh?.bytes.length ?? 0} bytes that are not text)`, line: null }],
        },
      ];
    let line = 0;
    // Nothing is taken from a file that was not there, nor added to one that goes.
    const never = old === undefined ? '-' : fresh === undefined ? '+' : null;
    const lines = diffLines(old === undefined ? '' : before, fresh === undefined ? '' : after)
      .filter(({ sign }) => sign !== never)
      .map(({ sign, text }) => {
        if (sign !== '-') line += 1;
        return { sign, text, line: sign === '-' ? null : line };
      });
    return [{ path, what, lines }];
  });
}

/** `null`: not text. */
function textOf(bytes: Uint8Array | undefined): string | null {
  if (bytes === undefined) return '';
  const { text, valid } = decodeUtf8(bytes);
  return valid ? text : null;
}
