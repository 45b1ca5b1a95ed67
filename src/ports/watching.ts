// Notifications that files changed.
//
// A notification may come late, twice, or for nothing, and never carries the change itself: the receiver looks again.

export interface FolderWatch {
  close(): void;
}

export interface Watching {
  /**
   * Calls `onChange` when an entry of `folder` itself (not of folders below) is added, removed, renamed or written.
   * Calls `onLost` once if the watch ends by itself (the folder went away, the system has no watches left).
   * Throws FileFault `busy` when the system has no watches left.
   */
  watchFolder(folder: string, onChange: () => void, onLost: (reason: string) => void): FolderWatch;
  /** Runs `task` once after `ms`; the handle cancels it. Does not keep the process alive. */
  after(ms: number, task: () => void): FolderWatch;
}
