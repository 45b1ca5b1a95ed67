// Two trees of a skill -> what changes, line by line, with what the guard found beside the lines.
import { printable, printableLine } from '../../base/printable.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import { diffLines } from '../../measure/testing/diff-lines.ts';
import type { CandidateTree } from '../../proposals/change-tree.ts';
import type { ProposalReport } from '../../proposals/proposal.ts';
import type { Paint } from '../io.ts';

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

/** Common lines around a difference. */
const around = 3;

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
    const lines = diffLines(old === undefined ? '' : before, fresh === undefined ? '' : after).map(
      ({ sign, text }) => {
        if (sign !== '-') line += 1;
        return { sign, text, line: sign === '-' ? null : line };
      },
    );
    return [{ path, what, lines }];
  });
}

/** `null`: not text. */
function textOf(bytes: Uint8Array | undefined): string | null {
  if (bytes === undefined) return '';
  const { text, valid } = decodeUtf8(bytes);
  return valid ? text : null;
}

/** Every changed line is shown: what a person accepts must not be cut. */
export function renderChanges(
  changes: readonly ShownChange[],
  report: ProposalReport | null,
  paint: Paint,
): readonly string[] {
  const notes = notesOf(report);
  const shown: string[] = [''];
  for (const { path, what, lines } of changes) {
    shown.push(paint.bold(`${what} ${printableLine(path)}`));
    const isNear = (at: number): boolean =>
      lines.slice(Math.max(0, at - around), at + around + 1).some(({ sign }) => sign !== ' ');
    let isCut = false;
    for (const [at, { sign, text, line }] of lines.entries()) {
      const found = line === null ? [] : (notes.get(`${path}:${line}`) ?? []);
      if (!isNear(at) && found.length === 0) {
        if (!isCut) shown.push(paint.dim('  …'));
        isCut = true;
        continue;
      }
      isCut = false;
      const written = `  ${sign} ${printable(text)}`;
      shown.push(sign === '-' ? paint.red(written) : sign === '+' ? paint.green(written) : written);
      for (const note of found) shown.push(paint.yellow(`      ^ ${note}`));
    }
  }
  if (changes.length === 0) shown.push('  no file changes');
  return shown;
}

/** `path:line` -> what was found there. */
function notesOf(report: ProposalReport | null): ReadonlyMap<string, readonly string[]> {
  const notes = new Map<string, string[]>();
  for (const { name, details } of report?.checks ?? []) {
    if (name !== 'guard' && name !== 'strict' && name !== 'plan') continue;
    for (const detail of details) {
      const at = /^(.+?:\d+): (.*)$/s.exec(detail);
      if (at === null) continue;
      const [, place = '', text = ''] = at;
      notes.set(place, [...(notes.get(place) ?? []), printableLine(text)]);
    }
  }
  return notes;
}
