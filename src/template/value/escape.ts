// HTML escaping: markupsafe's, which `escape` uses, and that of Python's `html` module, which `xml_escape` uses.
import type { Evaluation } from './evaluation.ts';
import { strOf } from './repr.ts';
import { Markup, type Value } from './value.ts';

const special = /[&<>"']/g;
const hasSpecial = /[&<>"']/;

const markupEntities: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&#34;'],
  ["'", '&#39;'],
]);
const htmlEntities: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#x27;'],
]);

/** The escaped text of a value; what is `Markup` is so already. */
export function escapeMarkup(e: Evaluation, value: Value): string {
  return value instanceof Markup ? value.text : escapeWith(e, strOf(e, value), markupEntities);
}

/** `html.escape(text)` */
export function escapeHtml(e: Evaluation, text: string): string {
  return escapeWith(e, text, htmlEntities);
}

function escapeWith(e: Evaluation, text: string, entities: ReadonlyMap<string, string>): string {
  e.scan(text.length);
  if (!hasSpecial.test(text)) return text;
  let length = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    // Only these five are below "?" and special.
    if (unit <= 0x3e && (unit === 0x26 || unit === 0x3c || unit === 0x3e || unit === 0x22 || unit === 0x27))
      length += 5;
  }
  e.makeText(length);
  return text.replace(special, (character) => entities.get(character) as string);
}
