// Every operation of the API, by its name: the one table of routes.
import type { Operation } from './operation.ts';
import { changeOperations } from './operations/changes.ts';
import { questionOperations } from './operations/questions.ts';
import { runOperations } from './operations/runs.ts';
import { skillOperations } from './operations/skills.ts';
import { systemOperations } from './operations/system.ts';

export const operations = {
  ...runOperations,
  ...questionOperations,
  ...skillOperations,
  ...changeOperations,
  ...systemOperations,
} as const;

/** The operations, each with its types. */
export type Operations = typeof operations;
/** The name of an operation. */
export type OperationName = keyof Operations;

export function operationNames(): readonly OperationName[] {
  return Object.keys(operations) as OperationName[];
}

export function operationOf(name: OperationName): Operation {
  return operations[name];
}
