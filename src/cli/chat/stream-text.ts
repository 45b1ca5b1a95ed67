// Text that comes in pieces -> text that is safe for a terminal, as soon as it is.
//
// T1. What belongs together (a character of several units, an emoji of several characters) is shown together: the last
//     character of a piece waits for the next one.
import { printable } from '../../base/printable.ts';

const graphemes = new Intl.Segmenter();

export class StreamText {
  #held = '';

  add(piece: string): string {
    const text = this.#held + piece;
    // Nothing follows an ASCII character that would change it, but for marks on it, which are rare enough.
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
