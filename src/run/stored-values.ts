// Json <-> Stored, synchronous where no blob has to be read or written.
import type { Json, JsonObject } from '../base/json.ts';
import type { Blobs } from '../ports/blobs.ts';
import type { Stored } from '../journal/entry.ts';
import { loadValue, maxInlineBytes, storeValue } from '../journal/stored-value.ts';

export class StoredValues {
  readonly #blobs: Blobs;

  constructor(blobs: Blobs) {
    this.#blobs = blobs;
  }

  /** A promise only for what is large: then it is durable when that resolves. */
  store(value: Json): Stored | Promise<Stored> {
    return leastRoom(value, maxInlineBytes) >= 0 ? { value } : storeValue(value, this.#blobs);
  }

  load(stored: Stored): Json | Promise<Json> {
    return 'value' in stored ? stored.value : loadValue(stored, this.#blobs);
  }

  async loadObject(stored: Stored): Promise<JsonObject> {
    return (await this.load(stored)) as JsonObject;
  }
}

/** The rest of `room` bytes if every unit takes its maximum in JSON; below zero: it has to be counted. */
function leastRoom(value: Json, room: number): number {
  if (typeof value === 'string') return room - 2 - value.length * 6;
  if (value === null || typeof value !== 'object') return room - 25;
  let left = room - 2;
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) if ((left = leastRoom(item, left - 1)) < 0) return left;
    return left;
  }
  // Not Object.keys, which makes an array.
  for (const key in value as JsonObject)
    if ((left = leastRoom((value as JsonObject)[key] as Json, left - 4 - key.length * 6)) < 0) return left;
  return left;
}
