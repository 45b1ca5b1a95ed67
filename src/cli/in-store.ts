// A text that names commands to type next -> the same, for the store that this command was given.
//
//   techne runs show 01ABC…, --store postgres://db/techne   ->   techne runs show 01ABC… --store postgres://db/techne
//
// Without --store the configuration says where runs are, for the next command too. Only for texts of our own: what skills and
// models say is not changed.
import { commandGroups } from './spec/commands.ts';
import type { CommandSpec } from './spec/command-spec.ts';

export function inStore(text: string, store: string | null): string {
  const shown = store === null ? null : shownStore(store);
  if (shown === null || text.includes('--store')) return text;
  return text.replaceAll(commandOf(), (found) => `${found} --store ${shown}`);
}

/** The value of --store among words that may be wrong otherwise. */
export function storeAmong(words: readonly string[]): string | null {
  const at = words.findLastIndex((word) => word === '--store' || word.startsWith('--store='));
  const word = words[at];
  if (word === undefined) return null;
  return word === '--store' ? (words[at + 1] ?? null) : word.slice('--store='.length);
}

/** As a word of a shell, without a password. `null`: it is no store. */
function shownStore(store: string): string | null {
  if (store === 'files') return store;
  if (!/^postgres(?:ql)?:/i.test(store) || !URL.canParse(store)) return null;
  const url = new URL(store);
  url.password = '';
  for (const name of ['password', 'sslpassword']) url.searchParams.delete(name);
  const text = url.toString();
  return /^[\w:/.@=%+-]+$/.test(text) ? text : `'${text.replaceAll("'", '%27')}'`;
}

let known: RegExp | null = null;

/** A command with --store, and the id of a run behind it. */
function commandOf(): RegExp {
  known ??= new RegExp(
    `\\btechne (?:${commandGroups
      .flatMap(({ commands }) => commands.flatMap(namesWithStore))
      .toSorted((a, b) => b.length - a.length)
      .join('|')})(?![\\w-])(?: [0-9A-HJKMNP-TV-Z]{26}(?!\\w))?`,
    'g',
  );
  return known;
}

function namesWithStore({ name, options, subcommands = [] }: CommandSpec): readonly string[] {
  const inside = subcommands.flatMap(namesWithStore);
  return inside.length > 0 || options.some((option) => option.name === 'store') ? [name, ...inside] : [];
}
