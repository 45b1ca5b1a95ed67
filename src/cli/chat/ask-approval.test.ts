import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderChatApproval } from './ask-approval.ts';

const edit = (args: object) => ({
  type: 'approval',
  kind: 'tool',
  tool: 'edit_file',
  args: { path: 'a.txt', old_text: 'x', new_text: 'y', ...args },
  reason: 'why',
});

describe('renderChatApproval', () => {
  it('shows an edit as what goes and what comes', () => {
    expect(renderChatApproval(edit({ replace_all: false }), '/nowhere')).toEqual([
      'The model wants to change a file:',
      '',
      '  a.txt',
      '  - x',
      '  + y',
      '',
      'reason: why',
    ]);
  });

  it('says that every place is changed, and how many there are', () => {
    const folder = mkdtempSync(join(tmpdir(), 'techne-places-'));
    writeFileSync(join(folder, 'a.txt'), 'x and x\nx\n');
    expect(renderChatApproval(edit({ replace_all: true }), folder)[0]).toBe(
      'The model wants to change a file, everywhere the text occurs (3 places):',
    );
    expect(renderChatApproval(edit({ replace_all: true, path: 'missing.txt' }), folder)[0]).toBe(
      'The model wants to change a file, everywhere the text occurs:',
    );
    expect(renderChatApproval(edit({ replace_all: true, path: '.' }), folder)[0]).toBe(
      'The model wants to change a file, everywhere the text occurs:',
    );
    rmSync(folder, { recursive: true });
  });
});
