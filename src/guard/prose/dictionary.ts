// The lexicon, made ready for reading: a word -> the phrases that begin with it, and their concepts.
import { inflect } from './inflect.ts';
import { concepts } from './lexicon.ts';

export interface Phrase {
  /** After the first. */
  readonly rest: readonly string[];
  readonly concept: string;
  /** Of a verb: `base` can be an order; `third` says what somebody does; `other` is a participle or the past. */
  readonly form: VerbForm;
}

export type VerbForm = 'base' | 'third' | 'other';

export interface HanPhrase {
  readonly text: string;
  readonly concept: string;
}

export interface Dictionary {
  readonly byWord: ReadonlyMap<string, readonly Phrase[]>;
  /** Longest first. */
  readonly byHan: ReadonlyMap<string, readonly HanPhrase[]>;
}

let made: Dictionary | null = null;

/** Made at the first use. */
export function dictionary(): Dictionary {
  made ??= makeDictionary();
  return made;
}

function makeDictionary(): Dictionary {
  const byWord = new Map<string, Phrase[]>();
  const byHan = new Map<string, HanPhrase[]>();
  for (const [concept, { verbs, words, han }] of Object.entries(concepts)) {
    const entries = new Map<string, VerbForm>();
    for (const verb of split(verbs))
      for (const [at, form] of inflect(verb).entries()) {
        const kind = at === 0 ? 'base' : at === 1 ? 'third' : 'other';
        if (!entries.has(form) || kind === 'base') entries.set(form, kind);
      }
    for (const word of split(words)) {
      if (word.endsWith('(s)')) entries.set(word.slice(0, -3), 'base').set(`${word.slice(0, -3)}s`, 'base');
      else entries.set(word, 'base');
    }
    for (const [entry, form] of entries) {
      const [first = '', ...rest] = entry.toLowerCase().split(' ');
      push(byWord, first, { rest, concept, form });
    }
    for (const text of split(han)) push(byHan, text[0] as string, { text, concept });
  }
  for (const phrases of byHan.values()) phrases.sort((a, b) => b.text.length - a.text.length);
  return { byWord, byHan };
}

function split(text: string | undefined): readonly string[] {
  return text === undefined ? [] : text.split('|');
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
