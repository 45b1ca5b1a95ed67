// Which names a skill may bring onto a disk.
//
//   path -> what is wrong with it, or null;   paths of a tree -> what is wrong with the first bad one, or null
//
// A tree that is taken here is the same tree on every system: no two names become one (upper and lower case, composed and
// decomposed letters), no name is a device, ends in a dot or a space, or leaves the folder. Names that git would take for a
// repository are refused, and so are characters that a person cannot see.
import { hasHiddenCharacters } from '../../base/printable.ts';
import { isSafeRelativePath } from '../../skill/resources.ts';

/** Of one segment and of a whole path, in UTF-8, and of folders in folders: what every file system takes. */
const nameLimits = { segmentBytes: 255, pathBytes: 1024, depth: 16 } as const;

const device = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³])(?: *\..*| *)$/i;
// eslint-disable-next-line no-control-regex
const forbidden = /[\u0000-\u001f\u007f<>:"|?*\\]/;
const repository = /^(?:\.git|git~[0-9]+|\.git[ .:].*)$/i;

/** Why a tree with these files cannot be installed; `null`: it can. */
export function refuseNames(paths: Iterable<string>): string | null {
  /** What is at a folded path: its spelling, and whether it is a folder. */
  const taken = new Map<string, { readonly path: string; readonly isFolder: boolean }>();
  for (const path of paths) {
    const fault = nameFault(path, nameLimits.depth);
    if (fault !== null) return `${JSON.stringify(path)} ${fault}`;
    const segments = path.split('/');
    for (let end = 1; end <= segments.length; end += 1) {
      const part = segments.slice(0, end).join('/');
      const isFolder = end < segments.length;
      const key = foldName(part);
      const there = taken.get(key);
      if (there === undefined) taken.set(key, { path: part, isFolder });
      else if (there.path !== part || !there.isFolder || !isFolder)
        return `${JSON.stringify(there.path)} and ${JSON.stringify(part)} would be one file on some systems`;
    }
  }
  return null;
}

/** Why a path cannot be that of a file of a skill on every system, as the end of a sentence; `null`: it can. */
export function nameFault(path: string, depth: number): string | null {
  if (!isSafeRelativePath(path)) return 'is not a path inside the skill';
  if (path.normalize('NFC') !== path) return 'is not in the composed form of Unicode (NFC)';
  if (/[\uD800-\uDFFF]/u.test(path)) return 'is not valid Unicode';
  if (Buffer.byteLength(path) > nameLimits.pathBytes) return `is longer than ${nameLimits.pathBytes} bytes`;
  const segments = path.split('/');
  if (segments.length > depth) return `is deeper than ${depth} folders`;
  for (const segment of segments) {
    if (Buffer.byteLength(segment) > nameLimits.segmentBytes)
      return `has a name longer than ${nameLimits.segmentBytes} bytes`;
    if (forbidden.test(segment)) return 'has a character that names cannot have on some systems';
    if (hasHiddenCharacters(segment)) return 'has a character that cannot be seen';
    if (/[. ]$/.test(segment) || segment.startsWith(' '))
      return 'has a name that begins or ends with a space, or ends with a dot';
    const folded = foldName(segment);
    if (/^\.+$|[\\/]/.test(folded)) return 'has a name that is a path on some systems';
    if (device.test(folded)) return 'has the name of a device';
    if (repository.test(folded)) return 'has a name that git reserves';
  }
  return null;
}

/**
 * Equal for names that some file system takes for one: where case does not count, by the full mappings of Unicode ("ß", "ẞ" and
 * "SS"), nor the composition of letters, nor compatibility forms ("ﬁ" and "fi").
 */
export function foldName(name: string): string {
  return name.normalize('NFKD').toUpperCase().toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
}
