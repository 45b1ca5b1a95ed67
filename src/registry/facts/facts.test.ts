import { describe, expect, it } from 'vitest';
import type { LoadOptions } from '../../../test/support/library.ts';
import { bareEnvironment, libraryOf, loadFrom, skillText } from '../../../test/support/library.ts';
import type { Facts, Reason } from '../types.ts';

async function factsOf(
  fields: string,
  options: LoadOptions = {},
  others: Record<string, string> = {},
): Promise<Facts> {
  const files = libraryOf([]);
  files.write('/user/tides/SKILL.md', skillText('tides', fields));
  for (const [name, otherFields] of Object.entries(others))
    files.write(`/user/${name}/SKILL.md`, skillText(name, otherFields));
  const snapshot = await loadFrom(files, options);
  return snapshot.facts(snapshot.get('tides'));
}

const ready = async (
  fields: string,
  options: LoadOptions = {},
  others: Record<string, string> = {},
): Promise<readonly Reason[]> => (await factsOf(fields, options, others)).ready.reasons;
const environment = {
  ...bareEnvironment,
  variables: { TOKEN: 'x', EMPTY: '' },
  findProgram: (name: string) => (name === 'git' ? '/usr/bin/git' : null),
};

const codes = ({ visibleToUser, visibleToModel, listed }: Facts): unknown =>
  [visibleToUser, visibleToModel, listed].map(({ reasons }) => reasons.map(({ code }) => code));

describe('Eligibility', () => {
  it('is satisfied by a skill that requires nothing', async () => {
    expect(await factsOf('')).toEqual({
      sound: { ok: true, reasons: [] },
      ready: { ok: true, reasons: [] },
      visibleToUser: { ok: true, reasons: [] },
      visibleToModel: { ok: true, reasons: [] },
      listed: { ok: true, reasons: [] },
    });
  });

  it('names the system it is for', async () => {
    expect(await ready('requires:\n  os: [darwin, win32]\n')).toEqual([
      { code: 'OS', message: 'runs on darwin or win32; this machine is linux', hint: null },
    ]);
    expect(await ready('requires:\n  os: [linux]\n')).toEqual([]);
  });

  it('names each program that is missing', async () => {
    expect(await ready('requires:\n  bins: [git, moonctl]\n', { environment })).toEqual([
      { code: 'BIN_MISSING', message: 'the program "moonctl" is not on PATH', hint: 'install moonctl' },
    ]);
    expect(await ready('requires:\n  anyBins: [curl, wget]\n', { environment })).toEqual([
      {
        code: 'BIN_MISSING',
        message: 'none of the programs "curl" or "wget" is on PATH',
        hint: 'install one of curl or wget',
      },
    ]);
    expect(await ready('requires:\n  anyBins: [curl, git]\n', { environment })).toEqual([]);
  });

  it('names each variable that is not set; empty is not set', async () => {
    expect(await ready('requires:\n  env: [TOKEN, EMPTY]\n', { environment })).toEqual([
      { code: 'ENV_MISSING', message: 'the environment variable EMPTY is not set', hint: 'set EMPTY' },
    ]);
  });

  it('asks the configuration', async () => {
    expect((await ready('requires:\n  config: [mail]\n')).map(({ code }) => code)).toEqual([
      'CONFIG_MISSING',
    ]);
    expect(
      await ready('requires:\n  config: [mail]\n', { config: { skills: { config: ['mail'] } } }),
    ).toEqual([]);
  });

  it('takes a setting that is a path for a file that must be there, unless the operator says that it is set', async () => {
    const fields = 'requires:\n  config: ["~/.config/tides", "/etc/tides.toml"]\n';
    const exists = (path: string): boolean => path === '/etc/tides.toml';
    expect(await ready(fields, { environment: { ...environment, exists } })).toEqual([
      {
        code: 'CONFIG_MISSING',
        message: 'there is no "~/.config/tides"',
        hint: 'make it, or add "~/.config/tides" to skills.config',
      },
    ]);
    const config = { skills: { config: ['~/.config/tides'] } };
    expect(await ready(fields, { environment: { ...environment, exists }, config })).toEqual([]);
    expect(
      await ready(fields, {
        environment: {
          ...environment,
          exists: (path) => path.startsWith(`${bareEnvironment.homeFolder}/.config/`),
        },
        config: { skills: { config: ['/etc/tides.toml'] } },
      }),
    ).toEqual([]);
  });

  it('is not barred by prose that names nothing', async () => {
    expect(
      await ready(
        'requires:\n  bins: ["git >= 2.30", a browser]\n  env: [KEY (optional)]\n  config: [an account]\n',
        { environment },
      ),
    ).toEqual([]);
  });

  it('checks tools only against a host that names them, and never allowed-tools', async () => {
    const fields = 'requires:\n  tools: [browser]\n';
    expect(await ready(fields)).toEqual([]);
    expect(await ready(fields, { config: { skills: { tools: ['shell'] } } })).toEqual([
      { code: 'TOOL_MISSING', message: 'this host has no tool "browser"', hint: null },
    ]);
    expect(await ready('allowed-tools: browser\n', { config: { skills: { tools: ['shell'] } } })).toEqual([]);
  });
});

describe('FactFinder', () => {
  it('is ready when the skills it builds on are', async () => {
    const needsMoon = 'requires:\n  skills: [moon]\n';
    expect(await ready(needsMoon, {}, { moon: '' })).toEqual([]);
    expect(await ready(needsMoon)).toEqual([
      {
        code: 'SKILL_MISSING',
        message: 'it builds on the skill "moon", which was not found',
        hint: 'add the skill "moon"',
      },
    ]);
    expect(
      await ready(
        needsMoon,
        {},
        { moon: 'requires:\n  skills: [sun]\n', sun: 'requires:\n  bins: [nope]\n' },
      ),
    ).toEqual([
      {
        code: 'SKILL_MISSING',
        message: 'it builds on the skill "moon", which is not ready',
        hint: 'see what "moon" is missing',
      },
    ]);
  });

  it('does not wait for ever for skills that need each other', async () => {
    const each = { moon: 'requires:\n  skills: [tides]\n' };
    expect(await ready('requires:\n  skills: [moon]\n', {}, each)).toEqual([]);
    expect(
      (await ready('requires:\n  skills: [moon]\n  bins: [nope]\n', {}, each)).map(({ code }) => code),
    ).toEqual(['BIN_MISSING', 'SKILL_MISSING']);
  });

  it('says who keeps a skill from whom', async () => {
    expect(codes(await factsOf('user-invocable: false\n'))).toEqual([['NOT_USER_INVOCABLE'], [], []]);
    expect(codes(await factsOf('disable-model-invocation: true\n'))).toEqual([
      [],
      ['NOT_MODEL_INVOCABLE'],
      ['NOT_VISIBLE'],
    ]);
    expect(codes(await factsOf('agent_ready: false\n'))).toEqual([[], ['NOT_AGENT_READY'], ['NOT_VISIBLE']]);
    expect(codes(await factsOf('', { config: { skills: { disabled: ['tides'] } } }))).toEqual([
      ['DISABLED'],
      ['DISABLED'],
      ['NOT_VISIBLE'],
    ]);
    expect(codes(await factsOf('requires:\n  bins: [nope]\n'))).toEqual([
      ['NOT_READY'],
      ['NOT_READY'],
      ['NOT_VISIBLE'],
    ]);
  });

  it('lists everything where whole lines fit and names alone would leave the turn too little', async () => {
    const files = libraryOf([]);
    for (const name of ['a', 'b'])
      files.write(`/user/${name}/SKILL.md`, `---\nname: ${name}\ndescription: x\n---\n`);
    files.advance(60_000_000_000n);
    const listed = async (budgetTokens: number): Promise<number> => {
      const snapshot = await loadFrom(files, { config: { index: { budgetTokens } } });
      return snapshot.skills.filter((skill) => snapshot.facts(skill).listed.ok).length;
    };
    // The header has 94 characters, a whole line 7 with its line end.
    expect([await listed(26), await listed(27)]).toEqual([0, 2]);
  });

  it('lists in the order of names until the budget is spent; what is not visible costs nothing', async () => {
    const names = Array.from({ length: 40 }, (_, at) => `s${String(at).padStart(2, '0')}`);
    const files = libraryOf(names.map((name) => `/user/${name}`));
    files.write('/user/a2/SKILL.md', skillText('a2', 'disable-model-invocation: true\n'));
    const listed = async (budgetTokens: number): Promise<string[]> => {
      const snapshot = await loadFrom(files, { config: { index: { budgetTokens } } });
      return snapshot.skills.filter((skill) => snapshot.facts(skill).listed.ok).map(({ name }) => name);
    };
    // Two fifths are the turn's. The header has 94 characters, each name 4 with its line end, the note about the rest 67.
    expect(await listed(67)).toEqual([]);
    expect(await listed(70)).toEqual(['s00']);
    expect(await listed(105)).toEqual(names.slice(0, 22));
    expect(await listed(106)).toEqual(names);
    expect(await listed(0)).toEqual([]);
  });
});
