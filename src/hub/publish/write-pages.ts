// The index and the details of its skills -> the pages of a hub.
//
// Pages hold nothing that the index and the details do not; they are made again by each publication, and those of skills that
// are no longer listed stay. A skill whose details are missing or do not fit its digest keeps the page it has.
import { join } from 'node:path';
import type { Sha256 } from '../../ports/environment.ts';
import type { Files } from '../../ports/files.ts';
import { encodeUtf8 } from '../../base/utf8.ts';
import { parseSkill } from '../../skill/parse-skill.ts';
import type { SkillIndex } from '../source/index-format.ts';
import { renderIndexPage } from './page/index-page.ts';
import { renderSkillPage } from './page/skill-page.ts';
import { mostFileBytes, writeUnlessSame } from './site-files.ts';
import { readDetails } from './site-details.ts';
import { detailsPath, pagePath } from './site-layout.ts';

interface PagesOptions {
  readonly files: Files;
  readonly sha256: Sha256;
  readonly site: string;
}

export async function writePages(index: SkillIndex, { files, sha256, site }: PagesOptions): Promise<void> {
  const write = (path: string, text: string): Promise<void> =>
    writeUnlessSame(files, join(site, path), encodeUtf8(text));
  for (const skill of index.skills) {
    const { name, version = '', tree = '' } = skill;
    const read = await files.read(join(site, detailsPath(name, version)), mostFileBytes);
    const details = read === null ? null : readDetails(read.bytes, tree, sha256);
    if (details === null) continue;
    const entries = details.files
      .filter(({ path }) => !path.includes('/'))
      .map(({ path }) => ({ name: path, kind: 'file' as const }));
    const { head, body } = await parseSkill(details.text, { folderName: name, entries });
    await write(
      pagePath(name),
      renderSkillPage({ skill, head, body: body.text, files: details.files }, index),
    );
  }
  await write('index.html', renderIndexPage(index));
  // Some hosts leave out folders that begin with a dot unless this file is there.
  await write('.nojekyll', '');
}
