// The matcher over a snapshot, for commands.
export { openMatcher } from '../host/open-matcher.ts';
