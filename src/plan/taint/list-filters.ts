// Filters of lists and other iterables.
import type { Abstract, Given, Sequence } from './abstract-value.ts';
import { clean, constant, make, plain, unseen } from './abstract-value.ts';
import { changed } from './as-text.ts';
import { argument, shifted } from './arguments.ts';
import { join } from './join-values.ts';
import { madeOf } from './lost-value.ts';
import { anyPair, memberOf, pairsOf } from './member.ts';
import { callMethod } from './methods.ts';
import { anyOf, constantsOf, exactly, inexact, listOf, numbersOf, part, sequenceOf } from './sequence.ts';
import { sliced } from './slice.ts';
import { joined } from './text-rules.ts';

type ApplyFilter = (name: string, input: Abstract, given: Given) => Abstract;

const nothing = constant(null);

/** `null`: there is no such filter here. */
export function applyListFilter(
  name: string,
  input: Abstract,
  given: Given,
  apply: ApplyFilter,
): Abstract | null {
  const at = (index: number, parameter: string | null, fallback: Abstract): Abstract =>
    argument(given, index, parameter, fallback);
  switch (name) {
    case 'first':
      return end(input, 0);
    case 'last':
      return end(input, -1);
    case 'min':
    case 'max':
      return sequenceOf(input).each;
    case 'list':
      return listOf({ ...sequenceOf(input), fields: null });
    case 'sort':
    case 'unique':
    case 'select':
    case 'reject':
    case 'selectattr':
    case 'rejectattr':
      return listOf(inexact(sequenceOf(input)));
    case 'reverse':
      return reversed(input);
    case 'map':
      return mapped(sequenceOf(input), given, apply);
    case 'join':
      return joined(attributed(sequenceOf(input), at(1, 'attribute', nothing)), at(0, 'd', constant('')));
    case 'sum': {
      const { each } = attributed(sequenceOf(input), at(0, 'attribute', nothing));
      const start = at(1, 'start', constant(0));
      return each.atoms.length === 0 && !each.holdsCalls && start.atoms.length === 0 && !start.holdsCalls
        ? clean
        : madeOf(each, start);
    }
    case 'batch':
    case 'slice': {
      const [first, second] = [
        at(0, name === 'batch' ? 'linecount' : 'slices', plain),
        at(1, 'fill_with', nothing),
      ];
      const columns = inColumns(sequenceOf(input), second);
      if (name === 'batch' || second.constant === null) return columns;
      const taken = sliced(input, first, second);
      return numbersOf(first) !== null && numbersOf(second) !== null && given.positional.length > 1
        ? taken
        : join([taken, columns]);
    }
    case 'groupby': {
      const list = sequenceOf(input);
      const key = attributed(list, at(0, 'attribute', nothing)).each;
      const group = exactly([join([key, at(1, 'default', nothing)]), listOf(inexact(list))]);
      return listOf({
        ...inexact(list),
        each: group.list === null ? group : make({ list: { ...group.list, fields: groupFields } }),
        fields: null,
      });
    }
    case 'items':
      return pairs(input, true);
    case 'dictsort':
      return pairs(input, false);
    default:
      return null;
  }
}

const groupFields = ['grouper', 'list'];

function end(input: Abstract, index: 0 | -1): Abstract {
  const { items, each } = sequenceOf(input);
  return items === null ? each : (items.at(index) ?? clean);
}

function reversed(input: Abstract): Abstract {
  const { text, constants } = input;
  const rest = make({ ...input, text: null, constants: [] });
  const results = text === null && constants.length === 0 ? [] : [changed(make({ text: text ?? [] }), part)];
  if (rest.list !== null || rest.dicts.length > 0 || rest.unknown !== null) {
    const list = sequenceOf(rest);
    results.push(
      listOf(list.items === null ? list : { ...list, items: list.items.toReversed(), fields: null }),
    );
  }
  // What is not known may be a text.
  if (input.unknown !== null) results.push(make({ text: input.unknown.map(part) }));
  return join(results);
}

/** `map('truncate', 100)` applies a filter to each; `map(attribute='title')` takes a member of each. */
function mapped(list: Sequence, given: Given, apply: ApplyFilter): Abstract {
  const {
    positional: [filter],
    named,
    rest,
  } = given;
  if (filter === undefined && rest === null) {
    const fallback = named.get('default');
    return listOf(
      over(attributed(list, named.get('attribute') ?? nothing), (one) =>
        fallback === undefined ? one : join([one, fallback]),
      ),
    );
  }
  const names = filter === undefined ? null : constantsOf(filter);
  if (names === null || !names.every((one) => typeof one === 'string'))
    return anyOf(
      madeOf(list.each, ...given.positional, ...named.values(), ...(rest === null ? [] : [rest])),
      { endless: list.endless },
    );
  return listOf(over(list, (one) => join(names.map((name) => apply(name, one, shifted(given))))));
}

function over(list: Sequence, how: (one: Abstract) => Abstract): Sequence {
  const items = list.items?.map(how) ?? null;
  return { ...list, items, each: items === null ? how(list.each) : join(items), fields: null };
}

/** The members that an attribute such as `a.b.0` names; the items themselves without one. */
function attributed(list: Sequence, attribute: Abstract): Sequence {
  const known = constantsOf(attribute);
  if (known?.length === 1 && known[0] === null) return list;
  if (known === null) return over(list, (one) => madeOf(one));
  return over(list, (one) =>
    join(
      known.map((path) =>
        String(path)
          .split('.')
          .reduce(
            (at, name) => memberOf(at, /^\d+$/.test(name) ? Number(name) : name, unseen, callMethod),
            one,
          ),
      ),
    ),
  );
}

function inColumns(list: Sequence, fill: Abstract): Abstract {
  const each = join([list.each, fill]);
  return anyOf(
    anyOf(each, {
      most: fill.constant === null ? list.most : Number.POSITIVE_INFINITY,
      endless: list.endless,
    }),
    { endless: list.endless },
  );
}

function pairs(input: Abstract, isOrdered: boolean): Abstract {
  const known = pairsOf(input);
  const all = known === null ? anyOf(exactly(anyPair(input))) : exactly(known.map((pair) => exactly(pair)));
  return isOrdered || all.list === null ? all : make({ list: inexact(all.list) });
}
