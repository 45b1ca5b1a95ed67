// S2's testing list, the rows "Tools", "Discovery & search" and determinism: one test for each item, under its words.
// The other rows are in s2.test.ts and s2-registry.test.ts; what techne adds is tested beside src/prompt.
import { describe, expect, it } from 'vitest';
import { ToolFault } from '../../src/ports/tool.ts';
import { createSkillTools } from '../../src/prompt/tools/skill-tools.ts';
import { filesOf, loadSkills, openSession, textOf } from '../support/session.ts';

const library = {
  'pdf-processing': { description: 'Extract PDF text, fill forms, merge files.', body: 'Open the file.\n' },
  'workspace/pdf-redact': { description: 'Redact regions of PDFs by bbox.' },
  sheets: { description: 'Turn a PDF table into a sheet.' },
};

describe('S2 discovery and search', () => {
  it('discovery_index() returns (name, description) pairs', async () => {
    const { session } = await openSession(library);
    expect(session.list().map(({ name, description }) => [name, description])).toEqual([
      ['pdf-processing', 'Extract PDF text, fill forms, merge files.'],
      ['pdf-redact', 'Redact regions of PDFs by bbox.'],
      ['sheets', 'Turn a PDF table into a sheet.'],
    ]);
  });
  it('the discovery index is omitted entirely if the store is empty', async () => {
    expect((await openSession({})).session.prefix).toBe('');
  });
});

describe('S2 tools', () => {
  it('skill_search returns matches and metadata', async () => {
    const { call } = await openSession(library);
    const { text, metadata } = await call('skill_search', { query: 'pdf' });
    expect(text).toBe(
      "Skills matching 'pdf' (3):\n- pdf-processing [global] — Extract PDF text, fill forms, merge files.\n- pdf-redact [workspace] — Redact regions of PDFs by bbox.\n- sheets [global] — Turn a PDF table into a sheet.",
    );
    expect(metadata).toMatchObject({
      query: 'pdf',
      result_count: 3,
      result_names: ['pdf-processing', 'pdf-redact', 'sheets'],
    });
  });
  it('skill_search with no matches returns the no-match text', async () => {
    const { call } = await openSession(library);
    expect(await call('skill_search', { query: 'whale' })).toMatchObject({
      ok: true,
      text: "No skills matched 'whale'.",
      metadata: { result_count: 0, result_names: [] },
    });
  });
  it("skill_search raises when skills aren't configured", async () => {
    await expect(createSkillTools(null)[0]?.call({ query: 'pdf' })).rejects.toThrow(
      new ToolFault('skills are not configured for this session'),
    );
  });
  it('skill_load returns the body wrapped in the # Skill: ... header', async () => {
    const { call } = await openSession(library);
    expect((await call('skill_load', { name: 'pdf-processing' })).text).toBe(
      '# Skill: pdf-processing (source: global)\n\nOpen the file.\n',
    );
  });
  it('skill_load raises for unknown names', async () => {
    const { call } = await openSession(library);
    expect(await call('skill_load', { name: 'nope' })).toMatchObject({
      ok: false,
      text: "no skill registered with name 'nope'",
    });
  });
  it('skill_load emits exactly one skill.loaded event with load_reason="on_demand" and triggered_by_tool_use_id set', async () => {
    const { call, loaded, snapshot } = await openSession(library);
    await call('skill_load', { name: 'pdf-processing' }, 'toolu_7');
    expect(loaded).toEqual([
      {
        type: 'skill.loaded',
        skill_id: 'pdf-processing',
        skill_version: await snapshot.version('pdf-processing'),
        load_reason: 'on_demand',
        load_size_tokens: 3,
        source: 'global',
        triggered_by_tool_use_id: 'toolu_7',
      },
    ]);
  });
  it('skill_load for a workspace skill records source="workspace"; same for global / "global"', async () => {
    const { call, loaded } = await openSession(library);
    const results = [
      await call('skill_load', { name: 'pdf-redact' }),
      await call('skill_load', { name: 'sheets' }),
    ];
    expect(loaded.map(({ source }) => source)).toEqual(['workspace', 'global']);
    expect(results.map(({ metadata }) => [metadata['source'], metadata['source_kind']])).toEqual([
      ['workspace', 'workspace'],
      ['global', 'user'],
    ]);
  });
  it("skill_load raises when skills aren't configured", async () => {
    await expect(createSkillTools(null)[1]?.call({ name: 'pdf-processing' })).rejects.toThrow(
      new ToolFault('skills are not configured for this session'),
    );
  });
});

describe('S2 determinism', () => {
  it('load_skills twice over the same roots produces equal stores', async () => {
    const files = filesOf(library);
    const [one, two] = [await loadSkills(files), await loadSkills(files)];
    expect(one.digest()).toBe(two.digest());
    for (const { name } of one.skills) expect(await one.version(name)).toBe(await two.version(name));
  });
  it('mutating the body changes the version; mutating only the description does not', async () => {
    const versionOf = async (spec: {
      readonly description?: string;
      readonly body?: string;
    }): Promise<string> => {
      const files = filesOf({});
      files.write('/user/tides/SKILL.md', textOf('tides', spec));
      files.advance(60_000_000_000n);
      return (await loadSkills(files)).version('tides');
    };
    const version = await versionOf({});
    expect(await versionOf({ description: 'Another.' })).toBe(version);
    expect(await versionOf({ body: 'Another.\n' })).not.toBe(version);
  });
});
