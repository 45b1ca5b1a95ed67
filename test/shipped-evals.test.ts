// The test prompts of the skills that techne comes with: they hold among all of them, and can be judged.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { createWorld } from './support/run-cli.ts';

const names = readdirSync(fileURLToPath(new URL('../skills', import.meta.url)));
const world = createWorld({
  'home/.techne/config.json': '{"cache": {"enabled": false}}\n',
  'work/script.yaml': 'answers: [x]\nchat: [x]\n',
});
afterAll(() => world.remove());

/** What matching misses though the case is right. The test fails when it has learned one of them: take it out then. */
const missed = new Set([
  // "pull request" alone is much of what the message says.
  'Write the description of my pull request',
  // The name of reading-note is two words of the message.
  'Read the note in config.yaml and tell me what it means',
]);

const failed: string[] = [];

describe('the test prompts of the shipped skills', () => {
  it.each(names)('%s: each finds what it expects', async (name) => {
    const { failures } = JSON.parse(
      (await world.run(['eval', 'triggers', '--skill', name, '--frames', '0', '--json'])).out,
    ) as { readonly failures: readonly { readonly message: string; readonly found: string | null }[] };
    failed.push(...failures.map(({ message }) => message));
    expect(
      failures.filter(({ message }) => !missed.has(message)).map(({ message, found }) => [message, found]),
    ).toEqual([]);
  });

  it('miss what is known to be missed, and nothing that is known any more', () => {
    expect(failed.sort()).toEqual([...missed].sort());
  });

  it('are input for the skills that can be executed', async () => {
    const { out, err } = await world.run([
      'eval',
      'output',
      ...names.flatMap((name) => ['--skill', name]),
      '--answer',
      'script:script.yaml',
      '--runs',
      '1',
      '--max-calls',
      '1',
      '--json',
    ]);
    expect(err).not.toContain('error:');
    expect(
      (JSON.parse(out) as { readonly prompts: readonly { readonly skill: string }[] }).prompts.map(
        ({ skill }) => skill,
      ),
    ).toEqual(expect.arrayContaining(names));
  });
});
