// What the parts of the page of a skill share.
import type { OperationOutput } from '../../../../src/api/operation.ts';
import type { Operations } from '../../../../src/api/operations.ts';
import type { SourceMark } from '../../components/SourceView.svelte';

export type Shown = OperationOutput<Operations['showSkill']>;
export type Diagnostic = Shown['diagnostics'][number];

export interface PartProps {
  readonly name: string;
  readonly skill: Shown;
}

export interface ListedFile {
  readonly path: string;
  readonly entry: string;
  readonly size: number;
}

export function filesOf({ files }: Shown): readonly ListedFile[] {
  return Array.isArray(files) ? (files as unknown as readonly ListedFile[]) : [];
}

export function markOf({
  code,
  severity,
  line,
  column,
  endLine,
  endColumn,
  message,
  hint,
}: Diagnostic): SourceMark {
  return {
    line: line ?? 1,
    column,
    endLine: endLine ?? null,
    endColumn: endColumn ?? null,
    tone: severity === 'error' ? 'bad' : severity === 'warning' ? 'warn' : 'quiet',
    title: code,
    text: message,
    hint,
  };
}

/** The path inside of the folder of a skill; `null`: it is elsewhere. Both as the server shows them. */
export function insideOf(skillFile: string, path: string): string | null {
  const folder = skillFile.slice(0, skillFile.lastIndexOf('/') + 1);
  return folder !== '' && path.startsWith(folder) ? path.slice(folder.length) : null;
}
