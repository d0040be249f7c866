// Operations of the area `team`.
import type { Schemas } from '../platform-contract/types.ts';
import type { Acceptance, InvitationRow } from '../services/team/invitations.ts';
import type { MemberRow } from '../services/team/index.ts';
import { viewPage, type Handlers } from './handlers.ts';

export const team = {
  listMembers: async (ctx, { query }) => viewPage(await ctx.services.members.list(ctx, query), viewMember),
  changeMemberRole: async (ctx, { path, body }) =>
    viewMember(await ctx.services.members.update(ctx, path.member_id, body)),
  removeMember: async (ctx, { path }) => ctx.services.members.remove(ctx, path.member_id),
  leaveTeam: async (ctx) => ctx.services.members.leave(ctx),
  listInvitations: async (ctx, { query }) =>
    viewPage(await ctx.services.invitations.list(ctx, query), viewInvitation),
  inviteMember: async (ctx, { body }) => viewInvitation(await ctx.services.invitations.create(ctx, body)),
  revokeInvitation: async (ctx, { path }) => ctx.services.invitations.revoke(ctx, path.invitation_id),
  acceptInvitation: async (ctx, { body }) => viewAcceptance(await ctx.services.invitations.accept(body)),
} satisfies Partial<Handlers>;

function viewMember(member: MemberRow): Schemas['Member'] {
  return {
    id: member.id,
    user_id: member.user_id,
    email: member.email,
    is_disabled: member.is_disabled,
    role: { id: member.role_id, name: member.name },
    created_at: member.created_at,
  };
}

function viewInvitation(invitation: InvitationRow): Schemas['Invitation'] {
  return {
    id: invitation.id,
    email: invitation.email,
    role: { id: invitation.role_id, name: invitation.role },
    invited_by: invitation.invited_by,
    created_at: invitation.created_at,
    expires_at: invitation.expires_at,
  };
}

function viewAcceptance(acceptance: Acceptance): Schemas['AcceptedInvitation'] {
  return {
    license_id: acceptance.licenseId,
    license_name: acceptance.licenseName,
    email: acceptance.email,
    role: acceptance.role,
    is_password_set: acceptance.isPasswordSet,
  };
}
