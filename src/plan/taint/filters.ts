// What a filter does to what is known of a value.
//
// I1. A filter that makes a number or a truth value leaves nothing from outside.
// I2. A filter that is not known here changes nothing (B3): it may give back what it was given.
import type { Abstract, Atom } from './abstract.ts';
import { blend, change, clean, constant, join, listOf, mostCharacters, opaque } from './abstract.ts';

export interface FilterArguments {
  readonly positional: readonly Abstract[];
  readonly named: ReadonlyMap<string, Abstract>;
}

const toNumber: ReadonlySet<string> = new Set(['int', 'float', 'length', 'count', 'wordcount', 'contains_cjk', 'abs', 'round', 'filesizeformat', 'date']);
const special = /[<>&"']/;
const slugCharacters = 128;
const defaultTruncate = 1024;

export function applyFilter(name: string, input: Abstract, { positional, named }: FilterArguments): Abstract {
  if (toNumber.has(name)) return clean;
  switch (name) {
    case 'xml_escape':
    case 'forceescape':
    case 'urlencode':
      return change(input, (one) => ({ ...one, escaped: true }));
    case 'escape':
    case 'e':
      return change(input, (one) => ({ ...one, escaped: one.escaped || !one.marked }));
    case 'safe':
      return { ...change(input, (one) => ({ ...one, marked: true })), isText: true };
    case 'tojson':
      return change(input, (one) => ({ ...one, escaped: true, dash: false }));
    case 'slugify':
      return change(input, (one) => ({ ...one, escaped: true, slug: true, dash: false, bound: one.crumb ? one.bound : Math.min(one.bound, slugCharacters) }));
    case 'truncate':
      return truncate(input, positional[0] ?? named.get('length') ?? constant(defaultTruncate), positional[2] ?? named.get('end') ?? clean, positional[3] ?? named.get('leeway') ?? constant(0));
    case 'default':
    case 'd':
      return join([input, positional[0] ?? named.get('default_value') ?? clean]);
    case 'join':
      return blend(input, positional[0] ?? named.get('d') ?? clean);
    case 'replace':
      return replace(input, positional[0] ?? named.get('old') ?? clean, positional[1] ?? named.get('new') ?? clean);
    case 'striptags':
      // It also turns entities back into characters.
      return change(input, (one) => ({ ...one, escaped: false, slug: one.slug }));
    case 'format':
      return change(blend(input, ...positional, ...named.values()), (one) => ({ ...one, slug: false }));
    case 'map':
      return mapped(input, positional, named);
    case 'first':
    case 'last':
    case 'min':
    case 'max':
    case 'random':
      return elementOf(input);
    case 'list':
    case 'sort':
    case 'unique':
    case 'reverse':
    case 'select':
    case 'reject':
    case 'selectattr':
    case 'rejectattr':
    case 'batch':
      return input;
    case 'slice':
      return positional.length === 2 ? sliced(input, positional[0] ?? null, positional[1] ?? null, null) : input;
    case 'upper':
    case 'lower':
    case 'trim':
    case 'string':
    case 'title':
    case 'capitalize':
      return { ...opaque(input), isText: true };
    default:
      return blend(input, ...positional, ...named.values());
  }
}

/** The bound of `truncate(n)`: nothing when it cuts nothing, or when nobody knows what it cuts. */
function truncate(input: Abstract, length: Abstract, end: Abstract, leeway: Abstract): Abstract {
  const most = typeof length.constant === 'number' && length.constant > 0 && typeof leeway.constant === 'number' ? length.constant + Math.max(0, leeway.constant) : Number.POSITIVE_INFINITY;
  if (most > mostCharacters) return blend(input, end);
  const cut = change(input, (one) => (one.crumb ? one : { ...one, bound: Math.min(one.bound, most) }));
  return { ...blend(cut, end), isText: true };
}

/** `text[:200]` and `text[-200:]` are bounded. */
export function sliced(object: Abstract, lower: Abstract | null, upper: Abstract | null, step: Abstract | null): Abstract {
  const from = lower === null ? 0 : lower.constant;
  const to = upper === null ? null : upper.constant;
  let most = Number.POSITIVE_INFINITY;
  if (step === null && typeof from === 'number') {
    if (typeof to === 'number' && ((from >= 0 && to >= 0) || (from < 0 && to < 0))) most = Math.max(0, to - from);
    else if (to === null && from < 0) most = -from;
  }
  if (object.elements !== undefined) return listOf(object.elements, object.atoms);
  return { ...change(opaque(object), (one) => (one.crumb || object.isText !== true ? one : { ...one, bound: Math.min(one.bound, most) })), isText: object.isText === true };
}

export function replace(input: Abstract, from: Abstract, to: Abstract): Abstract {
  const known = typeof from.constant === 'string' && typeof to.constant === 'string';
  const keepsEscapes = known && !special.test(to.constant as string) && !/[&;#]|^(?:lt|gt|amp|quot|apos)$/i.test(from.constant as string);
  const dropsDashes = known && from.constant === '-' && !(to.constant as string).startsWith('-');
  const how = (one: Atom): Atom => ({ ...one, escaped: one.escaped && keepsEscapes, slug: one.slug && known && /^[\w-]*$/.test(to.constant as string), dash: one.dash && !dropsDashes, bound: known ? one.bound * Math.max(1, (to.constant as string).length) : Number.POSITIVE_INFINITY });
  return blend(change(input, how), to);
}

/** `map('truncate', 100)` applies a filter to each; `map(attribute='title')` takes a member of each. */
function mapped(input: Abstract, positional: readonly Abstract[], named: ReadonlyMap<string, Abstract>): Abstract {
  const [filter, ...rest] = positional;
  const element = elementOf(input);
  const attribute = named.get('attribute');
  if (attribute !== undefined) {
    const member = element.get?.(typeof attribute.constant === 'string' ? attribute.constant : null, { start: 0, end: 0, guarded: true }) ?? opaque(element);
    const value = join([member, named.get('default') ?? clean]);
    return listOf([value]);
  }
  if (typeof filter?.constant !== 'string') return blend(input, ...positional);
  const value = applyFilter(filter.constant, element, { positional: rest, named });
  return listOf([value]);
}

/** What going through a value gives. */
export function elementOf(value: Abstract): Abstract {
  if (value.elements !== undefined) return value.elements.length === 0 ? clean : join(value.elements);
  if (value.get !== undefined) return value.get(null, { start: 0, end: 0, guarded: true });
  // Characters of a text: however each is cut, together they are as long as the text.
  if (value.isText === true) return { ...change(value, (one) => ({ ...one, crumb: one.bound > mostCharacters })), isText: true };
  return opaque(value);
}
