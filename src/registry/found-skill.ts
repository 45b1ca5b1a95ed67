// One skill as discovery leaves it, read from disk or taken from the index cache.
//
// S1. Nothing that `Skill` names can be assigned: all of it is accessors, so no object has to be frozen.
import type { Diagnostic } from '../base/diagnostic.ts';
import type { FileSignature, Files } from '../host/ports/files.ts';
import type { SkillCard } from '../skill/card.ts';
import type { SkillHead, SkillOrigin } from '../skill/types.ts';
import type { HeadSource } from './head-source.ts';
import type { Root, Skill, Source } from './types.ts';

/** What holds for all skills that one walk finds below one root. */
export interface FoundIn {
  readonly root: Root;
  /** Where the files are read from: the host's, or a tree in memory. */
  readonly files: Files;
  /** When the walk began. */
  readonly takenNs: bigint;
}

export class FoundSkill implements Skill {
  /** The folder with every link resolved. */
  readonly realFolder: string;
  readonly foundIn: FoundIn;
  private readonly from: HeadSource;
  private readonly path: string;
  private readonly called: string;

  constructor(foundIn: FoundIn, folder: string, realFolder: string, from: HeadSource) {
    this.realFolder = realFolder;
    this.foundIn = foundIn;
    this.from = from;
    this.path = folder;
    this.called = folder.slice(folder.lastIndexOf('/') + 1);
  }

  /** The folder's name: the identity of a skill is where it is. */
  get name(): string {
    return this.called;
  }

  get folder(): string {
    return this.path;
  }

  get description(): string {
    return this.from.description;
  }

  get source(): Source {
    return this.foundIn.root.source;
  }

  get root(): Root {
    return this.foundIn.root;
  }

  get origin(): SkillOrigin {
    return this.foundIn.root.origin;
  }

  get file(): string {
    return `${this.path}/SKILL.md`;
  }

  get files(): Files {
    return this.foundIn.files;
  }

  get signature(): FileSignature {
    return this.from.signature;
  }

  get card(): SkillCard {
    return this.from.card(this.called);
  }

  get head(): SkillHead {
    return this.from.head(this.called);
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.from.diagnostics(this.called, this.file);
  }
}

export function signatureOf(stat: FileSignature): FileSignature {
  return { dev: stat.dev, ino: stat.ino, size: stat.size, mtimeNs: stat.mtimeNs, ctimeNs: stat.ctimeNs };
}

export function sameSignature(a: FileSignature, b: FileSignature): boolean {
  return a.ctimeNs === b.ctimeNs && a.mtimeNs === b.mtimeNs && a.size === b.size && a.ino === b.ino && a.dev === b.dev;
}
