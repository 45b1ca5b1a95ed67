// A tree -> what it reads of its variables: for checks before anything runs.
//
// One reference for each place where a variable is read, with the path that is known without running it:
// `outputs.search['hits'][0]`, `inputs.get('a').b`. It stops where it depends on something else. `isOptional`: what
// does not exist is not a fault there, because of `is defined`, `default` or `.get`.
import type { Span } from '../base/span.ts';
import type { Expression, Name, Statement } from './syntax/ast.ts';
import { childrenOf, partsOf } from './syntax/walk.ts';

export interface Reference extends Span {
  readonly name: string;
  readonly path: readonly (string | number)[];
  readonly isOptional: boolean;
}

/** `free` are the names that are read from the variables, and not bound by the template itself. */
export function referencesIn(
  parts: readonly (Statement | Expression)[],
  free: ReadonlySet<Name>,
): readonly Reference[] {
  const references: Reference[] = [];
  const expression = (node: Expression, isOptional: boolean): void => {
    const chain = chainOf(node);
    if (chain === null) {
      const excuses =
        node.kind === 'test'
          ? node.name === 'defined' || node.name === 'undefined'
          : node.kind === 'filter' && (node.name === 'default' || node.name === 'd');
      for (const child of childrenOf(node))
        expression(
          child,
          excuses && (node.kind === 'test' || node.kind === 'filter') && child === node.input,
        );
      return;
    }
    if (free.has(chain.root))
      references.push({
        name: chain.root.name,
        path: chain.path,
        isOptional: isOptional || chain.isOptional,
        start: chain.start,
        end: chain.end,
      });
    for (const other of chain.others) expression(other, false);
  };
  const statement = (node: Statement): void => {
    for (const part of partsOf(node)) {
      if ('reads' in part) expression(part.reads, false);
      else if ('runs' in part) statement(part.runs);
    }
  };
  for (const part of parts)
    if (isStatement(part)) statement(part);
    else expression(part, false);
  return references.sort((a, b) => a.start - b.start);
}

const statementKinds: ReadonlySet<string> = new Set([
  'text',
  'output',
  'if',
  'for',
  'assign',
  'assign-block',
  'with',
  'macro',
  'call-block',
  'filter-block',
]);

function isStatement(node: Statement | Expression): node is Statement {
  return statementKinds.has(node.kind);
}

interface Chain extends Span {
  readonly root: Name;
  readonly path: readonly (string | number)[];
  readonly isOptional: boolean;
  /** Whether the path continues with what follows. */
  readonly isOpen: boolean;
  /** Expressions on the way that are read for themselves. */
  readonly others: readonly Expression[];
}

/** A name with what is taken out of it; null for anything else. */
function chainOf(node: Expression): Chain | null {
  if (node.kind === 'name')
    return {
      root: node,
      path: [],
      isOptional: false,
      isOpen: true,
      others: [],
      start: node.start,
      end: node.end,
    };
  if (node.kind === 'attribute') return extended(node.object, node, node.name, []);
  if (node.kind === 'slice') return extended(node.object, node, null, childrenOf(node).slice(1));
  if (node.kind === 'call') return calledChain(node);
  if (node.kind !== 'item') return null;
  const { index } = node;
  const isKnown =
    index.kind === 'literal' &&
    (index.type === 'string' || (index.type === 'int' && typeof index.value === 'number'));
  return extended(
    node.object,
    node,
    isKnown ? (index.value as string | number) : null,
    isKnown ? [] : [index],
  );
}

function extended(
  object: Expression,
  node: Expression,
  step: string | number | null,
  others: readonly Expression[],
): Chain | null {
  const chain = chainOf(object);
  if (chain === null) return null;
  const goesOn = chain.isOpen && step !== null;
  return {
    ...chain,
    path: goesOn ? [...chain.path, step] : chain.path,
    isOpen: goesOn,
    others: [...chain.others, ...others],
    end: goesOn ? node.end : chain.end,
  };
}

/** `x.get('key', …)` is a step of the path; any other call ends it before the method. */
function calledChain(node: Expression & { readonly kind: 'call' }): Chain | null {
  const { callee } = node;
  if (callee.kind !== 'attribute') return null;
  const chain = chainOf(callee.object);
  if (chain === null) return null;
  const args = childrenOf(node).slice(1);
  const [key] = node.arguments.positional;
  const isGet = callee.name === 'get' && chain.isOpen && key?.kind === 'literal' && key.type === 'string';
  if (!isGet) return { ...chain, isOpen: false, others: [...chain.others, ...args] };
  return {
    ...chain,
    path: [...chain.path, key.value as string],
    isOptional: true,
    others: [...chain.others, ...args.slice(1)],
    end: node.end,
  };
}
