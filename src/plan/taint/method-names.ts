// The names of methods, by what they belong to.

/** They give numbers and truth values. */
export const plainMethods: ReadonlySet<string> = new Set([
  'startswith',
  'endswith',
  'isdigit',
  'isalpha',
  'isalnum',
  'isspace',
  'isupper',
  'islower',
  'istitle',
  'isnumeric',
  'isdecimal',
  'isidentifier',
  'isascii',
  'isprintable',
  'count',
  'find',
  'rfind',
  'index',
  'rindex',
  'bit_length',
  'bit_count',
  'is_integer',
  'conjugate',
  'isdisjoint',
  'issubset',
  'issuperset',
]);

export const dictMethods: ReadonlySet<string> = new Set([
  'get',
  'keys',
  'values',
  'items',
  'copy',
  'fromkeys',
]);

/** Of texts, and of the bytes and sets that come of them. */
const textMethods: ReadonlySet<string> = new Set([
  ...plainMethods,
  'upper',
  'lower',
  'title',
  'capitalize',
  'swapcase',
  'casefold',
  'expandtabs',
  'strip',
  'lstrip',
  'rstrip',
  'removeprefix',
  'removesuffix',
  'replace',
  'split',
  'rsplit',
  'splitlines',
  'partition',
  'rpartition',
  'join',
  'unescape',
  'striptags',
  'center',
  'ljust',
  'rjust',
  'zfill',
  'format',
  'format_map',
  'encode',
  'decode',
  'hex',
  'union',
  'intersection',
  'difference',
  'symmetric_difference',
]);

/** Whether a text or list, or a dict, may have a method of that name. */
export function isMethod(name: string | null, isDict: boolean, isOther: boolean): boolean {
  return (
    name === null ||
    (isDict && dictMethods.has(name)) ||
    (isOther && (textMethods.has(name) || name === 'copy'))
  );
}
