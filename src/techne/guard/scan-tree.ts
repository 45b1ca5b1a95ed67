// A folder -> its report, with what the user accepted moved aside.
import type { NameBook } from '../../guard/detect/name-book.ts';
import type { ReadTree } from '../../guard/read-tree.ts';
import { readTree } from '../../guard/read-tree.ts';
import type { Report } from '../../guard/report.ts';
import type { ScanProgress } from '../../guard/scan.ts';
import { scanSkill, scanSkillInSteps } from '../../guard/scan.ts';
import { nodeGuardPorts } from '../../node/guard-ports.ts';
import type { Files } from '../../ports/files.ts';
import { TechneError } from '../../base/error.ts';
import type { AcceptedRecord } from './accepted.ts';
import { readAccepted, withAccepted } from './accepted.ts';

export interface ScanTreeInput {
  readonly files: Files;
  /** Real, absolute. */
  readonly folder: string;
  /** The name of the skill. */
  readonly name: string;
  /** `~/.techne/accepted.json`; `null`: nothing counts as accepted. */
  readonly acceptedFile: string | null;
  /** The names that it must not be taken for. */
  readonly names: NameBook;
  /** Bytes that are about to be handed out in the place of a file. Default: all files are as they are on disk. */
  readonly other?: { readonly path: string; readonly bytes: Uint8Array };
  /** Called before each file; what it throws stops the scan. Default: the scan goes on without a pause. */
  readonly pause?: (progress: ScanProgress) => Promise<void>;
}

export interface ScannedTree {
  readonly report: Report;
  readonly tree: ReadTree;
}

export async function scanTree(input: ScanTreeInput): Promise<ScannedTree> {
  const { files, folder, name, acceptedFile, names, other, pause } = input;
  const onDisk = await readTree(files, folder);
  const tree = other === undefined ? onDisk : withBytes(onDisk, other.path, other.bytes);
  const options = { name, names, ...(other === undefined ? {} : { first: other.path }) };
  const report =
    pause === undefined
      ? scanSkill(tree.files, nodeGuardPorts, options)
      : await scanSkillInSteps(tree.files, nodeGuardPorts, options, pause);
  return { tree, report: withAccepted(report, await acceptedOr(files, acceptedFile)) };
}

/** A file that cannot be used accepts nothing. */
async function acceptedOr(files: Files, path: string | null): Promise<readonly AcceptedRecord[]> {
  if (path === null) return [];
  try {
    return await readAccepted(files, path);
  } catch (error) {
    if (error instanceof TechneError) return [];
    throw error;
  }
}

/** A tree with other bytes in the place of a file. */
function withBytes(tree: ReadTree, path: string, bytes: Uint8Array): ReadTree {
  const has = tree.files.some((file) => file.path === path);
  const file = { path, kind: 'file', size: bytes.length, executable: false, bytes } as const;
  return {
    ...tree,
    files: has
      ? tree.files.map((one) => (one.path === path ? { ...one, size: bytes.length, bytes } : one))
      : [...tree.files, file],
  };
}
