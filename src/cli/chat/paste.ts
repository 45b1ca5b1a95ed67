// Keys from a terminal -> keys for the line editor, with pasted text kept aside.
//
// A paste of several lines, or with control characters, becomes a short mark on the line, so that pasting never sends, completes
// or executes anything. `expand` replaces the marks with the text. Several lines in one chunk count as a paste too, for terminals
// that do not mark pastes; only a line end at the very end sends them. A mark of the terminal can be split between two chunks.

const opening = '\u001B[200~';
const closing = '\u001B[201~';
/** The beginning of a terminal mark at the end of a chunk. Outside a paste a lone Escape is a key. */
const half = { opening: /\u001B\[(?:2(?:00?)?)?$/, closing: /\u001B(?:\[(?:2(?:0(?:1)?)?)?)?$/ };

export class PasteFilter {
  readonly #pasted = new Map<string, string>();
  #open: string | null = null;
  #held = '';

  /** Keys for the line editor. */
  keys(piece: string): string {
    let rest = this.#held + piece;
    this.#held = '';
    let keys = '';
    while (rest !== '') {
      if (this.#open === null) {
        const at = rest.indexOf(opening);
        if (at < 0) {
          const [cut = ''] = half.opening.exec(rest) ?? [];
          this.#held = cut;
          return keys + this.#typed(rest.slice(0, rest.length - cut.length));
        }
        keys += this.#typed(rest.slice(0, at));
        this.#open = '';
        rest = rest.slice(at + opening.length);
      } else {
        const at = rest.indexOf(closing);
        if (at < 0) {
          const [cut = ''] = half.closing.exec(rest) ?? [];
          this.#held = cut;
          this.#open += rest.slice(0, rest.length - cut.length);
          return keys;
        }
        keys += this.#mark(this.#open + rest.slice(0, at));
        this.#open = null;
        rest = rest.slice(at + closing.length);
      }
    }
    return keys;
  }

  /** A line with the pasted texts in it. */
  expand(line: string): string {
    return line.replaceAll(/\[pasted text \d+: [^\]]*\]/g, (mark) => this.#pasted.get(mark) ?? mark);
  }

  /** Whether a chunk is a paste that the terminal did not mark. */
  #typed(text: string): string {
    if (!/[\r\n][^\r\n]/.test(text.replaceAll('\r\n', '\n')) || text.includes('\u001B')) return text;
    const sends = /[\r\n]$/.test(text);
    return this.#mark(text.replace(/(?:\r\n|\r|\n)$/, '')) + (sends ? '\r' : '');
  }

  #mark(given: string): string {
    const text = given.replaceAll(/\r\n?/g, '\n');
    // eslint-disable-next-line no-control-regex -- keys, of which none may be left
    if (!/[\u0000-\u001F\u007F]/.test(text)) return text;
    const lines = text.replace(/\n$/, '').split('\n').length;
    const mark = `[pasted text ${this.#pasted.size + 1}: ${lines === 1 ? `${text.length} characters` : `${lines} lines`}]`;
    this.#pasted.set(mark, text);
    return mark;
  }
}
