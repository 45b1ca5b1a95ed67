// What a filter does to what is known of a value.
//
// A filter that gives a number or a truth value leaves nothing from outside, except the arguments it may return. An
// unknown filter may do anything, so nothing is known of its result.
import type { Abstract, Given } from './abstract-value.ts';
import { cleanText, constant, plain } from './abstract-value.ts';
import { changed, textAtoms } from './as-text.ts';
import { percentFormat } from './format.ts';
import { allOf, argument } from './arguments.ts';
import { join } from './join-values.ts';
import { applyListFilter } from './list-filters.ts';
import { madeOf } from './lost-value.ts';
import { memberAt } from './member.ts';
import { callMethod } from './methods.ts';
import { numbersOf, part } from './sequence.ts';
import { cut, mixed, replaced, stripped, truncated } from './text-rules.ts';
import { make, unseen } from './abstract-value.ts';

const slugCharacters = 128;
const defaultTruncate = 1024;
const nothing = constant(null);

export function applyFilter(name: string, input: Abstract, given: Given): Abstract {
  const at = (index: number, parameter: string, fallback: Abstract): Abstract =>
    argument(given, index, parameter, fallback);
  switch (name) {
    case 'length':
    case 'count':
    case 'wordcount':
    case 'contains_cjk':
    case 'abs':
    case 'round':
      return plain;
    case 'int':
    case 'float':
      return join([plain, at(0, 'default', plain)]);
    case 'filesizeformat':
      return cleanText;
    case 'date':
      return mixed(cleanText, at(0, 'format', cleanText));
    case 'xml_escape':
    case 'forceescape':
    case 'urlencode':
      return changed(input, (one) => ({
        ...one,
        escaped: true,
        marked: name === 'forceescape' || one.marked,
      }));
    case 'escape':
    case 'e':
      return changed(input, (one) => ({ ...one, escaped: one.escaped || !one.marked, marked: true }));
    case 'xmlattr':
      return changed(input, (one) => ({ ...part(one), escaped: one.escaped || !one.marked }));
    case 'safe':
      return changed(input, (one) => ({ ...one, marked: true }));
    case 'tojson': {
      const indent = at(0, 'indent', nothing);
      const text = changed(input, (one) => ({
        ...one,
        escaped: true,
        dash: false,
        slug: false,
        marked: true,
      }));
      return indent.constant === null || numbersOf(indent) !== null ? text : mixed(text, indent);
    }
    case 'slugify':
      return changed(input, (one) => ({
        ...one,
        escaped: true,
        slug: true,
        dash: false,
        behind: false,
        bound: Math.min(one.bound, slugCharacters),
        crumb: false,
      }));
    case 'truncate':
      return truncated(
        input,
        at(0, 'length', constant(defaultTruncate)),
        at(2, 'end', constant('')),
        at(3, 'leeway', constant(0)),
      );
    case 'default':
    case 'd':
      return join([input, at(0, 'default_value', constant(''))]);
    case 'replace':
      return replaced(input, at(0, 'old', cleanText), at(1, 'new', cleanText), at(2, 'count', nothing));
    case 'striptags':
      // It also turns entities back into characters.
      return changed(input, (one) => ({ ...part(one), escaped: false, marked: false }));
    case 'trim':
      return stripped(input, at(0, 'chars', nothing));
    case 'upper':
    case 'lower':
    case 'title':
    case 'capitalize':
      return changed(input, (one) => one);
    case 'string':
      return make({
        text: textAtoms(input),
        ...(input.constants.every((one) => typeof one === 'string') && input.constants.length > 0
          ? { constants: input.constants }
          : {}),
      });
    case 'center':
      return numbersOf(at(0, 'width', constant(80))) === null
        ? mixed(input)
        : changed(input, (one) => ({ ...one, slug: false }));
    case 'indent': {
      const by = at(0, 'width', constant(4));
      const text = changed(input, (one) => ({ ...one, slug: false, marked: true }));
      return by.constant === undefined ? mixed(text, by) : text;
    }
    case 'wordwrap': {
      const glue = at(2, 'wrapstring', nothing);
      return glue.constant === undefined
        ? mixed(input, glue)
        : cut(changed(input, (one) => ({ ...one, slug: false })));
    }
    case 'extract_path':
      return cut(input);
    case 'format':
      return percentFormat(input, allOf(given));
    case 'attr':
      return memberAt(input, at(0, 'name', cleanText), unseen, callMethod);
    default:
      return applyListFilter(name, input, given, applyFilter) ?? madeOf(input, ...allOf(given));
  }
}
