// A folder of notes on a disk <-> its graph.
//
//   folder -> walk -> readNote for each .md -> NoteGraph;  update(path) follows one edit, refresh() whatever changed
//
// The graph can always be rebuilt from the files alone; nothing is kept elsewhere. Links of the file system are not followed, and
// dot folders, node_modules and what is named to be left out are not entered. A note that is too large, no text or cannot be
// read is a node without content, with a diagnostic. Nothing in a note can make reading fail or take long.
import type { Diagnostic } from '../base/diagnostic.ts';
import { decodeUtf8 } from '../base/utf8.ts';
import type { FileSignature, Files, FileRead } from '../ports/files.ts';
import { FileFault } from '../ports/files.ts';
import { severityOf } from '../base/codes.ts';
import type { DiagnosticCode } from '../base/codes.ts';
import type { ParseFull } from '../skill/yaml/node.ts';
import { NoteGraph } from './graph.ts';
import { isNotePath } from './note-names.ts';
import type { Note } from './note.ts';
import { readNote } from './read-note.ts';

export interface VaultOptions {
  readonly files: Files;
  /** Absolute. */
  readonly folder: string;
  readonly parseFull: ParseFull;
  /** Edges that skills declare, in snake case. Default: none. */
  readonly edges?: ReadonlySet<string>;
  /** Folders that are not entered, relative to the vault. Default: none. */
  readonly without?: readonly string[];
  /** Of one note. Default: 1 MiB. */
  readonly maxBytes?: number;
  /** Of all files. Default: 100,000. */
  readonly maxFiles?: number;
  /** Default: 32. */
  readonly maxDepth?: number;
}

const skippedFolders: ReadonlySet<string> = new Set(['node_modules', '__pycache__']);

export class Vault {
  readonly folder: string;
  readonly graph = new NoteGraph();
  readonly #options: Required<VaultOptions>;
  readonly #signatures = new Map<string, FileSignature | null>();
  readonly #faults = new Map<string, Diagnostic>();
  #isCut = false;

  constructor(options: VaultOptions) {
    this.folder = options.folder;
    this.#options = {
      edges: new Set(),
      without: [],
      maxBytes: 1024 * 1024,
      maxFiles: 100_000,
      maxDepth: 32,
      ...options,
    };
    this.refresh();
  }

  /** What is wrong with notes: their frontmatter, their size; by path. */
  get diagnostics(): readonly Diagnostic[] {
    return [...this.graph.nodes().flatMap(({ note }) => note.diagnostics), ...this.#faults.values()];
  }

  /** Whether there were more files than are read. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** The text of a note as it is now; '' where it cannot be read. */
  textOf(path: string): string {
    const read = this.graph.get(path) === null ? null : this.#read(path);
    return read === null || 'fault' in read ? '' : read.text;
  }

  /** Looks at the whole folder, and reads again what changed. Gives the paths of files that did. */
  refresh(): readonly string[] {
    const found = this.#walk();
    return this.#follow([...[...this.#signatures.keys()].filter((path) => !found.has(path)), ...found]);
  }

  /** Follows an edit, a new file or a removal. Gives whether anything changed. */
  update(path: string): boolean {
    return this.#follow([path]).length > 0;
  }

  #follow(paths: Iterable<string>): readonly string[] {
    const removed: string[] = [];
    const files: string[] = [];
    const notes: (readonly [string, Note])[] = [];
    for (const path of paths) {
      const stat = this.#stat(path);
      const known = this.#signatures.get(path);
      if (stat === null) {
        if (known === undefined) continue;
        this.#signatures.delete(path);
        this.#faults.delete(path);
        removed.push(path);
      } else if (!isNotePath(path)) {
        if (known !== undefined) continue;
        this.#signatures.set(path, null);
        files.push(path);
      } else if (known === undefined || known === null || !isSame(known, stat)) {
        const note = this.#noteAt(path);
        if (note !== null) notes.push([path, note]);
      }
    }
    this.graph.change({ removed, files, notes });
    return [...removed, ...files, ...notes.map(([path]) => path)];
  }

  /** `null`: it is no longer there. */
  #noteAt(path: string): Note | null {
    const read = this.#read(path);
    if (read === null) return null;
    this.#signatures.set(path, read.stat);
    this.#faults.delete(path);
    if (!('fault' in read)) return readNote(this.#place(path), read.text, this.#options);
    this.#faults.set(path, read.fault);
    return emptyNote;
  }

  #place(path: string): string {
    return `${this.folder}/${path}`;
  }

  /** `null`: no regular file is there. */
  #stat(path: string): FileSignature | null {
    try {
      const stat = this.#options.files.lstat(this.#place(path));
      return stat?.isFile() === true ? stat : null;
    } catch (error) {
      if (error instanceof FileFault) return null;
      throw error;
    }
  }

  #read(
    path: string,
  ):
    | { readonly stat: FileSignature | null; readonly text: string }
    | { readonly stat: FileSignature | null; readonly fault: Diagnostic }
    | null {
    const { files, maxBytes } = this.#options;
    let read: FileRead | null;
    try {
      read = files.readHead(this.#place(path), maxBytes + 1);
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      return {
        stat: null,
        fault: this.#fault(
          path,
          'NOTE_UNREADABLE',
          `the note cannot be read: ${error.message}`,
          'give yourself the right to read it',
        ),
      };
    }
    if (read === null) return null;
    const { stat, bytes } = read;
    // Another file may have been put in its place, or a link that leads out of the vault.
    if (this.#stat(path)?.ino !== stat.ino) return null;
    if (bytes.length > maxBytes)
      return {
        stat,
        fault: this.#fault(
          path,
          'NOTE_TOO_LARGE',
          `the note has ${stat.size} bytes, more than the ${maxBytes} that are read`,
          'split it into several notes',
        ),
      };
    if (bytes.includes(0))
      return {
        stat,
        fault: this.#fault(
          path,
          'NOTE_NOT_TEXT',
          'the note holds NUL bytes: it is not a text',
          'save it as UTF-8, or give it another ending',
        ),
      };
    return { stat, text: decodeUtf8(bytes).text };
  }

  #fault(path: string, code: DiagnosticCode, message: string, hint: string): Diagnostic {
    return { path: this.#place(path), code, severity: severityOf(code), span: null, message, hint };
  }

  #walk(): ReadonlySet<string> {
    const { files, maxFiles, maxDepth, without } = this.#options;
    const found = new Set<string>();
    const enter = (folder: string, depth: number): void => {
      for (const { name, kind } of this.#list(files, folder)) {
        const path = folder === '' ? name : `${folder}/${name}`;
        if (name.startsWith('.') || (kind === 'folder' && skippedFolders.has(name)) || without.includes(path))
          continue;
        if (kind === 'folder') {
          if (depth < maxDepth) enter(path, depth + 1);
          else this.#isCut = true;
        } else if (kind === 'file') {
          if (found.size >= maxFiles) this.#isCut = true;
          else found.add(path);
        }
      }
    };
    this.#isCut = false;
    enter('', 1);
    return found;
  }

  #list(files: Files, folder: string): ReturnType<Files['list']> & object {
    try {
      return files.list(folder === '' ? this.folder : this.#place(folder)) ?? [];
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      this.#faults.set(
        folder,
        this.#fault(
          folder,
          'NOTE_UNREADABLE',
          `the folder cannot be read: ${error.message}`,
          'give yourself the right to read it',
        ),
      );
      return [];
    }
  }
}

function isSame(a: FileSignature, b: FileSignature): boolean {
  return a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;
}

const emptyNote: Note = {
  type: null,
  title: null,
  properties: {},
  aliases: [],
  tags: [],
  headings: [],
  blocks: [],
  links: [],
  tasks: [],
  diagnostics: [],
};
