import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../base/diagnostic.ts';
import { collectInto } from '../base/diagnostic.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { isJsonObject } from '../base/json.ts';
import { configSchema } from './config-schema.ts';
import { configKeys } from './keys.ts';
import { defaultConfig, mergeConfig } from './merge-config.ts';
import { parseConfig } from './read-config.ts';

const sonnet = { provider: 'anthropic', baseUrl: null, model: 'm', apiKeyEnv: 'KEY' };
const stolen = { ...sonnet, baseUrl: 'https://evil.example' };
const small = { ...sonnet, provider: 'openai-compatible' };
const stolenSmall = { ...stolen, provider: 'openai-compatible' };
const takenAway = (name: string): Json => ({
  fault: `"${name}" is null in "workspace", a workspace that is not trusted; nothing is asked in its place`,
  hint: 'trust the workspace with "techne trust", or name who answers',
});
const localWeights = { provider: 'local', baseUrl: null, model: 'evil', apiKeyEnv: null };
const server = { command: 'srv', args: [], env: {}, url: null };
const written = { command: 'srv' };

interface Case {
  readonly user: Json;
  readonly workspace: Json;
  readonly expected: Json;
  /** Whether the workspace tried to widen, and was told so. */
  readonly told: boolean;
}

/** For every security key: what a workspace that is not trusted gets when it widens, and when it narrows. */
const cases: { readonly [path: string]: readonly Case[] } = {
  'proposals.enabled': [
    { user: false, workspace: true, expected: false, told: true },
    { user: true, workspace: false, expected: false, told: false },
  ],
  'proposals.autoEnable.enabled': [
    { user: false, workspace: true, expected: false, told: true },
    { user: true, workspace: false, expected: false, told: false },
  ],
  'proposals.autoEnable.maxRisk': [
    { user: 'low', workspace: 'high', expected: 'low', told: true },
    { user: 'high', workspace: 'medium', expected: 'medium', told: false },
  ],
  'proposals.autoEnable.capabilities': [
    { user: [], workspace: ['shell'], expected: [], told: true },
    { user: ['shell', 'network-read'], workspace: ['shell'], expected: ['shell'], told: false },
  ],
  'proposals.autoEnable.from': [
    { user: ['person'], workspace: ['person', 'agent'], expected: ['person'], told: true },
    { user: ['person', 'agent'], workspace: ['person'], expected: ['person'], told: false },
  ],
  'proposals.autoEnable.kinds': [
    { user: ['edit'], workspace: ['edit', 'delete'], expected: ['edit'], told: true },
    { user: ['create', 'edit'], workspace: ['edit'], expected: ['edit'], told: false },
  ],
  'proposals.autoEnable.folders': [
    { user: ['~/a'], workspace: ['~/a', '~/b'], expected: ['~/a'], told: true },
    { user: ['~/a', '~/b'], workspace: ['~/b'], expected: ['~/b'], told: false },
  ],
  'proposals.autoEnable.perDay': [
    { user: 1, workspace: 100, expected: 1, told: true },
    { user: 3, workspace: 0, expected: 0, told: false },
  ],
  'proposals.autoEnable.quarantineMinutes': [
    { user: 60, workspace: 0, expected: 60, told: true },
    { user: 60, workspace: 120, expected: 120, told: false },
  ],
  'roots.user': [
    { user: ['/a'], workspace: ['/a', '/evil'], expected: ['/a'], told: true },
    { user: ['/a', '/b'], workspace: ['/b'], expected: ['/b'], told: false },
  ],
  'roots.workspace': [
    { user: [], workspace: ['vendor/skills'], expected: [], told: true },
    { user: ['a', 'b'], workspace: ['b'], expected: ['b'], told: false },
  ],
  'roots.plugin': [
    { user: ['/p'], workspace: ['/q'], expected: [], told: true },
    { user: ['/p'], workspace: [], expected: [], told: false },
  ],
  'roots.builtin': [
    { user: false, workspace: true, expected: false, told: true },
    { user: true, workspace: false, expected: false, told: false },
  ],
  'roots.hosts': [
    { user: false, workspace: true, expected: false, told: true },
    { user: true, workspace: false, expected: false, told: false },
  ],
  precedence: [
    { user: 'claude', workspace: 'default', expected: 'claude', told: true },
    { user: 'default', workspace: 'claude', expected: 'claude', told: false },
    {
      user: 'default',
      workspace: ['plugin', 'builtin', 'user', 'workspace'],
      expected: 'default',
      told: true,
    },
    {
      user: 'default',
      workspace: ['workspace', 'builtin', 'plugin', 'user'],
      expected: ['workspace', 'builtin', 'plugin', 'user'],
      told: false,
    },
  ],
  loading: [
    { user: 'strict', workspace: 'lenient', expected: 'strict', told: true },
    { user: 'lenient', workspace: 'strict', expected: 'strict', told: false },
  ],
  'guard.onRead': [
    { user: 'refuse', workspace: 'off', expected: 'refuse', told: true },
    { user: 'warn', workspace: 'refuse-caution', expected: 'refuse-caution', told: false },
  ],
  'guard.onRun': [
    { user: 'refuse', workspace: 'warn', expected: 'refuse', told: true },
    { user: 'refuse', workspace: 'refuse-incomplete', expected: 'refuse-incomplete', told: false },
  ],
  'skills.disabled': [
    { user: ['a'], workspace: [], expected: ['a'], told: false },
    { user: ['a'], workspace: ['b'], expected: ['a', 'b'], told: false },
  ],
  'skills.tools': [
    { user: ['a'], workspace: null, expected: ['a'], told: true },
    { user: ['a'], workspace: ['a', 'b'], expected: ['a'], told: true },
    { user: null, workspace: ['b'], expected: ['b'], told: false },
    { user: ['a', 'b'], workspace: ['b'], expected: ['b'], told: false },
  ],
  'skills.config': [
    { user: [], workspace: ['token'], expected: [], told: true },
    { user: ['a', 'b'], workspace: ['b'], expected: ['b'], told: false },
  ],
  'index.budgetTokens': [
    { user: 100, workspace: 1_000_000, expected: 100, told: true },
    { user: 100, workspace: 50, expected: 50, told: false },
  ],
  'chat.contextTokens': [
    { user: 3000, workspace: 9000, expected: 3000, told: true },
    { user: 3000, workspace: 2500, expected: 2500, told: false },
  ],
  'mcp.activationLimits': [
    { user: 'always', workspace: 'never', expected: 'always', told: true },
    { user: 'never', workspace: 'stdio', expected: 'stdio', told: false },
  ],
  'mcp.questionDays': [
    { user: 10, workspace: 90, expected: 10, told: true },
    { user: 10, workspace: 5, expected: 5, told: false },
  ],
  'prompt.turnTokens': [
    { user: 100, workspace: 900, expected: 100, told: true },
    { user: 100, workspace: 50, expected: 50, told: false },
  ],
  'prompt.preloadTokens': [
    { user: 100, workspace: 900, expected: 100, told: true },
    { user: 100, workspace: 50, expected: 50, told: false },
  ],
  'prompt.eagerSkills': [
    { user: 2, workspace: 18, expected: 2, told: true },
    { user: 2, workspace: 1, expected: 1, told: false },
  ],
  'prompt.eagerTokens': [
    { user: 100, workspace: 900, expected: 100, told: true },
    { user: 100, workspace: 50, expected: 50, told: false },
  ],
  'prompt.activations': [
    { user: 2, workspace: 18, expected: 2, told: true },
    { user: 2, workspace: 1, expected: 1, told: false },
  ],
  'prompt.warnTokens': [
    { user: 100, workspace: 900, expected: 100, told: true },
    { user: 100, workspace: 50, expected: 50, told: false },
  ],
  'prompt.capTokens': [
    { user: 100, workspace: 900, expected: 100, told: true },
    { user: 100, workspace: 50, expected: 50, told: false },
  ],
  'prompt.preload': [
    { user: ['a'], workspace: ['a', 'evil'], expected: ['a'], told: true },
    { user: ['a', 'always'], workspace: ['a'], expected: ['a'], told: false },
  ],
  'prompt.disclosure': [
    { user: 'on-demand', workspace: 'eager', expected: 'on-demand', told: true },
    { user: 'eager', workspace: 'on-demand', expected: 'on-demand', told: false },
  ],
  'watch.debounceMs': [
    { user: 100, workspace: 0, expected: 100, told: true },
    { user: 100, workspace: 200, expected: 200, told: false },
  ],
  'watch.pollMs': [
    { user: 2000, workspace: 100, expected: 2000, told: true },
    { user: 2000, workspace: 3000, expected: 3000, told: false },
  ],
  'limits.depth': [
    { user: 3, workspace: 9, expected: 3, told: true },
    { user: 3, workspace: 2, expected: 2, told: false },
  ],
  'limits.files': [
    { user: 10, workspace: 11, expected: 10, told: true },
    { user: 10, workspace: 9, expected: 9, told: false },
  ],
  'limits.bytes': [
    { user: 10, workspace: 11, expected: 10, told: true },
    { user: 10, workspace: 9, expected: 9, told: false },
  ],
  'runs.expireDays': [
    { user: 30, workspace: 1, expected: 30, told: true },
    { user: 30, workspace: 30, expected: 30, told: false },
  ],
  'runs.store': [
    { user: 'files', workspace: 'postgres://other@db/runs', expected: 'files', told: true },
    {
      user: 'postgres://me@db/runs',
      workspace: 'postgres://me@db/runs',
      expected: 'postgres://me@db/runs',
      told: false,
    },
  ],
  'execution.policy': [
    { user: 'off', workspace: 'trusted', expected: 'off', told: true },
    { user: 'trusted', workspace: 'off', expected: 'off', told: false },
  ],
  'metaskills.enabled': [
    { user: false, workspace: true, expected: false, told: true },
    { user: true, workspace: false, expected: false, told: false },
  ],
  'trust.folders': [
    { user: ['/mine'], workspace: ['/mine', '/'], expected: ['/mine'], told: true },
    { user: ['/mine'], workspace: [], expected: [], told: false },
  ],
  'commands.allow': [
    { user: ['git status'], workspace: ['git status', '*'], expected: ['git status'], told: true },
    { user: ['git status', 'ls *'], workspace: ['ls *'], expected: ['ls *'], told: false },
  ],
  'commands.deny': [
    { user: ['rm *'], workspace: [], expected: ['rm *'], told: false },
    { user: ['rm *'], workspace: ['mv *'], expected: ['rm *', 'mv *'], told: false },
  ],
  'commands.environment': [
    { user: ['LANG'], workspace: ['LANG', 'SECRET'], expected: ['LANG'], told: true },
    { user: ['A', 'B'], workspace: ['B'], expected: ['B'], told: false },
  ],
  'tools.allow': [
    { user: ['memory_save'], workspace: ['memory_save', '*'], expected: ['memory_save'], told: true },
    { user: ['memory_save', 'github__*'], workspace: ['github__*'], expected: ['github__*'], told: false },
  ],
  'tools.deny': [
    { user: ['write_file'], workspace: [], expected: ['write_file'], told: false },
    { user: ['write_file'], workspace: ['github__*'], expected: ['write_file', 'github__*'], told: false },
  ],
  'sandbox.mode': [
    { user: 'auto', workspace: 'off', expected: 'auto', told: true },
    { user: 'required', workspace: 'auto', expected: 'required', told: true },
    { user: 'auto', workspace: 'required', expected: 'required', told: false },
  ],
  'sandbox.readRoots': [
    { user: ['/tools'], workspace: ['/tools', '/root'], expected: ['/tools'], told: true },
    { user: ['/tools'], workspace: [], expected: [], told: false },
  ],
  'sandbox.writeRoots': [
    { user: ['out'], workspace: ['out', '/home'], expected: ['out'], told: true },
    { user: ['out'], workspace: [], expected: [], told: false },
  ],
  'sandbox.network': [
    { user: ['a.example'], workspace: ['evil.example'], expected: [], told: true },
    { user: ['a.example', 'b.example'], workspace: ['b.example'], expected: ['b.example'], told: false },
    { user: [], workspace: ['*'], expected: [], told: true },
  ],
  'sandbox.processes': [
    { user: 100, workspace: 101, expected: 100, told: true },
    { user: 100, workspace: 99, expected: 99, told: false },
  ],
  'sandbox.memoryMiB': [
    { user: 100, workspace: 101, expected: 100, told: true },
    { user: 100, workspace: 99, expected: 99, told: false },
  ],
  models: [
    { user: { big: sonnet }, workspace: { big: stolen }, expected: { big: sonnet }, told: true },
    { user: { big: sonnet }, workspace: { other: stolen }, expected: { big: sonnet }, told: true },
    {
      user: { big: sonnet },
      workspace: { big: null },
      expected: { big: takenAway('models.big') },
      told: true,
    },
  ],
  'match.leastConfidence': [
    { user: 60, workspace: 10, expected: 60, told: true },
    { user: 60, workspace: 90, expected: 90, told: false },
  ],
  'match.embeddings': [
    { user: { near: small }, workspace: { near: stolenSmall }, expected: { near: small }, told: true },
    { user: {}, workspace: { near: stolenSmall }, expected: {}, told: true },
    // It would load a package.
    { user: {}, workspace: { near: localWeights }, expected: {}, told: true },
    {
      user: { near: small },
      workspace: { near: null },
      expected: { near: takenAway('match.embeddings.near') },
      told: true,
    },
  ],
  'hub.install': [
    { user: 'ask', workspace: 'pinned', expected: 'ask', told: true },
    { user: 'ask', workspace: 'off', expected: 'off', told: false },
  ],
  'hub.allowHosts': [
    { user: ['git.corp.example'], workspace: ['10.0.0.1'], expected: [], told: true },
    { user: ['10.0.0.1', '::1'], workspace: ['::1'], expected: ['::1'], told: false },
  ],
  'webhooks.allowHosts': [
    { user: ['hooks.corp.example'], workspace: ['10.0.0.1'], expected: [], told: true },
    { user: ['10.0.0.1', '::1'], workspace: ['::1'], expected: ['::1'], told: false },
  ],
  'hub.indexes': [
    { user: ['https://a.example'], workspace: ['https://evil.example'], expected: [], told: true },
    { user: ['https://a.example', '~/hub'], workspace: ['~/hub'], expected: ['~/hub'], told: false },
  ],
  'hub.ssh': [
    { user: false, workspace: true, expected: false, told: true },
    { user: true, workspace: false, expected: false, told: false },
  ],
  'hub.npmRegistry': [
    { user: null, workspace: 'https://evil.example', expected: null, told: true },
    {
      user: 'https://npm.example',
      workspace: 'https://npm.example',
      expected: 'https://npm.example',
      told: false,
    },
  ],
  'hub.minimumAgeHours': [
    { user: 24, workspace: 0, expected: 24, told: true },
    { user: 24, workspace: 48, expected: 48, told: false },
  ],
  'graph.vault': [
    { user: null, workspace: '/home/reader', expected: null, told: true },
    { user: 'notes', workspace: 'notes', expected: 'notes', told: false },
  ],
  mcpServers: [
    { user: { s: written }, workspace: { s: { command: 'evil' } }, expected: { s: server }, told: true },
    { user: {}, workspace: { s: { command: 'evil' } }, expected: {}, told: true },
    { user: { s: written }, workspace: { s: null }, expected: {}, told: false },
  ],
};

function nested(path: string, value: Json): string {
  return JSON.stringify(path.split('.').reduceRight<Json>((inner, key) => ({ [key]: inner }), value));
}

function merge(
  path: string,
  user: Json,
  workspace: Json,
  trusted: boolean,
): { value: Json; codes: readonly string[] } {
  const faults: Diagnostic[] = [];
  const layers = [
    { layer: 'user', file: parseConfig(nested(path, user), 'user', collectInto(faults, 'user')) },
    {
      layer: 'workspace',
      file: parseConfig(nested(path, workspace), 'workspace', collectInto(faults, 'workspace')),
    },
  ] as const;
  const merged = mergeConfig(layers, trusted);
  return {
    value: merged.values.get(path) as Json,
    codes: [...faults, ...merged.diagnostics].map((fault) => fault.code),
  };
}

const securityKeys = configKeys.filter((key) => key.security);

describe('configKeys', () => {
  it('has a narrowing case for every security-relevant key, and only for those', () => {
    expect(Object.keys(cases).sort()).toEqual(securityKeys.map((key) => key.path).sort());
  });

  it('has a rule for narrowing beside every security-relevant key, and only there', () => {
    expect(configKeys.filter((key) => key.security !== (key.narrow !== null)).map((key) => key.path)).toEqual(
      [],
    );
  });

  for (const key of securityKeys) {
    for (const { user, workspace, expected, told } of cases[key.path] ?? []) {
      it(`lets an untrusted workspace turn ${key.path} from ${JSON.stringify(user)} by ${JSON.stringify(workspace)} into ${JSON.stringify(expected)} only`, () => {
        const { value, codes } = merge(key.path, user, workspace, false);
        expect({ value: JSON.parse(JSON.stringify(value)) as Json, codes }).toEqual({
          value: expected,
          codes: told ? ['CONFIG_NARROWED'] : [],
        });
      });
    }
  }

  it('lets a trusted workspace widen what an untrusted one may not', () => {
    expect(merge('sandbox.mode', 'required', 'off', true)).toEqual({ value: 'off', codes: [] });
    expect(merge('commands.allow', [], ['ls *'], true)).toEqual({ value: ['ls *'], codes: [] });
    expect(merge('models', {}, { big: sonnet }, true).value).toEqual({ big: sonnet });
  });

  it('never falls back on the model below one that has an error', () => {
    expect(
      merge('models', { big: sonnet }, { big: { ...sonnet, baseURL: 'http://127.0.0.1:9/v1' } }, true),
    ).toEqual({
      value: {
        big: { fault: '"baseURL" is not a known key in "models.big"', hint: 'did you mean "baseUrl"?' },
      },
      codes: ['CONFIG_UNKNOWN_KEY'],
    });
  });

  it('lets a name that is at fault stand beside the models below, and an untrusted workspace bring none', () => {
    const fault = 'a name in "models" must be 1 to 64 letters, digits, ".", "_" or "-"';
    expect(merge('models', { big: sonnet }, { 'b g': sonnet }, true)).toEqual({
      value: { big: sonnet, 'b g': { fault, hint: null, misnamed: true } },
      codes: ['CONFIG_VALUE'],
    });
    expect(merge('models', { big: sonnet }, { 'b g': sonnet }, false)).toEqual({
      value: { big: sonnet },
      codes: ['CONFIG_VALUE'],
    });
    expect(merge('models', { 'b g': sonnet }, { 'b g': null }, false)).toMatchObject({
      value: { 'b g': { fault } },
    });
  });

  it('lets even a trusted workspace add nothing to trust.folders', () => {
    expect(merge('trust.folders', ['/mine'], ['/mine', '/'], true)).toEqual({
      value: ['/mine'],
      codes: ['CONFIG_NARROWED'],
    });
  });

  it('never loses a denial, also of a trusted workspace', () => {
    expect(merge('commands.deny', ['rm *'], ['mv *'], true)).toEqual({ value: ['rm *', 'mv *'], codes: [] });
  });

  it('accepts its own defaults', () => {
    const faults: Diagnostic[] = [];
    for (const key of configKeys)
      parseConfig(nested(key.path, key.default), key.path, collectInto(faults, key.path));
    expect(faults).toEqual([]);
  });

  it('gives the whole configuration', () => {
    expect(defaultConfig()).toMatchInlineSnapshot(`
      {
        "cache": {
          "enabled": true,
        },
        "chat": {
          "contextTokens": 120000,
        },
        "commands": {
          "allow": [],
          "deny": [],
          "environment": [],
        },
        "execution": {
          "policy": "trusted",
        },
        "graph": {
          "folders": [],
          "vault": null,
        },
        "guard": {
          "onRead": "refuse",
          "onRun": "refuse",
        },
        "hub": {
          "allowHosts": [],
          "indexes": [],
          "install": "ask",
          "minimumAgeHours": 24,
          "npmRegistry": null,
          "ssh": false,
        },
        "index": {
          "budgetTokens": 4000,
        },
        "limits": {
          "bytes": 268435456,
          "depth": 6,
          "files": 10000,
        },
        "loading": "lenient",
        "match": {
          "embeddings": {},
          "leastConfidence": 40,
        },
        "mcp": {
          "activationLimits": "stdio",
          "questionDays": 30,
        },
        "mcpServers": {},
        "metaskills": {
          "enabled": true,
        },
        "models": {},
        "precedence": "default",
        "prompt": {
          "activations": 3,
          "capTokens": 30000,
          "disclosure": "on-demand",
          "eagerSkills": 3,
          "eagerTokens": 6000,
          "preload": [
            "always",
          ],
          "preloadTokens": 10000,
          "turnTokens": 1000,
          "warnTokens": 10000,
        },
        "proposals": {
          "autoEnable": {
            "capabilities": [],
            "enabled": false,
            "folders": [],
            "from": [
              "agent",
              "person",
              "learn",
              "curator",
            ],
            "kinds": [
              "create",
              "edit",
            ],
            "maxRisk": "low",
            "perDay": 3,
            "quarantineMinutes": 60,
          },
          "enabled": true,
        },
        "roots": {
          "builtin": true,
          "hosts": true,
          "plugin": [],
          "user": [],
          "workspace": [],
        },
        "runs": {
          "expireDays": 0,
          "store": null,
        },
        "sandbox": {
          "memoryMiB": 8192,
          "mode": "auto",
          "network": [],
          "processes": 4096,
          "readRoots": [],
          "writeRoots": [
            ".",
          ],
        },
        "skills": {
          "config": [],
          "disabled": [],
          "tools": null,
        },
        "tools": {
          "allow": [],
          "deny": [],
        },
        "trust": {
          "folders": [],
        },
        "watch": {
          "debounceMs": 100,
          "pollMs": 2000,
        },
        "webhooks": {
          "allowHosts": [],
        },
      }
    `);
  });
});

describe('configSchema', () => {
  it('describes every key', () => {
    const pathsIn = (properties: JsonObject, prefix: string): readonly string[] =>
      Object.entries(properties).flatMap(([name, schema]) =>
        isJsonObject(schema) && isJsonObject(schema.properties)
          ? pathsIn(schema.properties, `${prefix}${name}.`)
          : [prefix + name],
      );
    const described = pathsIn(configSchema().properties as JsonObject, '');
    expect(described).toEqual(['$schema', ...configKeys.map((key) => key.path)]);
  });
});
