import { describe, expect, it } from 'vitest';
import { putTable } from './edit-toml.ts';

const table = { path: ['mcp_servers', 'techne'], values: [['command', 'techne'], ['args', ['mcp']]] } as const;
const made = '[mcp_servers.techne]\ncommand = "techne"\nargs = ["mcp"]\n';

describe('putTable', () => {
  it('puts the table at the end', () => {
    expect(putTable('', table)).toEqual({ kind: 'added', text: made });
    expect(putTable('model = "x"\n\n[mcp_servers.other]\ncommand = "y"', table)).toEqual({ kind: 'added', text: `model = "x"\n\n[mcp_servers.other]\ncommand = "y"\n\n${made}` });
  });

  it('sees that it is there', () => {
    expect(putTable(`a = 1\n\n${made}`, table)).toMatchObject({ kind: 'same' });
  });

  it.each(['[mcp_servers.techne]\ncommand = "old"\n', '[mcp_servers."techne"]\n', '[ mcp_servers . techne ]\n', '[mcp_servers.techne.env]\nA = "b"\n', 'mcp_servers.techne.command = "x"\n', 'mcp_servers = { other = {} }\n'])('does not touch %j', (text) => {
    expect(putTable(text, table)).toMatchObject({ kind: 'fault' });
  });
});
