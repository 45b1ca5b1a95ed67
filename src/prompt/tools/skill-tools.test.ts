// The items of S2's testing list under "Tools" and "Discovery & search", in its order, then what is built on them.
import { describe, expect, it } from 'vitest';
import { filesOf, loadSkills, matchOf, openSession, scriptedMatcher } from '../../../test/support/session.ts';
import { ToolFault } from '../../ports/tool.ts';
import { createSkillTools, skillToolNames } from './skill-tools.ts';

const library = {
  'pdf-processing': {
    description: 'Extract PDF text, fill forms, merge files. Use when handling PDFs.',
    body: '# PDF\n\nUse the tool.\n',
  },
  'workspace/pdf-redact': { description: 'Redact regions of PDFs by bbox.' },
  tides: { description: 'Say when the water is high.' },
};

describe('skill_search', () => {
  it('returns substring matches, those in the name first, with metadata', async () => {
    const { call } = await openSession(library);
    expect(await call('skill_search', { query: 'pdf' })).toEqual({
      ok: true,
      text: [
        "Skills matching 'pdf' (2):",
        '- pdf-processing [global] — Extract PDF text, fill forms, merge files. Use when handling PDFs.',
        '- pdf-redact [workspace] — Redact regions of PDFs by bbox.',
      ].join('\n'),
      hint: null,
      metadata: {
        query: 'pdf',
        result_count: 2,
        result_names: ['pdf-processing', 'pdf-redact'],
        result_sources: { 'pdf-processing': 'user', 'pdf-redact': 'workspace' },
      },
    });
  });

  it('ranks a match in the name above one in the description', async () => {
    const { call } = await openSession({
      a: { description: 'About moons.' },
      moons: { description: 'Nothing.' },
    });
    expect((await call('skill_search', { query: ' MOONS ' })).metadata['result_names']).toEqual([
      'moons',
      'a',
    ]);
  });

  it('lists by name, up to the limit, when the query is empty', async () => {
    const { call } = await openSession(library);
    expect((await call('skill_search', { query: ' ' })).metadata['result_names']).toEqual([
      'pdf-processing',
      'pdf-redact',
      'tides',
    ]);
    expect((await call('skill_search', { query: '', limit: 2 })).metadata['result_names']).toEqual([
      'pdf-processing',
      'pdf-redact',
    ]);
  });

  it('keeps the limit, and refuses one outside 1 to 50', async () => {
    const { call } = await openSession(library);
    expect((await call('skill_search', { query: 'pdf', limit: 1 })).metadata['result_count']).toBe(1);
    expect((await call('skill_search', { query: 'pdf', limit: 0 })).text).toBe(
      'the call.limit must be at least 1, not 0',
    );
    expect((await call('skill_search', { query: 'pdf', limit: 51 })).text).toBe(
      'the call.limit must be at most 50, not 51',
    );
  });

  it('says so when nothing matches', async () => {
    const { call } = await openSession(library);
    expect(await call('skill_search', { query: 'whales' })).toMatchObject({
      ok: true,
      text: "No skills matched 'whales'.",
      metadata: { query: 'whales', result_count: 0, result_names: [] },
    });
    expect((await call('skill_search', { query: "it's" })).text).toBe('No skills matched "it\'s".');
  });

  it('tells what only the ranker finds apart, behind the hits, and nothing twice', async () => {
    const matcher = scriptedMatcher({
      pdf: { matches: [matchOf('tides'), matchOf('pdf-redact')], candidates: [matchOf('gone')] },
      whales: { matches: [matchOf('tides')], candidates: [] },
    });
    const { call } = await openSession(library, { matcher });
    const found = await call('skill_search', { query: 'pdf' });
    expect(found.metadata).toMatchObject({
      result_count: 2,
      result_names: ['pdf-processing', 'pdf-redact'],
      related_names: ['tides'],
    });
    expect(found.text.split('\n').map((line) => line.split(' — ')[0])).toEqual([
      "Skills matching 'pdf' (2):",
      '- pdf-processing [global]',
      '- pdf-redact [workspace]',
      'Related skills, without these words (1):',
      expect.stringMatching(/^- tides /),
    ]);
    const cut = await call('skill_search', { query: 'pdf', limit: 2 });
    expect(cut.metadata).not.toHaveProperty('related_names');
    const related = await call('skill_search', { query: 'whales' });
    expect(related.text).toMatch(
      /^No skills matched 'whales'\.\nRelated skills, without these words \(1\):\n- tides /,
    );
    expect(related.metadata).toMatchObject({ result_count: 0, result_names: [], related_names: ['tides'] });
  });

  it('puts a word in another form behind the word itself', async () => {
    const { call } = await openSession({
      plant: { description: 'Waters it.' },
      zoo: { description: 'About plants.' },
    });
    const { metadata } = await call('skill_search', { query: 'plants' });
    expect([metadata['result_names'], metadata['related_names']]).toEqual([['zoo'], ['plant']]);
  });

  it('emits no event', async () => {
    const { call, loaded } = await openSession(library);
    await call('skill_search', { query: 'pdf' });
    expect(loaded).toEqual([]);
  });
});

describe('the query of skill_search', () => {
  it('is short, and so is what is said back of it', async () => {
    const { call } = await openSession(library);
    expect(await call('skill_search', { query: 'a '.repeat(1_000_000) })).toMatchObject({
      ok: false,
      text: 'the call.query must have at most 4000 characters, not 2000000',
    });
    const { ok, text } = await call('skill_search', { query: 'zz'.repeat(1000) });
    expect([ok, text]).toEqual([true, `No skills matched '${'z'.repeat(199)}…'.`]);
  });
});

describe('skill_load', () => {
  it('returns the body below its header, with metadata', async () => {
    const { call, snapshot } = await openSession(library);
    const version = await snapshot.version('pdf-processing');
    expect(await call('skill_load', { name: 'pdf-processing' })).toEqual({
      ok: true,
      text: '# Skill: pdf-processing (source: global)\n\n# PDF\n\nUse the tool.\n',
      hint: null,
      metadata: {
        skill_id: 'pdf-processing',
        skill_version: version,
        source: 'global',
        load_size_tokens: 5,
        source_kind: 'user',
      },
    });
  });

  it('refuses unknown names, with the one that was meant', async () => {
    const { call, loaded } = await openSession(library);
    const result = await call('skill_load', { name: 'tide' });
    expect(result).toEqual({
      ok: false,
      text: "no skill registered with name 'tide'",
      hint: "Did you mean 'tides'?",
      metadata: { code: 'SKILL_UNKNOWN' },
    });
    expect(loaded).toEqual([]);
  });

  it('emits exactly one skill.loaded, on demand, with the id of the call', async () => {
    const { call, loaded, snapshot } = await openSession(library);
    await call('skill_load', { name: 'tides' }, 'toolu_1');
    expect(loaded).toEqual([
      {
        type: 'skill.loaded',
        skill_id: 'tides',
        skill_version: await snapshot.version('tides'),
        load_reason: 'on_demand',
        load_size_tokens: 4,
        source: 'global',
        triggered_by_tool_use_id: 'toolu_1',
      },
    ]);
  });

  it('records where a skill is from: workspace, or global', async () => {
    const { call, loaded } = await openSession(library);
    await call('skill_load', { name: 'pdf-redact' });
    await call('skill_load', { name: 'tides' });
    expect(loaded.map(({ skill_id, source }) => [skill_id, source])).toEqual([
      ['pdf-redact', 'workspace'],
      ['tides', 'global'],
    ]);
  });

  it('gives a pointer the second time: not counted, not told', async () => {
    const { call, loaded, session } = await openSession(library);
    await call('skill_load', { name: 'tides' });
    const again = await call('skill_load', { name: 'tides' });
    expect(again.text).toBe(
      '# Skill: tides (source: global)\n\nThe body was given earlier in this conversation, below the same header. Follow it there.',
    );
    expect(again.metadata).toMatchObject({ skill_id: 'tides', already_loaded: true, load_size_tokens: 4 });
    expect(loaded).toHaveLength(1);
    expect(session.ledger.state().explicit).toBe(1);
  });

  it('counts one of two calls at the same time', async () => {
    const { call, loaded } = await openSession(library);
    const results = await Promise.all([
      call('skill_load', { name: 'tides' }),
      call('skill_load', { name: 'tides' }),
    ]);
    expect(results.filter(({ metadata }) => metadata['already_loaded'] === true)).toHaveLength(1);
    expect(loaded).toHaveLength(1);
  });

  it('gives the body again once it was lost', async () => {
    const { call, loaded, session } = await openSession(library, { settings: { activations: 1 } });
    await call('skill_load', { name: 'tides' });
    session.forget('tides');
    expect((await call('skill_load', { name: 'tides' })).text).toContain('The body of tides.');
    expect(loaded).toHaveLength(2);
    expect(session.ledger.state()).toMatchObject({ explicit: 1, tokens: 4 });
  });

  it('refuses the fourth skill of a session, and says which are loaded', async () => {
    const { call, loaded } = await openSession({ a: {}, b: {}, c: {}, d: {} });
    for (const name of ['a', 'b', 'c']) await call('skill_load', { name });
    expect(await call('skill_load', { name: 'd' })).toEqual({
      ok: false,
      text: 'the activation budget is spent: 3 of 3 skills are loaded in this session (loaded: a, b, c). Work with those, or read single files with skill_read.',
      hint: null,
      metadata: { code: 'ACTIVATION_BUDGET' },
    });
    expect(loaded).toHaveLength(3);
  });

  it('refuses a body that would go beyond the cap, and counts nothing of it', async () => {
    const { call, session, warnings } = await openSession({
      long: { body: 'x'.repeat(80_000) },
      longer: { body: 'x'.repeat(60_000) },
      short: {},
    });
    expect((await call('skill_load', { name: 'long' })).ok).toBe(true);
    expect(warnings).toEqual([
      'the skills loaded in this session have about 20000 tokens; from 30000 on no further skill is loaded',
    ]);
    expect((await call('skill_load', { name: 'longer' })).text).toBe(
      'the activation budget is spent: "longer" has about 15000 tokens, which would bring the loaded skills to 35000 of 30000 (loaded: long). Read the parts you need with skill_read.',
    );
    expect((await call('skill_load', { name: 'short' })).ok).toBe(true);
    expect(session.ledger.state()).toMatchObject({ explicit: 2, tokens: 20_004 });
    expect(warnings).toHaveLength(1);
  });

  it('lists the other files of the skill', async () => {
    const { call } = await openSession({
      tides: {
        body: 'See references/moon.md in {baseDir}.\n',
        files: { 'references/moon.md': 'moon', 'scripts/a&b.py': 'x' },
      },
    });
    expect((await call('skill_load', { name: 'tides' })).text).toBe(
      [
        '# Skill: tides (source: global)',
        '',
        'See references/moon.md in /user/tides.',
        '',
        '',
        '<skill_content name="tides">',
        'Skill directory: /user/tides',
        'Read these with skill_read(name, path):',
        '<skill_resources>',
        '<file>references/moon.md</file>',
        '<file>scripts/a&amp;b.py</file>',
        '</skill_resources>',
        '</skill_content>',
      ].join('\n'),
    );
  });

  it('says what happened to a file that changed on disk, and loads nothing', async () => {
    const { call, files, loaded } = await openSession(library, { holds: false });
    files.write('/user/tides/SKILL.md', 'other');
    expect(await call('skill_load', { name: 'tides' })).toMatchObject({
      ok: false,
      text: '"SKILL.md" of the skill "tides" changed after the skills were loaded',
      hint: 'Continue without it, and say so: a new conversation has its new version.',
      metadata: { code: 'STALE' },
    });
    expect(loaded).toEqual([]);
  });

  it('keeps skills from the model that are not for it', async () => {
    const { call } = await openSession({
      deploy: { fields: 'disable-model-invocation: true\n' },
      draft: { fields: 'agent_ready: false\n' },
    });
    expect((await call('skill_search', { query: '' })).text).toBe("No skills matched ''.");
    expect((await call('skill_load', { name: 'deploy' })).text).toBe(
      "no skill registered with name 'deploy'",
    );
    expect((await call('skill_load', { name: 'draft' })).text).toBe("no skill registered with name 'draft'");
    expect((await call('skill_read', { name: 'deploy', path: 'SKILL.md' })).ok).toBe(false);
  });
});

describe('use_skill', () => {
  it('is skill_load', async () => {
    const { call, session } = await openSession(library);
    const [load, use] = ['skill_load', 'use_skill'].map((name) =>
      session.tools.find((tool) => tool.name === name),
    );
    expect(use?.parameters).toEqual(load?.parameters);
    expect((await call('use_skill', { name: 'tides' })).text).toContain('The body of tides.');
    expect((await call('skill_load', { name: 'tides' })).metadata['already_loaded']).toBe(true);
  });
});

describe('skill_read', () => {
  it('reads a file of the skill', async () => {
    const { call } = await openSession({ 'workspace/tides': { files: { 'notes/moon.md': 'The moon.' } } });
    expect(await call('skill_read', { name: 'tides', path: 'notes/moon.md' })).toEqual({
      ok: true,
      text: 'The moon.',
      hint: null,
      metadata: {
        skill_id: 'tides',
        path: 'notes/moon.md',
        source: 'workspace',
        source_kind: 'workspace',
        characters: 9,
        offset: 0,
        truncated: false,
      },
    });
  });

  it('counts the body as skill_load does, and does not give it twice', async () => {
    const { call, session, loaded } = await openSession({ a: {}, b: {}, c: {}, d: {} });
    for (const name of ['a', 'b', 'c'])
      expect((await call('skill_read', { name, path: 'SKILL.md' })).ok).toBe(true);
    expect([
      session.ledger.state().explicit,
      loaded.map(({ skill_id, load_reason }) => [skill_id, load_reason]),
    ]).toEqual([
      3,
      [
        ['a', 'on_demand'],
        ['b', 'on_demand'],
        ['c', 'on_demand'],
      ],
    ]);
    for (const path of ['SKILL.md', './SKILL.md', 'x/../SKILL.md', 'skill.md'])
      expect([path, (await call('skill_read', { name: 'd', path })).ok]).toEqual([path, false]);
    expect((await call('skill_read', { name: 'd', path: 'SKILL.md' })).text).toContain(
      'the activation budget is spent: 3 of 3',
    );
    expect((await call('skill_read', { name: 'a', path: 'SKILL.md' })).metadata['already_loaded']).toBe(true);
    expect((await call('skill_load', { name: 'a' })).metadata['already_loaded']).toBe(true);
  });

  it('gives a long file in parts', async () => {
    const { call } = await openSession({ tides: { files: { 'long.txt': `${'🌊'.repeat(60_000)}end` } } });
    const first = await call('skill_read', { name: 'tides', path: 'long.txt' });
    expect(first.text.endsWith('🌊\n[cut here: 60000 of 60003 characters; read on with offset 60000]')).toBe(
      true,
    );
    expect(first.metadata).toMatchObject({ truncated: true, next_offset: 60_000 });
    expect((await call('skill_read', { name: 'tides', path: 'long.txt', offset: 60_000 })).text).toBe('end');
  });

  it('counts no body that was not given from its beginning', async () => {
    const { call, session, loaded } = await openSession({ tides: { files: { 'notes.md': 'The moon.' } } });
    expect(await call('skill_read', { name: 'tides', path: 'notes.md', offset: 9 })).toMatchObject({
      ok: false,
      text: '"notes.md" has 9 characters: there is nothing from 9 on',
    });
    expect((await call('skill_read', { name: 'tides', path: 'SKILL.md', offset: 100_000 })).ok).toBe(false);
    expect(await call('skill_read', { name: 'tides', path: 'SKILL.md', offset: 5 })).toMatchObject({
      ok: false,
      text: 'the body of tides is not loaded, and is read from its beginning: leave the offset out',
    });
    expect([session.ledger.state().explicit, loaded]).toEqual([0, []]);
    expect((await call('skill_load', { name: 'tides' })).text).toContain('The body of tides.');
    expect((await call('skill_read', { name: 'tides', path: 'SKILL.md', offset: 5 })).text).toContain(
      'The body of tides.',
    );
  });

  it('stays inside the folder, and gives text only', async () => {
    const { call } = await openSession({ tides: { files: { 'picture.png': '\u0000png' } }, other: {} });
    expect(await call('skill_read', { name: 'tides', path: '../other/SKILL.md' })).toMatchObject({
      ok: false,
      metadata: { code: 'PATH_UNSAFE' },
    });
    expect(await call('skill_read', { name: 'tides', path: 'none.md' })).toMatchObject({
      ok: false,
      metadata: { code: 'FILE_MISSING' },
    });
    expect((await call('skill_read', { name: 'tides', path: 'picture.png' })).text).toBe(
      '"picture.png" is a binary file',
    );
    expect((await call('skill_read', { name: 'gone', path: 'a' })).text).toBe(
      "no skill registered with name 'gone'",
    );
  });
});

describe('createSkillTools', () => {
  it('has the schemas of S2, and only looks', async () => {
    const { session } = await openSession(library);
    expect(session.tools.map(({ name }) => name)).toEqual([...skillToolNames]);
    const schemas = Object.fromEntries(session.tools.map(({ name, parameters }) => [name, parameters]));
    expect(schemas['skill_search']).toEqual({
      type: 'object',
      properties: {
        query: { type: 'string', maxLength: 4000 },
        limit: { type: 'integer', minimum: 1, maximum: 50, default: 10 },
      },
      required: ['query'],
      additionalProperties: false,
    });
    expect(schemas['skill_load']).toEqual({
      type: 'object',
      properties: { name: { type: 'string', minLength: 1, maxLength: 64 } },
      required: ['name'],
      additionalProperties: false,
    });
    expect(session.tools.every(({ readOnly }) => readOnly)).toBe(true);
  });

  it('says that skills are not configured where there are none', async () => {
    for (const tool of createSkillTools(null)) {
      await expect(tool.call({ query: 'x', name: 'x', path: 'x' })).rejects.toThrow(
        new ToolFault('skills are not configured for this session'),
      );
    }
  });

  it('takes no name that its schema does not allow, and allows every name that is there', async () => {
    const { call } = await openSession(library);
    const long = 'x'.repeat(65);
    for (const [tool, more] of [
      ['skill_load', {}],
      ['use_skill', {}],
      ['skill_read', { path: 'a.md' }],
    ] as const)
      expect((await call(tool, { name: long, ...more })).text).toBe(
        'the call.name must have at most 64 characters, not 65',
      );
    const other = await openSession({ [long]: {} });
    const load = other.session.tools.find(({ name }) => name === 'skill_load');
    expect(load?.parameters).toMatchObject({ properties: { name: { maxLength: 65 } } });
    expect((await other.call('skill_load', { name: long })).ok).toBe(true);
  });

  it('says what is wrong with arguments', async () => {
    const { call } = await openSession(library);
    expect((await call('skill_search', {})).text).toBe('the call lacks the key "query"');
    expect((await call('skill_search', { query: 3 })).text).toBe(
      'the call.query must be a string, not the number 3',
    );
    expect((await call('skill_search', { query: 'a', limit: 1.5 })).text).toBe(
      'the call.limit must be an integer, not the number 1.5',
    );
    expect((await call('skill_search', { qery: 'a' })).text).toBe(
      'the call lacks the key "query" (is it "qery"?); the call has the key "qery", which is not allowed (did you mean "query"?)',
    );
    expect((await call('skill_search', { text: 'a' })).text).toBe(
      'the call lacks the key "query"; the call has the key "text", which is not allowed',
    );
    expect((await call('skill_search', { q: 'a' })).text).toBe(
      'the call lacks the key "query"; the call has the key "q", which is not allowed (did you mean "query"?)',
    );
    expect((await call('skill_search', { query: 'a', lim: 3 })).text).toBe(
      'the call has the key "lim", which is not allowed (did you mean "limit"?)',
    );
    expect((await call('skill_load', { name: '' })).text).toBe(
      'the call.name must have at least 1 characters, not 0',
    );
    expect((await call('skill_load', 'tides')).text).toBe('the arguments must be an object');
  });

  it('loads the same library to the same names and versions', async () => {
    const files = filesOf(library);
    const [one, two] = [await loadSkills(files), await loadSkills(files)];
    expect(one.skills.map(({ name }) => name)).toEqual(two.skills.map(({ name }) => name));
    for (const { name } of one.skills) expect(await one.version(name)).toBe(await two.version(name));
  });
});
