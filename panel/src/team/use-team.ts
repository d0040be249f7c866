// The members, invitations and roles of the license, as far as the user may see them.
import { useMay } from '../api/may.ts';
import type { Schemas } from '../api/operations.ts';
import { usePages } from '../api/reading.ts';

export type Member = Schemas['Member'];
export type Role = Schemas['Role'];

export function useMembers() {
  return usePages('/api/team/members', {}, { all: true, enabled: useMay('GET /api/team/members') });
}

export function useInvitations() {
  return usePages('/api/team/invitations', {}, { all: true, enabled: useMay('GET /api/team/invitations') });
}

export function useRoles() {
  return usePages('/api/roles', {}, { all: true, enabled: useMay('GET /api/roles') });
}

/** Whether the role is the one that a license must not lose: built in, with every permission. */
export const isOwnerRole = (role: Role | undefined): boolean =>
  role?.is_system === true && role.permissions['*'] === true;

/** Whether no other member who can sign in has the role of an Owner. */
export function isLastOwner(member: Member, members: readonly Member[], roles: readonly Role[]): boolean {
  const owner = roles.find(isOwnerRole);
  return (
    owner !== undefined &&
    member.role.id === owner.id &&
    !members.some(({ id, role, is_disabled }) => id !== member.id && role.id === owner.id && !is_disabled)
  );
}
