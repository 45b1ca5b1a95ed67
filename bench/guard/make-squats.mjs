// Honest names -> names made to be taken for them, by a fixed sequence; never one of the honest names.
const homoglyphs = {
  a: 'а',
  c: 'с',
  e: 'е',
  i: 'і',
  o: 'о',
  p: 'р',
  x: 'х',
  y: 'у',
  s: 'ѕ',
  l: '1',
  m: 'rn',
  w: 'vv',
};
const around = {
  a: 'qsz',
  b: 'vn',
  c: 'xv',
  d: 'sf',
  e: 'wr',
  f: 'dg',
  g: 'fh',
  h: 'gj',
  i: 'uo',
  j: 'hk',
  k: 'jl',
  l: 'k',
  m: 'n',
  n: 'bm',
  o: 'ip',
  p: 'o',
  q: 'w',
  r: 'et',
  s: 'ad',
  t: 'ry',
  u: 'yi',
  v: 'cb',
  w: 'qe',
  x: 'zc',
  y: 'tu',
  z: 'x',
};

const ways = {
  'left out': (name, at) => name.slice(0, at) + name.slice(at + 1),
  doubled: (name, at) => name.slice(0, at + 1) + name.slice(at),
  swapped: (name, at) => name.slice(0, at) + (name[at + 1] ?? '') + name[at] + name.slice(at + 2),
  replaced: (name, at, pick) => {
    const keys = around[name[at]];
    return keys === undefined ? null : name.slice(0, at) + keys[pick(keys.length)] + name.slice(at + 1);
  },
  'look-alike': (name, at) => {
    const other = homoglyphs[name[at]];
    return other === undefined ? null : name.slice(0, at) + other + name.slice(at + 1);
  },
  separators: (name, at, pick) => {
    const how = pick(4);
    if (how === 0) return name.replaceAll('-', '');
    if (how === 1) return name.replaceAll('-', '_');
    if (how === 2) return name.replaceAll('-', '.');
    return `${name.slice(0, at)}-${name.slice(at)}`;
  },
  suffix: (name, _, pick) =>
    `${name}-${['official', 'pro', 'plus', 'v2', 'latest', 'new', 'fixed', 'secure', 'verified', '2'][pick(10)]}`,
  prefix: (name, _, pick) => `${['official', 'real', 'the', 'my', 'new', 'best'][pick(6)]}-${name}`,
  plural: (name) => (name.endsWith('s') ? name.slice(0, -1) : `${name}s`),
};

export function makeSquats(names, count) {
  const honest = new Set(names);
  let seed = 20_261_118;
  const pick = (below) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const made = [];
  const kinds = Object.entries(ways);
  for (let tries = 0; made.length < count && tries < count * 50; tries += 1) {
    const [way, make] = kinds[tries % kinds.length];
    const of = names[pick(names.length)];
    const at = 1 + pick(Math.max(1, of.length - 2));
    if (of.length < 4) continue;
    const name = make(of, at, pick);
    if (name === null || name === of || honest.has(name) || /^-|-$|--/.test(name)) continue;
    made.push({ of, name, way });
  }
  return made;
}
