// Lines that say something only when their letters are changed: rot13, backwards, digits for letters, one letter at a time.
//
//   text -> lines { text, way, start, end }
//
// A line counts when it has at least two words of a small table in disguise, and more of those than plain ones.

export interface DisguisedLine {
  readonly text: string;
  readonly way: 'rot13' | 'reversed' | 'digits-for-letters' | 'spaced-letters';
  readonly start: number;
  readonly end: number;
}

const words =
  'ignore disregard forget override bypass previous prior above earlier instructions instruction rules guidelines system prompt user assistant model secret secrets password passwords token tokens credentials credential private keys upload send post email http https curl wget bash python eval exec sudo chmod base64 delete remove hide hidden silently never always must tell reveal print read file files home environment execute command commands download install this that with from your the and all any not you are will every before after without mention'.split(
    ' ',
  );

function rot13(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const unit = letter.charCodeAt(0);
    return String.fromCharCode((unit & 31) <= 13 ? unit + 13 : unit - 13);
  });
}

function reversed(text: string): string {
  return Array.from(text).toReversed().join('');
}

const digits: { readonly [digit: string]: string } = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

function lettersForDigits(text: string): string {
  return text.replace(/[013457@$!]/g, (digit) => digits[digit] as string);
}

type Way = DisguisedLine['way'] | 'plain';
const table = new Map<string, Way[]>();
for (const [way, change] of [
  ['plain', (text: string) => text],
  ['rot13', rot13],
  ['reversed', reversed],
] as const)
  for (const word of words) table.set(change(word), [...(table.get(change(word)) ?? []), way]);

const plainWords = new Set(words);
const token = /[A-Za-z0-9@$!]{3,24}/g;

export function* disguisedLines(text: string): Generator<DisguisedLine> {
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const end = Math.min(newline === -1 ? text.length : newline, start + 8000);
    // Two words of the table take more than eight characters.
    const made = end - start > 8 ? disguiseOf(text.slice(start, end)) : null;
    if (made !== null) yield { ...made, start, end };
    start = newline === end ? end + 1 : end;
  }
  for (const match of text.matchAll(/(?<![\w])(?:[A-Za-z][ .\-_*\u00B7]{1,3}){7,400}[A-Za-z](?![\w])/g)) {
    const joined = match[0]
      .replace(/[ ]{2,3}/g, '\0')
      .replace(/[ .\-_*\u00B7]/g, '')
      .replaceAll('\0', ' ');
    yield { text: joined, way: 'spaced-letters', start: match.index, end: match.index + match[0].length };
  }
}

function disguiseOf(line: string): Pick<DisguisedLine, 'text' | 'way'> | null {
  const counts = { plain: 0, rot13: 0, reversed: 0, 'digits-for-letters': 0, 'spaced-letters': 0 };
  const seen = new Set<string>();
  for (const [one] of line.matchAll(token)) {
    const word = one.toLowerCase();
    // The same word again says nothing more: "era" of Portuguese is "are" backwards.
    if (seen.has(word)) continue;
    seen.add(word);
    for (const way of table.get(word) ?? []) counts[way] += 1;
    if (/\d|[@$!]/.test(word) && /[a-z]/.test(word) && plainWords.has(lettersForDigits(word)))
      counts['digits-for-letters'] += 1;
  }
  const { plain } = counts;
  if (counts.rot13 >= 2 && counts.rot13 > plain) return { text: rot13(line), way: 'rot13' };
  if (counts.reversed >= 2 && counts.reversed > plain) return { text: reversed(line), way: 'reversed' };
  if (counts['digits-for-letters'] >= 2)
    return { text: lettersForDigits(line.toLowerCase()), way: 'digits-for-letters' };
  return null;
}
