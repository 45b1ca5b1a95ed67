// Questions of a run at a terminal: what counts as an answer, who else may give it, and what it costs.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Ran, RunOptions, World } from '../../../test/support/run-cli.ts';
import { createWorld } from '../../../test/support/run-cli.ts';
import type { PrintedRun } from '../../../test/support/printed-run.ts';
import { parsePrinted } from '../../../test/support/printed-run.ts';

const text = 'run):\n';
const approval = 'later: ';
let world: World;
beforeEach(() => {
  world = createWorld({
    ...skill('say', 'def run(input):\n    return {"answer": ask("What?")["answer"]}\n'),
    ...skill(
      'shell',
      'def run(input):\n    done = command(input["argv"])\n    return {"answer": done["result"], "ok": done["ok"]}\n',
    ),
    ...skill(
      'both',
      'def run(input):\n    said = ask("What?")["answer"]\n    return {"answer": said + " " + command(["echo", "done"])["result"]}\n',
    ),
    ...skill('wait', 'def run(input):\n    command(["sleep", "30"])\n    return {"answer": "slept"}\n'),
  });
  configure({ trust: { folders: [world.workspace] } });
});
afterEach(() => world.remove());

function configure(config: object): void {
  world.write({
    'home/.techne/config.json': JSON.stringify({
      roots: { builtin: false },
      cache: { enabled: false },
      ...config,
    }),
  });
}

function skill(name: string, program: string): { readonly [path: string]: string } {
  return {
    [`work/.techne/skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: Does ${name}. Use in tests.\nmetaskill: SKILL.star\n---\n\nDo it.\n`,
    [`work/.techne/skills/${name}/SKILL.star`]: program,
  };
}

const run = (argv: readonly string[], options: RunOptions = {}): Promise<Ran> => world.run(argv, options);

async function shown(): Promise<PrintedRun> {
  return parsePrinted((await run(['runs', 'show', 'last', '--json'])).out);
}

describe('an approval at a terminal', () => {
  const argv = ['run', 'shell', 'argv:=["uname"]'];

  it('is not what was typed before the question', async () => {
    const { code, err } = await run(argv, { typedAhead: 'o\n', talk: [[approval, '\n']] });
    expect([code, err.includes('A command needs an approval')]).toEqual([5, true]);
    expect((await shown()).usage.commands).toBe(0);
  });

  it('is not what came with the answer to the question before', async () => {
    const { code } = await run(['run', 'both', 'a=1'], {
      talk: [
        [text, 'hello\n.\no\no\n'],
        [approval, '\n'],
      ],
    });
    expect([code, (await shown()).status]).toEqual([5, 'paused']);
  });

  it('is not several lines at once, nor what the terminal says was pasted', async () => {
    const { code, err } = await run(argv, {
      talk: [
        [approval, 'o\nrm\n'],
        [approval, '\u001B[200~o\u001B[201~\n'],
        [approval, '\n'],
      ],
    });
    expect([code, err.split('Pasted text and several lines').length - 1]).toEqual([5, 2]);
    expect(
      (
        await run(argv, {
          talk: [
            [approval, 'constructor\n'],
            [approval, 'o\n'],
          ],
        })
      ).code,
    ).toBe(0);
  });
});

describe('an answer at a terminal', () => {
  it('has empty lines, and ends with a line of a single dot or with Ctrl-D', async () => {
    expect((await run(['run', 'say', 'a=1', '-q'], { talk: [[text, '\none\n\n\ntwo\n.\n']] })).out).toBe(
      '\none\n\n\ntwo\n',
    );
    const left = await run(['run', 'say', 'a=1', '-q'], { talk: [[text, 'first\n\nlast\n\u0004']] });
    expect([left.code, left.out]).toEqual([0, 'first\n\nlast\n']);
  });

  it('is left for later by Ctrl-D at once, and the question is not repeated', async () => {
    const { code, out, err } = await run(['run', 'say', 'a=1'], { talk: [[text, '\u0004']] });
    expect([code, err.split('An answer is needed').length - 1, out]).toEqual([
      5,
      1,
      expect.stringMatching(
        /^paused: the run waits for an answer\n\nTo answer and resume \(a person answers, at a terminal; in a script: --as person\):\n {2}techne answer 01\w+ --text="…"\n/,
      ),
    ]);
  });

  it('cancels the run with /cancel, also where JSON is asked for', async () => {
    world.write(
      skill('typed', 'def run(input):\n    return ask("n?", {"schema": {"type": "object"}})["value"]\n'),
    );
    for (const name of ['say', 'typed']) {
      const { code, err } = await run(['run', name, 'a=1'], { talk: [[text, '/cancel\n']] });
      expect([code, err.includes('was cancelled'), (await shown()).status]).toEqual([130, true, 'cancelled']);
    }
  });

  it('takes no time of the run', async () => {
    const { code, out } = await run(['run', 'say', 'a=1', '--timeout', '1', '-q'], {
      talk: [
        [
          text,
          async () => {
            await new Promise((resolve) => setTimeout(resolve, 1_300));
            return 'slowly\n.\n';
          },
        ],
      ],
    });
    expect([code, out]).toEqual([0, 'slowly\n']);
    expect((await shown()).usage.wallMs).toBeLessThan(1_000);
  });

  it('may come from another shell, which the terminal notices', async () => {
    let other: Ran | null = null;
    const first = await run(['run', 'both', 'a=1', '-q'], {
      talk: [
        [
          text,
          async () => {
            other = await run(['answer', 'last', '--as', 'person', '--text', 'theirs', '-q']);
            return '';
          },
        ],
        [approval, 'o\n'],
      ],
    });
    // Whichever of the two goes on, the command is approved here.
    expect([
      first.code,
      first.out,
      [0, 5].includes((other as Ran | null)?.code ?? -1),
      first.err.includes('It was answered elsewhere.'),
    ]).toEqual([0, 'theirs done\n', true, true]);
  });

  it('is taken up here when the other shell only wrote it down, and is never a wrong command line', async () => {
    const written = await run(['run', 'say', 'a=1', '-q'], {
      talk: [
        [
          text,
          async () => {
            await run(['answer', 'last', '--as', 'person', '--text', 'theirs', '--no-resume']);
            return 'mine\n.\n';
          },
        ],
      ],
    });
    expect([written.code, written.out]).toEqual([0, 'theirs\n']);
    await run(['run', 'say', 'a=1', '--answer', 'person']);
    const late = await run(['answer', 'last', '-q'], {
      talk: [
        [
          text,
          async () => {
            await run(['answer', 'last', '--as', 'person', '--text', 'first', '-q']);
            return 'second\n.\n';
          },
        ],
      ],
    });
    expect([late.code, late.out]).toEqual([0, 'first\n']);
  });
});

describe('techne run -q', () => {
  it('prints nothing but the answer on standard output', async () => {
    const paused = await run(['run', 'say', 'a=1', '--answer', 'caller', '-q']);
    expect([paused.code, paused.out, paused.err.includes('techne answer')]).toEqual([5, '', true]);
    expect(await run(['answer', 'last', '--text', 'x', '--no-resume', '-q'])).toMatchObject({
      code: 0,
      out: '',
    });
    expect(await run(['runs', 'resume', 'last', '-q'])).toEqual({ code: 0, out: 'x\n', err: '' });
  });
});

describe('techne run --require-status', () => {
  it('fails when the program returns another status', async () => {
    world.write(skill('done', 'def run(input):\n    return {"status": input["status"], "answer": "x"}\n'));
    const of = (status: string, required: string): Promise<Ran> =>
      run(['run', 'done', `status=${status}`, '--require-status', required, '-q']);
    expect([(await of('accepted', 'ok, accepted')).code, (await of('ok', 'ok')).code]).toEqual([0, 0]);
    expect(await of('exhausted', 'accepted')).toEqual({
      code: 1,
      out: 'x\n',
      err: 'techne: the run completed with the status "exhausted", but --require-status requires accepted\n',
    });
    expect((await of('ok', ',')).code).toBe(2);
  });
});

describe('SIGTERM', () => {
  it('stops what is under way and leaves the run to be resumed', async () => {
    configure({ trust: { folders: [world.workspace] }, commands: { allow: ['sleep ...'] } });
    const started = vi.waitFor(
      async () => {
        const { code, out } = await run(['runs', 'show', 'last', '--json']);
        if (code !== 0 || !out.includes('"sleep"')) throw new Error('it has not started');
      },
      { timeout: 20_000, interval: 50 },
    );
    const { code, err } = await run(['run', 'wait', 'a=1'], { terminate: started });
    expect([code, err]).toEqual([
      143,
      expect.stringMatching(
        /techne: stopped\. The outcome of call 1 \(command sleep \d+\) is unknown, so you decide about it when you resume the run, at a terminal: techne runs resume 01\w+\n$/,
      ),
    ]);
    expect((await shown()).status).toBe('interrupted');
    const seen = (await run(['runs', 'show', 'last'])).out;
    expect([
      seen.includes('needs a decision'),
      seen.includes('techne runs resolve 01'),
      seen.includes('techne runs resume'),
    ]).toEqual([true, true, false]);
    const alone = await run(['runs', 'resume', 'last']);
    expect([alone.code, alone.out]).toEqual([
      6,
      expect.stringMatching(
        /Check whether it happened, then decide:\n {2}techne runs resolve 01\w+ 1 --as done\|retry\|fail\nAt a terminal, this asks:\n {2}techne runs resume 01\w+\n/,
      ),
    ]);
    const undecided = await run(['runs', 'resume', 'last'], { talk: [['later: ', '\n']] });
    expect([undecided.code, undecided.err]).toEqual([
      6,
      expect.stringContaining('The outcome of this call is unknown.'),
    ]);
    const decided = await run(['runs', 'resume', 'last', '-q'], {
      talk: [
        ['later: ', 'perhaps\n'],
        ['later: ', 'done\n'],
      ],
    });
    expect([decided.code, decided.out]).toEqual([0, 'slept\n']);
  });

  it('says as JSON what it leaves, also of a run inside, which is decided about by either name', async () => {
    configure({ trust: { folders: [world.workspace] }, commands: { allow: ['sleep ...'] } });
    world.write({
      'work/.techne/skills/outer/SKILL.md':
        '---\nname: outer\ndescription: Waits.\nchain: [{skill: wait, inputs: {a: one}}]\nmetadata: {techne: {risk: high}}\n---\n',
    });
    const started = vi.waitFor(
      async () => {
        const { runs } = JSON.parse((await run(['runs', 'list', '--json'])).out) as {
          readonly runs: readonly { readonly run: string; readonly skill: string }[];
        };
        const inner = runs.find(({ skill: name }) => name === 'wait')?.run ?? '';
        if (!(await run(['runs', 'show', inner, '--json'])).out.includes('"sleep"'))
          throw new Error('it has not started');
      },
      { timeout: 20_000, interval: 50 },
    );
    const { code, out } = await run(['run', 'outer', '--json'], { terminate: started });
    const left = JSON.parse(out) as {
      readonly run: string;
      readonly status: string;
      readonly undecided: readonly { readonly run: string; readonly key: string }[];
    };
    expect([
      code,
      left.status,
      left.undecided.map(({ key }) => key),
      left.undecided[0]?.run === left.run,
    ]).toEqual([143, 'interrupted', ['1'], false]);
    expect((await run(['runs', 'show', left.run])).out).toContain(
      `techne runs resolve ${left.undecided[0]?.run} 1 --as`,
    );
    const outerKey = (
      JSON.parse((await run(['runs', 'show', left.run, '--json'])).out) as {
        readonly nested: readonly { readonly key: string }[];
      }
    ).nested[0]?.key as string;
    expect(await run(['runs', 'resolve', left.run, outerKey, '--as', 'done'], { talk: [] })).toMatchObject({
      code: 2,
      err: expect.stringContaining(`hint: techne runs resolve ${left.undecided[0]?.run} 1 --as`) as string,
    });
    expect(
      (await run(['runs', 'resolve', left.run, '--as', 'retry', '--no-resume'], { talk: [] })).code,
    ).toBe(0);
    const decided = (await run(['runs', 'show', left.run])).out;
    expect([decided.includes('runs resolve'), decided.includes(`techne runs resume ${left.run}`)]).toEqual([
      false,
      true,
    ]);
  });

  it('leaves a question open', async () => {
    let shownNow = (): void => undefined;
    const terminate = new Promise<void>((resolve) => {
      shownNow = resolve;
    });
    const { code } = await run(['run', 'say', 'a=1'], {
      terminate,
      talk: [
        [
          text,
          async () => {
            shownNow();
            return '';
          },
        ],
      ],
    });
    expect([code, (await shown()).status]).toEqual([143, 'paused']);
  });
});
