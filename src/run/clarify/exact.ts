// A reply that is nothing but a value -> the one field that it can be for.
//
// E1. That is the only field that is needed and no text, wherever it stands in the form; where nothing is needed, the only
//     field there is besides the notes. Others keep their defaults, or are told as missing.
// E2. Exactly a value of it: a choice, a yes or no, a whole number. With other words around it, it is another text.
// E3. Never what another open field takes as well. A text takes every number: beside one, `1` is neither a count nor a yes.
import type { FormField } from './form.ts';
import { readField } from './form.ts';

const digits = /^[+-]?\d+$/;

/** `open` are the fields that are still to be said. */
export function exactField(reply: string, open: readonly FormField[]): FormField | null {
  const asked = open.filter(({ name }) => name !== 'additional_notes');
  const needed = asked.filter(({ required }) => required);
  const [meant, ...more] = needed.length === 0 ? asked : needed.filter(({ type }) => type !== 'string');
  if (meant === undefined || more.length > 0 || meant.type === 'string' || !takes(meant, reply)) return null;
  const isClear = asked.every(
    (field) =>
      field === meant || !(field.type === 'string' ? digits.test(reply.trim()) : takes(field, reply)),
  );
  return isClear ? meant : null;
}

function takes(field: FormField, reply: string): boolean {
  return readField(field, reply)?.ok === true;
}
