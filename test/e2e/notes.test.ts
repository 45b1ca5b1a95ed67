// Skills that write notes, as a person uses them: write, look, write again, take back.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createWorld } from '../support/run-cli.ts';

const world = createWorld({
  'home/.techne/config.json': '{"cache": {"enabled": false}}\n',
  'work/Probability.md': '---\ntype: concept\n---\n# Probability\n',
});
afterAll(() => world.remove());
const entropy = join(world.workspace, 'Entropy.md');

interface Ran {
  readonly run: string;
  readonly status: string;
  readonly envelope: { readonly note?: { readonly path: string; readonly action: string } };
}

const run = async (...args: readonly string[]): Promise<Ran> =>
  JSON.parse((await world.run(['run', ...args, '--json'])).out) as Ran;

describe('a concept note', () => {
  const runs: string[] = [];

  it('is shown by techne plan before anything runs', async () => {
    const { out } = await world.run(['plan', 'concept-note']);
    expect(out).toContain('writes {{ inputs.concept }}.md (concept) into the vault');
    expect(out).toContain('risk     medium\n         - it writes a note into the vault\n');
    expect(existsSync(entropy)).toBe(false);
  });

  it('is previewed with its inputs, and what would be added to one, without writing anything', async () => {
    const preview = async (...words: readonly string[]): Promise<string> => {
      const { out } = await world.run(['plan', 'concept-note', ...words]);
      return out.slice(out.indexOf('\npreview') + 1);
    };
    expect(await preview('concept=Entropy', 'definition=Disorder', 'prerequisite=Probability')).toContain(
      'preview   would write Entropy.md\n\n  ---\n  type: concept\n  prerequisite: ["[[Probability]]"]\n  ---\n\n  # Entropy\n\n  ## Definition\n\n  Disorder\n',
    );
    const text =
      '---\ntype: concept\n---\n# Probability\n\n## Definition\n\n## Details\n\n## Examples\n\n## Questions\n';
    world.write({ 'work/Probability.md': text });
    expect(await preview('concept=Probability', 'details=A measure')).toBe(
      'preview   would add to Probability.md\n\n  + A measure\n',
    );
    expect(await preview('concept=X', 'draft:=true')).toBe(
      'preview   a model is asked first, so the result is not known yet\n',
    );
    expect(await preview('definition=x')).toContain('preview   ');
    expect([readFileSync(join(world.workspace, 'Probability.md'), 'utf8'), existsSync(entropy)]).toEqual([
      text,
      false,
    ]);
  });

  it('is written, is in the graph, and is added to', async () => {
    const first = await run('concept-note', 'concept=Entropy', 'prerequisite=Probability');
    expect([first.status, first.envelope.note]).toEqual([
      'completed',
      { path: 'Entropy.md', action: 'created' },
    ]);
    const made = readFileSync(entropy, 'utf8');
    expect((await world.run(['graph', 'show', 'Entropy'])).out).toContain('prerequisite  Probability.md');
    const second = await run('concept-note', 'concept=Entropy', 'definition=How many states look alike.');
    expect(second.envelope.note?.action).toBe('merged');
    expect(readFileSync(entropy, 'utf8').length).toBeGreaterThan(made.length);
    const third = await run('concept-note', 'concept=Entropy', 'definition=How many states look alike.');
    expect(third.envelope.note?.action).toBe('unchanged');
    expect(readdirSync(world.workspace).filter((name) => name.endsWith('.md'))).toEqual([
      'Entropy.md',
      'Probability.md',
    ]);
    expect((await world.run(['runs', 'replay', second.run])).code).toBe(0);
    runs.push(first.run, second.run, third.run, made);
  });

  it('is taken back, run by run, while nobody has changed it', async () => {
    const [first = '', second = '', third = '', made = ''] = runs;
    expect((await world.run(['runs', 'undo', third])).out).toBe(`Run ${third} wrote no note.\n`);
    // The first is not the last that wrote it.
    expect(await world.run(['runs', 'undo', first])).toMatchObject({
      code: 1,
      out: 'Entropy.md is left as it is: it was changed since the run wrote it.\n',
    });
    expect(await world.run(['runs', 'undo', second])).toMatchObject({
      code: 0,
      out: 'Entropy.md is as it was before the run.\n',
    });
    expect(readFileSync(entropy, 'utf8')).toBe(made);
    expect((await world.run(['runs', 'undo', second])).out).toBe('Entropy.md was taken back before.\n');
    writeFileSync(entropy, `${made}mine\n`);
    expect((await world.run(['runs', 'undo', first, '--json'])).code).toBe(1);
    expect(readFileSync(entropy, 'utf8')).toBe(`${made}mine\n`);
    writeFileSync(entropy, made);
    expect((await world.run(['runs', 'undo', first])).out).toBe(
      'Entropy.md was made by the run, and is removed.\n',
    );
    expect(existsSync(entropy)).toBe(false);
  });
});

describe('other forms', () => {
  const note = 'node_type: log\nx_techne_note: {path: "{{ inputs.title }}.md"}\n';
  const own = createWorld({
    'home/.techne/config.json': '{"cache": {"enabled": false}}\n',
    'work/s/star/SKILL.md': `---\nname: star\ndescription: Logs. Use in tests.\nmetaskill: SKILL.star\ninputs: {title: {type: string, required: true}}\n${note}---\n\nLog.\n`,
    'work/s/star/SKILL.star': 'def run(input):\n    return "# " + input["title"]\n',
    'work/s/star/tests/a.yaml':
      'input: {title: A}\nexpect: {result: {note: {path: A.md, action: created}}, note_contains: "type: log\\n---\\n\\n# A\\n"}\n',
    'work/s/bad/SKILL.md': `---\nname: bad\ndescription: Logs. Use in tests.\nmetaskill: SKILL.star\ninputs: {title: {type: string}}\nx_techne_note: {path: "{{ inputs.titel }}.md"}\n---\n\nLog.\n`,
    'work/s/bad/SKILL.star': 'def run(input):\n    return ""\n',
  });
  afterAll(() => own.remove());

  it('may be a program, which is checked like a plan', async () => {
    expect((await own.run(['test', 's/star'])).out).toContain('1 passed, 0 failed');
    const { out } = await own.run(['check', 's/bad']);
    expect(out).toContain('NOTE_DECLARATION: x_techne_note without node_type');
    expect(out).toContain('did you mean inputs.title?');
  });
});

describe('a weekly review', () => {
  it('is made of the tasks and notes of the week', async () => {
    const own = createWorld({
      'home/.techne/config.json': '{"cache": {"enabled": false}}\n',
      'work/2026-11-18.md': '---\ntype: daily\n---\n- [x] Call Ana\n',
      'work/Tasks.md': '- [ ] Paint 📅 2026-11-20\n- [x] Old ✅ 2026-01-01\n',
    });
    const { out } = await own.run(['run', 'weekly-review', 'until=2026-11-22', '--json']);
    expect(JSON.parse(out)).toMatchObject({
      status: 'completed',
      envelope: { note: { path: '2026-W47 review.md', action: 'created' } },
    });
    const text = readFileSync(join(own.workspace, '2026-W47 review.md'), 'utf8');
    expect(text).toContain('## Completed\n\n- Call Ana ([[2026-11-18]])\n\n');
    expect(text).toContain('## Open\n\n- Paint ([[Tasks]], due 2026-11-20, overdue)\n\n');
    expect(text).toContain('## Notes of the week\n\n- [[2026-11-18]]\n');
    own.remove();
  });
});

describe('the policy', () => {
  it('can forbid every note', async () => {
    const closed = createWorld({
      'home/.techne/config.json': '{"cache": {"enabled": false}, "tools": {"deny": ["write_file"]}}\n',
    });
    const { out } = await closed.run(['run', 'daily-note', 'entry=x', '--json']);
    expect(JSON.parse(out)).toMatchObject({ status: 'partial', error: { code: 'NOTE_DENIED' } });
    expect(readdirSync(closed.workspace).filter((name) => name.endsWith('.md'))).toEqual([]);
    closed.remove();
  });

  it('keeps notes in the vault that is configured', async () => {
    const own = createWorld({
      'home/.techne/config.json': '{"cache": {"enabled": false}, "graph": {"vault": "notes"}}\n',
      'work/notes/x.md': 'x\n',
    });
    const { out } = await own.run(['run', 'task-tracker', 'task=Call Ana', '--json']);
    expect(JSON.parse(out)).toMatchObject({ envelope: { note: { path: 'Tasks.md', action: 'created' } } });
    expect(readFileSync(join(own.workspace, 'notes/Tasks.md'), 'utf8')).toContain('- [ ] Call Ana\n');
    own.remove();
  });
});

describe('a folder for a type of notes', () => {
  it('is where new notes go; a note that exists stays where it is', async () => {
    const own = createWorld({
      'home/.techne/config.json':
        '{"cache": {"enabled": false}, "graph": {"folders": ["concept=Concepts/New", "daily=Journal"]}}\n',
      'work/Old.md':
        '---\ntype: concept\n---\n# Old\n\n## Definition\n\n## Details\n\n## Examples\n\n## Questions\n',
    });
    const preview = await own.run(['plan', 'concept-note', 'concept=Entropy']);
    expect(preview.out).toContain('would write Concepts/New/Entropy.md');
    for (const [name, action] of [
      ['Entropy', 'created'],
      ['Old', 'merged'],
      ['Entropy', 'unchanged'],
    ] as const) {
      const { out } = await own.run(['run', 'concept-note', `concept=${name}`, 'definition=x', '--json']);
      const path = name === 'Old' ? 'Old.md' : 'Concepts/New/Entropy.md';
      expect((JSON.parse(out) as Ran).envelope.note).toMatchObject({ path, action });
    }
    own.write({ 'home/.techne/config.json': '{"graph": {"folders": ["concept=../out"]}}\n' });
    expect((await own.run(['list'])).err).toContain('such as "concept=Concepts"');
    own.remove();
  });
});
