// The texts that an editor has open -> what the checks read, and places in them.
//
// A text that is as on disk is checked with the bytes of the disk: an editor drops a byte order mark and repairs what is not
// UTF-8, so its text alone would hide both. `shift` is what the checks count before the first character of the editor.
import { decodeUtf8, encodeUtf8 } from '../../base/utf8.ts';
import type { Span } from '../../base/span.ts';
import type { Files } from '../../ports/files.ts';
import { FileFault } from '../../ports/files.ts';
import { checkLimits } from '../check/check-skill.ts';
import type { OverlayFiles } from './overlay-files.ts';

const mark = '\uFEFF';

interface OpenText {
  readonly text: string;
  /** The file when it was opened or saved last. */
  readonly disk: { readonly bytes: Uint8Array; readonly text: string } | null;
  readonly shift: 0 | 1;
}

export class OpenTexts {
  readonly #texts = new Map<string, OpenText>();
  readonly #disk: Files;
  readonly #overlay: OverlayFiles;

  constructor(disk: Files, overlay: OverlayFiles) {
    this.#disk = disk;
    this.#overlay = overlay;
  }

  get paths(): readonly string[] {
    return [...this.#texts.keys()];
  }

  has(path: string): boolean {
    return this.#texts.has(path);
  }

  /** Opened, or saved: the disk may have changed. */
  open(path: string, text: string): void {
    this.#set(path, text, readNow(this.#disk, path));
  }

  change(path: string, text: string): void {
    const known = this.#texts.get(path);
    this.#set(path, text, known === undefined ? readNow(this.#disk, path) : known.disk);
  }

  close(path: string): void {
    this.#texts.delete(path);
    this.#overlay.setText(path, null);
  }

  /** What the editor shows, or else what is on disk; `null`: there is no such file. */
  read(path: string): string | null {
    return this.#texts.get(path)?.text ?? readNow(this.#overlay, path)?.text ?? null;
  }

  /** What is checked: with a byte order mark that the editor does not show. */
  checked(path: string): string | null {
    const open = this.#texts.get(path);
    return open === undefined ? this.read(path) : open.shift === 1 ? mark + open.text : open.text;
  }

  /** A span of the text that was checked, in that of the editor. */
  shown(path: string, { start, end }: Span): Span {
    const shift = this.#texts.get(path)?.shift ?? 0;
    return { start: Math.max(0, start - shift), end: Math.max(0, end - shift) };
  }

  #set(path: string, text: string, disk: OpenText['disk']): void {
    const isSame = disk !== null && withoutMark(disk.text) === withoutMark(text);
    const marked = disk?.text.startsWith(mark) === true && !text.startsWith(mark);
    const bytes = isSame ? disk.bytes : encodeUtf8(marked ? mark + text : text);
    this.#texts.set(path, { text, disk, shift: marked ? 1 : 0 });
    this.#overlay.setText(path, bytes);
  }
}

function withoutMark(text: string): string {
  return text.startsWith(mark) ? text.slice(1) : text;
}

function readNow(files: Files, path: string): OpenText['disk'] {
  try {
    if (files.stat(path)?.isFile() !== true) return null;
    const read = files.readHead(path, checkLimits.fileBytes + 1);
    if (read === null) return null;
    const bytes = new Uint8Array(read.bytes);
    return { bytes, text: decodeUtf8(bytes).text };
  } catch (error) {
    if (error instanceof FileFault) return null;
    throw error;
  }
}
