// What `techne new` writes: its test prompts hold as they are, among the skills that techne comes with, and so do its tests.
import { afterAll, describe, expect, it } from 'vitest';
import { forms } from '../src/skill/types.ts';
import type { World } from './support/run-cli.ts';
import { createWorld } from './support/run-cli.ts';

const worlds: World[] = [];
afterAll(() => {
  for (const world of worlds) world.remove();
});

async function written(form: string): Promise<World> {
  const world = createWorld({ 'home/.techne/config.json': '{"cache": {"enabled": false}}\n' });
  worlds.push(world);
  expect((await world.run(['new', `my-${form}`, '--form', form])).code).toBe(0);
  return world;
}

describe('techne new', () => {
  it.each(forms)('--form %s writes a skill that passes its own prompts', async (form) => {
    const world = await written(form);
    const { code, out } = await world.run([
      'eval',
      'triggers',
      '--skill',
      `my-${form}`,
      '--threshold',
      '1',
      '--json',
    ]);
    expect([(JSON.parse(out) as { readonly failures: readonly unknown[] }).failures, code]).toEqual([[], 0]);
  });

  it.each(forms.filter((form) => form !== 'instructions'))(
    '--form %s writes a skill that passes its own tests',
    async (form) => {
      expect((await (await written(form)).run(['test', `.techne/skills/my-${form}`])).out).toContain(
        ' passed, 0 failed in 1 skill',
      );
    },
  );
});
