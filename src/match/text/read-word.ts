// A word as written -> the terms under which it is found.
//
//   cuPyNumeric -> cupynumer, and: cu py numer        yolo11 -> yolo11, and: yolo        the -> nothing
//   fine-tuning -> finetun (its words are read by themselves)
//
// The main term is the whole word, folded and stemmed. Parts of camel case and the letters before a number are further
// terms, which count less; a number alone or a single character is not one. A number of one or two digits gives
// nothing, like a function word: "2.4" does not make two texts alike.
import { fold } from './fold.ts';
import { stem } from './stem.ts';
import { functionWords } from './stop-words.ts';

export interface WordTerms {
  /** '' for a function word. */
  readonly main: string;
  readonly parts: readonly string[];
}

const nothing: WordTerms = { main: '', parts: [] };
const none: readonly string[] = [];
const humps = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|\p{L}+/gu;
const asciiHumps = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;
const ascii = /^[\x00-\x7f]*$/;
const plainWord = /^(?:[A-Z]?[a-z]+|[A-Z]+)$/;
const smallNumber = /^[0-9]{1,2}$/;
const leastBeforeDigits = 3;

export function readWord(word: string): WordTerms {
  const folded = fold(word);
  if (folded === '' || functionWords.has(folded) || smallNumber.test(folded)) return nothing;
  return { main: stem(folded), parts: plainWord.test(word) ? none : partsOf(word) };
}

export function readCompound(compound: string): string {
  return stem(fold(compound.replace(/[-_.]/g, '')));
}

function partsOf(word: string): readonly string[] {
  const parts = word.match(ascii.test(word) ? asciiHumps : humps) ?? [];
  if (parts.length < 2) return none;
  const found = new Set<string>();
  for (const part of parts) {
    const folded = fold(part);
    if (folded.length < 2 || /^\p{N}/u.test(folded) || functionWords.has(folded)) continue;
    // "h264" is a name of its own; "yolo11" is a yolo.
    if (parts.length === 2 && /^\p{N}/u.test(parts[1] as string) && folded.length < leastBeforeDigits)
      continue;
    found.add(stem(folded));
  }
  return [...found];
}
