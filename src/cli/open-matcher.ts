// The matcher over a snapshot, for commands.
export { createMatcherOpener, openMatcher } from '../host/open-matcher.ts';
