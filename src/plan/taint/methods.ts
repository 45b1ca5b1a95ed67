// What a method of a text, list or dict gives, by its name.
import type { Abstract, Access } from './abstract.ts';
import { blend, change, clean, join, listOf, opaque } from './abstract.ts';
import { elementOf, replace } from './filters.ts';

/** Numbers and truth values. */
const plain: ReadonlySet<string> = new Set([
  'startswith', 'endswith', 'isdigit', 'isalpha', 'isalnum', 'isspace', 'isupper', 'islower', 'istitle', 'isnumeric', 'isdecimal', 'isidentifier', 'isascii', 'isprintable',
  'count', 'find', 'rfind', 'index', 'rindex', '__len__',
]);
const toList: ReadonlySet<string> = new Set(['split', 'rsplit', 'splitlines', 'partition', 'rpartition']);

export function callMethod(object: Abstract, name: string, positional: readonly Abstract[], named: ReadonlyMap<string, Abstract>, access: Access): Abstract {
  if (plain.has(name)) return clean;
  const [first = clean, second = clean] = positional;
  switch (name) {
    case 'get':
    case 'pop':
    case 'setdefault': {
      const key = typeof first.constant === 'string' || typeof first.constant === 'number' ? String(first.constant) : null;
      return join([memberOf(object, key, { ...access, guarded: true }), second]);
    }
    case 'keys':
    case 'values':
    case 'items':
    case 'copy': {
      const element = elementOf(object);
      return name === 'copy' ? object : listOf([{ ...listOf([opaque(element), element]), atoms: element.atoms }], object.atoms.length > 0 ? object.atoms : element.atoms);
    }
    case 'join':
      return blend(object, first);
    case 'replace':
      return replace(object, first, second);
    case 'strip':
    case 'lstrip': {
      const dashes = typeof first.constant === 'string' && first.constant.includes('-');
      return { ...change(opaque(object), (one) => ({ ...one, dash: one.dash && !dashes })), isText: true };
    }
    case 'unescape':
    case 'striptags':
      return { ...change(opaque(object), (one) => ({ ...one, escaped: false })), isText: true };
    case 'format':
    case 'format_map':
      return blend(object, ...positional, ...named.values());
    default:
      if (toList.has(name)) return listOf([{ atoms: object.atoms, isText: true }]);
      return { ...blend(object, ...positional, ...named.values()), isText: true };
  }
}

/** A member by its name, or by one that is not known. */
export function memberOf(object: Abstract, key: string | null, access: Access): Abstract {
  if (object.get !== undefined) return object.get(key, access);
  if (object.elements !== undefined) {
    const at = key !== null && /^\d+$/.test(key) ? object.elements[Number(key)] : undefined;
    return at ?? (object.elements.length === 0 ? opaque(object) : join(object.elements));
  }
  return opaque(object);
}
