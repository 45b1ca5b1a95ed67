// Attributes that Python's values have, but that no template may reach.
//
// Nothing depends on this table for safety: an attribute that is not in the tables of `methods/` cannot be reached in any
// case. It only tells "you may not" from "there is no such thing", as Jinja's sandbox does.

const words = (text: string): ReadonlySet<string> => new Set(text.split(' ').map((name) => `__${name}__`));

const everywhere = words(
  'class delattr dir doc eq format ge getattribute getstate gt hash init init_subclass le ' +
    'lt ne new reduce reduce_ex repr setattr sizeof str subclasshook',
);

const numeric =
  'abs add bool ceil divmod float floor floordiv getnewargs int mod mul neg pos pow radd ' +
  'rdivmod rfloordiv rmod rmul round rpow rsub rtruediv sub truediv trunc';
const setLike = 'and contains iter len or rand reversed ror rsub rxor sub xor';

const byType: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['str', words('add contains getitem getnewargs iter len mod mul rmod rmul')],
  [
    'Markup',
    words('add contains getitem getnewargs html html_format iter len mod module mul radd rmod rmul slots'),
  ],
  ['int', words(`${numeric} and index invert lshift or rand rlshift ror rrshift rshift rxor xor`)],
  ['float', words(`${numeric} getformat`)],
  ['list', words('add class_getitem contains delitem getitem iadd imul iter len mul reversed rmul setitem')],
  ['tuple', words('add class_getitem contains getitem getnewargs iter len mul rmul')],
  ['dict', words('class_getitem contains delitem getitem ior iter len or reversed ror setitem')],
  ['NoneType', words('bool')],
  ['dict_keys', words(setLike)],
  ['dict_items', words(setLike)],
  ['set', words(`${setLike} class_getitem iand ior isub ixor`.replace(' reversed', ''))],
  ['bytes', words('add bytes contains getitem getnewargs iter len mod mul rmod rmul')],
  ['dict_values', words('iter len reversed')],
  ['generator', words('del iter name next qualname')],
  ['list_reverseiterator', words('iter length_hint next setstate')],
  ['builtin_function_or_method', words('call module name qualname text_signature')],
  ['Macro', words('call dict module weakref')],
  ['LoopContext', words('annotations call dict iter len module next weakref')],
  [
    'StrictUndefined',
    words(
      'add aiter bool call complex contains div float floordiv getattr getitem int iter len ' +
        'mod module mul neg pos pow radd rdiv rfloordiv rmod rmul rpow rsub rtruediv sub ' +
        'truediv',
    ),
  ],
]);

const mutators: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['list', new Set(['append', 'clear', 'extend', 'insert', 'pop', 'remove', 'reverse', 'sort'])],
  ['dict', new Set(['clear', 'pop', 'popitem', 'setdefault', 'update'])],
  [
    'set',
    new Set('add clear difference_update discard pop remove symmetric_difference_update update'.split(' ')),
  ],
]);

/** `type` is the name of the type's table of methods. */
export function isInternal(type: string, name: string): boolean {
  return name.startsWith('__') && (everywhere.has(name) || byType.get(type)?.has(name) === true);
}

/** Whether a method would change its list, dict or set. */
export function isMutator(type: string, name: string): boolean {
  return mutators.get(type)?.has(name) === true;
}
