// What a run recorded -> the same without what looks like a secret, so that none gets into a test file.
//
// A secret is found once, by how it is written or by the name of its key, and replaced wherever its value is: also where a
// program passed it on alone. All of a run is replaced in the same way, so the parts of it still fit together.
import type { Json, JsonObject } from '../../../base/json.ts';
import { isJsonObject } from '../../../base/json.ts';
import { isWords, redactSecrets, secretsIn } from '../../../base/redact.ts';

const secretKey = /passw(?:or)?d|passphrase|secret|api[_-]?key|access[_-]?key|private[_-]?key|credential/i;
const doubtfulKey = /token|authorization|cookie/i;
const instead = '[secret]';

/** Shorter ones, and words, could be anything else where they stand alone. */
const leastUnits = 8;

export interface Redacted<T> {
  readonly value: T;
  /** How many different secrets were replaced. */
  readonly secrets: number;
}

export function withoutSecrets<T extends Json>(value: T): Redacted<T> {
  const found = new Set<string>();
  collect(value, found);
  const secrets = [...found].sort((a, b) => b.length - a.length);
  const everywhere = secrets.filter((secret) => secret.length >= leastUnits && !isWords(secret));
  const clean = (text: string): string =>
    everywhere.reduce((rest, secret) => rest.replaceAll(secret, instead), redactSecrets(text));
  return { value: mapTexts(value, clean) as T, secrets: secrets.length };
}

function collect(value: Json, found: Set<string>): void {
  if (typeof value === 'string') for (const secret of secretsIn(value)) found.add(secret);
  else if (Array.isArray(value)) for (const item of value as readonly Json[]) collect(item, found);
  else if (isJsonObject(value))
    for (const [key, item] of Object.entries(value)) {
      if (typeof item === 'string' && isSecret(key, item)) found.add(item);
      collect(item, found);
    }
}

function isSecret(key: string, value: string): boolean {
  return (
    value.length >= 4 &&
    value !== instead &&
    (secretKey.test(key) || (doubtfulKey.test(key) && !isWords(value)))
  );
}

function mapTexts(value: Json, clean: (text: string) => string): Json {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => mapTexts(item, clean));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]): readonly [string, Json] => [
    key,
    typeof item === 'string' && isSecret(key, item) ? instead : mapTexts(item, clean),
  ]);
  return Object.fromEntries(entries) as JsonObject;
}
