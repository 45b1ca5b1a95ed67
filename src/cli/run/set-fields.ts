// `--set FIELD=VALUE` -> the values of a form.
import { TechneError } from '../../base/error.ts';
import { emptyObject, isJsonObject } from '../../base/json.ts';
import type { Json } from '../../base/json.ts';
import { nearest } from '../../base/nearest.ts';
import { printableLine } from '../../base/printable.ts';
import { formOf, readField } from '../../run/clarify/form.ts';
import { isForm } from './render-form.ts';

/** The values are texts; the engine converts them to the types of the fields. */
export function readFields(given: readonly string[]): Json {
  const fields = emptyObject();
  for (const one of given) {
    const at = one.indexOf('=');
    const name = one.slice(0, Math.max(0, at)).trim();
    if (name === '')
      throw new TechneError('USAGE', `--set "${printableLine(one)}" is not FIELD=VALUE`, {
        hint: 'write --set topic=tides',
      });
    if (Object.hasOwn(fields, name))
      throw new TechneError('USAGE', `--set ${printableLine(name)} is given twice`, { hint: 'give it once' });
    fields[name] = one.slice(at + 1);
  }
  return fields;
}

/** Checks the field names before the question is answered. Throws USAGE. */
export function mustBeFields(question: Json, given: Json): void {
  if (!isForm(question) || !isJsonObject(given)) return;
  const names = formOf(question).fields.map(({ name }) => name);
  const strange = Object.keys(given).find((name) => !names.includes(name));
  if (strange === undefined) return;
  const meant = nearest(strange, names);
  throw new TechneError('USAGE', `the form has no field "${printableLine(strange)}"`, {
    hint: meant === null ? `it has ${names.join(', ')}` : `did you mean "${meant}"?`,
  });
}

/** Whether the form has every given field. */
export function hasFields(question: Json, given: Json): boolean {
  if (!isForm(question) || !isJsonObject(given)) return false;
  const names = formOf(question).fields.map(({ name }) => name);
  return Object.keys(given).every((name) => names.includes(name));
}

/** Checks the values before anything else, such as who may answer. Throws ANSWER_REFUSED. */
export function mustFit(question: Json, given: Json): void {
  if (!isForm(question) || !isJsonObject(given)) return;
  const faults = formOf(question).fields.flatMap((field) => {
    const read = Object.hasOwn(given, field.name) ? readField(field, given[field.name] as Json) : undefined;
    return read?.ok === false ? [read.fault] : [];
  });
  if (faults.length > 0) throw new TechneError('ANSWER_REFUSED', faults.join('; '));
}
