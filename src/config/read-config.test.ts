import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../base/diagnostic.ts';
import { collectInto } from '../base/diagnostic.ts';
import type { Json } from '../base/json.ts';
import { isJsonObject } from '../base/json.ts';
import { placeOf } from '../base/span.ts';
import { configKeys } from './keys.ts';
import { parseConfig } from './read-config.ts';

function read(text: string): { values: { [key: string]: Json }; faults: readonly string[] } {
  const faults: Diagnostic[] = [];
  const file = parseConfig(text, 'techne.json', collectInto(faults, 'techne.json'));
  const values: { [key: string]: Json } = {};
  for (const [key, { value }] of file.values) values[key] = value;
  return {
    values: JSON.parse(JSON.stringify(values)) as { [key: string]: Json },
    faults: faults.map(({ code, span, message, hint }) => {
      const { line, column } = placeOf(text, span?.start ?? 0);
      return `${line}:${column} ${code}: ${message}${hint === null ? '' : ` (${hint})`}`;
    }),
  };
}

/** Models that are kept as their fault are left out. */
function withoutFaults(value: Json | undefined): Json | undefined {
  return isJsonObject(value)
    ? Object.fromEntries(
        Object.entries(value).filter(([, entry]) => !isJsonObject(entry) || entry['fault'] === undefined),
      )
    : value;
}

describe('parseConfig', () => {
  it('reads values with their lines', () => {
    const text =
      '{\n  "$schema": "x",\n  "roots": {\n    "user": ["~/skills"] },\n  "precedence": "claude"\n}';
    const file = parseConfig(text, 'techne.json', () => expect.unreachable());
    expect([...file.values].map(([key, { value, line }]) => [key, value, line])).toEqual([
      ['roots.user', ['~/skills'], 4],
      ['precedence', 'claude', 5],
    ]);
  });

  it('takes an empty file for an empty configuration', () => {
    expect(read(' \n')).toEqual({ values: {}, faults: [] });
  });

  it('reads keys of groups in groups, and says where one is wrong', () => {
    const { faults, values } = read(
      '{"proposals": {"autoEnable": {"perDay": 1, "perDya": 2}, "autoenable": 1, "enabled": false}}',
    );
    expect([faults, values]).toEqual([
      [
        '1:44 CONFIG_UNKNOWN_KEY: "perDya" is not a known key in "proposals.autoEnable" (did you mean "perDay"?)',
        '1:58 CONFIG_UNKNOWN_KEY: "autoenable" is not a known key in "proposals" (did you mean "autoEnable"?)',
      ],
      { 'proposals.autoEnable.perDay': 1, 'proposals.enabled': false },
    ]);
    expect(read('{"proposals": {"autoEnable": true}}').faults).toEqual([
      '1:30 CONFIG_TYPE: "proposals.autoEnable" must be an object',
    ]);
  });

  it('says which key was meant', () => {
    expect(
      read(
        '{"root": {}, "roots": {"usr": []}, "zzz": 1, "models": {"m": {"provider": "anthropic", "model": "x", "apiKey": "sk-1"}}}',
      ).faults,
    ).toEqual([
      '1:2 CONFIG_UNKNOWN_KEY: "root" is not a known key (did you mean "roots"?)',
      '1:24 CONFIG_UNKNOWN_KEY: "usr" is not a known key in "roots" (did you mean "user"?)',
      '1:36 CONFIG_UNKNOWN_KEY: "zzz" is not a known key (known keys: roots, precedence, loading, skills, index, prompt, chat, mcp, limits, runs, cache, watch, execution, metaskills, guard, trust, commands, tools, sandbox, models, match, hub, webhooks, graph, proposals, mcpServers)',
      '1:102 CONFIG_UNKNOWN_KEY: "apiKey" is not a known key in "models.m" (did you mean "apiKeyEnv"?)',
    ]);
  });

  const refused: readonly (readonly [string, string])[] = [
    ['[]', '1:1 CONFIG_TYPE: the configuration must be an object'],
    ['{"roots": 1}', '1:11 CONFIG_TYPE: "roots" must be an object'],
    ['{"cache": {"enabled": "yes"}}', '1:23 CONFIG_TYPE: "cache.enabled" must be true or false, not text'],
    [
      '{"limits": {"depth": 1e300}}',
      '1:22 CONFIG_VALUE: "limits.depth" is 1e+300; it must be a whole number from 1 to 32',
    ],
    [
      '{"limits": {"depth": 1.5}}',
      '1:22 CONFIG_VALUE: "limits.depth" is 1.5; it must be a whole number from 1 to 32',
    ],
    [
      '{"sandbox": {"mode": "requird"}}',
      '1:22 CONFIG_VALUE: "sandbox.mode" must be one of "off", "auto", "required" (did you mean "required"?)',
    ],
    [
      '{"execution": {"policy": true}}',
      '1:26 CONFIG_TYPE: "execution.policy" must be one of "trusted", "off", not a boolean',
    ],
    [
      '{"precedence": ["user", "user", "builtin", "plugin"]}',
      '1:16 CONFIG_VALUE: "precedence" must name each of builtin, plugin, user, workspace once, from lowest to highest',
    ],
    ['{"commands": {"deny": "rm"}}', '1:23 CONFIG_TYPE: "commands.deny" must be a list of texts, not text'],
    [
      '{"match": {"embeddings": {"m": {"provider": "local", "model": "x", "apiKeyEnv": "KEY"}}}}',
      '1:32 CONFIG_VALUE: "match.embeddings.m" is "local", so it is asked nowhere and needs neither "baseUrl" nor "apiKeyEnv"',
    ],
    [
      '{"match": {"embeddings": {"m": {"provider": "anthropic", "model": "x"}}}}',
      '1:45 CONFIG_VALUE: "match.embeddings.m.provider" must be one of "openai-compatible", "local"',
    ],
    [
      '{"models": {"../x": {}}}',
      '1:13 CONFIG_VALUE: a name in "models" must be 1 to 64 letters, digits, ".", "_" or "-"',
    ],
    [
      '{"models": {"m": {"provider": "anthropic", "model": "x", "apiKeyEnv": "sk-ant-secret"}}}',
      '1:71 CONFIG_VALUE: "models.m.apiKeyEnv" must be the name of an environment variable (put the key into the environment, never into this file)',
    ],
    [
      '{"models": {"m": {"provider": "anthropic", "model": "x", "price": {"input": -1, "output": 1}}}}',
      '1:77 CONFIG_VALUE: "models.m.price.input" is -1; it must be dollars for a million tokens, from 0 to 100000',
    ],
    [
      '{"models": {"m": {"provider": "anthropic", "model": "x", "price": {"input": 1}}}}',
      '1:67 CONFIG_VALUE: "models.m.price" has no "output"',
    ],
    [
      '{"models": {"m": {"provider": "anthropic", "model": "x", "price": {"input": 1, "output": "2"}}}}',
      '1:90 CONFIG_TYPE: "models.m.price.output" must be a number, not text',
    ],
    [
      '{"models": {"m": {"provider": "anthropic", "model": "x", "baseUrl": "http://a.example", "apiKeyEnv": "K"}}}',
      '1:69 CONFIG_VALUE: "models.m.baseUrl" would send a key over plain http (use https, or remove apiKeyEnv)',
    ],
    [
      '{"models": {"m": {"provider": "anthropic", "model": "x", "baseUrl": "https://u:p@a.example/"}}}',
      '1:69 CONFIG_VALUE: "models.m.baseUrl" must be an http or https address without a user name',
    ],
    ['{"models": {"m": {"provider": "anthropic"}}}', '1:18 CONFIG_VALUE: "models.m" has no "model"'],
    [
      '{"mcpServers": {"s": {"command": "a", "url": "https://a.example"}}}',
      '1:22 CONFIG_VALUE: "mcpServers.s" needs either a "command" or a "url"',
    ],
    ...['mail__in', 'mail_', 'mcp'].map(
      (name) =>
        [
          `{"mcpServers": {"${name}": {"command": "a"}}}`,
          '1:17 CONFIG_VALUE: a name in "mcpServers" must not be "mcp", hold "__" or end with "_": tools are called server__tool',
        ] as [string, string],
    ),
    [
      '{"mcpServers": {"s": {"url": null}}}',
      '1:22 CONFIG_VALUE: "mcpServers.s" needs either a "command" or a "url"',
    ],
    [
      '{"mcpServers": {"s": {"url": "https://a.example:99999/"}}}',
      '1:30 CONFIG_VALUE: "mcpServers.s.url" has a port that cannot exist (ports are 1 to 65535)',
    ],
    [
      '{"mcpServers": {"s": {"url": "https://a..example/"}}}',
      '1:30 CONFIG_VALUE: "mcpServers.s.url" has no valid host name',
    ],
    [
      '{"mcpServers": {"s": {"url": "https://[1::2::3]/"}}}',
      '1:30 CONFIG_VALUE: "mcpServers.s.url" has no valid host name',
    ],
    [
      '{"mcpServers": {"s": {"url": "https://256.1.1.1/"}}}',
      '1:30 CONFIG_VALUE: "mcpServers.s.url" has no valid host name',
    ],
    [
      '{"mcpServers": {"s": {"command": "a", "args": ["\\u001b[2J"]}}}',
      '1:48 CONFIG_VALUE: "mcpServers.s.args[0]" holds control or invisible characters',
    ],
    [
      '{"mcpServers": {"s": {"command": "a", "env": {"A": 1}}}}',
      '1:52 CONFIG_TYPE: "mcpServers.s.env.A" must be text, not a number',
    ],
    [
      '{"mcpServers": {"s": {"url": "http://a.example/", "headers": {"Authorization": "Bearer ${T}"}}}}',
      '1:30 CONFIG_VALUE: "mcpServers.s.url" would send a key over plain http (use https, or remove headers)',
    ],
    [
      '{"mcpServers": {"s": {"url": "https://a.example/", "headers": {"a b": "c"}}}}',
      '1:64 CONFIG_VALUE: a name in "mcpServers.s.headers" is not a name of a header',
    ],
    [
      '{"mcpServers": {"s": {"command": "a", "args": "x"}}}',
      '1:47 CONFIG_TYPE: "mcpServers.s.args" must be a list of texts, not text',
    ],
  ];
  for (const [text, fault] of refused) {
    it(`refuses ${text}`, () => {
      const { values, faults } = read(text);
      expect(faults).toEqual([fault]);
      expect(
        Object.values(values)
          .map(withoutFaults)
          .every((value) => JSON.stringify(value) === '{}'),
      ).toBe(true);
    });
  }

  it.each(['my local', 'default ', '', 'a/b', 'x'.repeat(65)])(
    'keeps a model whose name %j is at fault as one that may have been any',
    (name) => {
      const misnamed = (key: string): Json => ({
        [name]: {
          fault: `a name in "${key}" must be 1 to 64 letters, digits, ".", "_" or "-"`,
          hint: null,
          misnamed: true,
        },
      });
      const entry = { provider: 'openai-compatible', model: 'm', baseUrl: 'http://127.0.0.1:9/v1' };
      expect(
        read(JSON.stringify({ models: { [name]: entry }, match: { embeddings: { [name]: entry } } })).values,
      ).toEqual({ models: misnamed('models'), 'match.embeddings': misnamed('match.embeddings') });
      expect(read(JSON.stringify({ models: { [name]: null } })).values).toEqual({
        models: misnamed('models'),
      });
    },
  );

  it('keeps one that stands for all models where nothing that names them can be read', () => {
    const kept = (text: string): readonly string[] =>
      Object.entries(read(text).values).flatMap(([key, value]) =>
        Object.entries(value as { [name: string]: { fault?: string; misnamed?: true } }).map(
          ([name, { fault, misnamed }]) =>
            `${key} ${JSON.stringify(name)}${misnamed === true ? ` ${fault}` : ''}`,
        ),
      );
    expect(kept('{"models": []}')).toEqual(['models "" "models" must be an object of names, not a list']);
    expect(kept('{"models": null}')).toEqual(['models "" "models" must be an object of names, not null']);
    expect(kept('{"Models": {"a": {}}}')).toEqual(['models "" "Models" is not a known key']);
    expect(kept('{"model": {}, "models": {"a": {"provider": "anthropic", "model": "m"}}}')).toEqual([
      'models "a"',
      'models "" "model" is not a known key',
    ]);
    expect(kept('{"models": {"__proto__": {}}}')).toEqual([
      'models "" a name in "models" is not allowed and was dropped',
    ]);
    expect(kept('{"match": {"Embeddings": {}}}')).toEqual([
      'match.embeddings "" "Embeddings" is not a known key in "match"',
    ]);
    expect(kept('{"match": {"embeddings": "local"}}')).toEqual([
      'match.embeddings "" "match.embeddings" must be an object of names, not text',
    ]);
    for (const text of ['{"match": 1}', '{"Match": {}}'])
      expect(kept(text)).toEqual([expect.stringMatching(/^match\.embeddings "" "/)]);
    for (const text of ['{"models": {}', '[]', '{"models": {"a": local}}'])
      expect(kept(text)).toEqual([
        expect.stringMatching(/^models "" ./),
        expect.stringMatching(/^match\.embeddings "" ./),
      ]);
    // What says nothing about models leaves them alone.
    for (const text of [
      '',
      '{}',
      '{"zzz": 1}',
      '{"roots": 1}',
      '{"mcpServers": {"a b": {}}}',
      '{"match": {"leastConfidence": "high"}}',
    ])
      expect(kept(text)).toEqual([]);
  });

  it('keeps the first fault of a model in its place, and never half of it', () => {
    const misspelt =
      '{"models": {"m": {"provider": "openai-compatible", "baseURL": "http://127.0.0.1:9/v1", "model": "m", "price": 3}}}';
    expect(read(misspelt)).toEqual({
      values: {
        models: {
          m: { fault: '"baseURL" is not a known key in "models.m"', hint: 'did you mean "baseUrl"?' },
        },
      },
      faults: [
        '1:52 CONFIG_UNKNOWN_KEY: "baseURL" is not a known key in "models.m" (did you mean "baseUrl"?)',
        '1:111 CONFIG_TYPE: "models.m.price" must be an object such as {"input": 3, "output": 15}, not a number',
      ],
    });
    expect(
      read('{"models": {"m": "gpt"}, "match": {"embeddings": {"e": {"provider": "local"}}}}').values,
    ).toEqual({
      models: { m: { fault: '"models.m" must be an object, or null to remove it, not text', hint: null } },
      'match.embeddings': { e: { fault: '"match.embeddings.e" has no "model"', hint: null } },
    });
  });

  it('keeps the good items of a list and points at the others', () => {
    expect(
      read('{"trust": {"folders": ["/ok", "../up", "~/a/../..", "", "rel", "/a\\u001b[2J", 7, "/ok"]}}'),
    ).toEqual({
      values: { 'trust.folders': ['/ok'] },
      faults: [
        '1:31 CONFIG_VALUE: "trust.folders[1]" must not hold ".." (write the whole path)',
        '1:40 CONFIG_VALUE: "trust.folders[2]" must not hold ".." (write the whole path)',
        '1:53 CONFIG_VALUE: "trust.folders[3]" is empty',
        '1:57 CONFIG_VALUE: "trust.folders[4]" must be an absolute path or start with "~/"',
        '1:64 CONFIG_VALUE: "trust.folders[5]" holds control or invisible characters',
        '1:79 CONFIG_TYPE: "trust.folders[6]" must be text, not a number',
      ],
    });
  });

  it('checks the items of each list by what they are', () => {
    expect(
      read(
        '{"commands": {"environment": ["CI", "A-B", "LD_PRELOAD"]}, "sandbox": {"network": ["*", "**"], "readRoots": ["~/x", "tools"]}}',
      ),
    ).toEqual({
      values: { 'commands.environment': ['CI'], 'sandbox.network': ['*'], 'sandbox.readRoots': ['~/x'] },
      faults: [
        '1:37 CONFIG_VALUE: "commands.environment[1]" is not a name of an environment variable',
        '1:44 CONFIG_VALUE: "commands.environment[2]" changes how programs are loaded, so it is never passed on',
        '1:89 CONFIG_VALUE: "sandbox.network[1]" must be a domain, such as "example.org" or "*.example.org", or "*" for every one',
        '1:117 CONFIG_VALUE: "sandbox.readRoots[1]" must be an absolute path or start with "~/"',
      ],
    });
  });

  it('refuses to leave the workspace by a relative path', () => {
    expect(read('{"roots": {"workspace": ["skills", "../../etc"]}}')).toEqual({
      values: { 'roots.workspace': ['skills'] },
      faults: [
        '1:36 CONFIG_VALUE: "roots.workspace[1]" must not hold ".." (write an absolute path for a folder outside the workspace)',
      ],
    });
  });

  it('refuses huge texts and huge lists', () => {
    expect(read(`{"commands": {"allow": ["${'a'.repeat(5000)}"]}}`).faults).toEqual([
      '1:25 CONFIG_VALUE: "commands.allow[0]" has 5000 characters; the limit is 4096',
    ]);
    expect(read(`{"commands": {"allow": [${'"a",'.repeat(1001)}]}}`).faults).toEqual([
      '1:24 CONFIG_VALUE: "commands.allow" has 1001 items; the limit is 1000',
    ]);
  });

  it('gives every key one fault, and no value, for each wrong type', () => {
    for (const key of configKeys) {
      for (const wrong of [{ deep: [] }, [[1]], 'x\u0000', -1, 1e300, true, null] as readonly Json[]) {
        const [group, leaf] = key.path.split('.') as [string, string | undefined];
        const text = JSON.stringify(leaf === undefined ? { [group]: wrong } : { [group]: { [leaf]: wrong } });
        const { values, faults } = read(text);
        const value = withoutFaults(values[key.path]);
        const expected = faults.length === 0 ? [JSON.stringify(wrong)] : [undefined, '[]', '{}'];
        expect([key.path, expected.includes(JSON.stringify(value))]).toEqual([key.path, true]);
      }
    }
  });
});
