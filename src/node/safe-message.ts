// An error message of another program -> one line that is safe to show and to journal.
//
// Known secrets are removed by value, also in the forms they take in URLs, JSON, base64 and hex; then everything that
// is written like a secret. The line is bounded and holds no characters that a terminal would act on.
import { printableLine } from '../base/printable.ts';
import { cutText } from '../base/cut-text.ts';
import { redactSecrets } from '../base/redact.ts';

/** The encoded forms of shorter values would match by accident, so only the plain value is removed. */
const shortestEncoded = 6;
/** Bounds the work of the patterns, which may scan a text more than once. */
const maxPatternUnits = 4000;

export function safeMessage(text: string, secrets: readonly string[], maxUnits = 400): string {
  const forms = [...new Set(secrets.filter((secret) => secret !== '').flatMap(formsOf))].toSorted(
    (a, b) => b.length - a.length,
  );
  const bare = forms.reduce((shown, form) => shown.replaceAll(form, '[key]'), text);
  const line = printableLine(
    redactSecrets(cutText(bare.replaceAll(/\s+/g, ' ').trim(), maxPatternUnits).text),
  );
  return cutText(line, maxUnits).text;
}

/** The values of variables that are named like secrets. */
export function secretsAmong(variables: { readonly [name: string]: string | undefined }): readonly string[] {
  return Object.entries(variables).flatMap(([name, value = '']) =>
    /KEY|TOKEN|SECRET|PASSW|CREDENTIAL|AUTH/i.test(name) && value.length >= shortestEncoded ? [value] : [],
  );
}

function formsOf(secret: string): readonly string[] {
  if (secret.length < shortestEncoded) return [secret];
  const bytes = Buffer.from(secret, 'utf8');
  const base64 = [0, 1, 2].flatMap((shift) => base64At(bytes, shift));
  const hex = bytes.toString('hex');
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    hex,
    hex.toUpperCase(),
    ...base64,
    ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
  ];
}

/** The secret inside the base64 of a longer text, by its offset, without the letters that depend on its neighbours. */
function base64At(bytes: Buffer, shift: number): readonly string[] {
  const whole = Buffer.concat([Buffer.alloc(shift), bytes]);
  const form = whole.toString('base64').slice(Math.ceil((shift * 8) / 6), Math.floor((whole.length * 8) / 6));
  return form.length < shortestEncoded ? [] : [form];
}
