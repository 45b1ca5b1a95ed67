// The notes that recorded runs wrote -> the notes of the vault of a test.
//
// The journal has the note before and after, but not the rest of the vault. Notes that were linked or named existed, and become
// empty notes; a test needs nothing else of them.
import type { Json, JsonObject } from '../../../base/json.ts';
import type { RunView } from '../../../run/history/inspect.ts';
import { changeOf } from '../../../run/effect/perform-write.ts';
import { asObject, codeOf } from './part.ts';

interface VaultOfRun {
  readonly notes: { readonly [path: string]: string };
  readonly note: string | null;
  readonly problems: readonly string[];
}

export function notesOf(views: readonly RunView[]): VaultOfRun {
  const notes = new Map<string, string>();
  const named: string[] = [];
  const problems: string[] = [];
  let note: string | null = null;
  for (const [at, { effects }] of views.entries())
    for (const { kind, key, state, request, children, result } of effects) {
      if (kind !== 'write') continue;
      const written = children.filter((child) => child.kind === 'write' && child.state === 'ok').at(-1);
      if (state !== 'ok') {
        problems.push(
          `the call ${key} (write) failed with ${codeOf({ state, result }) ?? state}; the note that was there is not in the journal`,
        );
      } else if (written !== undefined) {
        const { path, before, after } = changeOf(written.request);
        if (before !== null && !notes.has(path)) notes.set(path, before);
        if (at === 0) note = after;
        named.push(...linkedIn(asObject(request), asObject(result), after));
      }
    }
  const own = new Set([...notes.keys()].map(nameOf));
  for (const name of named) if (!own.has(nameOf(name))) notes.set(`${name}.md`, '');
  return { notes: Object.fromEntries(notes), note, problems };
}

function nameOf(path: string): string {
  return (path.split('/').at(-1) as string).replace(/\.md$/i, '').toLowerCase();
}

/** Targets of edges that were found, as the note spells them, and notes that were proposed. */
function linkedIn(
  { edges = {}, dangling = [] }: JsonObject,
  { left_out: leftOut = [], proposed = [] }: JsonObject,
  after: string,
): readonly string[] {
  const links = [...after.matchAll(/\[\[([^\]|#]+)/g)].map(([, name]) => (name as string).trim());
  const missing = new Set(textsOf(leftOut, 'target').map(nameOf));
  const targets = Object.entries(asObject(edges)).flatMap(([edge, names]) =>
    (dangling as readonly Json[]).includes(edge) ? [] : (names as readonly string[]),
  );
  const found = targets
    .map((target) => links.find((link) => nameOf(link) === nameOf(target)))
    .filter((link): link is string => link !== undefined && !missing.has(nameOf(link)));
  return [...found, ...textsOf(proposed, 'target')];
}

function textsOf(list: Json, key: string): readonly string[] {
  return (Array.isArray(list) ? (list as readonly Json[]) : []).flatMap((item) => {
    const text = asObject(item)[key];
    return typeof text === 'string' ? [text] : [];
  });
}
