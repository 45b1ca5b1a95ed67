// The draft of a skill in this browser: the files as they are on the disk, and what was changed of them here.
//
//   files of the disk + changes kept in localStorage -> tabs, texts, the request that proposes them
//
// D1. What was typed is kept at once, with the text of the disk that it was made from, so that a later change there can be shown.
// D2. A file that was not changed here is always the one of the disk.
import type { JsonObject } from '../../../../src/base/json.ts';
import { kept } from '../../lib/kept.svelte.ts';

/** A file of the skill on the disk. */
export interface DiskFile {
  readonly path: string;
  readonly bytes: number;
  /** `null`: it is no text, or too large to be edited here. */
  readonly text: string | null;
}

/** A file that differs from the disk. */
export interface Change extends JsonObject {
  readonly path: string;
  /** Of the disk when it was changed first; `null`: it was not there. */
  readonly before: string | null;
  /** `null`: it is removed. */
  readonly after: string | null;
}

/** What is kept. `digest`: of the skill that the changes were made from; `null` of a new one. */
export interface KeptDraft extends JsonObject {
  readonly digest: string | null;
  readonly changes: readonly Change[];
  readonly why: string;
}

const empty: KeptDraft = { digest: null, changes: [], why: '' };

export class Draft {
  #kept = $state.raw() as ReturnType<typeof kept<KeptDraft>>;
  readonly #name: string;
  disk = $state.raw<readonly DiskFile[]>([]);
  /** Of the skill on the disk; `null`: it is not there. */
  digest = $state<string | null>(null);
  /** The browser could not keep the draft: it is lost with the page. */
  isLost = $state(false);

  constructor(name: string) {
    this.#name = `draft/edit/${name}`;
    this.#kept = kept<KeptDraft>(this.#name, empty);
  }

  get changes(): readonly Change[] {
    return this.#kept.value.changes;
  }
  get why(): string {
    return this.#kept.value.why;
  }
  set why(why: string) {
    this.#keep({ ...this.#kept.value, why });
  }
  /** The digest that the changes were made from. */
  get madeFrom(): string | null {
    return this.#kept.value.digest ?? this.digest;
  }
  /** Somebody changed the skill after the draft was begun. */
  get isBehind(): boolean {
    return this.changes.length > 0 && this.#kept.value.digest !== this.digest;
  }
  /** Paths as they would be, SKILL.md first. */
  get paths(): readonly string[] {
    const removed = new Set(this.changes.filter(({ after }) => after === null).map(({ path }) => path));
    const all = new Set([...this.disk.map(({ path }) => path), ...this.changes.map(({ path }) => path)]);
    return [...all]
      .filter((path) => !removed.has(path))
      .toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0));
  }

  changeOf(path: string): Change | undefined {
    return this.changes.find((one) => one.path === path);
  }
  /** `null`: it is no text that can be edited here. */
  textOf(path: string): string | null {
    const change = this.changeOf(path);
    if (change !== undefined) return change.after;
    return this.disk.find((one) => one.path === path)?.text ?? null;
  }
  onDisk(path: string): string | null {
    return this.disk.find((one) => one.path === path)?.text ?? null;
  }
  /** Files that are not saved, besides `path`, as the operations for drafts take them. */
  othersThan(path: string): { path: string; text: string | null }[] {
    return this.changes
      .filter((one) => one.path !== path)
      .slice(0, 50)
      .map((one) => ({ path: one.path, text: one.after }));
  }

  write(path: string, after: string | null): void {
    const known = this.changeOf(path);
    const before = known === undefined ? this.onDisk(path) : known.before;
    const others = this.changes.filter((one) => one.path !== path);
    const isSame = after === before && (known === undefined || !this.isBehind);
    const changes = isSame ? others : [...others, { path, before, after }];
    this.#keep({
      ...this.#kept.value,
      digest: others.length > 0 || this.isBehind ? this.#kept.value.digest : this.digest,
      changes,
    });
  }
  move(from: string, to: string): void {
    const text = this.textOf(from);
    if (text === null) return;
    this.write(to, text);
    this.write(from, null);
  }
  /** The changes stay, and count as made from what is on the disk now. */
  catchUp(): void {
    const changes = this.changes
      .map(({ path, after }) => ({ path, before: this.onDisk(path), after }))
      .filter(({ before, after }) => before !== after);
    this.#keep({ ...this.#kept.value, digest: this.digest, changes });
  }
  /** Forgets the changes of one file. */
  takeBack(path: string): void {
    this.#keep({ ...this.#kept.value, changes: this.changes.filter((one) => one.path !== path) });
  }
  clear(): void {
    this.#kept.clear();
  }
  /** Another tab may edit the same skill: both show what was typed last. Gives what ends it. */
  follow(): () => void {
    const take = ({ key }: StorageEvent): void => {
      if (key === `techne/${this.#name}`) this.#kept = kept<KeptDraft>(this.#name, empty);
    };
    addEventListener('storage', take);
    return () => removeEventListener('storage', take);
  }
  begin(files: readonly { readonly path: string; readonly text: string }[]): void {
    this.#keep({
      digest: null,
      why: '',
      changes: files.map(({ path, text }) => ({ path, before: null, after: text })),
    });
  }

  #keep(next: KeptDraft): void {
    this.#kept.value = next.changes.length === 0 && next.why === '' ? empty : next;
    try {
      this.isLost = localStorage.getItem(`techne/${this.#name}`) !== JSON.stringify(this.#kept.value);
    } catch {
      // Storage is off.
      this.isLost = true;
    }
  }
}

function rank(path: string): number {
  return path === 'SKILL.md' ? 0 : path.includes('/') ? 2 : 1;
}

/** Why a path cannot be a file of the skill; `null`: it can. */
export function pathFault(path: string, taken: readonly string[]): string | null {
  const parts = path.split('/');
  if (path.trim() === '') return 'Type the path of the file, such as references/notes.md.';
  if (
    /[\\\0:*?"<>|]/.test(path) ||
    parts.some((part) => part === '' || part === '.' || part === '..' || part.trim() !== part)
  )
    return 'This must be a path inside of the skill, such as references/notes.md.';
  if (parts.some((part) => part.startsWith('.'))) return 'Hidden files are no part of a skill.';
  if (path.length > 200) return 'The path is too long: at most 200 characters.';
  if (taken.includes(path)) return 'There is a file with this path.';
  if (taken.some((one) => one.startsWith(`${path}/`) || path.startsWith(`${one}/`)))
    return 'A file cannot be a folder too.';
  return null;
}
