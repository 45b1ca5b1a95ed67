// techne store trust, techne store files: what the runs of workers need besides their journals.
import type { CommandSpec } from './command-spec.ts';
import { storeOption } from './run-options.ts';

export const trust: CommandSpec = {
  name: 'store trust',
  summary: 'Show, grant and revoke what workers may execute',
  details: [
    'Workers execute what the store says is trusted, by the digest of all files of a skill; nothing that the user of a worker trusts counts. Whoever submits a run tells the store which of its skills they trust, once for each content. grant NAME does the same for a skill of this workspace that you trust, also after it was revoked. revoke NAME or revoke DIGEST also revokes the commands that were approved for good: runs do not continue with the skill, and submitting does not grant it again. list shows every grant, with who gave and who revoked it.',
    'Commands that a person approved "always" or "never" for served runs are in the same list, with the name of their token. --json prints {given}, the record, or {revoked}.',
  ],
  positionals: [
    {
      name: 'ACTION',
      description: 'list (default), grant or revoke',
      required: false,
      repeatable: false,
      choices: ['list', 'grant', 'revoke'],
      complete: 'none',
    },
    {
      name: 'NAME',
      description: 'The name of a skill; for revoke also a digest',
      required: false,
      repeatable: false,
      complete: 'skill',
    },
  ],
  options: [storeOption],
  examples: [
    { line: 'techne store trust list', what: 'What workers may execute, and who granted it' },
    { line: 'techne store trust revoke pdf-export', what: 'Workers do not execute any version of it' },
  ],
  load: async () => (await import('../commands/store-trust.ts')).runStoreTrust,
};

export const files: CommandSpec = {
  name: 'store files',
  summary: 'Files for the workspaces of runs that workers drive',
  details: [
    'push NAME SOURCE puts the files of a folder, an archive (tar, tar.gz, zip) or a repository at a commit into the store; a run begins with a copy of them (techne run --submit --files @NAME, or "files" over HTTP). A newer push changes what later runs begin with. get RUN FOLDER writes the files of the workspace of a run as they were after its last command. remove NAME forgets a name. forget RUN lets a run continue whose last files are lost with a worker, without them.',
    'Of a folder .git is left out, and everything else is taken: keep passwords out of it. Links in an archive or a repository are refused, and so are more than 20,000 files or 256 MiB. --json prints {files}, the named files, {folder, files, bytes}, {removed} or {run}.',
  ],
  positionals: [
    {
      name: 'ACTION',
      description: 'list (default), push, get, remove or forget',
      required: false,
      repeatable: false,
      choices: ['list', 'push', 'get', 'remove', 'forget'],
      complete: 'none',
    },
    {
      name: 'NAME',
      description: 'The name of the files, or a run',
      required: false,
      repeatable: false,
      complete: 'none',
    },
    {
      name: 'SOURCE',
      description: 'Where the files come from; for get the folder to write',
      required: false,
      repeatable: false,
      complete: 'path',
    },
  ],
  options: [storeOption],
  examples: [
    { line: 'techne store files push shop .', what: 'The files of this folder, as shop' },
    {
      line: 'techne run checklist --submit --files @shop',
      what: 'A run that begins with a copy of them',
    },
    { line: 'techne store files get last out', what: 'What the newest run has made of them' },
  ],
  load: async () => (await import('../commands/store-files.ts')).runStoreFiles,
};
