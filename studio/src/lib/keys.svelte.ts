// Keys of the whole client: `g` and a letter lead to a page, `?` shows help, Ctrl+K the palette; pages add their own.
//
//   $effect(() => onKey('c', 'Cancel this run', cancel));
//
// No key counts while somebody types, or while a dialog is open, except those with Ctrl.
import { untrack } from 'svelte';

export interface Shortcut {
  /** `j`, `Enter`, `ctrl+k`, `g r`. */
  readonly keys: string;
  readonly what: string;
  readonly run: () => void;
}

let shortcuts = $state.raw<readonly Shortcut[]>([]);
let first: string | null = null;
let firstAt = 0;

export const keys = {
  get all(): readonly Shortcut[] {
    return shortcuts;
  },
};

/** Gives what takes it back. The last one that was added for a key counts. */
export function onKey(name: string, what: string, run: () => void): () => void {
  const shortcut = { keys: name, what, run };
  // Whoever adds one in an effect does not depend on the others.
  shortcuts = [...untrack(() => shortcuts), shortcut];
  return () => {
    shortcuts = untrack(() => shortcuts).filter((one) => one !== shortcut);
  };
}

export function startKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.altKey || event.isComposing) return;
    const isControl = event.ctrlKey || event.metaKey;
    // An editor in a shadow root: the event names its host as the target.
    const [target] = event.composedPath();
    const isTyping =
      target instanceof HTMLElement &&
      (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
    const isDialog = document.querySelector('dialog[open]') !== null;
    if (!isControl && (isTyping || isDialog)) return;
    const pressed = isControl ? `ctrl+${event.key.toLowerCase()}` : event.key;
    const isSecond = first !== null && event.timeStamp - firstAt < 1_500;
    const wanted = isSecond ? `${first} ${pressed}` : pressed;
    first = null;
    const found = shortcuts.findLast((one) => one.keys === wanted);
    if (found !== undefined) {
      event.preventDefault();
      found.run();
    } else if (!isSecond && shortcuts.some((one) => one.keys.startsWith(`${pressed} `))) {
      first = pressed;
      firstAt = event.timeStamp;
    }
  });
}
