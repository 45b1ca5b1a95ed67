// A file that stays open for later reads.
//
// A later read gives the content at the time of opening, even if another file was renamed over it; the reader checks
// that it was not written to. Few files are open at a time: one more makes the oldest read what can still be needed,
// and close. Where an open file cannot be replaced (Windows), everything is read immediately.
import { closeSync } from 'node:fs';

const mostOpen = 4;
const canBeReplaced = process.platform !== 'win32';
const open: HeldFile[] = [];

type Read = () => Uint8Array | null;

export class HeldFile {
  readonly #fd: number;
  // Weak, so that answers that can no longer be requested are not read.
  readonly #owed: WeakRef<Later>[] = [];
  #left = 0;
  #isClosed = false;

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** `read` from the open file once, when the answer is first asked for. */
  later(read: Read): Read {
    const later = new Later(read, () => {
      this.#left -= 1;
      if (this.#left === 0) this.#close();
    });
    this.#left += 1;
    this.#owed.push(new WeakRef(later));
    return () => later.bytes();
  }

  /** To be called once, when all that is to be read later is known. */
  settle(): void {
    if (this.#left === 0) return this.#close();
    open.push(this);
    if (!canBeReplaced) this.#payOff();
    else if (open.length > mostOpen) (open[0] as HeldFile).#payOff();
  }

  #payOff(): void {
    for (const owed of this.#owed) owed.deref()?.bytes();
    this.#close();
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const at = open.indexOf(this);
    if (at >= 0) open.splice(at, 1);
    closeSync(this.#fd);
  }
}

class Later {
  #read: Read | null;
  #bytes: Uint8Array | null = null;
  readonly #done: () => void;

  constructor(read: Read, done: () => void) {
    this.#read = read;
    this.#done = done;
  }

  bytes(): Uint8Array | null {
    if (this.#read !== null) {
      const read = this.#read;
      this.#read = null;
      this.#bytes = read();
      this.#done();
    }
    return this.#bytes;
  }
}
