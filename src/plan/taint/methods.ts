// What a method of a text, list or dict gives, by its name; and what calling a value gives.
import type { Abstract, Access, Given } from './abstract-value.ts';
import { cleanText, constant, make, plain } from './abstract-value.ts';
import { changed, textAtoms } from './as-text.ts';
import { braceFormat } from './format.ts';
import { allOf, argument } from './arguments.ts';
import { join } from './join-values.ts';
import { madeOf } from './lost-value.ts';
import { anyPair, abstractKeysOf, memberOf, pairsOf } from './member.ts';
import { dictMethods, plainMethods } from './method-names.ts';
import { anyOf, constantsOf, exactly, numbersOf, part, sequenceOf } from './sequence.ts';
import { cut, joined, mixed, replaced, split, stripped } from './text-rules.ts';

const nothing = constant(null);

/** `null`: a method that is not known by name. */
export function callMethod(object: Abstract, name: string | null, given: Given, access: Access): Abstract {
  if (name === null) return madeOf(object, ...allOf(given));
  const results: Abstract[] = [];
  const { dicts, list, unknown } = object;
  if (dicts.length > 0 || unknown !== null) {
    const some = make({ dicts, unknown });
    if (dictMethods.has(name)) results.push(dictMethod(some, name, given, access));
    else if (dicts.length > 0)
      results.push(callValue(memberOf(make({ dicts }), name, access, callMethod), given));
  }
  if (list !== null && name === 'copy') results.push(make({ list }));
  const texts = make({
    text: object.text,
    unknown,
    constants: object.constants.filter((one) => typeof one === 'string'),
  });
  if (plainMethods.has(name)) results.push(plain);
  else if (texts.text !== null || texts.constants.length > 0 || (unknown !== null && !dictMethods.has(name)))
    results.push(textMethod(texts, name, given));
  if (results.length === 0) results.push(madeOf(object, ...allOf(given)));
  return join(results);
}

/** The result of calling `target`: nothing, if it cannot be called. */
export function callValue(target: Abstract, given: Given): Abstract {
  const results = target.calls.map((call) => call(given));
  if (target.unknown !== null) results.push(madeOf(make({ unknown: target.unknown }), ...allOf(given)));
  return join(results);
}

function dictMethod(object: Abstract, name: string, given: Given, access: Access): Abstract {
  switch (name) {
    case 'get':
      return join([
        ...abstractKeysOf(argument(given, 0, null, nothing)).flatMap((key) =>
          object.dicts.map((dict) => dict.get(key, { ...access, guarded: true })),
        ),
        ...(object.unknown === null ? [] : [make({ unknown: object.unknown })]),
        argument(given, 1, null, nothing),
      ]);
    case 'copy':
      return object;
    case 'keys':
    case 'values':
    case 'items': {
      const known = pairsOf(object);
      const taken = (pair: readonly [Abstract, Abstract]): Abstract =>
        name === 'items' ? exactly(pair) : pair[name === 'keys' ? 0 : 1];
      return known === null ? anyOf(taken(anyPair(object))) : exactly(known.map(taken));
    }
    default:
      return madeOf(object, ...allOf(given));
  }
}

function textMethod(object: Abstract, name: string, given: Given): Abstract {
  const [first, second] = [argument(given, 0, null, nothing), argument(given, 1, null, nothing)];
  switch (name) {
    case 'upper':
    case 'lower':
    case 'title':
    case 'capitalize':
    case 'swapcase':
    case 'casefold':
    case 'expandtabs':
    case 'rstrip':
    case 'removesuffix':
      return changed(object, (one) => one);
    case 'replace':
      return replaced(object, first, second, argument(given, 2, null, constant(-1)));
    case 'strip':
    case 'lstrip':
      return stripped(object, first);
    case 'removeprefix':
      return cut(object);
    case 'split':
    case 'rsplit': {
      const separator = argument(given, 0, 'sep', nothing);
      const isWhole = given.positional.length < 2 && given.named.size === 0 && given.rest === null;
      return split(isWhole ? object : make({ text: textAtoms(object) }), separator);
    }
    case 'splitlines':
      return split(object, null);
    case 'partition':
    case 'rpartition': {
      const each = split(make({ text: textAtoms(object) }), first).list?.each ?? cleanText;
      return exactly([each, first, each]);
    }
    case 'join':
      return joined(sequenceOf(first), object);
    case 'unescape':
    case 'striptags':
      return changed(object, (one) => ({ ...part(one), escaped: false, marked: false }));
    case 'center':
    case 'ljust':
    case 'rjust':
    case 'zfill':
      return numbersOf(first) === null || (second.constant === undefined && constantsOf(second) === null)
        ? mixed(object, second)
        : changed(object, (one) => ({ ...one, slug: false }));
    case 'format':
    case 'format_map':
      return braceFormat(object, name === 'format' ? allOf(given) : [first, anyPair(first)[1]]);
    default:
      return madeOf(object, ...allOf(given));
  }
}
