// The names of a template at one place in it.
//
// A macro sees the names around it as they are when it is called. Binding a name discards what conditions proved about
// paths that begin with it. The branches of a condition start with the same names; after it, each name is what any
// branch made of it.
import type { Abstract, Access } from './abstract-value.ts';
import { clean } from './abstract-value.ts';
import type { Names } from './evaluate.ts';
import { join } from './join-values.ts';
import type { Path, Settled } from './narrowing.ts';

export class Scope implements Names {
  private readonly own = new Map<string, Abstract>();
  private readonly outer: Names;
  private facts: readonly Settled[] = [];
  /** What names were before the branch that is being read. */
  private before: Map<string, Abstract | undefined> | null = null;

  constructor(outer: Names) {
    this.outer = outer;
  }

  look = (name: string, access: Access): Abstract | null =>
    this.own.get(name) ?? this.outer.look(name, access);

  settled = (path: Path): Abstract | null => {
    const fact = this.facts.find((one) => one.path.id === path.id);
    if (fact !== undefined) return fact.value;
    return this.own.has(path.root) ? null : (this.outer.settled?.(path) ?? null);
  };

  set(name: string, value: Abstract): void {
    if (this.before !== null && !this.before.has(name)) this.before.set(name, this.own.get(name));
    this.own.set(name, value);
    if (this.facts.some(({ path }) => path.root === name))
      this.facts = this.facts.filter(({ path }) => path.root !== name);
  }

  /** From here on `facts` hold. */
  settle(facts: readonly Settled[]): void {
    if (facts.length > 0) this.facts = [...facts, ...this.facts];
  }

  /** Reads each branch with the names as they are now. */
  branch(
    branches: readonly { readonly facts: readonly Settled[]; readonly read: () => void }[],
    access: Access,
  ): void {
    const { facts, before } = this;
    const ends = branches.map((one) => {
      const log = new Map<string, Abstract | undefined>();
      this.before = log;
      this.settle(one.facts);
      one.read();
      const end = new Map([...log.keys()].map((name) => [name, this.own.get(name) as Abstract]));
      for (const [name, value] of log) {
        if (value === undefined) this.own.delete(name);
        else this.own.set(name, value);
      }
      this.facts = facts;
      return end;
    });
    this.before = before;
    for (const name of new Set(ends.flatMap((end) => [...end.keys()]))) {
      const old = ends.every((end) => end.has(name)) ? [] : [this.look(name, access) ?? clean];
      this.set(name, join([...ends.flatMap((end) => end.get(name) ?? []), ...old]));
    }
  }
}
