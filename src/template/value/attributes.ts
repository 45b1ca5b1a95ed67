// `x.name` and `x[index]`.
//
// Attributes are those of Python's types, from tables (`methods/`). Names that Python has but the sandbox forbids are
// refused as unsafe; any other name does not exist. `x.name` of a dict is its item, if it has one, and otherwise a
// method; where it is called, the method comes first. (Jinja always takes the method, so that an item named `items` or
// `values` cannot be reached by a point.) `x[index]` is the item, and otherwise, for a string, the attribute. What
// does not exist is an `Undefined`, not a failure: that comes when it is used.
import { nearest } from '../../base/nearest.ts';
import { BoundMethod } from './bound-method.ts';
import { Dict } from './dict.ts';
import type { Evaluation } from './evaluation.ts';
import { asIndex, asInt } from './numbers.ts';
import { quote } from './quote.ts';
import { reprOf } from './repr.ts';
import { failUndefined, TemplateError } from './template-error.ts';
import { asText, isWide, lengthOf, unitAt } from './text.ts';
import { objectName, typeName } from './type-name.ts';
import { isInternal, isMutator } from './unsafe-names.ts';
import { Bytes, Callable, Float, List, Markup, Tuple, Undefined, type Value } from './value.ts';

/** `object.name` */
export function getAttribute(e: Evaluation, object: Value, name: string): Value {
  if (object instanceof Dict) {
    const item = object.getText(name);
    if (item !== undefined) return item;
  }
  const attribute = ownAttribute(e, object, name);
  return attribute === undefined ? missingAttribute(e, object, name) : attribute;
}

/** `object.name`, which is about to be called. */
export function getCallee(e: Evaluation, object: Value, name: string): Value {
  const attribute =
    ownAttribute(e, object, name) ?? (object instanceof Dict ? object.getText(name) : undefined);
  return attribute === undefined ? missingAttribute(e, object, name) : attribute;
}

/** An attribute that is not an item; unsafe ones are an `Undefined` that says so. */
export function ownAttribute(e: Evaluation, object: Value, name: string): Value | undefined {
  if (object instanceof Callable) {
    const attribute = object.attribute(e, name);
    return attribute === undefined ? unsafeAttribute(e, object, name) : attribute;
  }
  const type = typeKey(object);
  const method = e.library.methods.get(type)?.get(name);
  if (method !== undefined) return new BoundMethod(object, type, name, method);
  const data = dataAttribute(object, name);
  return data === undefined ? unsafeAttribute(e, object, name) : data;
}

/** The table of a value's methods. */
export function typeKey(object: Value): string {
  return object instanceof Tuple ? 'tuple' : typeof object === 'boolean' ? 'int' : typeName(object);
}

function dataAttribute(object: Value, name: string): Value | undefined {
  if (object instanceof Tuple && object.fields !== null) return object.items[object.fields.indexOf(name)];
  const int = asInt(object);
  if (int !== null)
    return name === 'real' || name === 'numerator'
      ? int
      : name === 'imag'
        ? 0
        : name === 'denominator'
          ? 1
          : undefined;
  if (object instanceof Float) return name === 'real' ? object : name === 'imag' ? new Float(0) : undefined;
  return undefined;
}

function unsafeAttribute(e: Evaluation, object: Value, name: string): Undefined | undefined {
  const type = typeKey(object);
  const changes = isMutator(type, name);
  if (!changes && !isInternal(type, name)) return undefined;
  const hint = changes ? 'values never change in a template: build a new one' : null;
  return new Undefined(
    () => ({ message: `access to attribute '${name}' of '${typeName(object)}' object is unsafe.`, hint }),
    e.at,
    'unsafe',
  );
}

function missingAttribute(e: Evaluation, object: Value, name: string): Undefined {
  if (object instanceof Undefined) failUndefined(object);
  const describe = (): { message: string; hint: string | null } => ({
    message: `'${objectName(object)}' has no attribute ${quote(e, name)}`,
    hint: suggestion(e, object, name),
  });
  return new Undefined(describe, e.at);
}

/** Keys that are looked through for a similar one. */
const maxSuggested = 500;

function suggestion(e: Evaluation, object: Value, name: string): string | null {
  const keys =
    object instanceof Dict && object.size <= maxSuggested
      ? object.keys().filter((key) => typeof key === 'string')
      : [];
  const close = nearest(name, [...keys, ...(e.library.methods.get(typeKey(object))?.keys() ?? [])]);
  return close === null ? null : `did you mean "${close}"?`;
}

/** `object[index]` */
export function getItem(e: Evaluation, object: Value, index: Value): Value {
  if (object instanceof Undefined) failUndefined(object);
  const item = itemOf(e, object, index);
  if (item !== undefined) return item;
  const name = asText(index);
  const attribute = name === null ? undefined : ownAttribute(e, object, name);
  if (attribute !== undefined) return attribute;
  if (name !== null) return missingAttribute(e, object, name);
  return new Undefined(
    () => ({ message: `${objectName(object)} has no element ${reprOf(e, index)}`, hint: null }),
    e.at,
  );
}

function itemOf(e: Evaluation, object: Value, index: Value): Value | undefined {
  if (object instanceof Dict) return dictItem(object, index);
  const at = asIndex(index);
  if (at === null) return undefined;
  if (object instanceof List || object instanceof Tuple)
    return object.items[at < 0 ? at + object.items.length : at];
  if (object instanceof Bytes) return object.bytes[at < 0 ? at + object.bytes.length : at];
  if (typeof object === 'string') return characterAt(e, object, at);
  if (!(object instanceof Markup)) return undefined;
  const character = characterAt(e, object.text, at);
  return character === undefined ? undefined : new Markup(character);
}

function dictItem(dict: Dict, index: Value): Value | undefined {
  try {
    return dict.get(index);
  } catch (error) {
    // What cannot be a key is not a key.
    if (error instanceof TemplateError && error.code === 'EVAL_UNHASHABLE') return undefined;
    throw error;
  }
}

function characterAt(e: Evaluation, text: string, index: number): string | undefined {
  if (!isWide(text)) return text[index < 0 ? index + text.length : index];
  e.scan(text.length);
  const length = lengthOf(text);
  const at = index < 0 ? index + length : index;
  if (at < 0 || at >= length) return undefined;
  return String.fromCodePoint(text.codePointAt(unitAt(text, at)) as number);
}
