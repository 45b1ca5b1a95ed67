// The commands that scan skills.
import type { CommandSpec } from './command-spec.ts';

const acceptCommand: CommandSpec = {
  name: 'scan accept',
  summary: 'Accept findings that are harmless',
  details: [
    'A finding is accepted for the content that was scanned and for this version of the rules; when either changes, it counts again. Only a person at a terminal can accept, and no file of a workspace can. The record is in ~/.techne/accepted.json, with the reason, who accepted it and when.',
  ],
  positionals: [
    {
      name: 'FINGERPRINT',
      description: 'The fingerprint of a finding, or at least its first 8 characters',
      required: true,
      repeatable: true,
      complete: 'none',
    },
  ],
  options: [
    { name: 'reason', value: 'TEXT', description: 'Why it is harmless (required)' },
    {
      name: 'in',
      value: 'PATH|SKILL',
      repeatable: true,
      complete: 'skill-or-folder',
      description: 'Look for the findings there (default: in every skill)',
    },
  ],
  examples: [
    {
      line: 'techne scan accept 0123456789ab --reason "the example shows an attack"',
      what: 'Accept one finding',
    },
  ],
  load: async () => (await import('../commands/scan-accept.ts')).runScanAccept,
};

export const scanCommand: CommandSpec = {
  name: 'scan',
  summary: 'Scan skills for what could harm their user',
  details: [
    'Reads every file of a skill, also what is hidden or encoded, and gives a verdict: clean, caution, incomplete (not everything could be read) or dangerous. Nothing of the skill is executed. Findings that are only information are one line; --all writes them out.',
    'Without arguments, every skill that techne finds is scanned. --judge also asks the configured model; its answer can make a verdict worse, never better.',
    'A source (github:OWNER/REPO, OWNER/REPO#REF, npm:PACKAGE, an https address, an archive) is fetched, scanned and not kept.',
    'What a verdict does when a skill is read or run is configured: guard.onRead and guard.onRun.',
  ],
  positionals: [
    {
      name: 'PATH|SKILL|SOURCE',
      description: 'A folder, the name of a skill, or a source as techne add takes it',
      required: false,
      repeatable: true,
      complete: 'skill-or-folder',
    },
  ],
  options: [
    {
      name: 'format',
      value: 'FORMAT',
      choices: ['text', 'json', 'sarif'],
      description: 'The form of the output: text, json or sarif (default: text)',
    },
    {
      name: 'fail-on',
      value: 'VERDICT',
      choices: ['caution', 'incomplete', 'dangerous'],
      description: 'Exit with 1 for this verdict and worse ones (default: dangerous)',
    },
    { name: 'judge', description: 'Also ask the configured model' },
    { name: 'rules', description: 'List the rules instead' },
  ],
  examples: [
    { line: 'techne scan', what: 'Every skill that techne finds' },
    {
      line: 'techne scan ./skills --format sarif',
      what: 'The skills of a folder, for a code scanning service',
    },
    {
      line: 'techne scan ./skills --fail-on caution',
      what: 'In a pipeline: fail for everything that is not clean',
    },
    { line: 'techne scan github:owner/repo', what: 'The skills of a repository, before they are installed' },
    { line: 'techne scan --rules', what: 'What is looked for' },
  ],
  exitCodes: '0: nothing as bad as --fail-on; 1: something is; 2: wrong use; 3: the environment.',
  subcommands: [acceptCommand],
  load: async () => (await import('../commands/scan.ts')).runScan,
};
