// What a skill asks for and what its files would use, for whoever decides about trust: the lists of the consent page, of a skill
// that is here.
import { TechneError } from '../base/error.ts';
import type { Declared, Used } from '../hub/install/declared.ts';
import { readDeclared, readUsed } from '../hub/install/declared.ts';
import type { TreeFile } from '../hub/stage/tree.ts';
import { nodeParseFull } from '../node/yaml.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { Skill } from '../registry/types.ts';

export interface Demands {
  readonly declares: Declared;
  readonly uses: Used;
  /** Files that were not looked into, and why. */
  readonly unread: readonly { readonly path: string; readonly why: string }[];
}

const mostFileBytes = 1_048_576;
const mostBytes = 16_777_216;

export async function skillDemands(snapshot: Snapshot, skill: Skill): Promise<Demands> {
  const { files } = await snapshot.manifest(skill.name);
  const read: TreeFile[] = [];
  const unread: { readonly path: string; readonly why: string }[] = [];
  let bytes = 0;
  for (const file of files) {
    bytes += file.size;
    if (file.size > mostFileBytes || bytes > mostBytes) {
      unread.push({ path: file.path, why: 'it is too large to be looked into' });
      continue;
    }
    try {
      read.push({ ...file, bytes: await snapshot.readFile(skill.name, file.path) });
    } catch (error) {
      if (!(error instanceof TechneError)) throw error;
      unread.push({ path: file.path, why: error.message });
    }
  }
  return { declares: readDeclared(skill.name, read, nodeParseFull), uses: readUsed(read), unread };
}
