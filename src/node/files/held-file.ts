// A file that stays open for what is read from it later.
//
// O1. What is read later is what was there when the file was opened, even if another was renamed over it since.
//     Whoever reads checks that nobody wrote into it.
// O2. Few are open at a time: one more makes the oldest read what can still be asked for, and close.
// O3. Where an open file cannot be renamed over (Windows), everything is read at once.
import { closeSync } from 'node:fs';

const mostOpen = 4;
const canBeReplaced = process.platform !== 'win32';
const open: HeldFile[] = [];

type Read = () => Uint8Array | null;

export class HeldFile {
  readonly #fd: number;
  // Weak, so that what nobody can ask for any more is not read.
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
