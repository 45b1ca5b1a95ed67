// The skills that come with techne are not scanned at run time, so they are scanned here.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readTree } from '../src/guard/read-tree.ts';
import { scanSkill } from '../src/guard/scan.ts';
import { createNodeFiles } from '../src/node/files/files.ts';
import { nodeGuardPorts } from '../src/node/guard-ports.ts';
import { scaffold } from '../src/skill/scaffold/scaffold.ts';

const skills = fileURLToPath(new URL('../skills', import.meta.url));

describe('a new skill', () => {
  it.each(['instructions', 'program', 'composition', 'workflow', 'chain'] as const)(
    'of the form %s is clean',
    (form) => {
      const files = [...scaffold('sample', form)].map(([path, text]) => {
        const bytes = Buffer.from(text);
        return { path, kind: 'file', size: bytes.length, executable: false, bytes } as const;
      });
      expect(scanSkill(files, nodeGuardPorts, { name: 'sample' })).toMatchObject({ verdict: 'clean' });
    },
  );
});

describe('the shipped skills', () => {
  it.each(readdirSync(skills))('%s is clean', async (name) => {
    const { files } = await readTree(createNodeFiles(), `${skills}/${name}`);
    const { verdict, findings, notScanned } = scanSkill(files, nodeGuardPorts, { name, deadlineMs: 60_000 });
    expect([verdict, notScanned, findings.filter(({ severity }) => severity !== 'info')]).toEqual([
      'clean',
      [],
      [],
    ]);
  });
});
