// What the role of this session may do: a button that it may not press says which role it takes.
import { hasRole } from '../../../src/api/role.ts';
import type { Role } from '../../../src/api/role.ts';
import { session } from './session.svelte.ts';

/** `null`: it may. */
export function whyNot(role: Role): string | null {
  const { now } = session;
  if (now === null) return 'You are not logged in';
  return hasRole(now.role, role) ? null : `This takes the role "${role}"; you are "${now.role}"`;
}
