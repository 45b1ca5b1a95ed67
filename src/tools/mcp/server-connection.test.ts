import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { createServerConnection } from './server-connection.ts';

describe('createServerConnection', () => {
  it('leaves out the keys that a server was given when it says why it fails', async () => {
    const script = `console.error('bad key ' + process.env.MAIL_KEY + ' \\u001b[31m ' + Buffer.from(':' + process.env.MAIL_KEY).toString('base64')); process.exit(1)`;
    const connection = createServerConnection({
      name: 'mail',
      cwd: tmpdir(),
      connectTimeoutMs: 20_000,
      variables: { PATH: process.env['PATH'], SECRET_OF_MAIL: 'mail-0123456789' },
      server: {
        command: process.execPath,
        args: ['-e', script],
        env: { MAIL_KEY: '${SECRET_OF_MAIL}' },
        url: null,
      },
    });
    const failures = [
      await connection.tools().catch((error: unknown) => (error as Error).message),
      await connection.call(
        'send',
        { tool: 'mail__send', args: {}, timeoutMs: 20_000 },
        new AbortController().signal,
      ),
    ];
    await connection.close();
    const told = JSON.stringify(failures);
    expect(told).toContain('bad key [key]');
    expect([
      told.includes('mail-0123456789'),
      told.includes('\\u001b'),
      told.includes(Buffer.from('0123456').toString('base64').slice(0, 8)),
    ]).toEqual([false, false, false]);
  });

  it.each([
    ['ends at once', 'process.exit(3)'],
    ['ends without reading', `require('node:fs').closeSync(0); setTimeout(() => process.exit(3), 50)`],
  ])('says how a server ended that %s', async (_what, script) => {
    const connection = createServerConnection({
      name: 'mail',
      cwd: tmpdir(),
      connectTimeoutMs: 20_000,
      variables: { PATH: process.env['PATH'] },
      server: { command: process.execPath, args: ['-e', script], env: {}, url: null },
    });
    const failure = await connection.tools().catch((error: unknown) => (error as Error).message);
    await connection.close();
    expect(failure).toMatch(/it ended with exit code 3$/);
    expect(failure).not.toContain('EPIPE');
  });
});
