// Schemas of objects and lists, written short: what an object has is required unless it is named as optional.
//
//   object({ name: text, note: text }, ['note']) -> { type: 'object', properties: …, required: ['name'] }

interface Properties {
  readonly [name: string]: object;
}

/** An object that we give: it may get further keys. */
export function object<const P extends Properties, const O extends keyof P & string = never>(
  properties: P,
  optional: readonly O[] = [],
) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name as O));
  return { type: 'object', properties, required: required as Exclude<keyof P & string, O>[] } as const;
}

/** An object that we take: another key is refused. */
export function closed<const P extends Properties, const O extends keyof P & string = never>(
  properties: P,
  optional: readonly O[] = [],
) {
  return { ...object(properties, optional), additionalProperties: false } as const;
}

export function list<const I extends object>(items: I) {
  return { type: 'array', items } as const;
}
