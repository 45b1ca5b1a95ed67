// A reply to a form as people type it -> texts by field.
//
//   topic: tides        key: value, one a line (also ：); keys as they are called, case and blanks aside
//   topic：tides，pages：3    or several on a line (read-reply#X5)
//   1) tides            numbers count the fields
//   tides               or just the values, one a line, in the order of the fields
//
// A reply uses one of the three forms throughout. One that mixes them, or names a field twice or one that does not
// exist, is refused with the reason. A reply to a form with one field to fill is its value, line ends included. A JSON
// object in the reply, plain or in a fenced block, is read as such.
//
// read-reply#X4. The reasons are bounded, whatever the reply contains: they are in the next question and in results.
// read-reply#X5. After a comma, a semicolon or their full-width forms, the name of a field with a colon begins that
// field, unless a line of the reply begins with it. Notes are free text and end with their line.
import { emptyObject, isJsonObject, parseJson } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { nearest } from '../../base/nearest.ts';
import { cutCodePoints, isLongerThan } from '../../skill/code-points.ts';
import type { FormField } from './form.ts';

type ReadReply =
  | { readonly ok: true; readonly values: JsonObject; readonly how: 'json' | 'keys' | 'numbers' | 'places' }
  | { readonly ok: false; readonly faults: readonly string[] };

const keyed = /^\s*(?:[-*•]\s+)?([\p{L}_][\p{L}\p{N}_ -]{0,60}?)\s*[:：]\s*(.*)$/u;
const numbered = /^\s*(\d{1,3})\s*[).、]\s*(.*)$/;
const maxLines = 200;
const maxReplyUnits = 64_000;
const maxStrangeKeys = 5;
const maxKeyCharacters = 60;

/** `open` are the fields without a value: texts without a key are for them. */
export function readReply(
  reply: string,
  fields: readonly FormField[],
  open: readonly FormField[] = fields,
): ReadReply {
  const text = reply.trim();
  if (text === '') return refuse('the reply is empty');
  if (text.length > maxReplyUnits)
    return refuse(`the reply has ${text.length} characters, over ${maxReplyUnits}`);
  const object = jsonObjectIn(text);
  if (object !== null) return { ok: true, values: object, how: 'json' };
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/).filter((line) => line.trim() !== '');
  if (lines.length > maxLines) return refuse(`the reply has ${lines.length} lines, over ${maxLines}`);
  const known = lines.filter((line) => fieldCalled(keyed.exec(line)?.[1], fields) !== null).length;
  const counted = lines.filter((line) => numbered.test(line)).length;
  if (known === lines.length) return byKeys(lines, fields);
  if (known > 0) return refuse(mixed(lines, fields));
  if (counted === lines.length) return byNumbers(lines, open);
  if (counted > 0 && lines.length > 1)
    return refuse(
      'the reply mixes numbered lines with others',
      'number all of them, or write "field: value" on each line',
    );
  return byPlaces(text, lines, open);
}

/** The object that the text is, or that its one fenced block holds; null otherwise. */
function jsonObjectIn(text: string): JsonObject | null {
  const trimmed = text.trim();
  for (const candidate of [trimmed, fencedIn(trimmed)]) {
    if (!candidate.startsWith('{')) continue;
    let value: Json;
    try {
      value = parseJson(candidate);
    } catch {
      continue;
    }
    if (isJsonObject(value)) return value;
  }
  return null;
}

/** The same, or an object with words around it: models write both. */
export function objectIn(answer: string): JsonObject | null {
  const [start, end] = [answer.indexOf('{'), answer.lastIndexOf('}')];
  return (
    jsonObjectIn(answer) ?? (start < 0 || end < start ? null : jsonObjectIn(answer.slice(start, end + 1)))
  );
}

/** The text between two fences, if there are exactly two; found without a regular expression, because replies are untrusted. */
function fencedIn(text: string): string {
  const parts = text.split('```');
  if (parts.length !== 3) return '';
  const block = parts[1] as string;
  return block.slice(block.indexOf('\n') + 1).trim();
}

function byKeys(lines: readonly string[], fields: readonly FormField[]): ReadReply {
  const values = emptyObject();
  const begun = new Set(lines.map((line) => fieldCalled(keyed.exec(line)?.[1], fields)));
  for (const line of lines.flatMap((each) => splitFields(each, fields, begun))) {
    const [, key, value] = keyed.exec(line) as unknown as readonly [string, string, string];
    const name = fieldCalled(key, fields) as string;
    if (Object.hasOwn(values, name)) return refuse(`${name} is there twice`);
    values[name] = value.trim();
  }
  return { ok: true, values, how: 'keys' };
}

/** One line for each field on it (read-reply#X5); `begun` are the fields that a line begins with. */
function splitFields(
  line: string,
  fields: readonly FormField[],
  begun: ReadonlySet<string | null>,
): readonly string[] {
  const found: string[] = [];
  let name = fieldCalled(keyed.exec(line)?.[1], fields);
  // Pieces, with what separates them in between.
  const [first, ...rest] = line.split(/([,;，；、])/) as [string, ...string[]];
  let current = first;
  for (let at = 0; at < rest.length; at += 2) {
    const [separator, piece] = [rest[at] as string, rest[at + 1] as string];
    const next = name === 'additional_notes' ? null : fieldCalled(keyed.exec(piece)?.[1], fields);
    if (next === null || begun.has(next)) {
      current += separator + piece;
      continue;
    }
    found.push(current);
    [current, name] = [piece, next];
  }
  return [...found, current];
}

function byNumbers(lines: readonly string[], fields: readonly FormField[]): ReadReply {
  const values = emptyObject();
  for (const line of lines) {
    const [, digits, value] = numbered.exec(line) as unknown as readonly [string, string, string];
    const field = fields[Number(digits) - 1];
    if (field === undefined) return refuse(`there is no field ${digits}; there are ${fields.length}`);
    if (Object.hasOwn(values, field.name)) return refuse(`${digits}) is there twice`);
    values[field.name] = value.trim();
  }
  return { ok: true, values, how: 'numbers' };
}

function byPlaces(text: string, lines: readonly string[], fields: readonly FormField[]): ReadReply {
  const [first] = fields;
  const others = fields.slice(1).filter(({ required }) => required);
  const values = emptyObject();
  if (first?.type === 'string' && fields.slice(1).every(({ name }) => name === 'additional_notes'))
    values[first.name] = text;
  else if (first !== undefined && lines.length === 1 && others.length === 0) values[first.name] = text;
  else {
    const strange = lines
      .map((line) => keyed.exec(line)?.[1])
      .find((key) => key !== undefined && !key.includes(' '));
    if (strange !== undefined) return refuse(unknownField(strange, fields), namesOf(fields));
    if (lines.length > fields.length)
      return refuse(
        `the reply has ${lines.length} lines, and the form ${fields.length} fields`,
        'write "field: value" on each line',
      );
    if (lines.length < fields.filter(({ required }) => required).length)
      return refuse(
        `the reply has ${lines.length === 1 ? 'one line' : `${lines.length} lines`} for ${fields.length} fields`,
        'write "field: value" on each line',
      );
    for (const [at, line] of lines.entries()) values[(fields[at] as FormField).name] = line.trim();
  }
  return { ok: true, values, how: 'places' };
}

function mixed(lines: readonly string[], fields: readonly FormField[]): string {
  const strange = lines
    .map((line) => keyed.exec(line)?.[1])
    .find((key) => key !== undefined && fieldCalled(key, fields) === null);
  return strange === undefined
    ? 'the reply mixes "field: value" with other lines; write "field: value" on each line'
    : unknownField(strange, fields);
}

/** Keys that no field has: each with the field that may be meant, or all fields (read-reply#X4). */
export function unknownFieldKeys(values: JsonObject, fields: readonly FormField[]): readonly string[] {
  const known = new Set(fields.map(({ name }) => name));
  const strange = Object.keys(values).filter((key) => !known.has(key));
  const faults = strange
    .slice(0, maxStrangeKeys)
    .map((key) =>
      unknownField(
        isLongerThan(key, maxKeyCharacters) ? `${cutCodePoints(key, maxKeyCharacters)}…` : key,
        fields,
      ),
    );
  const isClear = faults.every((fault) => fault.includes('; did you mean'));
  const more = strange.length - faults.length;
  return [
    ...faults,
    ...(more === 0 ? [] : [`and ${more} more keys that no field has`]),
    ...(isClear ? [] : [namesOf(fields)]),
  ];
}

function unknownField(key: string, fields: readonly FormField[]): string {
  const meant = nearest(
    normal(key),
    fields.map(({ name }) => name),
  );
  return `there is no field "${key}"${meant === null ? '' : `; did you mean ${meant}?`}`;
}

function namesOf(fields: readonly FormField[]): string {
  return `the fields are ${fields.map(({ name }) => name).join(', ')}`;
}

function refuse(...faults: readonly string[]): ReadReply {
  return { ok: false, faults };
}

function normal(key: string): string {
  return key
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
}

/** The name of the field that a key means, or null. */
export function fieldCalled(key: string | undefined, fields: readonly FormField[]): string | null {
  if (key === undefined) return null;
  const name = normal(key);
  return fields.some((field) => field.name === name) ? name : null;
}
