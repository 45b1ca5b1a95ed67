// Names in a writable folder that stay read-only, for sandboxed commands and for file tools.
//
//   who reads it -> the names at the top of a folder that make it run code, or follow orders, when it is started there
//
// A command that could write them would get out of its sandbox as soon as a person starts git, an editor, an agent or a
// package manager in the folder. They count at the top of a write root, where those programs are started. Sources and
// build files (package.json, Makefile) are not here: to change them is what commands are for. File tools cannot write the
// names of git and techne at any depth, because a nested repository or workspace would be used as one; a sandbox cannot
// hold names that do not exist yet in every folder.

/** Texts that agents follow. People often make one of them a link to another. */
const instructions: readonly string[] = [
  'AGENTS.md',
  'AGENTS.override.md',
  'CLAUDE.md',
  'CLAUDE.local.md',
  'GEMINI.md',
  'QWEN.md',
  '.cursorrules',
  '.windsurfrules',
  '.clinerules',
  '.goosehints',
];

const readBy: { readonly [who: string]: readonly string[] } = {
  // A folder with HEAD, objects and refs is a repository, and its `config` names programs. Without a HEAD the others are
  // ordinary names (`bareParts`).
  git: ['.git', 'HEAD', '.githooks', '.husky', '.pre-commit-config.yaml', 'lefthook.yml', '.lefthook.yml'],
  // What the lock says of installed skills is not for them to change.
  techne: ['.techne', 'techne.json', 'techne-lock.json'],
  // Servers, hooks, permissions, skills.
  agents: [
    ...instructions,
    '.agents',
    '.mcp.json',
    '.claude',
    '.codex',
    '.gemini',
    '.qwen',
    '.opencode',
    'opencode.json',
    'opencode.jsonc',
    '.goose',
    '.pi',
    '.metis',
    '.continue',
    '.aider.conf.yml',
  ],
  editors: [
    '.vscode',
    '.cursor',
    '.windsurf',
    '.zed',
    '.idea',
    '.fleet',
    '.devcontainer',
    '.devcontainer.json',
  ],
  shells: ['.envrc', '.mise.toml', 'mise.toml'],
  'package managers': ['.npmrc', '.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs', 'bunfig.toml', '.cargo'],
};

export const protectedNames: readonly string[] = Object.values(readBy).flat();

/** Whether a name may be a link in a write root: its target is protected, and the link is put back. */
export const mayBeLink = (name: string): boolean => instructions.includes(name);

/** What makes a repository of a folder that has a HEAD already. */
export const bareParts: readonly string[] = ['config', 'objects', 'refs', 'commondir'];

const atAnyDepth: ReadonlySet<string> = new Set(['.git', '.techne', 'techne.json', 'techne-lock.json']);
const inLowerCase: ReadonlySet<string> = new Set(protectedNames.map((name) => name.toLowerCase()));

/** The part of a path below a write root that is protected, or `null`. Some file systems do not tell the cases apart. */
export function protectedPart(parts: readonly string[]): string | null {
  return (
    parts.find(
      (part, depth) =>
        atAnyDepth.has(part.toLowerCase()) || (depth === 0 && inLowerCase.has(part.toLowerCase())),
    ) ?? null
  );
}
