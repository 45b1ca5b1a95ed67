import { describe, expect, it } from 'vitest';
import { readFields } from '../../../test/support/skill-texts.ts';

describe('readRequires', () => {
  it.each([
    [
      'requires:\n  bins: [git, jq]\n  anyBins: [rg, grep]\n  env: TOKEN, KEY\n  envAny: [A, B]\n  config: [a.b]\n  os: [macos]\n  tools: [Read]\n  toolsets: [web]\n  skills: [ebb]',
      {
        bins: ['git', 'jq'],
        anyBins: [['rg', 'grep']],
        env: ['TOKEN', 'KEY'],
        anyEnv: [['A', 'B']],
        config: ['a.b'],
        os: ['darwin'],
        tools: ['Read', 'web'],
        skills: ['ebb'],
      },
      [],
    ],
    [
      'requires:\n  commands: git\n  any_bins: [[a, b], [c]]\n  env_any: X',
      { bins: ['git'], anyBins: [['a', 'b'], ['c']], anyEnv: [['X']] },
      [],
    ],
    ['requires: [git]', null, ['FIELD_TYPE 4:11']],
    ['requires: Python 3', null, ['FIELD_TYPE 4:11']],
    ['requires: {}', null, []],
    [
      'requires:\n  bin: git\n  bnis: [x]\n  weather: good',
      { bins: ['git'] },
      ['FIELD_MISSPELT 6:3', 'FIELD_UNKNOWN 7:3'],
    ],
    ['requires:\n  bins: {git: 1}', null, ['FIELD_TYPE 5:9']],
    ['prerequisites:\n  commands: [ffmpeg]\n  env_vars: [KEY]', { bins: ['ffmpeg'], env: ['KEY'] }, []],
    ['prerequisites: Python 3.10 or later', null, []],
    [
      'requires:\n  bins: ["node >= 18", "jq (1.6+)", "Python 3.10 or later", "rg or grep", "uv@0.4", "cargo (optional)", "git (required)"]',
      {
        bins: ['node', 'jq', 'uv', 'git'],
        anyBins: [
          ['python3', 'python'],
          ['rg', 'grep'],
        ],
      },
      [
        'REQUIREMENT_VERSION 5:10',
        'REQUIREMENT_VERSION 5:24',
        'REQUIREMENT_VERSION 5:37',
        'REQUIREMENT_VERSION 5:75',
      ],
    ],
    [
      'requires:\n  env:\n    - KEY (optional)\n    - optional - EXTRA\n    - $TOKEN\n    - A | B\n    - the key of your account\n    - NOT_OPTIONAL\n  anyEnv: [X, "Y (optional)"]',
      { env: ['TOKEN', 'NOT_OPTIONAL'], anyEnv: [['A', 'B']] },
      ['REQUIREMENT_UNCLEAR 10:7'],
    ],
    [
      'requires:\n  config: ["~/.config/x", "$HOME/.y", /etc/z.toml, a.b, "a file with keys", "~/../x"]',
      { config: ['~/.config/x', '~/.y', '/etc/z.toml', 'a.b'] },
      ['REQUIREMENT_UNCLEAR 5:57', 'REQUIREMENT_UNCLEAR 5:77'],
    ],
    [
      'requires:\n  bins: [a modern browser, "@scope/tool"]\n  anyBins: [[rg, any other search], [a, b]]\n  skills: [ebb, "flow (optional)"]',
      { anyBins: [['a', 'b']], skills: ['ebb'] },
      ['REQUIREMENT_UNCLEAR 5:10', 'REQUIREMENT_UNCLEAR 5:28', 'REQUIREMENT_UNCLEAR 6:13'],
    ],
    ['platforms: [Linux, mac, osx, win, win32, windows]', { os: ['linux', 'darwin', 'win32'] }, []],
    ['platforms: macos, beos', { os: ['darwin'] }, ['FIELD_VALUE 4:12']],
    ['platforms: all', null, []],
    ['platforms: [cursor, Claude-Code]\nrequires: {mcp: [github]}', null, []],
    ['os: unix', { os: ['linux', 'darwin'] }, []],
    [
      'required_environment_variables:\n  - name: KEY\n    prompt: Your key\n  - name: EXTRA\n    optional: true\n  - OTHER',
      { env: ['KEY', 'OTHER'] },
      [],
    ],
    ['skills: [ebb, flow]', { skills: ['ebb', 'flow'] }, []],
    ['dependencies: [pandas, "skill:ebb", {skill: flow}]', { skills: ['ebb', 'flow'] }, []],
    ['dependencies:\n  skills: [ebb]\n  python: ">=3.8"', { skills: ['ebb'] }, []],
    [
      'chain: [ebb, {skill: flow}, {id: x, skill: ebb}, "{{ inputs.skill }}"]',
      { skills: ['ebb', 'flow'] },
      [],
    ],
    ['chain:\n  steps:\n    - skill: flow\nrequires:\n  skills: [ebb]', { skills: ['ebb', 'flow'] }, []],
    ['kind: meta\ncomposition:\n  steps:\n    - id: a\n      skill: ebb', null, []],
    ['install: brew install tide', { installHints: ['brew install tide'] }, []],
    [
      'metadata:\n  openclaw:\n    os: [darwin, linux]\n    requires: {bins: [a], anyBins: [b, c], env: [D], config: [e]}\n    install: [{id: x, kind: brew, formula: a, bins: [a], label: Install a}, {kind: node, package: b}]',
      {
        bins: ['a'],
        anyBins: [['b', 'c']],
        env: ['D'],
        config: ['e'],
        os: ['darwin', 'linux'],
        installHints: ['Install a: brew install a', 'npm install --global b'],
      },
      [],
    ],
    [
      'metadata:\n  clawdis: {requires: {bins: [a]}}\n  moltbot: {requires: {bins: [a, b]}}\n  platform: {requires: {commands: [c]}}',
      { bins: ['a', 'b', 'c'] },
      [],
    ],
    [
      'metadata:\n  hermes: {requires_tools: [web_search], requires_toolsets: [web]}',
      { tools: ['web_search', 'web'] },
      [],
    ],
    ['metadata:\n  openclaw: {requires: {env: [{name: A}, {name: B, required: false}]}}', { env: ['A'] }, []],
    ['metadata:\n  openclaw: {requires: [a]}', null, ['FIELD_TYPE 5:24']],
  ])('reads %j', (lines, expected, faults) => {
    const reading = readFields(lines);
    const empty = {
      bins: [],
      anyBins: [],
      env: [],
      anyEnv: [],
      config: [],
      os: [],
      tools: [],
      skills: [],
      installHints: [],
    };
    expect(reading.head.requires).toEqual(expected === null ? null : { ...empty, ...expected });
    expect(reading.faults).toEqual(faults);
  });
});

describe('readInstallHints', () => {
  it.each([
    ['{kind: go, module: example.org/x@latest}', ['go install example.org/x@latest']],
    ['{kind: uv, package: x}', ['uv tool install x']],
    ['{kind: brew, cask: x}', ['brew install --cask x']],
    ['{kind: download, url: "https://example.org/x"}', ['download https://example.org/x']],
    ['{kind: pip, package: x}', ['pip install x']],
    ['{macos: brew install x, linux: apt install x}', ['macos: brew install x', 'linux: apt install x']],
    ['[{label: By hand}, x]', ['By hand', 'x']],
  ])('turns %s into lines for a person', (value, hints) => {
    expect(readFields(`install: ${value}`).head.requires?.installHints).toEqual(hints);
  });
});

describe('readEdges', () => {
  it.each([
    [
      '[prerequisite, leads_to]',
      [
        { type: 'prerequisite', target: null },
        { type: 'leads_to', target: null },
      ],
      [],
    ],
    [
      'prerequisite, leads_to',
      [
        { type: 'prerequisite', target: null },
        { type: 'leads_to', target: null },
      ],
      [],
    ],
    [
      '[{type: part_of, target: project}, {relation: x}]',
      [
        { type: 'part_of', target: 'project' },
        { type: 'x', target: null },
      ],
      [],
    ],
    [
      '{part_of: project, similar_to: [a, b], leads_to: }',
      [
        { type: 'part_of', target: 'project' },
        { type: 'similar_to', target: 'a' },
        { type: 'similar_to', target: 'b' },
        { type: 'leads_to', target: null },
      ],
      [],
    ],
    ['[[a]]', [], ['FIELD_TYPE 4:19']],
  ])('reads suggested_edges: %s', (value, edges, faults) => {
    const reading = readFields(`suggested_edges: ${value}`);
    expect([reading.head.suggestedEdges, reading.faults]).toEqual([edges, faults]);
  });
});
