import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Abstract, Key } from './abstract-value.ts';
import { atom, choice, clean, constant, fromAtom, plain, unseen } from './abstract-value.ts';
import { join } from './join-values.ts';
import { fromSchema } from './from-schema.ts';

const of = (schema: JsonObject): Abstract => fromSchema(schema, 'output', 'a');
const whole = fromAtom(atom('output', 'a'));
const text = (what = 'a', bound?: number): Abstract => fromAtom(atom('output', what, bound), true);
const member = (schema: JsonObject, key: Key | null): Abstract | undefined =>
  of(schema).dicts[0]?.get(key, unseen);

describe('fromSchema', () => {
  it.each<[JsonObject, Abstract]>([
    [{ enum: ['x', 'y', 1] }, choice(['x', 'y'])],
    [{ const: 'x', type: 'string' }, clean],
    [{ const: null }, clean],
    ...['integer', 'number', 'boolean', 'null'].map((type): [JsonObject, Abstract] => [{ type }, plain]),
    [{ type: ['integer', 'null'] }, plain],
    [{ type: 'string' }, text()],
    [{ type: 'string', maxLength: 5 }, text('a', 5)],
    [{ type: 'string', maxLength: '5' }, text()],
    [{ type: ['string', 'null'], maxLength: 5 }, join([text('a', 5), plain])],
    [{ type: ['string', 'array'] }, whole],
    [{ type: ['integer', 'object'] }, whole],
    [{ type: 'object' }, whole],
    [{ type: 'array' }, whole],
    [{ type: 'array', items: true }, whole],
    [{ items: { type: 'integer' } }, whole],
    [{}, whole],
  ])('knows of %j', (schema, known) => {
    expect(of(schema)).toEqual(known);
  });

  it('knows the items of a list, and how many there are', () => {
    const items = { type: 'string', maxLength: 5 };
    expect(of({ type: 'array', items }).list).toMatchObject({
      items: null,
      each: text('a', 5),
      most: Number.POSITIVE_INFINITY,
    });
    expect(of({ type: 'array', items, maxItems: 3 }).list?.most).toBe(3);
  });

  const properties: { [key: string]: Json } = { n: { type: 'integer' }, t: { type: 'string' }, odd: true };
  const closed = { type: 'object', properties, additionalProperties: false };

  it('knows the members of an object, each by its name', () => {
    for (const schema of [{ properties }, { type: 'object', properties }, closed]) {
      expect(member(schema, 'n')).toEqual(plain);
      expect(member(schema, 't')).toEqual(text('a.t'));
      expect(member(schema, 'odd')).toEqual(whole);
    }
  });

  it.each([
    ['it does not say that there are no others', { type: 'object', properties }],
    ['others are described', { ...closed, additionalProperties: { type: 'integer' } }],
    ['it may be no object', { properties, additionalProperties: false }],
  ])('knows nothing of other members when %s', (_what, schema) => {
    const [dict] = of(schema).dicts;
    for (const key of ['other', 'constructor', 0, null]) expect(member(schema, key)).toEqual(whole);
    expect([dict?.keys, dict?.atoms]).toEqual([whole, whole.atoms]);
  });

  it('knows all members of an object that has no others', () => {
    const [dict] = of(closed).dicts;
    for (const key of ['other', 'constructor']) expect(member(closed, key)).toEqual(clean);
    const any = join([plain, text('a.t'), whole]);
    expect([member(closed, 0), member(closed, null)]).toEqual([any, any]);
    expect(dict?.keys).toEqual(join(['n', 't', 'odd'].map(constant)));
    expect(dict?.atoms.map(({ what }) => what)).toEqual(['a.t', 'a']);
    expect([dict?.entries, dict?.weight, dict?.holdsCalls]).toEqual([null, 1, false]);
  });

  it('looks nine levels deep, and takes what is deeper for anything', () => {
    const nested = (levels: number): JsonObject =>
      levels === 0
        ? { type: 'array', items: { type: 'integer' } }
        : { type: 'array', items: nested(levels - 1) };
    const innermost = (value: Abstract): Abstract =>
      value.list === null ? value : innermost(value.list.each);
    expect(innermost(of(nested(8)))).toEqual(plain);
    expect(innermost(of(nested(9)))).toEqual(whole);
  });
});
