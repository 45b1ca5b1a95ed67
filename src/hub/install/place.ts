// Where a scope keeps its skills, its lock, and what the hub needs besides.
//
//   workspace or user -> HubPlace
//
// Skills, the lock and staged copies are in the scope, so that one rename moves a skill into place. What a transaction must
// remember is in the user's own folder: a repository that somebody else wrote cannot bring a record that techne then acts
// on. A `.techne` folder of a workspace that leads out of the workspace is refused; the user's own may be a link.
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { isInside } from '../../base/is-inside.ts';
import { nodeSha256 } from '../../node/environment.ts';
import { lockFileName } from '../lock/lock.ts';

/** Where skills are installed. */
export type Scope = 'user' | 'workspace';

/** The folders and files of a place. */
export interface HubPlace {
  readonly scope: Scope;
  /** The folder of the lock; paths of sources in the lock start here. */
  readonly root: string;
  /** `.techne` of the scope, with every link resolved where it exists. */
  readonly base: string;
  /** `.techne/skills`: each skill is a folder in it. */
  readonly skills: string;
  /** `.techne/hub`, beside the skills and on their file system: staged copies, one folder for each command. */
  readonly stages: string;
  readonly lockFile: string;
  /** `~/.techne/hub/KEY`: the intent, the receipts and the mutex of this place. */
  readonly state: string;
  readonly intentFile: string;
  readonly receiptsFile: string;
  readonly mutexFile: string;
}

/** A workspace that is the home folder is the user's place. */
export function hubPlace(scope: Scope, workspace: string, homeFolder: string): HubPlace {
  const home = real(homeFolder);
  const root = scope === 'user' ? home : real(workspace);
  const isUser = scope === 'user' || root === home;
  const base = real(join(root, '.techne'));
  if (!isUser && !isInside(base, root)) throw leadsOut(join(root, '.techne'), base);
  const skills = join(base, 'skills');
  const realSkills = real(skills);
  if (realSkills !== skills && !isUser) throw leadsOut(skills, realSkills);
  const key = nodeSha256(`${isUser ? 'user' : 'workspace'}\0${base}`).slice(0, 24);
  const state = join(real(join(home, '.techne')), 'hub', key);
  return {
    scope: isUser ? 'user' : 'workspace',
    root: isUser ? base : root,
    base,
    skills: realSkills,
    stages: join(dirname(realSkills), 'hub'),
    lockFile: join(isUser ? base : root, lockFileName),
    state,
    intentFile: join(state, 'intent.json'),
    receiptsFile: join(state, 'installed.json'),
    mutexFile: join(state, 'mutex'),
  };
}

function real(path: string): string {
  return existsSync(path) ? realpathSync.native(path) : path;
}

function leadsOut(path: string, to: string): TechneError {
  return new TechneError('PATH_UNSAFE', `"${path}" is a link to "${to}"`, {
    hint: 'skills are installed only into folders of the workspace itself: remove the link',
  });
}
