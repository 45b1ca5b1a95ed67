// The commands that judge skills: one for what a skill could do, one for pipelines.
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
  summary: 'Scan skills for harmful content',
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
  exitCodes:
    'Exit codes: 0 no verdict as bad as --fail-on, 1 at least one, 2 wrong usage, 3 environment, 70 a bug in techne.',
  subcommands: [acceptCommand],
  load: async () => (await import('../commands/scan.ts')).runScan,
};

export const ciCommand: CommandSpec = {
  name: 'ci',
  summary: 'Check, scan, test and evaluate the skills that a change concerns',
  details: [
    'Runs techne check, scan, test and eval triggers on the skills that differ from a base: whose files changed, or their entry in techne-lock.json, or that use such a skill. The base is --base, else what the pipeline says (GitHub, GitLab, Bitbucket, Azure, Buildkite, Jenkins), else the point where HEAD left the default branch; files that are not committed count. Without git or a base, and after a change of techne.json, every skill is looked at, and the report says why.',
    'In GitHub Actions it prints annotations, and a table where $GITHUB_STEP_SUMMARY says. A skill whose content, options and version of techne are the same as before is taken from the cache. A finding in the baseline does not fail; a new one does. docs/guide/ci.md has set-ups.',
  ],
  positionals: [
    {
      name: 'PATH',
      description: 'A folder of skills, or a skill (default: the workspace)',
      required: false,
      repeatable: true,
      complete: 'path',
    },
  ],
  options: [
    { name: 'base', value: 'REF', complete: 'none', description: 'Compare with this commit or branch' },
    { name: 'every', description: 'Look at every skill, whatever changed' },
    {
      name: 'only',
      value: 'KIND',
      repeatable: true,
      choices: ['check', 'scan', 'test', 'triggers'],
      description: 'Only this: check, scan, test or triggers (repeatable)',
    },
    { name: 'strict', description: 'Apply the rules of the open standard' },
    {
      name: 'fail-on',
      value: 'LEVEL',
      choices: ['error', 'warning', 'info'],
      description: 'Exit with 1 for a new finding of this level or worse (default: error)',
    },
    {
      name: 'baseline',
      value: 'FILE',
      complete: 'path',
      description: 'Findings in this file are known and do not fail',
    },
    {
      name: 'write-baseline',
      description: 'Write all findings of all skills to the baseline, and exit with 0',
    },
    { name: 'prune-baseline', description: 'Remove what no longer occurs from the baseline' },
    { name: 'sarif', value: 'FILE', complete: 'path', description: 'Also write all findings as SARIF 2.1.0' },
    {
      name: 'cache',
      value: 'FILE',
      complete: 'path',
      description: 'Where results are kept (default: ~/.techne/cache/ci.txt)',
    },
    {
      name: 'format',
      value: 'FORMAT',
      choices: ['text', 'github', 'json'],
      description: 'The output: text, github or json (default: github in GitHub Actions, else text)',
    },
  ],
  examples: [
    { line: 'techne ci', what: 'The skills that differ from the default branch' },
    { line: 'techne ci skills --base origin/main --sarif techne.sarif', what: 'In a pipeline' },
    {
      line: 'techne ci --baseline techne-baseline.json --write-baseline',
      what: 'Start in a repository that has findings',
    },
    { line: 'techne ci --baseline techne-baseline.json', what: 'Fail only for new findings' },
    { line: 'techne ci --base HEAD', what: 'Before a commit: only what is not committed' },
  ],
  exitCodes:
    'Exit codes: 0 nothing new, 1 a new finding of --fail-on or a PATH without a skill, 2 wrong usage, 3 environment, 130 stopped, 70 a bug in techne.',
  load: async () => (await import('../commands/ci.ts')).runCiCommand,
};
