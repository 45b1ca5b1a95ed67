import { describe, expect, it } from 'vitest';
import { chat, composition, skillWith } from '../../../test/support/plan-texts.ts';
import { planHost, resultOf, statusesOf } from '../../../test/support/plan-host.ts';
import { FakeAnswerer, printed } from '../../../test/support/fake-run-host.ts';

const raw = 'final_text_mode: raw\n';
const echo = composition(
  '- id: a\n  kind: llm_chat\n  with: {task: "{{ inputs.user_message | xml_escape | truncate(99) }}"}\n',
  raw,
);
const worker = (more = '', body = 'Work.'): string =>
  `---\nname: worker\ndescription: Works. Use when needed.\n${more}---\n\n${body}\n`;

describe('the input of a composition', () => {
  it('is the message, as a key or as it is', async () => {
    const host = planHost({ echo });
    host.answerer.onAsk = ({ prompt }) => prompt.split('\n').at(-1) as string;
    for (const input of [{ user_message: 'hello' }, 'hello'])
      expect(resultOf(await host.start('echo', input))['answer']).toBe('hello');
  });

  it('is answered with the instructions when it is empty and the message is read', async () => {
    const host = planHost({ echo, quiet: composition(chat('a'), raw) });
    for (const input of [null, {}])
      expect(await host.start('echo', input)).toMatchObject({
        status: 'refused',
        run: null,
        error: { code: 'INPUT_REQUIRED' },
      });
    expect((await host.start('echo', {})).text).toContain('Body.');
    expect((await host.start('quiet', null)).status).toBe('completed');
  });

  it('must be of the right kind', async () => {
    const host = planHost({ echo });
    expect((await host.start('echo', [1])).error?.code).toBe('INPUT_INVALID');
    expect((await host.start('echo', { user_message: 3 })).error?.code).toBe('INPUT_INVALID');
  });
});

describe('a plan with errors', () => {
  it('does not start, and tells all of them with their places', async () => {
    const result = await planHost({
      sample: composition(
        '- id: a\n  kind: llm_chatt\n- id: b\n  kind: llm_chat\n  depends_on: [nowhere]\n  with: {task: x}\n',
      ),
    }).start('sample');
    expect([result.status, result.run, result.error?.code]).toEqual(['failed', null, 'PLAN_INVALID']);
    expect(result.text).toMatch(
      /SKILL\.md:\d+:\d+: step "a": .*\n.*SKILL\.md:\d+:\d+: step "b" depends on "nowhere"/,
    );
  });
});

describe('preflight', () => {
  const steps = `- {id: a, skill: gone, with: {x: y}}
- {id: b, kind: skill_exec, skill: worker}
- {id: c, kind: tool_call, tool: missing_tool}
- {id: d, kind: llm_chat, model: huge, with: {task: x}}
- {id: e, skill: unready, with: {x: y}}
`;

  it('reports everything that is missing together, and spends nothing', async () => {
    class Modelled extends FakeAnswerer {
      hasModel(name: string): boolean {
        return name === 'small';
      }
    }
    const answerer = new Modelled();
    const no = {
      ok: false,
      reasons: [
        { code: 'BIN_MISSING', message: 'the program "ffmpeg" is missing', hint: 'apt install ffmpeg' },
      ],
    };
    const host = planHost(
      { sample: composition(steps, raw), worker: worker(), unready: { text: worker(), ready: no } },
      { tools: ['other_tool'], answerers: [answerer] },
    );
    const result = await host.start('sample');
    expect([result.status, result.run, result.error?.code]).toEqual(['refused', null, 'PREFLIGHT']);
    expect(result.error?.message.split('\n').slice(1)).toEqual([
      '- there is no skill "gone" (step a)',
      '- the skill "worker" has no entry point that could be executed (step b)',
      '- there is no tool "missing_tool" (step c)',
      '- the answerer "script" has no model "huge" (step d)',
      '- the skill "unready" is not ready: the program "ffmpeg" is missing; apt install ffmpeg (step e)',
    ]);
    expect(result.error?.hint).toBe('techne doctor sample');
    expect([answerer.asked, await host.store.list({ limit: 9 })]).toMatchObject([[], { runs: [] }]);
  });

  it('refuses to execute an untrusted skill', async () => {
    const runnable = {
      ok: false,
      reasons: [{ code: 'NOT_TRUSTED', message: '"worker" is not trusted', hint: 'techne trust worker' }],
    };
    const host = planHost({
      sample: composition('- {id: a, kind: skill_exec, skill: worker}\n'),
      worker: { text: worker('entrypoint: {command: python3 run.py}\n'), runnable },
    });
    expect((await host.start('sample')).error).toMatchObject({
      code: 'PREFLIGHT',
      message: expect.stringContaining('"worker" is not trusted; techne trust worker (step a)') as string,
    });
  });

  it('tells one cause once: what has no entry point may not be executed either', async () => {
    const runnable = {
      ok: false,
      reasons: [{ code: 'NOT_EXECUTABLE', message: '"worker" has nothing to execute', hint: null }],
    };
    const host = planHost({
      sample: composition('- {id: a, kind: skill_exec, skill: worker}\n'),
      worker: { text: worker(), runnable },
    });
    expect((await host.start('sample')).error?.message).toBe(
      `skill 'sample' cannot run here: the skill "worker" has no entry point that could be executed (step a)`,
    );
  });

  it('tells of servers once, and only of those that a missing tool may be of', async () => {
    const host = planHost(
      {
        sample: composition(
          ['mail__send', 'mail__read', 'other_tol', 'fetch']
            .map((tool, index) => `- {id: s${index}, kind: tool_call, tool: ${tool}}\n`)
            .join(''),
        ),
        near: composition('- {id: a, kind: tool_call, tool: other_tol}\n'),
      },
      { tools: ['other_tool'] },
    );
    let lists = 0;
    const list = host.tools.list.bind(host.tools);
    host.tools.list = async () => {
      lists += 1;
      return {
        ...(await list()),
        faults: [
          { server: 'mail', message: 'it ended with exit code 1' },
          { server: 'web', message: 'it needs the variable KEY' },
        ],
      };
    };
    expect((await host.start('sample')).error?.message.split('\n').slice(1)).toEqual([
      '- there is no tool "mail__send", since the server "mail" is not there (step s0)',
      '- there is no tool "mail__read", since the server "mail" is not there (step s1)',
      '- there is no tool "other_tol"; did you mean "other_tool"? (step s2)',
      '- there is no tool "fetch" (step s3)',
      'the server "mail" is not there: it ended with exit code 1',
      'the server "web" is not there: it needs the variable KEY',
    ]);
    expect(lists).toBe(1);
    expect((await host.start('near')).error?.message).toBe(
      `skill 'sample' cannot run here: there is no tool "other_tol"; did you mean "other_tool"? (step a)`.replace(
        "'sample'",
        "'near'",
      ),
    );
  });

  it('lets a step lack what it provides for', async () => {
    const host = planHost({
      sample: composition(
        `- {id: a, skill: gone, on_failure: b, with: {x: y}}\n${chat('b')}- {id: c, kind: tool_call, tool: none, continue_on_error: true}\n`,
        raw,
      ),
    });
    expect(statusesOf(await host.start('sample'))).toEqual({ a: 'substituted', b: 'ok', c: 'failed' });
  });

  it('refuses an answerer that cannot limit agents to their tools', async () => {
    const answerer = Object.assign(new FakeAnswerer(), { fenced: false });
    const host = planHost(
      {
        sample: composition('- {id: a, skill: worker, tools: [read_file], with: {x: y}}\n'),
        worker: worker(),
      },
      { answerers: [answerer] },
    );
    expect((await host.start('sample')).error).toMatchObject({
      code: 'PREFLIGHT',
      message: expect.stringContaining(
        'cannot limit agents to their tools; run it with another answerer (step a)',
      ) as string,
    });
  });

  const named = (name: string, text: string): string => text.replace('name: sample', `name: ${name}`);
  const chain = (name: string, ...skills: readonly string[]): string =>
    named(
      name,
      skillWith(`chain: [${skills.map((skill, at) => `{skill: ${skill}, id: s${at}}`).join(', ')}]`),
    );

  it('looks into the plans that steps run, as deep as they nest, and tells each cause once', async () => {
    const inner = named(
      'inner',
      composition(
        '- {id: t, kind: tool_call, tool: gone_tool}\n- {id: u, kind: tool_call, tool: none, continue_on_error: true}\n',
        raw,
      ),
    );
    const host = planHost({
      first: named('first', composition(chat('a'), raw)),
      inner,
      middle: chain('middle', 'inner'),
      outer: chain('outer', 'first', 'inner'),
      deep: chain('deep', 'first', 'middle'),
    });
    expect((await host.start('outer')).error?.message).toBe(
      `skill 'outer' cannot run here: the skill "inner" (step s1) cannot run here: there is no tool "gone_tool" (step t)`,
    );
    expect((await host.start('deep')).error?.message).toContain(
      'here: the skill "middle" (step s1) cannot run here: the skill "inner" (step s0) cannot run here: there is no tool "gone_tool" (step t)',
    );
    expect([host.answerer.asked, await host.store.list({ limit: 9 })]).toMatchObject([[], { runs: [] }]);
  });

  it('tells of the errors of a plan that a step runs, unless the step provides for them', async () => {
    const broken = named('broken', composition('- id: a\n  kind: llm_chatt\n'));
    const provides = named('provides', skillWith('chain: [{skill: broken, continue_on_error: true}]'));
    const host = planHost({ broken, provides, outer: chain('outer', 'broken') });
    expect((await host.start('outer')).error).toMatchObject({
      code: 'PREFLIGHT',
      message: expect.stringMatching(
        /the skill "broken" \(step s0\) cannot run here: its plan has errors: .*llm_chatt/s,
      ) as string,
    });
    expect((await host.start('provides')).run).not.toBeNull();
  });

  it('comes to an end with plans that run each other', async () => {
    const host = planHost({ a: chain('a', 'b'), b: chain('b', 'a') });
    expect(await host.start('a')).toMatchObject({ status: 'failed', error: { code: 'RUN_DEPTH' } });
  });

  it('refuses a composition in a composition', async () => {
    const host = planHost({
      sample: composition('- {id: a, skill: inner, with: {x: y}}\n'),
      inner: composition(chat('a')).replace('name: sample', 'name: inner'),
    });
    expect((await host.start('sample')).error?.code).toBe('PREFLIGHT');
  });
});

describe('the skills of a plan', () => {
  const plan = composition(`${chat('a')}- {id: b, skill: worker, depends_on: [a], with: {x: y}}\n`, raw);

  it('are those it was started with, also after an edit', async () => {
    const host = planHost({ sample: plan, worker: worker('', 'The old way.') });
    host.answerer.onAsk = ({ purpose, prompt }) => {
      host.texts['worker'] = worker('', 'The new way.');
      delete host.texts['sample'];
      return purpose === 'a' ? 'x' : (prompt.split('\n')[0] as string);
    };
    const result = await host.start('sample');
    expect(resultOf(result)['answer']).toBe('The old way.');
    expect(Object.keys((await host.runner.inspect(result.run as string)).files)).toEqual([
      'SKILL.md',
      'skills/worker/SKILL.md',
      '.techne/plan.json',
    ]);
  });

  it('cannot be gone on with in another language of templates', async () => {
    const host = planHost({ sample: plan, worker: worker() });
    host.answerer.onAsk = () => new Promise(() => {});
    void host.start('sample');
    await new Promise((resolve) => setTimeout(resolve, 20));
    const run = host.runner.active[0] as string;
    host.store.die();
    const stored = host.runs.byName.get(run)?.entries as { seq: number; entry: { profile?: string } }[];
    expect(stored[0]?.entry.profile).toBe('plan-1 jinja-1');
    stored[0] = { seq: 0, entry: { ...stored[0]?.entry, profile: 'plan-1 jinja-0' } };
    const other = planHost(host.texts, { after: host });
    await expect(other.runner.resume(run)).rejects.toMatchObject({ code: 'PROFILE_UNSUPPORTED' });
  });
});

describe('declared capabilities', () => {
  const declared = (words: string): string =>
    `${raw}metadata: {techne: {risk: high, capabilities: ${words}}}\n`;
  const steps =
    '- {id: a, kind: tool_call, tool: write_file, continue_on_error: true}\n- {id: b, kind: tool_call, tool: read_file, continue_on_error: true}\n- {id: c, kind: tool_call, tool: strange, continue_on_error: true}\n';
  const errors = async (words: string): Promise<unknown> => {
    const host = planHost(
      { sample: composition(steps, declared(words)) },
      { tools: ['write_file', 'read_file', 'strange'] },
    );
    const { steps: seen } = resultOf(await host.start('sample')) as {
      steps: { [id: string]: { error?: { code: string } } };
    };
    return [Object.values(seen).map(({ error }) => error?.code ?? 'ok'), host.tools.done.length];
  };

  it('are a ceiling for tools', async () => {
    expect(await errors('[]')).toEqual([['CAPABILITY_DENIED', 'ok', 'CAPABILITY_DENIED'], 1]);
    expect(await errors('[filesystem-write]')).toEqual([['ok', 'ok', 'CAPABILITY_DENIED'], 2]);
    expect(await errors('[filesystem-write, external-side-effect]')).toEqual([['ok', 'ok', 'ok'], 3]);
  });

  it('are reported before anything is spent, where a step is sure to be denied', async () => {
    const tools = ['write_file', 'read_file'];
    const refused = planHost(
      {
        sample: composition(
          `${chat('first')}- {id: a, kind: tool_call, tool: write_file, depends_on: [first]}\n- {id: b, kind: tool_call, tool: read_file}\n`,
          declared('[]'),
        ),
      },
      { tools },
    );
    expect((await refused.start('sample')).error).toMatchObject({
      code: 'PREFLIGHT',
      message: `skill 'sample' cannot run here: it needs the capability "filesystem-write", which the skill does not declare (step a)`,
    });
    expect(refused.answerer.asked).toEqual([]);
    const unlikely = planHost(
      {
        sample: composition(
          `${chat('first')}- {id: a, kind: tool_call, tool: write_file, when: "1 > 2"}\n`,
          declared('[]'),
        ),
      },
      { tools },
    );
    expect((await unlikely.start('sample')).status).toBe('completed');
  });

  it('are a ceiling for nested agents, and for runs inside the run', async () => {
    const host = planHost({
      sample: composition('- {id: a, skill: worker, with: {x: y}}\n', declared('[network-read]')),
      outer: skillWith(
        'metadata: {techne: {risk: high, capabilities: [network-read]}}\nchain: [{skill: prog}]',
      ),
      prog: {
        text: '---\nname: prog\ndescription: Runs. Use when needed.\nmetaskill: SKILL.star\nmetaskill_language: starlark\n---\n\nRun.\n',
        files: { 'SKILL.star': 'def run(input):\n  return command(["ls"])["result"]\n' },
      },
      worker: worker(),
    });
    host.commands.onCommand = () => printed('listed');
    const said: unknown[] = [];
    host.answerer.onAsk = async (_request, { command }) => {
      said.push((await command({ argv: ['ls'] }))['result']);
      return 'x';
    };
    await host.start('sample');
    expect(said).toEqual(['error: it needs the capability "shell", which the skill does not declare']);
    expect((await host.start('outer', { x: 1 })).error).toMatchObject({ code: 'CAPABILITY_DENIED' });
    expect(host.commands.done).toEqual([]);
  });
});
