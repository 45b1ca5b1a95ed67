// Operations on texts that filters and methods share.
import type { Abstract, Sequence } from './abstract-value.ts';
import { joinAtoms, make, mostCharacters } from './abstract-value.ts';
import { abstractText, changed, joinedTexts, multiplied, textAtoms } from './as-text.ts';
import { weakened } from './lost-value.ts';
import { anyOf, constantsOf, exactly, isUnbounded, numbersOf, part } from './sequence.ts';

const special = /[<>&"']/;
/** What an escaped character is written with. */
const entity = /[&;#]|^(?:lt|gt|amp|quot|apos)$/i;

/** Its length is unbounded now, and `more` may be anywhere in it. */
export function mixed(value: Abstract, ...more: readonly Abstract[]): Abstract {
  return make({ text: joinAtoms([textAtoms(value), ...more.map(textAtoms)]).map(weakened) });
}

/** As it is, in a text that `more` may begin. */
function beside(value: Abstract, ...more: readonly Abstract[]): Abstract {
  return make({ text: joinAtoms([textAtoms(value), ...more.map(textAtoms)]) });
}

/** A part of it, which may begin anywhere. */
export function cut(value: Abstract): Abstract {
  return changed(value, part);
}

export function replaced(value: Abstract, from: Abstract, to: Abstract, count: Abstract | null): Abstract {
  const [olds, news] = [constantsOf(from), constantsOf(to)];
  const counts = count === null ? [-1] : constantsOf(count);
  if (olds === null || news === null) return mixed(value, to);
  const [old, fresh] = [olds.map(String), news.map(String)];
  const keepsEscapes = fresh.every((one) => !special.test(one)) && old.every((one) => !entity.test(one));
  const isSlug = fresh.every((one) => /^[\w-]*$/.test(one));
  const dropsDashes =
    old.every((one) => one === '-') &&
    fresh.every((one) => !one.startsWith('-')) &&
    (counts ?? [0]).every((one) => one === null || (typeof one === 'number' && one < 0));
  const growth = Math.max(...fresh.map((one) => one.length)) + (old.includes('') ? 1 : 0);
  return changed(value, (one) => {
    const shown = dropsDashes ? { ...one, dash: false, behind: false } : part(one);
    return {
      ...shown,
      escaped: one.escaped && keepsEscapes,
      slug: one.slug && isSlug,
      bound: multiplied(one.bound, growth),
    };
  });
}

/** Cuts characters off the front; white space unless it is known what. */
export function stripped(value: Abstract, characters: Abstract | null): Abstract {
  const known = characters === null ? [null] : constantsOf(characters);
  if (known !== null && known.every((one) => typeof one === 'string' && one.includes('-')))
    return changed(value, (one) => ({ ...one, dash: false, behind: false }));
  // A slug has no white space that could be cut off its front.
  const isSpace =
    known !== null && known.every((one) => one === null || (typeof one === 'string' && one.trim() === ''));
  return changed(value, (one) => (isSpace && one.slug && !one.dash ? { ...one, behind: false } : part(one)));
}

/** The parts of a text between separators; `null`: between white space or lines. */
export function split(value: Abstract, separator: Abstract | null): Abstract {
  const known = separator === null ? [null] : constantsOf(separator);
  const keepsEscapes = known !== null && known.every((one) => one === null || !entity.test(String(one)));
  const text = abstractText(value);
  const [only] = text.constants;
  const [between] = known ?? [];
  if (
    text.constant !== undefined &&
    typeof only === 'string' &&
    typeof between === 'string' &&
    between !== '' &&
    known?.length === 1
  )
    return exactly(only.split(between).map((one) => make({ constants: [one] })));
  const parts = changed(text, (one) => ({ ...part(one), escaped: one.escaped && keepsEscapes }));
  // Lines of a step's output are bounded one by one; of user text there may be any number.
  return anyOf(parts, {
    endless: textAtoms(text).some((one) => one.origin !== 'output' && isUnbounded(one)),
  });
}

/** A bound of so many characters, when that is a bound. */
export function truncated(value: Abstract, length: Abstract, end: Abstract, leeway: Abstract): Abstract {
  const [lengths, margins] = [numbersOf(length), numbersOf(leeway)];
  const isCut = lengths !== null && margins !== null && lengths.every((one) => one > 0);
  const most = isCut ? Math.max(...lengths) + Math.max(0, ...margins) : Number.POSITIVE_INFINITY;
  if (most > mostCharacters)
    return mixedEnd(
      changed(value, (one) => one),
      end,
    );
  const { constants } = abstractText(value);
  const kept = (constants as readonly string[]).filter(
    (one) => Array.from(one).length <= Math.min(...(lengths ?? [0])),
  );
  const text = mixedEnd(
    changed(value, (one) => ({ ...one, bound: Math.min(one.bound, most), crumb: false })),
    end,
  );
  return kept.length === constants.length && abstractText(value).text === null ? abstractText(value) : text;
}

/** The end may begin the text if everything before it was cut off. */
function mixedEnd(value: Abstract, end: Abstract): Abstract {
  const atoms = textAtoms(end);
  return atoms.length === 0 ? value : beside(value, end);
}

/** `text[:200]` and `text[-200:]` are bounded. */
export function slicedText(value: Abstract, most: number): Abstract {
  return changed(value, (one) => ({ ...part(one), bound: Math.min(one.bound, most) }));
}

/** The items of a list as one text. */
export function joined(list: Sequence, separator: Abstract): Abstract {
  if (list.items !== null) return joinedTexts(list.items, separator);
  // Without a number of items each is bounded by itself, as where they are written in a loop.
  const most = list.endless
    ? Number.POSITIVE_INFINITY
    : list.most === Number.POSITIVE_INFINITY
      ? 1
      : list.most;
  const items = textAtoms(list.each).map((one) => ({ ...one, bound: multiplied(one.bound, most) }));
  return make({
    text: joinAtoms([
      items,
      textAtoms(separator).map((one) => ({ ...one, bound: Number.POSITIVE_INFINITY })),
    ]),
  });
}
