// Files for the workspaces of runs of workers, under names.
//
// A name stands for content: replacing it changes what runs begin with from then on, also those of others, so that is for operators.
import { list, object } from '../object-schema.ts';
import type { Operation } from '../operation.ts';
import { count } from '../schemas.ts';

const tag = 'files';
const path = '/v1/files/{name}';
const params = {
  name: { type: 'string', minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$' },
} as const;

const files = object({
  name: { type: 'string' },
  digest: { type: 'string' },
  files: count,
  bytes: count,
  source: { type: 'string', description: 'Where they came from' },
  by: { type: 'string' },
  at: { type: 'string' },
});

export const fileOperations = {
  listFiles: {
    method: 'GET',
    path: '/v1/files',
    tag,
    summary: 'Files that the workspaces of runs can begin with, by name',
    role: 'viewer',
    status: 200,
    answers: 'json',
    response: object({ files: list(files) }),
  },
  showFiles: {
    method: 'GET',
    path,
    tag,
    summary: 'What a name stands for',
    role: 'viewer',
    params,
    status: 200,
    answers: 'json',
    response: files,
  },
  putFiles: {
    method: 'PUT',
    path,
    tag,
    summary:
      'Put the files of an archive (tar, tar.gz, zip) under a name; the whole is refused, or all of it is there',
    role: 'operator',
    params,
    maxBytes: 64 * 1024 * 1024,
    status: 200,
    answers: 'json',
    response: files,
  },
  removeFiles: {
    method: 'POST',
    path: `${path}/remove`,
    tag,
    summary: 'Remove a name; runs keep the files that they began with',
    role: 'operator',
    params,
    status: 200,
    answers: 'json',
    response: files,
  },
} as const satisfies { readonly [name: string]: Operation };
