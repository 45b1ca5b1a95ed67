// `techne/hub`: skills of others, installed with consent and held to a lock. Re-exports only.
export { openHub } from './techne/hub/open-hub.ts';
export type { OpenHub, OpenHubOptions, ScannedSource } from './techne/hub/open-hub.ts';
export type { Hub } from './hub/install/hub.ts';
export type { AddRequest } from './hub/install/propose/add.ts';
export type { Adoption } from './hub/install/propose/adopt.ts';
export type { InstalledSkill, LostSkill } from './hub/install/installation.ts';
export type { OutdatedSkill } from './hub/install/find-outdated.ts';
export type { HubPlace, Scope } from './hub/install/place.ts';
export type { ConsentGiven, Decision, NotProposed, Proposal, ProposedSkill } from './hub/install/proposal.ts';
export type { Lock, LockEntry } from './hub/lock/lock.ts';
export type { Progress, Resolved } from './hub/source/source.ts';
