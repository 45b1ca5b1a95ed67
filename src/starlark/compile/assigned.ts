// Which variables of a function certainly have a value at the point that is being compiled.
//
// Starlark code only runs forward, and a variable never loses its value, so one pass over the tree is enough:
// what a branch or a loop body adds is taken back after it, and for two branches what both add is put in again.
export class Assigned {
  private readonly flags: Uint8Array;
  private readonly log: number[] = [];
  /** The point cannot be reached: a return, break or continue is before it. */
  private dead = false;

  constructor(variables: number) {
    this.flags = new Uint8Array(variables);
  }

  has(variable: number): boolean {
    return this.flags[variable] === 1;
  }

  set(variable: number): void {
    if (this.flags[variable] === 1) return;
    this.flags[variable] = 1;
    this.log.push(variable);
  }

  leave(): void {
    this.dead = true;
  }

  /** Code that may not run, or may run many times. */
  maybe(compile: () => void): void {
    const mark = this.log.length;
    const { dead } = this;
    compile();
    this.undo(mark);
    this.dead = dead;
  }

  either(compileOne: () => void, compileOther: () => void): void {
    const mark = this.log.length;
    const { dead } = this;
    compileOne();
    const one = { dead: this.dead, set: this.undo(mark) };
    this.dead = dead;
    compileOther();
    const other = { dead: this.dead, set: this.undo(mark) };
    this.dead = dead || (one.dead && other.dead);
    if (one.dead) this.setAll(other.set);
    else if (other.dead) this.setAll(one.set);
    else {
      const inOther = new Set(other.set);
      this.setAll(one.set.filter((variable) => inOther.has(variable)));
    }
  }

  private setAll(variables: readonly number[]): void {
    for (const variable of variables) this.set(variable);
  }

  private undo(mark: number): number[] {
    const undone = this.log.splice(mark);
    for (const variable of undone) this.flags[variable] = 0;
    return undone;
  }
}
