// The base form of an English verb -> all its forms.

/** `copy` -> copy, copies, copied, copying. A phrase is inflected in its first word. */
export function inflect(base: string): readonly string[] {
  const space = base.indexOf(' ');
  const verb = space === -1 ? base : base.slice(0, space);
  const rest = space === -1 ? '' : base.slice(space);
  return forms(verb).map((form) => form + rest);
}

const irregular: { readonly [verb: string]: readonly string[] } = {
  send: ['sent'],
  read: [],
  tell: ['told'],
  show: ['shown', 'showed'],
  write: ['wrote', 'written'],
  get: ['got', 'gotten'],
  run: ['ran'],
  buy: ['bought'],
  pay: ['paid'],
  put: [],
  set: [],
  say: ['said'],
  steal: ['stole', 'stolen'],
  forget: ['forgot', 'forgotten'],
  find: ['found'],
  take: ['took', 'taken'],
  mislead: ['misled'],
  spend: ['spent'],
  withdraw: ['withdrew', 'withdrawn'],
  overwrite: ['overwrote', 'overwritten'],
  rewrite: ['rewrote', 'rewritten'],
  shut: [],
  let: [],
};

function forms(verb: string): readonly string[] {
  const past = irregular[verb];
  const last = verb.at(-1) as string;
  const before = verb.at(-2) ?? '';
  const doubled = /^[^aeiou]*[aeiou][bdglmnprt]$/.test(verb) ? verb + last : verb;
  const third = /(?:s|x|z|ch|sh)$/.test(verb)
    ? `${verb}es`
    : last === 'y' && !'aeiou'.includes(before)
      ? `${verb.slice(0, -1)}ies`
      : `${verb}s`;
  const stem = last === 'e' ? verb.slice(0, -1) : doubled;
  const pasts = past ?? [
    last === 'e'
      ? `${verb}d`
      : last === 'y' && !'aeiou'.includes(before)
        ? `${verb.slice(0, -1)}ied`
        : `${doubled}ed`,
  ];
  return [verb, third, `${stem}ing`, ...pasts];
}
