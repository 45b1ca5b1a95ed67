// A word of another language -> English words that are spelled nearly alike.
//
//   documentación, dokumentation, документация -> documentation        kalender -> calender, calendar
//
// Cyrillic letters are written in Latin ones; then endings and a few letters are put as English has them. Only spellings are made, no
// meanings: whether one of them is a word of a skill, the index knows. Tried for words that no skill has (read-query.ts), folded, so
// accents are gone.

const leastLetters = 5;

/** Of the first that fits, the ending is replaced. */
const endings: readonly (readonly [ending: RegExp, english: readonly string[]])[] = [
  [/(?:tsiya|tsii|tsiyu|tsiei|tsiyei|tsia)$/, ['tion']],
  [/(?:cion(?:es)?|zion[ei]|cao|coes|tionen|cja|cje|cji|ctie)$/, ['tion', 'ction']],
  [/(?:dad(?:es)?|tat(?:en)?|tate|dade|teit)$/, ['ty']],
  [/(?:logi[ae]|logija|logiya|logii)$/, ['logy']],
  [/(?:i[ck]o|i[ck]a|ique|isch(?:e[nrs]?)?|iczny|ichesk\w*)$/, ['ic', 'ical']],
  [/(?:ario|aire|arium)$/, ['ar', 'ary']],
  [/er$/, ['er', 'ar', 're']],
  [/(?:ieren|iert|izar|iser|izzare|irovat)$/, ['e', 'ize', '']],
  [/(?:ismo|isme|ismus|izm)$/, ['ism']],
  [/(?:ente|ento|ant[eo])$/, ['ent', 'ant']],
  [/[aeo]$/, ['', 'e']],
];

const latin: Readonly<Record<string, string>> = {
  а: 'a',
  б: 'b',
  в: 'v',
  г: 'g',
  д: 'd',
  е: 'e',
  ж: 'zh',
  з: 'z',
  и: 'i',
  й: 'i',
  к: 'k',
  л: 'l',
  м: 'm',
  н: 'n',
  о: 'o',
  п: 'p',
  р: 'r',
  с: 's',
  т: 't',
  у: 'u',
  ф: 'f',
  х: 'h',
  ц: 'ts',
  ч: 'ch',
  ш: 'sh',
  щ: 'sch',
  ъ: '',
  ы: 'y',
  ь: '',
  э: 'e',
  ю: 'yu',
  я: 'ya',
  і: 'i',
  ї: 'yi',
  є: 'ye',
};

/** At most a dozen, the likeliest first. */
export function cognatesOf(folded: string): readonly string[] {
  if (folded.length < leastLetters) return none;
  const word = folded.replaceAll(/[а-яіїє]/g, (letter) => latin[letter] ?? letter);
  if (!/^[a-z]+$/.test(word)) return none;
  const found = new Set<string>();
  if (word !== folded) found.add(word);
  const ending = endings.find(([pattern]) => pattern.test(word));
  const forms = ending === undefined ? [word] : ending[1].map((english) => word.replace(ending[0], english));
  for (const form of forms)
    for (const spelling of [
      form,
      respelled(form),
      form.replaceAll('z', 's'),
      respelled(form).replaceAll('z', 's'),
    ])
      if (spelling !== folded && spelling.length >= leastLetters - 1) found.add(spelling);
  return [...found];
}

const none: readonly string[] = [];

function respelled(word: string): string {
  return word.replaceAll(/k(?=[aourlst]|$)/g, 'c').replaceAll('ph', 'f');
}
