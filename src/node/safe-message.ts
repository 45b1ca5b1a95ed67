// What somebody else says of a failure -> one line that may be told, journaled and shown.
//
// H1. Known secrets are taken out by value, also as they stand in addresses, JSON, base64 and hex; then what is written
//     like a secret.
// H2. One bounded line, and characters only: nothing that a terminal would obey.
import { printableLine } from '../base/printable.ts';
import { cutText } from '../base/cut-text.ts';
import { redactSecrets } from '../base/redact.ts';

/** Shorter values could be part of anything, so that they are taken out only as they are. */
const shortestEncoded = 6;
/** Patterns may look at a text more than once, so they get a bounded one. */
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

/** As it stands within the base64 of a longer text, by where it starts: without the letters that depend on its neighbours. */
function base64At(bytes: Buffer, shift: number): readonly string[] {
  const whole = Buffer.concat([Buffer.alloc(shift), bytes]);
  const form = whole.toString('base64').slice(Math.ceil((shift * 8) / 6), Math.floor((whole.length * 8) / 6));
  return form.length < shortestEncoded ? [] : [form];
}
