// Documents of the editor: `file:` ones under their path, others under a path of their own, so that they are checked too.
//
//   textDocument/didOpen, didChange, didClose -> Documents -> Editor.texts
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import type { DocumentUri, TextDocumentContentChangeEvent } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { OpenTexts } from '../techne/editor/open-texts.ts';

/** Folders of documents that are not files; nothing is made there. */
const elsewhere = join(tmpdir(), 'techne-unsaved');

interface OpenDocument {
  readonly path: string;
  document: TextDocument;
}

export class Documents {
  readonly #open = new Map<DocumentUri, OpenDocument>();
  readonly #texts: OpenTexts;

  constructor(texts: OpenTexts) {
    this.#texts = texts;
  }

  get paths(): readonly string[] {
    return [...this.#open.values()].map(({ path }) => path);
  }

  /** The path of the document. */
  open(uri: DocumentUri, languageId: string, version: number, text: string): string {
    const path = pathOf(uri) ?? unsavedPath(uri, languageId);
    this.#open.set(uri, { path, document: TextDocument.create(uri, languageId, version, text) });
    this.#texts.open(path, text);
    return path;
  }

  /** `null`: it is not open. */
  change(
    uri: DocumentUri,
    version: number,
    changes: readonly TextDocumentContentChangeEvent[],
  ): string | null {
    const known = this.#open.get(uri);
    if (known === undefined) return null;
    known.document = TextDocument.update(known.document, [...changes], version);
    this.#texts.change(known.path, known.document.getText());
    return known.path;
  }

  save(uri: DocumentUri): string | null {
    const known = this.#open.get(uri);
    if (known === undefined) return null;
    this.#texts.open(known.path, known.document.getText());
    return known.path;
  }

  close(uri: DocumentUri): string | null {
    const known = this.#open.get(uri);
    if (known === undefined) return null;
    this.#open.delete(uri);
    if (!this.paths.includes(known.path)) this.#texts.close(known.path);
    return known.path;
  }

  /** `null`: not open. */
  find(uri: DocumentUri): { readonly path: string; readonly text: string; readonly version: number } | null {
    const known = this.#open.get(uri);
    if (known === undefined) return null;
    return { path: known.path, text: known.document.getText(), version: known.document.version };
  }

  /** As the editor calls it where it is open. */
  uriOf(path: string): DocumentUri {
    for (const [uri, one] of this.#open) if (one.path === path) return uri;
    return pathToFileURL(path).href;
  }

  versionOf(path: string): number | null {
    for (const one of this.#open.values()) if (one.path === path) return one.document.version;
    return null;
  }
}

/** `null`: it is no file of this machine. */
export function pathOf(uri: DocumentUri): string | null {
  if (!uri.startsWith('file:')) return null;
  try {
    return fileURLToPath(uri);
  } catch (error) {
    // Such as one with the name of a host, or with an encoded "/".
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** The last part of the address names it, if that is the name of a skill file or program; else its language does. */
function unsavedPath(uri: DocumentUri, languageId: string): string {
  const folder = createHash('sha256').update(uri).digest('hex').slice(0, 12);
  const parts = decoded(uri.replace(/^[^:]*:/, '').replace(/[?#].*$/s, '')).split('/');
  const name = parts.at(-1) ?? '';
  const around = /^[\w][\w.-]{0,63}$/.test(parts.at(-2) ?? '') ? (parts.at(-2) as string) : 'unsaved-skill';
  if (/^skill\.md$/i.test(name) || name.endsWith('.star')) return join(elsewhere, folder, around, name);
  const isProgram = /^(?:starlark|python|bzl|bazel)$/.test(languageId);
  return join(elsewhere, folder, around, isProgram ? 'SKILL.star' : 'SKILL.md');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
