// Methods of strings that ask what kind of characters they hold.
import { isPythonSpace } from '../../python/text.ts';
import { isName } from '../syntax/characters.ts';
import { isPrintable } from '../value/quote.ts';
import { bind, signature } from '../value/signature.ts';
import { isCased, isLower, isTitle, isUpper } from './letter-case.ts';
import type { TextMethod } from './text-arguments.ts';

/** A character of these ranges. */
function anyOf(...ranges: readonly string[]): RegExp {
  return new RegExp(`[${ranges.join('')}]`, 'u');
}

const letter = /\p{L}/u;
const decimal = /\p{Nd}/u;
/** Digits that are not decimal ones: superscripts, circled digits and so on. */
const oddDigit = anyOf(
  '\\u00b2\\u00b3\\u00b9\\u1369-\\u1371\\u19da\\u2070\\u2074-\\u2079\\u2080-\\u2089\\u2460-\\u2468',
  '\\u2474-\\u247c\\u2488-\\u2490\\u24ea\\u24f5-\\u24fd\\u24ff\\u2776-\\u277e\\u2780-\\u2788',
  '\\u278a-\\u2792\\u{10a40}-\\u{10a43}\\u{10e60}-\\u{10e68}\\u{11052}-\\u{1105a}',
  '\\u{1f100}-\\u{1f10a}',
);
/** Ideographs that stand for a number. */
const ideographicNumber = anyOf(
  '\\u3405\\u3483\\u382a\\u3b4d\\u4e00\\u4e03\\u4e07\\u4e09\\u4e5d\\u4e8c\\u4e94\\u4e96\\u4ebf\\u4ec0',
  '\\u4edf\\u4ee8\\u4f0d\\u4f70\\u5104\\u5146\\u5169\\u516b\\u516d\\u5341\\u5343-\\u5345\\u534c',
  '\\u53c1-\\u53c4\\u56db\\u58f1\\u58f9\\u5e7a\\u5efe\\u5eff\\u5f0c-\\u5f0e\\u5f10\\u62fe\\u634c',
  '\\u67d2\\u6f06\\u7396\\u767e\\u8086\\u842c\\u8cae\\u8cb3\\u8d30\\u9621\\u9646\\u964c\\u9678\\u96f6',
  '\\uf96b\\uf973\\uf978\\uf9b2\\uf9d1\\uf9d3\\uf9fd\\u{20001}\\u{20064}\\u{200e2}\\u{20121}',
  '\\u{2092a}\\u{20983}\\u{2098c}\\u{2099c}\\u{20aea}\\u{20afd}\\u{20b19}\\u{22390}\\u{22998}',
  '\\u{23b1b}\\u{2626d}\\u{2f890}',
);

const isAlpha = (point: string): boolean => letter.test(point);
const isDecimal = (point: string): boolean => decimal.test(point);
const isDigit = (point: string): boolean => isDecimal(point) || oddDigit.test(point);
const isNumeric = (point: string): boolean => /\p{N}/u.test(point) || ideographicNumber.test(point);

function all(name: string, holds: (point: string) => boolean, ofEmpty = false): TextMethod {
  return asking(name, (text) => {
    if (text === '') return ofEmpty;
    for (const point of text) if (!holds(point)) return false;
    return true;
  });
}

function asking(name: string, answer: (text: string) => boolean): TextMethod {
  const takes = signature(`str.${name}()`, [], true);
  return (e, text, args, named) => {
    bind(takes, args, named);
    e.work(1 + text.length);
    return answer(text);
  };
}

/** At least one letter has a case, and none that has one is of the other. */
export function isCasedAs(text: string, is: 'upper' | 'lower'): boolean {
  let found = false;
  for (const point of text) {
    if (isTitle(point) || (is === 'upper' ? isLower(point) : isUpper(point))) return false;
    found ||= is === 'upper' ? isUpper(point) : isLower(point);
  }
  return found;
}

function isTitleCased(text: string): boolean {
  let found = false;
  let isInside = false;
  for (const point of text) {
    if (isUpper(point) || isTitle(point)) {
      if (isInside) return false;
      found = true;
    } else if (isLower(point)) {
      if (!isInside) return false;
      found = true;
    }
    isInside = isCased(point);
  }
  return found;
}

export const classMethods: readonly (readonly [string, TextMethod])[] = [
  ['isalpha', all('isalpha', isAlpha)],
  ['isdecimal', all('isdecimal', isDecimal)],
  ['isdigit', all('isdigit', isDigit)],
  ['isnumeric', all('isnumeric', isNumeric)],
  ['isalnum', all('isalnum', (point) => isAlpha(point) || isNumeric(point))],
  ['isspace', all('isspace', (point) => isPythonSpace(point.charCodeAt(0)))],
  ['isprintable', all('isprintable', isPrintable, true)],
  ['isascii', all('isascii', (point) => point.charCodeAt(0) < 0x80, true)],
  ['isidentifier', asking('isidentifier', isName)],
  ['isupper', asking('isupper', (text) => isCasedAs(text, 'upper'))],
  ['islower', asking('islower', (text) => isCasedAs(text, 'lower'))],
  ['istitle', asking('istitle', isTitleCased)],
];
