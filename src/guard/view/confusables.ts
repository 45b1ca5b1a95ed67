// Letters that look like Latin letters, digits or signs of a command.
//
//   character -> the ASCII text it can be taken for, or null
//
// Compatibility forms (fullwidth, mathematical, circled, superscript …) come from Unicode itself (NFKD); accents are dropped. The
// table has what Unicode keeps apart and a reader does not: Cyrillic, Greek, Armenian, Cherokee, and others.

/** Each row: the characters, then what they are taken for, one for one. */
const rows: readonly (readonly [string, string])[] = [
  // Cyrillic
  ['АВСЕНІЈКМОРЅТХУԚԜҮЬЗБӀҺԌԐѴ', 'ABCEHIJKMOPSTXYQWYb36lhGEV'],
  ['авсеһіјкмопрѕтхуԛԝԁьѵгӏґҽӓӧ', 'aBcehijkMonpsTxyqwdbvrlreao'],
  ['ԍӡꓰꙅꙇӕ', 'g3ESia'],
  // Greek
  ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϳ', 'ABEZHIKMNOPTYXCj'],
  ['αβγειικνορτυχωϲϱϊΰ', 'aByeiikvoptuxwcpiu'],
  // Armenian
  ['ԱՍՏՕՈԼօսոհցզգքԁյՑ', 'USSOnLounhgqqpdjg'],
  // Cherokee, Lisu, Coptic
  ['ᎪᏴᏟᎠᎬᎻᎥᎫᏦᏞᎷᎾᏢᎡᏚᎢᏙᎳᎩᏃ', 'ABCDEHiJKLMNPRSTVWYZ'],
  ['ꓐꓑꓓꓔꓖꓗꓘꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓱꓲꓳꓴ', 'BPDTGKKJCZFMNLSRVHWXYAEIOU'],
  // Latin letters that NFKD leaves alone
  [
    'ıɩɪɡɑɓɗƒɦɨʝłɱɲŋøƥɾȿŧʋʍуʐƶĸʟɴʀʏꜱᴀʙᴄᴅᴇғɢʜᴊᴋᴍᴏᴘǫᴛᴜᴠᴡᴢ',
    'iiigabdfhijlmnnoprstvwyzzklnrysabcdefghjkmopqtuvwz',
  ],
  ['ᛁⵏꞁ⏐', 'llll'],
  ['ꮪꮯꮃꮓ', 'SCWz'],
];

const table = new Map<number, string>();
for (const [from, to] of rows) {
  const letters = Array.from(from);
  letters.forEach((letter, index) => table.set(letter.codePointAt(0) as number, to[index] as string));
}
const signs: { readonly [sign: string]: string } = {
  '∕': '/',
  '⁄': '/',
  '⧸': '/',
  '∖': '\\',
  '⧹': '\\',
  '‐': '-',
  '‑': '-',
  '‒': '-',
  '–': '-',
  '−': '-',
  '‘': "'",
  '’': "'",
  '′': "'",
  '“': '"',
  '”': '"',
  '″': '"',
  '∶': ':',
  '։': ':',
  ꓽ: ':',
  '․': '.',
  '。': '.',
  '∣': '|',
  ǀ: '|',
};
for (const [sign, plain] of Object.entries(signs)) table.set(sign.codePointAt(0) as number, plain);

const folded = new Map<number, string | null>();
const marks = /\p{M}+/gu;

/** `null`: it stands for itself. */
export function foldCharacter(point: number): string | null {
  // Ideographs, kana and Hangul: nothing folds, and there are many.
  if ((point >= 0x3041 && point <= 0x9fff) || (point >= 0xac00 && point <= 0xd7a3)) return null;
  const known = folded.get(point);
  if (known !== undefined) return known;
  const result = fold(point);
  if (folded.size < 20_000) folded.set(point, result);
  return result;
}

function fold(point: number): string | null {
  const character = String.fromCodePoint(point);
  const direct = table.get(point);
  if (direct !== undefined) return direct;
  const plain = character.normalize('NFKD').replace(marks, '');
  let out = '';
  for (const one of plain) out += table.get(one.codePointAt(0) as number) ?? one;
  return out === character ? null : out;
}

/** Whether it is a letter of another script that can be taken for a Latin one: what makes a mixed word suspicious. */
export function isLookAlike(point: number): boolean {
  return (
    ((point >= 0x370 && point <= 0x58f) ||
      (point >= 0x13a0 && point <= 0x13f4) ||
      (point >= 0xa4d0 && point <= 0xa4ff)) &&
    /^[A-Za-z]$/.test(table.get(point) ?? '')
  );
}

/** A styled Latin letter: fullwidth, mathematical, circled and so on. */
export function isStyledLetter(point: number): boolean {
  return (
    ((point >= 0xff21 && point <= 0xff5a) ||
      (point >= 0x1d400 && point <= 0x1d7cb) ||
      (point >= 0x24b6 && point <= 0x24e9) ||
      (point >= 0x1f110 && point <= 0x1f189)) &&
    /^[A-Za-z]$/.test(foldCharacter(point) ?? '')
  );
}
