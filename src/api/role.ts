// Who may do what over HTTP: the role of a token, and the audience that it speaks for.
//
// viewer < runner < reviewer < operator. A runner is the caller, a reviewer a person, an operator the operator of
// run/question/question.ts: so a runner's token can never approve a command, nor answer a question to a person.
import type { Audience } from '../journal/entry.ts';

/** What a token may do; each role may do what the ones before it may. */
export const roles = ['viewer', 'runner', 'reviewer', 'operator'] as const;

/** One of `roles`. */
export type Role = (typeof roles)[number];

export function isRole(given: string): given is Role {
  return (roles as readonly string[]).includes(given);
}

export function hasRole(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed);
}

/** Whom the role answers as; `null`: it answers nothing. */
export const audienceOfRole: Readonly<Record<Role, Audience | null>> = {
  viewer: null,
  runner: 'caller',
  reviewer: 'person',
  operator: 'operator',
};

/** The least role that may answer questions to an audience. */
export const roleOfAudience: Readonly<Record<Audience, Role>> = {
  caller: 'runner',
  person: 'reviewer',
  operator: 'operator',
};

export function mayAnswer(role: Role, audience: Audience): boolean {
  return hasRole(role, roleOfAudience[audience]);
}
