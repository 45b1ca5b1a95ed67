import { describe, expect, it } from 'vitest';
import { nodeParseFull } from '../../node/yaml.ts';
import type { FileRead } from '../../ports/files.ts';
import { createMemoryFiles } from '../../ports/memory-files.ts';
import { headLimits, HeadReader } from './read-skill-head.ts';

function cardOf(bytes: Uint8Array): { readonly invalid: boolean; readonly description: string } | undefined {
  const files = createMemoryFiles({ '/skills/tides/SKILL.md': bytes });
  const first = files.readHead('/skills/tides/SKILL.md', headLimits.firstBytes) as FileRead;
  return new HeadReader(files, nodeParseFull)
    .finish('/skills/tides/SKILL.md', 'tides', [], first)
    ?.card('tides');
}

describe('HeadReader', () => {
  it('makes no usable skill of a program', () => {
    expect(cardOf(Buffer.from(`\u007FELF\u0002\u0001\u0001${'\0'.repeat(40)} text`, 'latin1'))).toMatchObject(
      { invalid: true },
    );
  });

  it('reads a file in UTF-16', () => {
    const text = '\uFEFF---\nname: tides\ndescription: Tells tides, when asked.\n---\nBody\n';
    for (const bytes of [Buffer.from(text, 'utf16le'), Buffer.from(text, 'utf16le').swap16()]) {
      expect(cardOf(bytes)).toMatchObject({ invalid: false, description: 'Tells tides, when asked.' });
    }
  });
});
