// Every operation of the API, by its name: the one table of routes.
import type { Operation } from './operation.ts';
import { changeOperations } from './operations/changes.ts';
import { hubOperations } from './operations/hub.ts';
import { chatOperations } from './operations/chats.ts';
import { labOperations } from './operations/lab.ts';
import { fileOperations } from './operations/files.ts';
import { noteOperations } from './operations/notes.ts';
import { questionOperations } from './operations/questions.ts';
import { runDetailOperations } from './operations/run-details.ts';
import { runOperations } from './operations/runs.ts';
import { settingsOperations } from './operations/settings.ts';
import { skillDetailOperations } from './operations/skill-details.ts';
import { skillStandingOperations } from './operations/skill-standing.ts';
import { skillOperations } from './operations/skills.ts';
import { systemOperations } from './operations/system.ts';
import { webhookOperations } from './operations/webhooks.ts';

export const operations = {
  ...runOperations,
  ...runDetailOperations,
  ...questionOperations,
  ...skillOperations,
  ...skillDetailOperations,
  ...skillStandingOperations,
  ...changeOperations,
  ...hubOperations,
  ...chatOperations,
  ...labOperations,
  ...noteOperations,
  ...fileOperations,
  ...webhookOperations,
  ...settingsOperations,
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
