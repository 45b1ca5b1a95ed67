// Chunks of text -> text that is safe for a terminal, as early as possible.
//
// A character of several code units, or an emoji of several characters, is shown as a whole: the last character of a chunk waits
// for the next one.
import { printable } from '../../base/printable.ts';

const graphemes = new Intl.Segmenter();

export class StreamText {
  #held = '';

  add(piece: string): string {
    const text = this.#held + piece;
    // Only combining marks could change an ASCII character, and they are rare.
    if (/[\u0020-\u007E\n]$/.test(text)) {
      this.#held = '';
      return printable(text);
    }
    const tail = text.slice(-64);
    const last = [...graphemes.segment(tail)].at(-1)?.segment ?? '';
    this.#held = last;
    return printable(text.slice(0, text.length - last.length));
  }

  rest(): string {
    const text = this.#held;
    this.#held = '';
    return printable(text);
  }
}
