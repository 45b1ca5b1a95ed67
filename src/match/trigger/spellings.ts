// The words of triggers -> those that a misspelt word of a message may mean.
//
//   "write a reserch paper": reserch -> research
//
// One typo (a letter too few, too many, another, or two swapped) in a word of five letters or more, never in its first
// letter: people see that one; in a word of four letters only two that are swapped ("taks"). A common word of its own is no misspelling, nor is a word that some trigger has.
// A word of three letters or more without a vowel is short for one that has its letters in that order ("msg", "mtg", "wkly").
import { nearest } from '../../base/nearest.ts';
import { isCommonWord } from '../text/common-words.ts';
import type { TriggerLiteral } from './compile-trigger.ts';
import type { Word } from './message-words.ts';

export interface Spellings {
  add(literal: TriggerLiteral): void;
  remove(literal: TriggerLiteral): void;
  /** The stems that the word may have been meant to have. */
  meant(word: Word): ReadonlySet<string> | undefined;
}

const shortest = 5;
const shortestSwapped = 4;
const mostLetters = 12;
const short = /^[b-df-hj-np-tv-z]{3,6}$/;
const letters = /^\p{L}+$/u;

export function createSpellings(): Spellings {
  /** First letter and length -> spelling -> its stem, with how many triggers have it. */
  const byLook = new Map<string, Map<string, { readonly stem: string; count: number }>>();
  const formsOf = ({ text, stem, alone }: TriggerLiteral): readonly string[] =>
    alone
      ? []
      : [...new Set([text, stem])].filter((form) => form.length >= shortestSwapped && letters.test(form));
  const look = (form: string, length = form.length): string => `${form[0] as string}${length}`;

  const longOf = (text: string): ReadonlySet<string> | undefined => {
    const found = new Set<string>();
    for (let length = text.length + 1; length <= mostLetters; length += 1)
      for (const [spelling, known] of byLook.get(look(text, length)) ?? [])
        if (isShortFor(text, spelling)) found.add(known.stem);
    return found.size === 0 ? undefined : found;
  };

  return {
    add(literal) {
      for (const form of formsOf(literal)) {
        const same = byLook.get(look(form)) ?? new Map<string, { readonly stem: string; count: number }>();
        byLook.set(look(form), same);
        const known = same.get(form);
        if (known === undefined) same.set(form, { stem: literal.stem, count: 1 });
        else known.count += 1;
      }
    },
    remove(literal) {
      for (const form of formsOf(literal)) {
        const same = byLook.get(look(form));
        const known = same?.get(form);
        if (same === undefined || known === undefined || (known.count -= 1) > 0) continue;
        same.delete(form);
        if (same.size === 0) byLook.delete(look(form));
      }
    },
    meant({ text, stem, alone }) {
      if (!alone && short.test(text)) return longOf(text);
      if (alone || text.length < shortestSwapped || !letters.test(text) || isCommonWord(text))
        return undefined;
      const found = new Set<string>();
      for (const form of new Set([text, stem])) {
        for (const length of [form.length - 1, form.length, form.length + 1]) {
          for (const [spelling, known] of byLook.get(look(form, length)) ?? [])
            if (isNear(form, spelling)) found.add(known.stem);
        }
      }
      return found.size === 0 ? undefined : found;
    },
  };
}

function isNear(form: string, spelling: string): boolean {
  if (spelling.length >= shortest) return nearest(form, [spelling], 1) !== null;
  return form.length === spelling.length && sorted(form) === sorted(spelling);
}

/** All of its letters, in that order. */
function isShortFor(text: string, spelling: string): boolean {
  let at = 0;
  for (const letter of text) {
    at = spelling.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

function sorted(word: string): string {
  return word.split('').sort().join('');
}
