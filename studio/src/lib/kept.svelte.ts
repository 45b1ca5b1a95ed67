// A value that survives a reload: drafts of forms, filters, the theme. Kept by this browser, under a name.
//
//   const draft = kept('draft/ask/RUN/ID', '');   draft.value = '…';   draft.clear();
import type { Json } from '../../../src/base/json.ts';

export interface Kept<T> {
  value: T;
  /** Forgets it; the value is as at first. */
  clear(): void;
}

const prefix = 'techne/';

export function kept<T extends Json>(name: string, first: T): Kept<T> {
  let value = $state(read(name, first));
  return {
    get value() {
      return value;
    },
    set value(next: T) {
      value = next;
      write(name, next);
    },
    clear() {
      value = first;
      write(name, null);
    },
  };
}

function read<T extends Json>(name: string, first: T): T {
  try {
    const text = localStorage.getItem(prefix + name);
    return text === null ? first : (JSON.parse(text) as T);
  } catch {
    // Storage is off, or holds what we did not write.
    return first;
  }
}

function write(name: string, value: Json): void {
  try {
    if (value === null) localStorage.removeItem(prefix + name);
    else localStorage.setItem(prefix + name, JSON.stringify(value));
  } catch {
    // Storage is off or full: the value lives as long as the page.
  }
}
