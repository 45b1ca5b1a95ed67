// One skill as discovery found it, read from disk or taken from the index cache.
//
// It is read-only: accessors over private state, and what they return is frozen on first use (the root and its origin
// once for each root), so that finding skills stays cheap.
import { deepFreeze } from '../../base/deep-freeze.ts';
import type { Diagnostic } from '../../base/diagnostic.ts';
import type { FileSignature, Files } from '../../ports/files.ts';
import type { SkillCard } from '../../skill/card.ts';
import type { SkillHead, SkillOrigin } from '../../skill/types.ts';
import type { HeadSource } from './head-source.ts';
import type { Root, Skill, Source } from '../types.ts';

/** What holds for all skills that one walk finds below one root. */
export interface FoundIn {
  readonly root: Root;
  /** Where the files are read from: the host's, or a tree in memory. */
  readonly files: Files;
  /** When the walk began. */
  readonly takenNs: bigint;
}

export class FoundSkill implements Skill {
  readonly #realFolder: string;
  readonly #foundIn: FoundIn;
  readonly #from: HeadSource;
  readonly #folder: string;
  readonly #name: string;
  #cardFrozen = false;

  /** `foundIn` and its root are frozen. */
  constructor(foundIn: FoundIn, folder: string, realFolder: string, from: HeadSource) {
    this.#realFolder = realFolder;
    this.#foundIn = foundIn;
    this.#from = from;
    this.#folder = folder;
    this.#name = folder.slice(folder.lastIndexOf('/') + 1);
    Object.preventExtensions(this);
  }

  /** The folder's name: the identity of a skill is where it is. */
  get name(): string {
    return this.#name;
  }

  get folder(): string {
    return this.#folder;
  }

  /** The folder with every link resolved. */
  get realFolder(): string {
    return this.#realFolder;
  }

  get foundIn(): FoundIn {
    return this.#foundIn;
  }

  get description(): string {
    return this.#from.description;
  }

  get source(): Source {
    return this.#foundIn.root.source;
  }

  get root(): Root {
    return this.#foundIn.root;
  }

  get origin(): SkillOrigin {
    return this.#foundIn.root.origin;
  }

  get file(): string {
    return `${this.#folder}/SKILL.md`;
  }

  get files(): Files {
    return this.#foundIn.files;
  }

  get signature(): FileSignature {
    return Object.freeze(this.#from.signature);
  }

  get card(): SkillCard {
    const card = this.#from.card(this.#name);
    if (!this.#cardFrozen) {
      this.#cardFrozen = true;
      freezeCard(card);
    }
    return card;
  }

  get head(): SkillHead {
    return frozen(this.#from.head(this.#name));
  }

  get diagnostics(): readonly Diagnostic[] {
    return frozen(this.#from.diagnostics(this.#name, this.file));
  }
}

/** Listing asks every skill for its card, and most hold nothing that is not frozen. */
function freezeCard(card: SkillCard): void {
  Object.freeze(card);
  if (card.bar !== null) Object.freeze(card.bar);
  if (card.requires !== null) deepFreeze(card.requires);
  if (!Object.isFrozen(card.invocation)) deepFreeze(card.invocation);
}

/** Each source keeps what it gives, so the second look costs one question. */
function frozen<T>(value: T): T {
  return Object.isFrozen(value) ? value : deepFreeze(value);
}

export function signatureOf(stat: FileSignature): FileSignature {
  return { dev: stat.dev, ino: stat.ino, size: stat.size, mtimeNs: stat.mtimeNs, ctimeNs: stat.ctimeNs };
}

export function sameSignature(a: FileSignature, b: FileSignature): boolean {
  return (
    a.ctimeNs === b.ctimeNs &&
    a.mtimeNs === b.mtimeNs &&
    a.size === b.size &&
    a.ino === b.ino &&
    a.dev === b.dev
  );
}
