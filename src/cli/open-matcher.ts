// The matcher over a snapshot, for commands.
export { createMatcherOpener, openMatcher } from '../techne/open-matcher.ts';
