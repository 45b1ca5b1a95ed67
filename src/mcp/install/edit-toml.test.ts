import { describe, expect, it } from 'vitest';
import { putTable } from './edit-toml.ts';

const table = {
  path: ['mcp_servers', 'techne'],
  values: [
    ['command', 'techne'],
    ['args', ['mcp']],
  ],
} as const;
const made = '[mcp_servers.techne]\ncommand = "techne"\nargs = ["mcp"]\n';

describe('putTable', () => {
  it('puts the table at the end', () => {
    expect(putTable('', table)).toEqual({ kind: 'added', text: made });
    expect(putTable('model = "x"\n\n[mcp_servers.other]\ncommand = "y"', table)).toEqual({
      kind: 'added',
      text: `model = "x"\n\n[mcp_servers.other]\ncommand = "y"\n\n${made}`,
    });
  });

  it('sees that it is there', () => {
    expect(putTable(`a = 1\n\n${made}`, table)).toMatchObject({ kind: 'same' });
    expect(
      putTable('[mcp_servers."techne"] # ours\nargs = [ "mcp" ]\n"command" = "techne" # the program\n', {
        ...table,
        values: [['args', ['mcp']]],
      }),
    ).toMatchObject({ kind: 'same' });
  });

  it('replaces what is ours in a table that is there, and keeps the rest', () => {
    const before =
      'model = "x"\n\n[mcp_servers.techne]\n# ours\ncommand = "old"\nenv = { A = "b" }\nstartup_timeout_sec = 20\n\n[mcp_servers.techne.more]\nargs = ["stay"]\n';
    expect(putTable(before, table)).toEqual({
      kind: 'replaced',
      text: 'model = "x"\n\n[mcp_servers.techne]\nargs = ["mcp"]\n# ours\ncommand = "techne"\nenv = { A = "b" }\nstartup_timeout_sec = 20\n\n[mcp_servers.techne.more]\nargs = ["stay"]\n',
    });
    expect(putTable('[ mcp_servers . techne ]\r\ncommand = "old"\r\nargs = ["mcp"]', table)).toEqual({
      kind: 'replaced',
      text: '[ mcp_servers . techne ]\r\ncommand = "techne"\r\nargs = ["mcp"]',
    });
  });

  it('quotes a name that is not a bare key', () => {
    const named = { ...table, path: ['mcp_servers', 'my server.1'] } as const;
    const text = '[mcp_servers."my server.1"]\ncommand = "techne"\nargs = ["mcp"]\n';
    expect(putTable('', named)).toEqual({ kind: 'added', text });
    expect(putTable(text, named)).toMatchObject({ kind: 'same' });
  });

  it('keeps arguments that were added, and values over several lines', () => {
    expect(
      putTable(
        '[mcp_servers.techne]\ncommand = "techne"\nargs = [\n  "mcp", # serve\n  "--no-relay",\n]\n',
        table,
      ),
    ).toMatchObject({ kind: 'same' });
    const before =
      '[mcp_servers.techne]\ncommand = "old"\nargs = ["-y", "techne", "mcp", "serve", "--workspace", "/a", "--wait=9"]\nenv.A = "b"\nnote = """\n[x]\ncommand = "y"\n"""\n';
    expect(
      putTable(before, {
        ...table,
        values: [
          ['command', 'techne'],
          ['args', ['mcp', '--workspace', '/b']],
        ],
      }),
    ).toEqual({
      kind: 'replaced',
      text: before
        .replace('"old"', '"techne"')
        .replace(/args = .*/, 'args = ["mcp", "--workspace", "/b", "--wait=9"]'),
    });
  });

  it('knows its name however it is written', () => {
    for (const head of [
      '["mcp_servers"."\\u0074echne"]',
      "[ 'mcp_servers' . techne ] # ours",
      '["\\U0000006dcp_servers".\'techne\']',
    ])
      expect(putTable(`${head}\ncommand = "techne"\nargs = ["mcp"]\n`, table)).toMatchObject({
        kind: 'same',
      });
  });

  it.each([
    '[mcp_servers.techne.env]\nA = "b"\n',
    '[[mcp_servers.techne]]\ncommand = "x"\n',
    'mcp_servers.techne.command = "x"\n',
    'mcp_servers."t\\u0065chne".command = "x"\n',
    '[mcp_servers]\ntechne = { command = "x" }\n',
    '[mcp_servers]\nother = { command = "x" }\n"techne" = {}\n',
    '[mcp_servers]\ntechne.command = "x"\n',
    '[mcp_servers.techne]\nargs.x = 1\n',
    '[mcp_servers.techne]\nurl = "http://127.0.0.1/mcp"\n',
  ])('says that it is there already, and does not touch %j', (text) => {
    expect(putTable(text, table)).toMatchObject({ kind: 'fault', isThere: true });
  });

  it.each([
    ['model = """\nabc\n', 'line 3: a string is never closed'],
    ['a = 1\na = 2\n', 'line 2: "a" is defined twice'],
    ['[a]\n[a]\n', 'line 2: "a" is defined twice'],
    [
      '[mcp_servers.techne]\ncommand = "x"\n[mcp_servers]\ntechne.args = []\n',
      'line 4: "mcp_servers.techne.args" is defined twice',
    ],
    ['a = [1, 2\n', 'line 2: a list is not closed'],
    ['a = oops\n', 'line 1: a value is missing or malformed'],
    ['a = "\\q"\n', 'line 1: a string is malformed'],
    ['a = 1 b = 2\n', 'line 1: there is text after the value'],
  ])('does not touch what is not TOML: %j', (text, message) => {
    expect(putTable(text, table)).toEqual({ kind: 'fault', message });
  });

  it('does not touch what is nested beyond reason', () => {
    expect(putTable(`a = ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`, table)).toEqual({
      kind: 'fault',
      message: 'line 1: it is nested more than 100 deep',
    });
  });

  it('is not misled by what stands in a string', () => {
    const text = 'x = """\n[mcp_servers.techne]\ncommand = "techne"\nargs = ["mcp"]\n"""\n';
    expect(putTable(text, table)).toEqual({ kind: 'added', text: `${text}\n${made}` });
  });

  it('ends lines as the file does, and stands beside dotted keys', () => {
    expect(putTable('[a]\r\nb = 1\r\n', table)).toEqual({
      kind: 'added',
      text: `[a]\r\nb = 1\r\n\r\n${made.replaceAll('\n', '\r\n')}`,
    });
    expect(putTable('mcp_servers.other.command = "x"\n', table)).toMatchObject({ kind: 'added' });
    expect(putTable('[mcp_servers.techne]', table)).toEqual({ kind: 'replaced', text: made });
  });

  it('does not touch servers that are a value', () => {
    expect(putTable('mcp_servers = { other = {} }\n', table)).toEqual({
      kind: 'fault',
      message: 'line 1: "mcp_servers" is written as a value, not as tables',
    });
  });

  it('is not held up by a key of another table', () => {
    expect(putTable('[mcp_servers]\n\n[profiles.x]\ntechne = true\n', table)).toMatchObject({
      kind: 'added',
    });
  });
});
