// Which names statements and targets bind.
import type { Expression, Identifier, Statement } from '../syntax/ast.ts';

/** Calls `bind` for each name in a target. */
export function eachTargetName(target: Expression, bind: (name: Identifier) => void): void {
  if (target.kind === 'identifier') bind(target);
  else if (target.kind === 'tuple' || target.kind === 'list')
    for (const item of target.items) eachTargetName(item, bind);
}

/**
 * Calls `bind` for each name that `statements` bind in the block they stand in, in the order of the text.
 * `nested` is whether it happens inside an `if` or `for`; `loaded`, by a load statement.
 */
export function eachBoundName(
  statements: readonly Statement[],
  bind: (name: Identifier, nested: boolean, loaded: boolean) => void,
  nested = false,
): void {
  for (const statement of statements) {
    switch (statement.kind) {
      case 'assign':
      case 'augmented':
        eachTargetName(statement.target, (name) => bind(name, nested, false));
        break;
      case 'def':
        bind(statement.name, nested, false);
        break;
      case 'for':
        eachTargetName(statement.target, (name) => bind(name, true, false));
        eachBoundName(statement.body, bind, true);
        break;
      case 'if': {
        let arm = statement;
        eachBoundName(arm.then, bind, true);
        // A chain of elif is walked and not descended into.
        for (
          let next = arm.otherwise[0];
          arm.otherwise.length === 1 && next?.kind === 'if';
          next = arm.otherwise[0]
        ) {
          arm = next;
          eachBoundName(arm.then, bind, true);
        }
        eachBoundName(arm.otherwise, bind, true);
        break;
      }
      case 'load':
        for (const { local } of statement.bindings) bind(local, nested, true);
        break;
      case 'break':
      case 'continue':
      case 'expression':
      case 'pass':
      case 'return':
        break;
    }
  }
}
