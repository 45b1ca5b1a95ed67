// Entering a scope -> a closure that fills its slots.
import type { Context } from './context.ts';
import type { Frame } from './frame.ts';
import type { Scope } from './symbols.ts';

/** What fills the slots of a scope when it is entered. */
export function compileEntry(c: Context, scope: Scope): (f: Frame) => void {
  const steps: ((f: Frame) => void)[] = [];
  c.within(scope, () => {
    for (const [{ index, name }, load] of scope.loads) {
      if (load.kind === 'resolve') {
        steps.push((f) => {
          f.slots[index] = f.variables.getText(name);
        });
      } else if (load.kind === 'empty') {
        steps.push((f) => {
          f.slots[index] = undefined;
        });
      } else if (load.kind === 'alias') {
        const hops = c.hopsTo(load.slot);
        const from = load.slot.index;
        steps.push((f) => {
          f.slots[index] = f.out(hops).slots[from];
        });
      }
    }
  });
  return (f) => {
    for (const step of steps) step(f);
  };
}
