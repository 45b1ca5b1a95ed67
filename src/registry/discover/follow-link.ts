// Where a link that a walk meets leads, and whether it may be followed.
//
// Links are followed only into a territory (territories.ts). A link that is not followed is one diagnostic: it leads out,
// nowhere, back to itself, or to something that cannot be read.
import { FileFault } from '../../ports/files.ts';
import type { Files } from '../../ports/files.ts';
import type { DiscoveryReport } from './discovery-report.ts';
import type { Territories, Territory } from './territories.ts';

/** What links are judged by. */
export interface LinkContext {
  readonly files: Files;
  readonly territories: Territories;
  readonly reporter: DiscoveryReport;
}

/** The real folder a link leads to; `''` when it leads to no folder, `null` when it is not followed (reported). */
export function folderBehind(
  path: string,
  from: Territory,
  { files, territories, reporter }: LinkContext,
): string | null {
  try {
    const stat = files.stat(path);
    const real = stat === null ? null : files.realPath(path);
    if (stat === null || real === null) return reporter.broken(path, 'leads nowhere');
    if (!stat.isDirectory()) return '';
    if (territories.mayEnter(real, from)) return real;
    reporter.leaves(path, real);
    return null;
  } catch (error) {
    if (error instanceof FileFault && error.kind === 'loop')
      return reporter.broken(path, 'leads back to itself');
    reporter.fault(error, path, 'link');
    return null;
  }
}

/** Whether SKILL.md, a link, leads to a file inside the roots; if not, it was said why. */
export function mayFollowFile(
  file: string,
  from: Territory,
  { files, territories, reporter }: LinkContext,
): boolean {
  try {
    const stat = files.stat(file);
    const real = stat === null ? null : files.realPath(file);
    if (stat === null || real === null) return reporter.broken(file, 'leads nowhere') !== null;
    if (!territories.mayEnter(real, from)) {
      reporter.leaves(file, real);
      return false;
    }
    if (stat.isFile()) return true;
    reporter.notAFile(file, stat.isDirectory());
  } catch (error) {
    if (error instanceof FileFault && error.kind === 'loop') reporter.broken(file, 'leads back to itself');
    else reporter.fault(error, file, 'link');
  }
  return false;
}

/** Whether it leads to a folder at all, wherever that lies; nothing is said. */
export function isFolderLink(path: string, files: Files): boolean {
  try {
    return files.stat(path)?.isDirectory() ?? false;
  } catch (error) {
    if (error instanceof FileFault) return false;
    throw error;
  }
}
