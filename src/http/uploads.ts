// Bodies of bytes: read after the role was checked, bounded, few at a time, so that they cannot take all memory.
import type { Operation } from '../api/operation.ts';
import { TechneError } from '../base/error.ts';
import { RequestFault } from './problem.ts';

/** A body as it arrives. */
export interface Upload {
  /** As the request says; null: it does not. */
  readonly length: number | null;
  readonly chunks: AsyncIterable<Uint8Array>;
}

const mostAtOnce = 2;

export class Uploads {
  #underWay = 0;

  /** Throws RequestFault, OVERLOADED. */
  async read({ maxBytes = 0 }: Operation, upload: Upload | null): Promise<Uint8Array> {
    if (upload === null) throw new RequestFault(['the body is missing']);
    const tooLong = `the body is over ${maxBytes} bytes`;
    if ((upload.length ?? 0) > maxBytes) throw new RequestFault([tooLong], 413);
    if (this.#underWay >= mostAtOnce)
      throw new TechneError('OVERLOADED', `${mostAtOnce} uploads are under way already`, {
        hint: 'try again when they have ended',
      });
    this.#underWay += 1;
    try {
      const chunks: Uint8Array[] = [];
      let size = 0;
      for await (const chunk of upload.chunks) {
        size += chunk.length;
        if (size > maxBytes) throw new RequestFault([tooLong], 413);
        chunks.push(chunk);
      }
      if (size === 0) throw new RequestFault(['the body is missing']);
      return Buffer.concat(chunks);
    } finally {
      this.#underWay -= 1;
    }
  }
}
