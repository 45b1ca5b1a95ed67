// Removes what looks like a secret from the output of programs, which goes into journals and to models on failure.
//
// A pattern finds text that is written like a secret, not every secret. The host removes by value the secrets that it
// passed on itself. Where ordinary words can stand as well (`sk-…`, `basic …`, `token: …`), they stay.

/** What issuers put before their keys, with what follows it. */
const issued =
  /(?<![A-Za-z0-9])(?:gh[oprsu]_[A-Za-z0-9]{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{10,}|(?:hf|npm)_[A-Za-z0-9]{16,}|(?:AKIA|ASIA)[A-Z0-9]{12,}|AIza[\w-]{20,})/g;
const webToken = /(?<![\w-])eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*/g;
const secretKey = /(?<![A-Za-z0-9])[spr]k[-_]([\w-]{12,})/g;
const credentials = /\b(bearer|basic)(\s+)([\w.~+/=-]{8,})/gi;
const header =
  /(authorization["']?\s*[=:]\s*["']?(?:basic|bearer|digest|negotiate|token)\s+)([^\s"',;]{4,})/gi;
const assigned =
  /((?:api[_-]?key|access[_-]?key|token(?=["']?=)|secret|passw(?:or)?d|authorization)["']?\s*[=:]\s*["']?)([^\s"',;]{4,})/gi;
/** Also said of the words of a language: "unexpected token: identifier". */
const token = /(token["']?\s*[=:]\s*["']?)([^\s"',;]{4,})/gi;
const inAddress = /(:\/\/[^\s/:@]{1,100}:)([^\s/@]{1,200})@/g;

export function redactSecrets(text: string): string {
  return replaceSecrets(text, () => '[secret]');
}

/** Each secret that a text shows, once. */
export function secretsIn(text: string): readonly string[] {
  const found = new Set<string>();
  replaceSecrets(text, (secret) => {
    found.add(secret);
    return '[secret]';
  });
  found.delete('[secret]');
  return [...found];
}

function replaceSecrets(text: string, instead: (secret: string) => string): string {
  return text
    .replaceAll(issued, instead)
    .replaceAll(webToken, instead)
    .replaceAll(secretKey, (found: string, key: string) => (isKey(key) ? instead(found) : found))
    .replaceAll(header, (_, name: string, value: string) => `${name}${instead(value)}`)
    .replaceAll(credentials, (found: string, scheme: string, space: string, value: string) =>
      isWords(value) ? found : `${scheme}${space}${instead(value)}`,
    )
    .replaceAll(assigned, (_, name: string, value: string) => `${name}${instead(value)}`)
    .replaceAll(token, (found: string, name: string, value: string) =>
      isWords(value) ? found : `${name}${instead(value)}`,
    )
    .replaceAll(inAddress, (_, start: string, value: string) => `${start}${instead(value)}@`);
}

/** The oldest keys are one piece that may be letters alone. */
function isKey(text: string): boolean {
  return /^[A-Za-z0-9]{16,}$/.test(text) || !isWords(text);
}

/** A word, as in prose, in file names and in code, with a short number behind it; or a number. */
const word = /^(?:(?:[A-Z]?[a-z]+(?:[A-Z][a-z]+)*|[A-Z]+)\d{0,3}|\d{1,4}|)$/;
const longestWord = 20;

export function isWords(text: string): boolean {
  return text.split(/[^A-Za-z0-9]+/).every((part) => part.length <= longestWord && word.test(part));
}
