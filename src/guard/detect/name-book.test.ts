import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createNameBook } from './name-book.ts';

const shipped = readdirSync(fileURLToPath(new URL('../../../skills', import.meta.url)));

describe('createNameBook', () => {
  const book = createNameBook({
    shipped,
    others: ['tide-tables', 'harbour-map', 'doca-sha', 'doca-sta', 'doca-dpa'],
  });

  it.each([
    ['commit-mesage', 'commit-message'],
    ['comit-message', 'commit-message'],
    ['commit-messsage', 'commit-message'],
    ['commit-messaeg', 'commit-message'],
    ['commit-nessage', 'commit-message'],
    ['comrnit-message', 'commit-message'],
    ['commit-mеssage', 'commit-message'],
    ['commitmessage', 'commit-message'],
    ['commit_message', 'commit-message'],
    ['commit.message', 'commit-message'],
    ['Commit Message', 'commit-message'],
    ['com-mit-message', 'commit-message'],
    ['commit-messages', 'commit-message'],
    ['commit-message-official', 'commit-message'],
    ['official-commit-message', 'commit-message'],
    ['commit-message-v2', 'commit-message'],
    ['commit-message-pro', 'commit-message'],
    ['the-commit-message', 'commit-message'],
    ['change1og', 'changelog'],
    ['changelog-latest', 'changelog'],
    ['weekly-reveiw', 'weekly-review'],
    ['decision-1og', 'decision-log'],
    ['dec1sion-log', 'decision-log'],
    ['tide-table', 'tide-tables'],
    ['skill-creater', 'skill-creator'],
    ['frontend-desing', 'frontend-design'],
    ['mcp-bulder', 'mcp-builder'],
  ])('takes %s for %s', (name, other) => {
    expect(book.lookAlike(name)).toBe(other);
  });

  it.each([
    ...shipped,
    'skill-creator',
    'tide-tables',
    'harbour-map',
    'harbour-maintenance',
    'commit-review',
    'daily-standup',
    'message-queue',
    'doca-sha',
    'doca-sta',
    'how-to-cook',
    'release-notes',
    'pdf',
    'docx',
    '潮汐表',
    'приливы',
  ])('takes %s for no other', (name) => {
    expect(book.lookAlike(name)).toBe(null);
  });

  it('takes no version of a name for another', () => {
    expect(createNameBook({ shipped: [], others: ['bf3-deployment'] }).lookAlike('bf4-deployment')).toBe(
      null,
    );
  });
});
