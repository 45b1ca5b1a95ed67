// Words, marks and colours of statuses: of runs, steps, proposals and skills.
export type Tone = 'good' | 'bad' | 'warn' | 'live' | 'quiet';

export interface ShownStatus {
  readonly word: string;
  readonly tone: Tone;
  /** What it means, for people who see it the first time. */
  readonly title: string;
  /** A path in 12 × 12. */
  readonly mark: string;
}

const tick = 'M2.5 6.5l2.5 2.5 4.5-6';
const cross = 'M3 3l6 6M9 3l-6 6';
const pause = 'M4 3v6M8 3v6';
const play = 'M4 2.5l5 3.5-5 3.5z';
const ring = 'M6 2a4 4 0 1 0 .01 0z';
const question = 'M4 4.5a2 2 0 1 1 2.8 1.8c-.6.3-.8.6-.8 1.2M6 9.8v.1';
const bar = 'M3 6h6';
const half = 'M6 2a4 4 0 1 0 .01 0zM6 2v8';

const known: { readonly [status: string]: ShownStatus } = {
  queued: { word: 'Queued', tone: 'quiet', title: 'Waits until there is room to run it', mark: ring },
  running: { word: 'Running', tone: 'live', title: 'A process drives it now', mark: play },
  paused: { word: 'Waiting', tone: 'warn', title: 'Waits for an answer', mark: pause },
  needs_decision: {
    word: 'Needs a decision',
    tone: 'warn',
    title: 'A call was under way when its process ended, and its outcome is unknown',
    mark: question,
  },
  completed: { word: 'Completed', tone: 'good', title: 'Ended with a result', mark: tick },
  failed: { word: 'Failed', tone: 'bad', title: 'Ended with an error', mark: cross },
  cancelled: { word: 'Cancelled', tone: 'quiet', title: 'Ended by a person or a deadline', mark: bar },
  partial: { word: 'Partial', tone: 'warn', title: 'Ended, but some steps failed', mark: half },
  interrupted: {
    word: 'Interrupted',
    tone: 'warn',
    title: 'Nothing drives it now; resume continues it where it was',
    mark: half,
  },
  corrupt: { word: 'Damaged', tone: 'bad', title: 'Its journal cannot be read', mark: cross },
  pending: { word: 'Pending', tone: 'warn', title: 'Waits for a person', mark: pause },
  stale: { word: 'Stale', tone: 'warn', title: 'The skill has changed since', mark: half },
  accepted: { word: 'Accepted', tone: 'good', title: 'Its files are in place', mark: tick },
  rejected: { word: 'Rejected', tone: 'bad', title: 'A person rejected it', mark: cross },
  'rolled-back': { word: 'Rolled back', tone: 'quiet', title: 'What was there before is back', mark: bar },
  passed: { word: 'Passed', tone: 'good', title: 'It found nothing wrong', mark: tick },
  answering: { word: 'Answering', tone: 'live', title: 'The model answers now', mark: play },
  waiting: { word: 'Waits for you', tone: 'warn', title: 'A call waits for an approval', mark: pause },
  elsewhere: {
    word: 'In use elsewhere',
    tone: 'quiet',
    title: 'Another process has it, such as techne chat at a terminal',
    mark: ring,
  },
  damaged: { word: 'Damaged', tone: 'bad', title: 'Its log cannot be read', mark: cross },
  ok: { word: 'OK', tone: 'good', title: 'Nothing to do', mark: tick },
  ready: { word: 'Ready', tone: 'good', title: 'Everything that it requires is there', mark: tick },
  not_ready: { word: 'Not ready', tone: 'warn', title: 'Something that it requires is missing', mark: pause },
  unsound: { word: 'Cannot run', tone: 'warn', title: 'Its program or plan is at fault', mark: cross },
  hidden: { word: 'Hidden', tone: 'quiet', title: 'Neither people nor models are shown it', mark: bar },
  shadowed: {
    word: 'Shadowed',
    tone: 'quiet',
    title: 'Another skill of the same name is used instead',
    mark: half,
  },
  refused: { word: 'Refused', tone: 'bad', title: 'It was found and is not loaded', mark: cross },
  broken: { word: 'Broken', tone: 'bad', title: 'The file gave no skill', mark: cross },
  no_skill: { word: 'Not a skill', tone: 'quiet', title: 'A folder without a skill', mark: bar },
  clean: { word: 'Clean', tone: 'good', title: 'The scan found nothing', mark: tick },
  caution: { word: 'Caution', tone: 'warn', title: 'The scan found something to look at', mark: question },
  incomplete: { word: 'Incomplete', tone: 'warn', title: 'The scan could not read all of it', mark: half },
  dangerous: { word: 'Dangerous', tone: 'bad', title: 'The scan found it dangerous', mark: cross },
  trusted: { word: 'Trusted', tone: 'good', title: 'It may be executed', mark: tick },
  untrusted: { word: 'Not trusted', tone: 'quiet', title: 'It may be read, and not executed', mark: bar },
  changed: { word: 'Changed', tone: 'warn', title: 'It is not what was trusted any more', mark: half },
  not_run: { word: 'Not run', tone: 'quiet', title: 'There is no result yet', mark: ring },
  unscanned: { word: 'Not scanned', tone: 'quiet', title: 'It was not scanned as it is now', mark: ring },
  working: { word: 'Working', tone: 'live', title: 'Fetching or scanning', mark: play },
  to_agree: { word: 'Waits for you', tone: 'warn', title: 'Look at it, and install it or not', mark: pause },
  installing: { word: 'Installing', tone: 'live', title: 'It is put into place', mark: play },
  installed: { word: 'Installed', tone: 'good', title: 'It is in place', mark: tick },
  done: { word: 'Done', tone: 'good', title: 'There is nothing more to do', mark: tick },
  expired: {
    word: 'Expired',
    tone: 'quiet',
    title: 'Nobody agreed in time: what was fetched is removed',
    mark: bar,
  },
  locked: { word: 'As locked', tone: 'good', title: 'Every file is as the lock says', mark: tick },
  drifted: {
    word: 'Changed',
    tone: 'bad',
    title: 'It is not as the lock says, so it is not used',
    mark: cross,
  },
  missing: { word: 'Gone', tone: 'bad', title: 'Its folder is not there', mark: cross },
  skipped: { word: 'Skipped', tone: 'quiet', title: 'Its condition did not hold', mark: bar },
};

export function statusOf(status: string): ShownStatus {
  return (
    known[status] ?? {
      word:
        status === '' ? 'Unknown' : (status[0] ?? '').toUpperCase() + status.slice(1).replaceAll('_', ' '),
      tone: 'quiet',
      title: status,
      mark: ring,
    }
  );
}

const over: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled', 'partial', 'corrupt']);

export function hasEnded(status: string): boolean {
  return over.has(status);
}
