// An English word -> its stem, so that "calibrating" finds "calibration". The algorithm is Porter's (1980).
//
//   [C](VC)^m[V]      every word is consonant and vowel runs in turn; a suffix goes when enough (m) stays before it
//
// Only words of a-z with at most 40 letters are stemmed; every other text is its own stem. Three changes to Porter: "y"
// becomes "i" only after a consonant, so that "deploy" meets "deployment"; British "-ise" is read as "-ize"; "general",
// "generate" and "communicate" keep more than their common beginning.

const longest = 40;
const plain = /^[a-z]+$/;
const british = /is(e|es|ed|ing|er|ers|ation|ations)$/;
/** Beginnings that count as one run, since otherwise nearly every suffix after them would go. */
const kept: readonly string[] = ['gener', 'commun', 'univers'];

type Rules = ReadonlyMap<string, readonly (readonly [suffix: string, stays: string])[]>;

/** Rules by the last letter of their suffix; the first that fits counts, so longer ones come first. */
function byLastLetter(rules: readonly (readonly [suffix: string, stays: string])[]): Rules {
  const map = new Map<string, (readonly [string, string])[]>();
  for (const rule of rules) {
    const last = rule[0].at(-1) as string;
    const same = map.get(last);
    if (same === undefined) map.set(last, [rule]);
    else same.push(rule);
  }
  return map;
}

/** Suffix -> what stays of it, where the measure before it is above 0. */
const secondStep = byLastLetter([
  ['ational', 'ate'],
  ['ization', 'ize'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['entli', 'ent'],
  ['ousli', 'ous'],
  ['ation', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['ator', 'ate'],
  ['logi', 'log'],
  ['eli', 'e'],
]);
const thirdStep = byLastLetter([
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
]);
/** Go where the measure before them is above 1; `ion` only after s or t. */
const fourthStep = byLastLetter(
  [
    'ement',
    'ance',
    'ence',
    'able',
    'ible',
    'ment',
    'ant',
    'ent',
    'ion',
    'ism',
    'ate',
    'iti',
    'ous',
    'ive',
    'ize',
    'al',
    'er',
    'ic',
    'ou',
  ].map((suffix) => [suffix, ''] as const),
);

export function stem(word: string): string {
  if (word.length < 3 || word.length > longest || !plain.test(word)) return word;
  const start = kept.find((beginning) => word.startsWith(beginning))?.length ?? 0;
  let text = withoutPlural(word.length > 5 && word.includes('is') ? word.replace(british, 'iz$1') : word);
  text = withoutPast(text, start);
  if (text.length > 2 && text.endsWith('y') && !isVowel(text, text.length - 2))
    text = `${text.slice(0, -1)}i`;
  text = replaced(text, secondStep, start, 0);
  text = replaced(text, thirdStep, start, 0);
  text = replaced(text, fourthStep, start, 1);
  return tidied(text, start);
}

function withoutPlural(word: string): string {
  if (!word.endsWith('s')) return word;
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2);
  return word.endsWith('ss') ? word : word.slice(0, -1);
}

function withoutPast(word: string, start: number): string {
  if (word.endsWith('eed')) return measure(word, word.length - 3, start) > 0 ? word.slice(0, -1) : word;
  const cut = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0;
  if (cut === 0 || !hasVowel(word, word.length - cut)) return word;
  const rest = word.slice(0, -cut);
  if (rest.endsWith('at') || rest.endsWith('bl') || rest.endsWith('iz')) return `${rest}e`;
  if (endsDouble(rest) && !/[lsz]$/.test(rest)) return rest.slice(0, -1);
  return measure(rest, rest.length, start) === 1 && endsShort(rest) ? `${rest}e` : rest;
}

function replaced(word: string, rules: Rules, start: number, above: number): string {
  for (const [suffix, stays] of rules.get(word[word.length - 1] as string) ?? []) {
    if (!word.endsWith(suffix)) continue;
    const end = word.length - suffix.length;
    if (suffix === 'ion' && word[end - 1] !== 's' && word[end - 1] !== 't') return word;
    return measure(word, end, start) > above ? word.slice(0, end) + stays : word;
  }
  return word;
}

function tidied(word: string, start: number): string {
  let text = word;
  if (text.endsWith('e')) {
    const rest = text.slice(0, -1);
    const size = measure(rest, rest.length, start);
    if (size > 1 || (size === 1 && !endsShort(rest))) text = rest;
  }
  return text.endsWith('ll') && measure(text, text.length, start) > 1 ? text.slice(0, -1) : text;
}

function isVowel(word: string, at: number): boolean {
  switch (word.charCodeAt(at)) {
    case 97:
    case 101:
    case 105:
    case 111:
    case 117:
      return true;
    case 121:
      return at > 0 && !isVowel(word, at - 1);
    default:
      return false;
  }
}

/** How often a vowel run is followed by a consonant run in the first `end` letters; the first `start` count as one. */
function measure(word: string, end: number, start: number): number {
  const from = start <= end ? start : 0;
  let count = from > 0 ? 1 : 0;
  let before = false;
  for (let at = from; at < end; at += 1) {
    const vowel = isVowel(word, at);
    if (before && !vowel) count += 1;
    before = vowel;
  }
  return count;
}

function hasVowel(word: string, end: number): boolean {
  for (let at = 0; at < end; at += 1) if (isVowel(word, at)) return true;
  return false;
}

function endsDouble(word: string): boolean {
  return word.length > 1 && word.at(-1) === word.at(-2) && !isVowel(word, word.length - 1);
}

/** Consonant, vowel, consonant, the last one not w, x or y: "hop", not "show". */
function endsShort(word: string): boolean {
  const at = word.length - 1;
  return (
    at > 1 && !isVowel(word, at) && isVowel(word, at - 1) && !isVowel(word, at - 2) && !/[wxy]$/.test(word)
  );
}
