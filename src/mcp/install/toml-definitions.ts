// The definitions of a TOML document so far, and whether the next statement is valid.
//
//   [a.b] · [[a.b]] · a.b = 1 -> null, or why it is invalid
//
// A table is defined once, by its header or by dotted keys, and neither adds to the other. A header can define tables inside a table
// of either kind. Values cannot be extended.

interface Table {
  readonly members: Map<string, Member>;
  /** `implied`: only as a prefix of another table. */
  by: 'implied' | 'header' | 'keys';
}

type Member =
  | { readonly kind: 'value' }
  | { readonly kind: 'table'; readonly table: Table }
  | { readonly kind: 'tables'; last: Table };

const emptyTable = (by: Table['by']): Table => ({ members: new Map(), by });

export class TomlDefinitions {
  readonly #root = emptyTable('header');
  /** The table of the last header. */
  #current = this.#root;

  header(path: readonly string[], isOneOfMany: boolean): string | null {
    const name = path.at(-1) as string;
    const parent = this.#inside(path.slice(0, -1));
    if (parent === null) return `"${path.join('.')}" is inside a value`;
    const there = parent.members.get(name);
    if (isOneOfMany) {
      const table = emptyTable('header');
      if (there === undefined) parent.members.set(name, { kind: 'tables', last: table });
      else if (there.kind === 'tables') there.last = table;
      else return `"${path.join('.')}" is defined twice`;
      this.#current = table;
      return null;
    }
    if (there === undefined) {
      this.#current = emptyTable('header');
      parent.members.set(name, { kind: 'table', table: this.#current });
      return null;
    }
    if (there.kind !== 'table' || there.table.by !== 'implied') return `"${path.join('.')}" is defined twice`;
    there.table.by = 'header';
    this.#current = there.table;
    return null;
  }

  /** `table`: the name of its table, for messages. */
  pair(table: readonly string[], keys: readonly string[]): string | null {
    const twice = `"${[...table, ...keys].join('.')}" is defined twice`;
    let inside = this.#current;
    for (const key of keys.slice(0, -1)) {
      const there = inside.members.get(key);
      if (there === undefined) {
        const made = emptyTable('keys');
        inside.members.set(key, { kind: 'table', table: made });
        inside = made;
      } else if (there.kind === 'table' && there.table.by !== 'header') inside = there.table;
      else return twice;
    }
    const last = keys.at(-1) as string;
    if (inside.members.has(last)) return twice;
    inside.members.set(last, { kind: 'value' });
    return null;
  }

  #inside(path: readonly string[]): Table | null {
    let inside = this.#root;
    for (const key of path) {
      const there = inside.members.get(key);
      if (there?.kind === 'value') return null;
      if (there === undefined) {
        const made = emptyTable('implied');
        inside.members.set(key, { kind: 'table', table: made });
        inside = made;
      } else inside = there.kind === 'table' ? there.table : there.last;
    }
    return inside;
  }
}
