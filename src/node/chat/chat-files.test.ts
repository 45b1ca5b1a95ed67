import { mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ChatEntry } from '../../chat/entry.ts';
import { renderEntry } from '../../chat/read-log.ts';
import { ChatFiles, createLog } from './chat-files.ts';

const start: ChatEntry = { type: 'chat.started', at: 1, chat: 'A1', version: 1, workspace: '/w', model: 'm' };
const note = (text: string): ChatEntry => ({ type: 'note.added', at: 2, text });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'techne-chats-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('ChatFiles', () => {
  it('keeps what is appended, readable by the owner alone', async () => {
    const files = new ChatFiles(folder);
    await files.open('A1', start, (log) => log.append(note('Grüße')));
    await files.open('A1', null, (log) => log.append(note('again')));
    expect((await files.read('A1')).entries).toEqual([start, note('Grüße'), note('again')]);
    expect(statSync(join(folder, 'A1.jsonl')).mode & 0o777).toBe(0o600);
  });

  it.each([0, 10])(
    'does not go on with one of which %i bytes were written, however often it is asked',
    async (bytes) => {
      const files = new ChatFiles(folder);
      await files.open('A1', start, async () => {});
      truncateSync(join(folder, 'A1.jsonl'), bytes);
      for (let again = 0; again < 2; again += 1)
        await expect(files.open('A1', null, async () => {})).rejects.toMatchObject({
          code: 'FILE_MISSING',
          message: 'the conversation "A1" is empty: techne was stopped as it began',
        });
    },
  );

  it('continues after an entry that cannot be written', async () => {
    const files = new ChatFiles(folder);
    await files.open('A1', start, async (log) => {
      await expect(log.append({ ...note('x'), big: 10n } as never)).rejects.toThrow(TypeError);
      await log.append(note('fine'));
    });
    expect((await files.read('A1')).entries).toEqual([start, note('fine')]);
  });
});

describe('createLog', () => {
  it('cuts off what a failed append left before it writes the next one', async () => {
    let text = renderEntry(start);
    let room = 10;
    const file = {
      appendFile: async (data: unknown) => {
        text += (data as string).slice(0, room);
        if (room < (data as string).length) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
      },
      datasync: async () => {},
      truncate: async (length?: number) => {
        text = Buffer.from(text).subarray(0, length).toString();
      },
    };
    const log = createLog(file, 'x.jsonl', Buffer.byteLength(text));
    const failed = log.append(note('ä'));
    const queued = log.append(note('b'));
    await expect(failed).rejects.toMatchObject({ code: 'JOURNAL_FULL' });
    await expect(queued).rejects.toMatchObject({ code: 'JOURNAL_FULL' });
    room = 1000;
    await log.append(note('ö'));
    await log.append(note('c'));
    expect(text).toBe([start, note('ö'), note('c')].map(renderEntry).join(''));
  });
});
