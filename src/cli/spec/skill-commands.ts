// The commands that find, write and check skills.
import type { CommandSpec, PositionalSpec } from './command-spec.ts';

const formNames = ['instructions', 'program', 'composition', 'workflow', 'chain'];

export const skillName: PositionalSpec = {
  name: 'NAME',
  description: 'The name of a skill',
  required: true,
  repeatable: false,
  complete: 'skill',
};

export const listCommand: CommandSpec = {
  name: 'list',
  summary: 'List the skills that techne finds',
  details: [
    'Prints one line for each skill: name, source, form, facts and description. FACTS shows only what limits a skill: "not ready" means that something it requires is missing; "user only" and "model only" tell who can invoke it.',
    '--json prints an array. With --all, each skill has "reasons" that tell what limits it; shadowed skills follow with "shadowedBy" and "reason", then skipped files as {"skipped": true, "code", "message", "path"}.',
  ],
  positionals: [],
  options: [
    {
      name: 'source',
      value: 'SOURCE',
      choices: ['builtin', 'plugin', 'user', 'workspace'],
      description: 'Only skills of this source: builtin, plugin, user or workspace',
    },
    { name: 'strict', description: 'Exit with 1 if a skill file has an error' },
  ],
  examples: [
    { line: 'techne list', what: 'The skills of this workspace, of the user and of techne itself' },
    { line: 'techne list --all', what: 'Also shadowed skills and skipped folders, with the reasons' },
    { line: 'techne list --root ./skills --json', what: 'The skills in one folder, as JSON' },
  ],
  load: async () => (await import('../commands/list.ts')).runList,
};

export const showCommand: CommandSpec = {
  name: 'show',
  summary: 'Show everything about one skill',
  details: [
    'Shows where the skill is, its form, its facts with their reasons, inputs, triggers, requirements, sections, files, version and digest.',
    '--body prints control and invisible characters as escapes, so that a skill cannot control the terminal. --body --json prints the exact text.',
  ],
  positionals: [skillName],
  options: [{ name: 'body', description: 'Print only the body of its SKILL.md' }],
  examples: [
    { line: 'techne show diff-review', what: 'Everything about one skill' },
    { line: 'techne show diff-review --body', what: 'The instructions that an agent gets' },
  ],
  load: async () => (await import('../commands/show.ts')).runShow,
};

export const searchCommand: CommandSpec = {
  name: 'search',
  summary: 'Find skills by words in their name or description',
  details: [
    'Finds skills that have every word in their name or description; a word in the name counts twice. After them come skills that the query would match as a message (see techne match). Without words, all skills are listed.',
  ],
  positionals: [
    {
      name: 'QUERY',
      description: 'Words to look for',
      required: false,
      repeatable: true,
      complete: 'none',
    },
  ],
  options: [
    {
      name: 'limit',
      value: 'N',
      description: 'The maximum number of results, 1 to 50 (default 10; all without a QUERY)',
    },
  ],
  examples: [
    { line: 'techne search meeting notes', what: 'Skills about meeting notes' },
    { line: 'techne search pdf --limit 3 --json', what: 'The three best, as JSON' },
  ],
  load: async () => (await import('../commands/search.ts')).runSearch,
};

export const checkCommand: CommandSpec = {
  name: 'check',
  summary: 'Check skills and report mistakes',
  details: [
    'PATH is a skill folder, a folder of skills, a SKILL.md, or the name of a skill. Without PATH, techne checks all roots. Each finding has a place, a code and a hint; docs/errors.md explains every code.',
    'A workspace folder stands for all its skills, including those in .techne/skills. In other folders, subfolders whose name starts with a dot are not searched. The exit code is 1 if there is an error, or if a PATH has no skill. A check of the whole workspace also counts errors in its configuration.',
  ],
  positionals: [
    { name: 'PATH', description: 'What to check', required: false, repeatable: true, complete: 'path' },
  ],
  options: [
    { name: 'strict', description: 'Apply the rules of the open standard' },
    {
      name: 'format',
      value: 'FORMAT',
      choices: ['text', 'json', 'sarif'],
      description: 'The output: text (default), json or sarif',
    },
    { name: 'max-warnings', value: 'N', description: 'Exit with 1 if there are more than N warnings' },
    {
      name: 'fix',
      description:
        'Fix what needs no decision: values that need quotes, and templates that lack a filter or quotes',
    },
    { name: 'dry-run', description: 'With --fix: print the changes as a diff and change nothing' },
  ],
  examples: [
    { line: 'techne check skills/diff-review', what: 'One skill, by its folder' },
    { line: 'techne check diff-review', what: 'The same, by its name' },
    {
      line: 'techne check --strict skills',
      what: 'All skills in a folder, by the rules of the open standard',
    },
    { line: 'techne check --format sarif > techne.sarif', what: 'For a code scanning service' },
    { line: 'techne check --fix --dry-run skills', what: 'Show what --fix would change' },
  ],
  load: async () => (await import('../commands/check.ts')).runCheck,
};

export const planCommand: CommandSpec = {
  name: 'plan',
  summary: 'Show the steps of a composition, workflow or chain',
  details: [
    'Shows the steps in the order in which they can start, which of them run in parallel, their conditions and fallbacks, the risk of the steps compared with the declared risk, and the skills, tools and models they need. Nothing runs.',
    'With inputs, as for techne run, it also previews what needs no model: the note that would be written, or what would be added to one, and the first point at which a model, a tool or a person would be asked.',
    'The exit code is 1 if an error keeps the skill from running; --format json then has "plan": null and the errors.',
  ],
  positionals: [
    {
      name: 'SKILL',
      description: 'The name of a skill, its folder or its SKILL.md',
      required: true,
      repeatable: false,
      complete: 'skill-or-folder',
    },
    {
      name: 'INPUT',
      description: 'Inputs for a preview: KEY=TEXT, KEY:=JSON, a JSON object or @FILE',
      required: false,
      repeatable: true,
      complete: 'input',
    },
  ],
  options: [
    {
      name: 'format',
      value: 'FORMAT',
      choices: ['text', 'mermaid', 'svg', 'json'],
      description: 'The output: text (default), mermaid, svg or json',
    },
  ],
  examples: [
    { line: 'techne plan pr-review', what: 'The steps, in the order in which they can start' },
    { line: 'techne plan pr-review --format svg > plan.svg', what: 'A picture of the graph' },
    { line: 'techne plan pr-review --format mermaid', what: 'For a Markdown page' },
    { line: 'techne plan concept-note concept=Entropy', what: 'The note that would be written' },
  ],
  load: async () => (await import('../commands/plan.ts')).runPlan,
};

export const newCommand: CommandSpec = {
  name: 'new',
  summary: 'Create a skill from an example',
  details: [
    'Creates a folder with a SKILL.md and the other files that its form needs, and prints the next steps. Never overwrites a file. docs/guide/first-skill.md is a tutorial.',
  ],
  positionals: [
    {
      name: 'NAME',
      description: 'Lower-case letters, digits and single hyphens',
      required: true,
      repeatable: false,
      complete: 'none',
    },
  ],
  options: [
    {
      name: 'form',
      value: 'FORM',
      choices: formNames,
      description: `${formNames.join(', ')} (default instructions)`,
    },
    {
      name: 'dir',
      value: 'DIR',
      complete: 'folder',
      description: 'The parent folder (default: .techne/skills in the workspace)',
    },
    { name: 'description', value: 'TEXT', description: 'What the skill does and when to use it' },
  ],
  examples: [
    { line: 'techne new release-notes', what: 'A skill of instructions in this workspace' },
    {
      line: 'techne new triage --form program --dir ./skills',
      what: 'A Starlark program in ./skills/triage',
    },
  ],
  load: async () => (await import('../commands/new.ts')).runNew,
};

export const schemaCommand: CommandSpec = {
  name: 'schema',
  summary: 'Print the JSON Schema of the frontmatter of a SKILL.md',
  details: ['Editors use it to complete and check YAML.'],
  positionals: [],
  options: [],
  examples: [{ line: 'techne schema > skill.schema.json', what: 'Save it for an editor' }],
  load: async () => (await import('../commands/schema.ts')).runSchema,
};

export const starCommand: CommandSpec = {
  name: 'star',
  summary: 'Run a Starlark program, or open a Starlark prompt',
  details: [
    'Runs FILE ("-" is standard input), the text of --code, or piped input. Printed text goes to standard output, errors to standard error with their place and backtrace. At a terminal without FILE and --code it opens a prompt, which shows the value of each line. A line continues while a bracket or a block is open; an empty line ends a block. Tab completes names, Ctrl-C stops the program, Ctrl-D or exit ends the prompt. The history is kept in ~/.techne/star_history.',
    'A program cannot read or change anything on this machine. It is stopped at the limits of --steps, --memory and --output. load() is refused unless --allow-load is given: then it reads files in the folder of FILE, relative to the loading file, without following links.',
    'A file named SKILL.star can use the functions of a skill (ask, command, trace, ask_all), and any file the names of --predeclare. Calling one of them fails, because only a run of the skill can answer it.',
    '--json prints {ok, value, output, diagnostics, backtrace, usage}; with --check {ok, files, errors, warnings, diagnostics}. Integers are printed with all their digits. The exit code is 1 if the program has an error or fails, 130 if Ctrl-C stopped it. --check continues after a file that cannot be read and returns the worst exit code.',
  ],
  positionals: [
    {
      name: 'FILE',
      description: 'The program; several with --check',
      required: false,
      repeatable: true,
      complete: 'path',
    },
  ],
  options: [
    { name: 'code', short: 'c', value: 'CODE', description: 'Run this text instead of a FILE' },
    {
      name: 'check',
      description: 'Run nothing; report errors in the program (with --allow-load also in the files it loads)',
    },
    {
      name: 'entry',
      value: 'NAME',
      description: 'Call this function after the file has run, and print its result as JSON',
    },
    {
      name: 'input',
      value: 'JSON',
      description: 'The argument for the function of --entry; @FILE reads a file, - reads standard input',
    },
    {
      name: 'predeclare',
      value: 'NAME',
      repeatable: true,
      description: 'A name that the host provides to the program (repeatable)',
    },
    {
      name: 'steps',
      value: 'N',
      description: 'The maximum number of steps, such as 500k or 20m (default 100m)',
    },
    {
      name: 'memory',
      value: 'SIZE',
      description: 'The maximum memory, such as 512k or 64m, or plain bytes (default 64m)',
    },
    {
      name: 'output',
      value: 'SIZE',
      description: 'The maximum number of printed characters, such as 16m (default 1000000)',
    },
    { name: 'allow-load', description: 'Let load() read .star files in the folder of FILE and below it' },
  ],
  examples: [
    { line: 'techne star hello.star', what: 'Run a program' },
    { line: "techne star -c 'print(7 // 2)'", what: 'Run one line' },
    { line: 'techne star', what: 'Open a prompt' },
    {
      line: 'techne star triage.star --entry run --input \'{"limit": 3}\'',
      what: 'Call run with a dict, as a skill would',
    },
    {
      line: 'techne star triage.star --entry run --input @input.json',
      what: 'The same, with the dict from a file',
    },
    { line: 'techne star --check skills/*/SKILL.star', what: 'Look for errors in several programs' },
    { line: "echo 'print(1 << 100)' | techne star --json", what: 'From standard input, with JSON output' },
  ],
  load: async () => (await import('../commands/star.ts')).runStar,
};

export const lspCommand: CommandSpec = {
  name: 'lsp',
  summary: 'Check and complete skills in any editor (language server)',
  details: [
    'Speaks the Language Server Protocol over standard input and output; an editor starts it. As you type it reports what techne check and techne scan find, and faults of test files, with fixes that were checked; completes and explains fields, steps, inputs, filters, skills, tools and Starlark; finds definitions and uses; renames steps; and formats Starlark. docs/guide/editors.md shows the settings for VS Code, Neovim, Helix, Zed and JetBrains.',
    'The server changes no file, runs nothing of a skill, and asks no model. It reads the skills of the folders that the editor has open; --root and --workspace are as elsewhere. Initialization options: {"strict": true} also applies the rules of the open standard, {"scan": false} leaves out what techne scan finds.',
  ],
  positionals: [],
  options: [
    { name: 'stdio', description: 'Over standard input and output; the default, which many editors name' },
    {
      name: 'clientProcessId',
      value: 'PID',
      description: 'The process of the editor: the server ends when it does',
    },
  ],
  examples: [{ line: 'techne lsp --stdio', what: 'What an editor runs' }],
  exitCodes: 'Exit codes: 0 after shutdown and exit, 1 if the editor ended without them.',
  load: async () => (await import('../commands/lsp.ts')).runLsp,
};
