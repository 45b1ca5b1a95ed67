// A dict: keys in the order they came, equal when Python says so (1, 1.0 and true are one key).
//
// A dict made from the variables of a template reads its entries when they are first needed, so that a large context
// costs nothing until it is used. Only properties of the object's own are seen. A tuple is a key by all that is in it,
// and one that holds another twice is twice as long: beyond some length it is refused, before anything is made of it.
import { keysOf } from '../../base/key-order.ts';
import type { Data } from './data.ts';
import { View } from './iterables.ts';
import { failUndefined, TemplateError } from './template-error.ts';
import { Bytes, Float, List, Markup, Tuple, Undefined, type Value } from './value.ts';

/** A key as the table sees it: equal keys give the same one. */
type TableKey = null | boolean | number | bigint | string | object;

type Convert = (data: Data) => Value;

export class Dict {
  // Maps are made when needed: most dicts of a context are asked for one key.
  private table: Map<TableKey, Value> | null = null;
  /** The keys that are not their own table key. */
  private odd: Map<TableKey, Value> | null = null;
  private source: { readonly [key: string]: Data } | null = null;
  private convert: Convert | null = null;
  /** What has been read of the source, where it has parts: it must always be the same value. */
  private known: Map<string, Value> | null = null;

  /** The dict of an object of the embedder's that is read when it is first needed. */
  static from(source: { readonly [key: string]: Data }, convert: Convert): Dict {
    const dict = new Dict();
    dict.source = source;
    dict.convert = convert;
    return dict;
  }

  /** Only while it is being made. */
  set(key: Value, value: Value): void {
    const tableKey = tableKeyOf(key);
    const table = this.filled();
    if (tableKey !== key && !table.has(tableKey)) (this.odd ??= new Map()).set(tableKey, key);
    table.set(tableKey, value);
  }

  get(key: Value): Value | undefined {
    return typeof key === 'string' ? this.getText(key) : this.filled().get(tableKeyOf(key));
  }

  getText(key: string): Value | undefined {
    if (this.source === null) return this.table?.get(plainKey(key));
    if (!Object.hasOwn(this.source, key)) return undefined;
    const data = this.source[key] as Data | undefined;
    if (data === undefined) return undefined;
    if (typeof data !== 'object' || data === null) return (this.convert as Convert)(data);
    const known = this.known?.get(key);
    if (known !== undefined) return known;
    const value = (this.convert as Convert)(data);
    (this.known ??= new Map()).set(key, value);
    return value;
  }

  get size(): number {
    return this.filled().size;
  }

  keys(): Value[] {
    const { odd } = this;
    const keys = [...this.filled().keys()];
    return (odd === null ? keys : keys.map((key) => odd.get(key) ?? key)) as Value[];
  }

  values(): Value[] {
    return [...this.filled().values()];
  }

  private filled(): Map<TableKey, Value> {
    const table = (this.table ??= new Map<TableKey, Value>());
    const { source, convert, known } = this;
    if (source === null) return table;
    this.source = null;
    for (const key of keysOf(source)) {
      if (source[key] === undefined) continue;
      const tableKey = plainKey(key);
      if (tableKey !== key) (this.odd ??= new Map()).set(tableKey, key);
      table.set(tableKey, known?.get(key) ?? (convert as Convert)(source[key] as Data));
    }
    return table;
  }
}

/** Table keys of tuples and bytes begin with this unit, and so may no other. */
const mark = '\u0000';

function plainKey(text: string): string {
  return text.startsWith(mark) ? `${mark}s${text}` : text;
}

/** The longest tuple that can be a key, in units. */
const maxTupleUnits = 1_000;

export function tableKeyOf(key: Value): TableKey {
  if (typeof key === 'string') return plainKey(key);
  if (typeof key === 'boolean') return key ? 1 : 0;
  if (key === null || typeof key !== 'object') return key;
  if (key instanceof Float) return floatKey(key.value);
  if (key instanceof Markup) return plainKey(key.text);
  if (key instanceof Tuple) return tupleKey(key, maxTupleUnits);
  if (key instanceof Bytes) return bytesKey(key, maxTupleUnits);
  return hashableObject(key);
}

function floatKey(value: number): TableKey {
  if (!Number.isInteger(value)) return value;
  return Number.isSafeInteger(value) ? value + 0 : BigInt(value);
}

function bytesKey({ bytes }: Bytes, room: number): string {
  if (bytes.length > room) throw tooLong();
  return `${mark}b${bytes.join()}`;
}

function tupleKey({ items }: Tuple, room: number): string {
  let text = `${mark}t`;
  for (const item of items) {
    const part = partKey(item, room - text.length);
    if (text.length + part.length > room) throw tooLong();
    text += part;
  }
  return text;
}

/** The key of an item of a tuple, with its length, so that no two tuples run into each other. */
function partKey(item: Value, room: number): string {
  if (
    room <= 0 ||
    (typeof item === 'string' && item.length > room) ||
    (item instanceof Markup && item.text.length > room)
  )
    throw tooLong();
  const key = item instanceof Tuple ? tupleKey(item, room) : tableKeyOf(item);
  if (typeof key === 'object' && key !== null) return `o${identityOf(key)};`;
  const text = String(key);
  return `${typeof key === 'number' || typeof key === 'bigint' ? 'n' : key === null ? '0' : 's'}${text.length}:${text}`;
}

function tooLong(): TemplateError {
  return new TemplateError(
    'EVAL_UNHASHABLE',
    `a tuple or bytes of more than ${maxTupleUnits} characters cannot be a key`,
  );
}

const identities = new WeakMap<object, number>();
let nextIdentity = 0;

function identityOf(key: object): number {
  let identity = identities.get(key);
  if (identity === undefined) {
    identity = nextIdentity += 1;
    identities.set(key, identity);
  }
  return identity;
}

function hashableObject(
  key: Exclude<Value, null | boolean | number | bigint | string | Float | Markup | Tuple | Bytes>,
): TableKey {
  if (key instanceof Undefined && !key.isLenient) failUndefined(key);
  const isKeys = key instanceof View && key.part !== 'values';
  const name =
    key instanceof List
      ? 'list'
      : key instanceof Dict
        ? 'dict'
        : isKeys
          ? key.part === 'set'
            ? 'set'
            : `dict_${key.part}`
          : null;
  if (name !== null) throw new TemplateError('EVAL_UNHASHABLE', `unhashable type: '${name}'`);
  return key;
}
