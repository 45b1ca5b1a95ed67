// The Watching port over fs.watch, one folder at a time.
//
// One inotify watch a folder instead of `recursive`: on Linux Node 20 walks the tree itself for that, loses
// folders that are moved, and cannot report that the system has no watches left.
import { watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import { codeOf, faultOf } from './files/file-fault.ts';
import type { Watching } from '../ports/watching.ts';
import { FileFault } from '../ports/files.ts';

export function createNodeWatching(): Watching {
  return {
    watchFolder(folder, onChange, onLost) {
      let watcher: FSWatcher;
      try {
        watcher = watch(folder, { persistent: false }, onChange);
      } catch (error) {
        // Node reports ENOSPC if the user has no watches left; the disk is not full.
        if (codeOf(error) === 'ENOSPC')
          throw new FileFault('busy', folder, 'the system has no file watches left for this user', error);
        throw faultOf(error, folder);
      }
      let open = true;
      const close = (): void => {
        open = false;
        watcher.close();
      };
      watcher.on('error', (error) => {
        if (!open) return;
        close();
        onLost(error.message);
      });
      return { close };
    },
    after(ms, task) {
      const timer = setTimeout(task, ms);
      timer.unref();
      return { close: () => clearTimeout(timer) };
    },
  };
}
