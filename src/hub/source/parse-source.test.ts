import { posix } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TechneError } from '../../base/error.ts';
import { renderJson } from '../../base/printable.ts';
import type { LookAt } from './parse-local.ts';
import { parseSource } from './parse-source.ts';
import type { Source } from './source.ts';

const commit = 'a'.repeat(40);
const digest = 'b'.repeat(64);

/** What is there: folders end in "/". */
const there = new Set([
  '/w/skills/',
  '/w/mine/repo/',
  '/w/pack.tar.gz',
  '/w/pack.zip',
  '/w/notes.txt',
  '/w/skills/SKILL.md',
  '/w/both/',
  '/w/both#v1/',
  '/home/ann/skills/',
  '/w/C#/',
]);
const look: LookAt = {
  homeFolder: '/home/ann',
  resolve: (cwd, path) => posix.resolve(cwd, path),
  kindOf: (path) => (there.has(`${path}/`) ? 'folder' : there.has(path) ? 'file' : null),
  fileUrl: (path) => `file://${path}`,
};

const table = [
  // Local paths
  './skills',
  '/w/skills',
  '../w/skills',
  '~/skills',
  './C#',
  './pack.tar.gz',
  './pack.zip#sha256:' + digest,
  './mine/repo#feature/x',
  './mine/repo#v1@pdf',
  './both#v1',
  './nothing',
  './notes.txt',
  './skills/SKILL.md',
  'file:///srv/repo.git',
  'file:///srv/repo.git#v1@pdf',
  'file://host/srv/repo.git',
  // owner/repo
  'owner/repo',
  'owner/repo.git',
  'owner/repo/skills/pdf',
  'owner/repo/skills/pdf/',
  'owner/repo@pdf',
  'owner/repo#main',
  'owner/repo#feature/new/thing',
  'owner/repo#feature%2Fnew',
  `owner/repo#${commit}`,
  `owner/repo#${commit.toUpperCase()}`,
  'owner/repo#v1@pdf',
  'owner/repo#pkg%401.0.0@pdf',
  'owner/repo#pkg@1.0.0@pdf',
  'owner/repo/skills/pdf#v1@pdf',
  'owner/repo/skills@pdf',
  'owner/repo/../other',
  'owner/repo/./x',
  'mine/repo',
  'github:mine/repo',
  'github:owner/repo/skills#v2',
  'gitlab:group/sub/repo',
  'gitlab:group/repo@pdf',
  '@scope/pkg',
  'pdf',
  'skills',
  'example.org',
  // Addresses of repositories
  'https://github.com/owner/repo',
  'https://www.github.com/owner/repo.git',
  'https://github.com/owner/repo#v1@pdf',
  'https://github.com/owner/repo/tree/main',
  'https://github.com/owner/repo/tree/feature/x/skills/pdf',
  'https://github.com/owner/repo/tree/feature%2Fx/skills',
  'https://github.com/owner/repo/tree/main#v1',
  'https://github.com/owner/repo/blob/main/skills/pdf/SKILL.md',
  `https://github.com/owner/repo/commit/${commit}`,
  'https://github.com/owner/repo/issues/1',
  'https://github.com/owner',
  'https://gitlab.com/group/sub/repo',
  'https://gitlab.com/group/repo/-/tree/main/skills',
  'https://git.example.org/group/repo/-/tree/release/1.0/skills',
  'https://dev.azure.com/org/project/_git/repo',
  'https://dev.azure.com/org/project/_git/repo?path=/skills/pdf&version=GBfeature/x',
  'https://dev.azure.com/org/project/_git/repo?version=XXmain',
  'https://git.example.org/repo.git',
  'https://git.example.org/repo.git#v1',
  'git+https://git.example.org/repo#v1',
  'ssh://git@git.example.org/repo.git',
  'ssh://-oProxyCommand=x/repo',
  'git@github.com:owner/repo.git#v1',
  'git@github.com:-x',
  'git://127.0.0.1/repo',
  'https://user:secret@git.example.org/repo.git',
  'ext::sh -c touch% x',
  'ftp://example.org/repo.git',
  // Archives
  'https://example.org/skills.tar.gz',
  `https://example.org/skills.zip?token=1#sha256:${digest}`,
  'https://example.org/skills.tgz#v1',
  'https://github.com/owner/repo/archive/refs/tags/v1.tar.gz',
  'https://raw.example.org/x/SKILL.md',
  // npm
  'npm:skills-pack',
  'npm:@scope/pkg',
  'npm:@scope/pkg@^1.2',
  'npm:pkg@next',
  'npm:pkg@>=1 <2',
  'npm:../x',
  'npm:pkg@1;rm',
  // Well-known
  'https://example.org',
  'https://example.org/docs/',
  'https://example.org/docs#v1',
  'https://example.org/docs?x=1',
  // MCP
  'mcp:files',
  'mcp:files@pdf',
  'mcp:https://example.org/mcp',
  'mcp:https://user@example.org/mcp',
  'mcp:-x',
  // Options and nonsense
  '--upload-pack=x',
  '-x/repo',
  'owner/repo#--upload-pack=x',
  'owner/repo#a..b',
  'owner/repo#HEAD@{1}',
  'owner/repo#a b',
  'owner/repo#%zz',
  'owner/repo#',
  '',
  'owner/re\u202epo',
  'https://',
];

function told(text: string): string {
  try {
    const { kind, skills, ...rest } = parseSource(text, '/w', look);
    const facts = Object.entries(rest).flatMap(([key, value]) => (value === null ? [] : [`${key}=${value}`]));
    return [kind, ...facts, ...(skills.length === 0 ? [] : [`skills=${skills.join(',')}`])].join(' ');
  } catch (error) {
    if (!(error instanceof TechneError)) throw error;
    return `${error.code}: ${error.message} — ${error.hint}`;
  }
}

/** `null` for a TechneError that says what to do. */
function parsed(text: string): Source | null {
  try {
    return parseSource(text, '/w', look);
  } catch (error) {
    if (!(error instanceof TechneError) || error.hint === null) throw error;
    return null;
  }
}

describe('parseSource', () => {
  it('reads every form as the table says', async () => {
    const lines = table.map((text) => `${renderJson(text)}\n    ${told(text)}`);
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../../../test/golden/hub/sources.txt');
  });

  it('gives a source or a TechneError with a hint for any text', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'owner/repo',
        'github:',
        'npm:',
        'mcp:',
        'https://',
        '#',
        '@',
        '/',
        '-',
        '..',
        '%2f',
        ':',
        '~',
        '.git',
      ),
      fc.string({ unit: 'grapheme', maxLength: 6 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const text = pieces.join('');
        const source = parsed(text);
        const { url, ref, treePath, path } =
          source?.kind === 'git' ? source : { url: '', ref: '', treePath: '', path: '' };
        // Nothing that git could take for an option, nothing that leaves the repository.
        for (const part of [url, ref, treePath]) expect(part ?? '').not.toMatch(/^-/);
        expect((path ?? '').split('/')).not.toContain('..');
      }),
      { numRuns: 3000 },
    );
  });
});
