// techne/client: the API of `techne serve`, for Node and browsers.
export { createClient } from './client/create-client.ts';
export type {
  AnsweredQuestion,
  ApiQuestion,
  ApiRun,
  CallInput,
  Client,
  ClientOptions,
  StartOptions,
} from './client/create-client.ts';
export type { FollowOptions, RunEntry } from './client/follow-events.ts';
export { ApiError } from './client/transport.ts';
export type { Fetch, FetchResponse } from './client/transport.ts';
export { roles } from './api/role.ts';
export type { Role } from './api/role.ts';
export type { OperationInput, OperationOutput } from './api/operation.ts';
export type { OperationName, Operations } from './api/operations.ts';
