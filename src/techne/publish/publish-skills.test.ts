import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Report, Verdict } from '../../guard/report.ts';
import type { FetchedFile } from '../../hub/source/source.ts';
import type { SkillLibrary } from '../open-skills.ts';
import { openSkills } from '../open-skills.ts';
import type { PublishRequest } from './publish-skills.ts';
import { publishSkills } from './publish-skills.ts';

let folder: string;
let library: SkillLibrary;
let request: PublishRequest;

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'techne-publish-')));
  for (const name of ['tides', 'moon']) {
    mkdirSync(join(folder, 'skills', name, 'scripts'), { recursive: true });
    writeFileSync(
      join(folder, 'skills', name, 'SKILL.md'),
      `---\nname: ${name}\ndescription: Does ${name}. Use when ${name} is needed.\n---\n\nDo it.\n`,
    );
    writeFileSync(join(folder, 'skills', name, 'scripts/run.sh'), '#!/bin/sh\necho\n', { mode: 0o755 });
  }
  library = await openSkills({ cwd: folder, homeFolder: join(folder, 'home'), cache: false });
  request = {
    folders: ['skills'],
    cwd: folder,
    homeFolder: join(folder, 'home'),
    site: 'site',
    sign: null,
    title: null,
    base: null,
  };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function report(verdict: Verdict): Report {
  return {
    verdict,
    findings: [],
    accepted: [],
    scanned: [],
    notScanned: [],
    names: [],
    rulesVersion: 'test',
    digest: '',
  };
}

describe('a publication', () => {
  it('is refused as a whole when one skill is dangerous', async () => {
    const outcome = await publishSkills(request, library, (name) =>
      report(name === 'moon' ? 'dangerous' : 'clean'),
    );
    expect(outcome).toMatchObject({ kind: 'dangerous', scans: [{ name: 'moon' }] });
    expect(existsSync(join(folder, 'site'))).toBe(false);
  });

  it.each<Verdict>(['clean', 'caution', 'incomplete'])(
    'goes on with the verdict %s, and tells it',
    async (verdict) => {
      const outcome = await publishSkills(request, library, () => report(verdict));
      expect(
        outcome.kind === 'published' && outcome.scans.map(({ report: { verdict: told } }) => told),
      ).toEqual([verdict, verdict]);
    },
  );

  it('publishes the bytes that were scanned', async () => {
    const seen = new Map<string, ReadonlyMap<string, FetchedFile>>();
    const outcome = await publishSkills(request, library, (name, files) => {
      seen.set(name, files);
      // Whoever changes a file now comes too late.
      writeFileSync(join(folder, 'skills', name, 'scripts/run.sh'), 'changed');
      return report('clean');
    });
    expect(outcome.kind).toBe('published');
    const script = seen.get('moon')?.get('scripts/run.sh');
    expect([Buffer.from(script?.bytes ?? []).toString(), script?.executable]).toEqual([
      '#!/bin/sh\necho\n',
      true,
    ]);
    const again = await publishSkills(request, library, () => report('clean'));
    const trees = [outcome, again].map((one) =>
      one.kind === 'published' ? one.publication.skills[0]?.tree : null,
    );
    expect(trees[0]).not.toBe(trees[1]);
  });

  it('refuses two skills of one name', async () => {
    mkdirSync(join(folder, 'more/moon'), { recursive: true });
    writeFileSync(
      join(folder, 'more/moon/SKILL.md'),
      '---\nname: moon\ndescription: Another moon. Use when needed.\n---\n\nDo it.\n',
    );
    await expect(
      publishSkills({ ...request, folders: ['skills', 'more'] }, library, () => report('clean')),
    ).rejects.toThrow('two skills are named "moon"');
  });
});
