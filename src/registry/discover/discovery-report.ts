// The diagnostics of discovery about files and folders that give no skill: one for each, with the same words everywhere.
import type { DiagnosticCode } from '../../base/codes.ts';
import { severityOf } from '../../base/codes.ts';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { FileFault } from '../../ports/files.ts';

export class DiscoveryReport {
  readonly diagnostics: Diagnostic[] = [];

  add(code: DiagnosticCode, path: string, message: string, hint: string | null = null): void {
    this.diagnostics.push({ code, severity: severityOf(code), path, span: null, message, hint });
  }

  notAFile(file: string, isFolder: boolean): void {
    this.add(
      'FILE_NOT_A_FILE',
      file,
      `SKILL.md is a ${isFolder ? 'folder' : 'special file'}`,
      'SKILL.md must be a regular file',
    );
  }

  /** A folder that was listed. */
  gone(path: string): true {
    this.add(
      'FILE_UNREADABLE',
      path,
      'the folder is listed but cannot be found: it went away, or its name is not valid UTF-8',
      'rename the folder if it is still there',
    );
    return true;
  }

  broken(path: string, how: string): null {
    this.add('LINK_BROKEN', path, `the link ${how}`, 'remove it or point it at a skill folder');
    return null;
  }

  leaves(path: string, real: string): void {
    this.add(
      'LINK_LEAVES_ROOTS',
      path,
      `the link leads to "${real}", outside every configured root, and was not followed`,
      'add that folder to roots.user in ~/.techne/config.json if it is yours',
    );
  }

  fault(error: unknown, path: string, what: 'root' | 'folder' | 'file' | 'link'): void {
    if (!(error instanceof FileFault)) throw error;
    switch (error.kind) {
      case 'not-a-folder':
        if (what === 'root')
          this.add('ROOT_INVALID', path, 'the root is not a folder', 'give the folder that holds the skills');
        else this.add('FILE_UNREADABLE', path, `the ${what} changed while it was read`);
        return;
      case 'not-a-file':
        return this.notAFile(path, false);
      case 'denied':
        return this.add(
          'FILE_UNREADABLE',
          path,
          `the ${what} may not be read: permission denied`,
          'allow reading it, or move it out of the skills folder',
        );
      case 'loop':
      case 'too-large':
      case 'changed':
      case 'busy':
      case 'io':
        this.add('FILE_UNREADABLE', path, `the ${what} cannot be read: ${error.message}`);
    }
  }
}
