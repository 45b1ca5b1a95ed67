// techne graph: the notes of a vault and the links between them.
import type { CommandSpec, OptionSpec, PositionalSpec } from './command-spec.ts';

const noteArgument: PositionalSpec = {
  name: 'NOTE',
  description: 'A note: its path in the vault, its name or an alias',
  required: true,
  repeatable: false,
  complete: 'none',
};

const vaultOption: OptionSpec = {
  name: 'vault',
  value: 'DIR',
  complete: 'folder',
  description: 'The folder of notes (default: graph.vault of the configuration, else the workspace)',
};

const formatOption: OptionSpec = {
  name: 'format',
  value: 'FORMAT',
  choices: ['text', 'json', 'mermaid', 'dot', 'svg'],
  description: 'text (default), json, mermaid, dot or svg',
};

const limitOption: OptionSpec = {
  name: 'limit',
  value: 'N',
  description: 'The maximum number of results, 1 to 10000 (default 100)',
};

const typeOption: OptionSpec = {
  name: 'type',
  value: 'EDGE',
  repeatable: true,
  description: 'Follow only edges of this type; "link" is a plain link (repeatable)',
};

const stats: CommandSpec = {
  name: 'graph stats',
  summary: 'Count notes, types, edges and dangling links',
  details: [
    'Notes are the .md files of the vault. A note has the type that its frontmatter names. Edges are links: [[Note]], typed properties (prerequisite: "[[Sets]]") and inline fields (prerequisite:: [[Sets]]).',
  ],
  positionals: [],
  options: [vaultOption],
  examples: [{ line: 'techne graph stats', what: 'What the vault contains' }],
  load: async () => (await import('../commands/graph.ts')).runGraphStats,
};

const show: CommandSpec = {
  name: 'graph show',
  summary: 'Show a note: type, properties, links and backlinks',
  details: ['Links that lead nowhere are shown with the reason.'],
  positionals: [noteArgument],
  options: [vaultOption],
  examples: [{ line: 'techne graph show Entropy', what: 'One note with its links in both directions' }],
  load: async () => (await import('../commands/graph.ts')).runGraphShow,
};

const neighbours: CommandSpec = {
  name: 'graph neighbours',
  summary: 'Show the notes around a note',
  details: ['Follows links in both directions, up to --depth steps.'],
  positionals: [noteArgument],
  options: [
    { name: 'depth', value: 'N', description: 'The number of steps, 1 to 10 (default 1)' },
    typeOption,
    {
      name: 'direction',
      value: 'WAY',
      choices: ['out', 'in', 'both'],
      description: 'Follow links from the note (out), to it (in) or both (default)',
    },
    limitOption,
    formatOption,
    vaultOption,
  ],
  examples: [
    { line: 'techne graph neighbours Entropy --depth 2', what: 'Everything within two links' },
    {
      line: 'techne graph neighbours Entropy --type prerequisite --format mermaid',
      what: 'What it builds on, as a diagram',
    },
  ],
  load: async () => (await import('../commands/graph.ts')).runGraphNeighbours,
};

const path: CommandSpec = {
  name: 'graph path',
  summary: 'Find a shortest way between two notes',
  details: ['Exits with 1 if the notes are not connected.'],
  positionals: [
    { ...noteArgument, name: 'A' },
    { ...noteArgument, name: 'B' },
  ],
  options: [typeOption, formatOption, vaultOption],
  examples: [{ line: 'techne graph path "Set theory" Entropy', what: 'How two notes are connected' }],
  load: async () => (await import('../commands/graph.ts')).runGraphPath,
};

const orphans: CommandSpec = {
  name: 'graph orphans',
  summary: 'List notes without any link from or to another note',
  details: ['One line for each note: path and type.'],
  positionals: [],
  options: [limitOption, vaultOption],
  examples: [{ line: 'techne graph orphans', what: 'Notes that nothing leads to' }],
  load: async () => (await import('../commands/graph.ts')).runGraphOrphans,
};

const dangling: CommandSpec = {
  name: 'graph dangling',
  summary: 'List links that lead to no note, heading or block',
  details: [
    'One line for each link: file and line, what is wrong, and what to do. A name that several notes have is ambiguous; techne guesses none of them.',
  ],
  positionals: [],
  options: [limitOption, vaultOption],
  examples: [{ line: 'techne graph dangling', what: 'Links to notes that do not exist yet' }],
  load: async () => (await import('../commands/graph.ts')).runGraphDangling,
};

const query: CommandSpec = {
  name: 'graph query',
  summary: 'Find notes by type, property, tag, edge and words',
  details: ['All conditions must hold. Words are looked for in name, title, aliases and text, in any case.'],
  positionals: [
    {
      name: 'WORDS',
      description: 'Words that the note must contain',
      required: false,
      repeatable: true,
      complete: 'none',
    },
  ],
  options: [
    { name: 'type', value: 'TYPE', description: 'Notes of this type' },
    { name: 'tag', value: 'TAG', description: 'Notes with this tag, or one below it' },
    {
      name: 'property',
      value: 'NAME[=VALUE]',
      repeatable: true,
      description: 'Notes with this property, or this value of it (repeatable)',
    },
    { name: 'edge', value: 'EDGE', description: 'Notes with an edge of this type; "link" is a plain link' },
    { name: 'to', value: 'NOTE', description: 'Notes that link to this note' },
    { name: 'from', value: 'NOTE', description: 'Notes that this note links to' },
    limitOption,
    formatOption,
    vaultOption,
  ],
  examples: [
    { line: 'techne graph query --type concept --edge prerequisite', what: 'Concepts that build on others' },
    { line: 'techne graph query --property status=open release', what: 'Open notes about a release' },
  ],
  load: async () => (await import('../commands/graph.ts')).runGraphQuery,
};

const suggest: CommandSpec = {
  name: 'graph suggest',
  summary: 'Suggest links that a note could have, with reasons',
  details: [
    'Looks at the edges that notes of this type usually have and this one lacks: those that a skill declares (suggested_edges) and those of other notes. Candidates are mentioned in the text, share neighbours or share words. Nothing is written.',
  ],
  positionals: [noteArgument],
  options: [
    { name: 'limit', value: 'N', description: 'Candidates for each edge, 1 to 50 (default 5)' },
    vaultOption,
  ],
  examples: [{ line: 'techne graph suggest Entropy', what: 'Which notes to link, and why' }],
  load: async () => (await import('../commands/graph.ts')).runGraphSuggest,
};

const check: CommandSpec = {
  name: 'graph check',
  summary: 'Compare notes with what skills declare, and report dangling links',
  details: [
    'Reports links that lead nowhere, edges to notes of another type than a skill declares, types and edges that no skill declares, and broken frontmatter. These are facts, not errors: the exit code is 0 unless --strict is given.',
  ],
  positionals: [],
  options: [{ name: 'strict', description: 'Exit with 1 if anything is reported' }, limitOption, vaultOption],
  examples: [{ line: 'techne graph check', what: 'Everything that is reported' }],
  load: async () => (await import('../commands/graph.ts')).runGraphCheck,
};

export const graphCommand: CommandSpec = {
  name: 'graph',
  summary: 'Ask about notes and the links between them',
  details: [
    'A vault is a folder of Markdown notes, such as an Obsidian vault. techne reads types, properties and links from the files each time and keeps nothing else; it changes no note.',
  ],
  positionals: [],
  options: [vaultOption],
  examples: [
    { line: 'techne graph', what: 'What the vault contains' },
    { line: 'techne graph neighbours Entropy --depth 2 --format svg > entropy.svg', what: 'A picture' },
  ],
  subcommands: [stats, show, neighbours, path, orphans, dangling, query, suggest, check],
  load: async () => (await import('../commands/graph.ts')).runGraphStats,
};
