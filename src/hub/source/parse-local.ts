// A path of this machine -> a folder, an archive, or a git repository at a ref.
//
//   ./folder   ./site (a hub: it has an index)   ./skills.tar.gz   ./skills.zip#sha256:…   ./repo#v1   ./repo#v1@skill
import { TechneError } from '../../base/error.ts';
import { readFragment, show } from './git-words.ts';
import { indexPaths } from './index-format.ts';
import { archiveKinds, isArchiveName, readDigest } from './parse-url.ts';
import type { Source } from './source.ts';

/** What the parser asks of the file system. */
export interface LookAt {
  readonly homeFolder: string;
  resolve(cwd: string, path: string): string;
  /** Links are followed: the person named them. `null`: there is nothing. */
  kindOf(path: string): 'folder' | 'file' | 'other' | null;
  fileUrl(path: string): string;
}

export function localSource(text: string, cwd: string, look: LookAt): Source {
  const resolve = (path: string): string =>
    look.resolve(cwd, path === '~' || path.startsWith('~/') ? look.homeFolder + path.slice(1) : path);
  const hash = text.indexOf('#');
  const whole = resolve(text);
  const wholeKind = look.kindOf(whole);
  const base = hash === -1 ? null : resolve(text.slice(0, hash));
  const baseKind = base === null ? null : look.kindOf(base);
  if (wholeKind !== null && baseKind !== null)
    throw new TechneError(
      'SOURCE_AMBIGUOUS',
      `"${show(text)}" is there, and so is "${show(text.slice(0, hash))}"`,
      {
        hint: 'rename one of them, or write file:///path#ref for a ref of the repository',
      },
    );
  if (wholeKind === 'folder')
    return isHub(whole, look)
      ? { kind: 'well-known', url: `${look.fileUrl(whole).replace(/\/$/, '')}/`, skills: [] }
      : { kind: 'folder', path: whole, skills: [] };
  if (wholeKind === 'file') return localArchive(whole, null, text);
  if (base !== null && baseKind === 'file') return localArchive(base, text.slice(hash + 1), text);
  if (base !== null && baseKind === 'folder') {
    const { ref, skills } = readFragment(text.slice(hash + 1), text);
    return { kind: 'git', url: look.fileUrl(base), ref, path: null, treePath: null, skills };
  }
  if (wholeKind === 'other' || baseKind === 'other')
    throw new TechneError('SOURCE_INVALID', `"${show(text)}" is neither a folder nor a file`, {
      hint: 'name a folder with skills, or an archive',
    });
  throw new TechneError('FILE_MISSING', `there is no file or folder "${show(text)}"`, {
    hint: 'check the path; a repository of GitHub is written owner/repo',
  });
}

/** A hub as `techne publish` writes it: skills are taken from its index. */
function isHub(folder: string, look: LookAt): boolean {
  const isFile = (path: string): boolean => look.kindOf(look.resolve(folder, path)) === 'file';
  return (isFile(indexPaths.v2) || isFile(indexPaths.v1)) && !isFile('SKILL.md');
}

function localArchive(location: string, fragment: string | null, text: string): Source {
  if (!isArchiveName(location))
    throw new TechneError('SOURCE_INVALID', `"${show(text)}" is a file, and no archive`, {
      hint: /SKILL\.md$/i.test(location)
        ? 'name the folder that holds SKILL.md'
        : `name a folder, or a file that ends in ${archiveKinds.join(', ')}`,
    });
  return { kind: 'archive', location, digest: readDigest(fragment, text), skills: [] };
}
