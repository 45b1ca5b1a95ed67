// Removes what looks like a secret from the output of programs, which goes into journals and to models on failure.
//
// A pattern finds text that is written like a secret, not every secret. The host removes by value the secrets that it
// passed on itself.

const patterns: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:sk|pk|rk|ghp|gho|ghu|ghs|ghr|glpat|xox[abeprs]|hf|npm|AKIA|ASIA|AIza)[-_A-Z0-9a-z]{12,}/g,
    '[secret]',
  ],
  [/\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*/g, '[secret]'],
  [/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, '$1 [secret]'],
  [
    /((?:api[_-]?key|access[_-]?key|token|secret|passw(?:or)?d|authorization)["']?\s*[=:]\s*["']?)[^\s"',;]{4,}/gi,
    '$1[secret]',
  ],
  [/(:\/\/[^\s/:@]{1,100}:)[^\s/@]{1,200}@/g, '$1[secret]@'],
];

export function redactSecrets(text: string): string {
  return patterns.reduce(
    (redacted, [pattern, replacement]) => redacted.replaceAll(pattern, replacement),
    text,
  );
}
