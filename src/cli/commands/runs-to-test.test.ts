import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { World } from '../../../test/support/run-cli.ts';
import { createWorld } from '../../../test/support/run-cli.ts';

let world: World;
beforeEach(() => {
  world = createWorld({
    'work/.techne/skills/greet/SKILL.md':
      '---\nname: greet\ndescription: Greets.\nmetaskill: SKILL.star\n---\nx\n',
    'work/.techne/skills/greet/SKILL.star':
      'def run(input):\n    if input.get("bad"):\n        fail("no")\n    said = ask("Greet " + input["who"], {"purpose": "say"})\n    made = command(["echo", "hi"])\n    trace("made", {"n": 1})\n    return {"answer": said["answer"] + made["stdout"]}\n',
    's.yaml':
      'answers: [{purpose: say, answer: hello}]\ncommands: [{argv: [echo, hi], stdout: "hi: there\\n"}]\n',
    'none.yaml': 'answers: [x]\n',
  });
  world.write({
    'home/.techne/config.json': JSON.stringify({
      roots: { builtin: false },
      cache: { enabled: false },
      trust: { folders: [world.workspace] },
    }),
  });
});
afterEach(() => world.remove());

describe('techne runs to-test', () => {
  it.each([
    ['completed', ['who=Ada', '--answer', 'script:../s.yaml'], 'answer: "hellohi: there\\n"'],
    ['failed', ['who=Ada', 'bad=yes', '--answer', 'script:../none.yaml'], 'status: failed'],
  ])(
    'turns a run that %s into a test that passes, until the skill changes',
    async (_, args, wanted) => {
      await world.run(['run', 'greet', ...args]);
      const made = await world.run(['runs', 'to-test', 'last', '--name', 'recorded']);
      expect([made.code, made.out]).toEqual([0, expect.stringContaining(wanted)]);
      world.write({ 'work/.techne/skills/greet/tests/recorded.yaml': made.out });
      const tested = await world.run(['test', 'greet']);
      expect([tested.code, tested.out]).toEqual([0, expect.stringContaining('recorded')]);
      world.write({
        'work/.techne/skills/greet/SKILL.star': 'def run(input):\n    return {"answer": "other"}\n',
      });
      expect((await world.run(['test', 'greet'])).code).toBe(1);
    },
    60_000,
  );
});
