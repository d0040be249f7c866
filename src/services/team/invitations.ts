// Invitations to a license: sent by e-mail, accepted with the token in the message.
import { LockMode } from '@mikro-orm/core';
import { licenseRevoked, type Ctx } from '../../context.ts';
import type { Query, Schemas } from '../../platform-contract/types.ts';
import { attributeToUser } from '../../database/attribution.ts';
import type { EntityManager } from '../../database/connection.ts';
import { refusing } from '../../database/faults.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import type { Queries } from '../../database/reader.ts';
import { Invitation, License, Membership, Role, UserAccount } from '../../entities/index.ts';
import { DomainError, notFound } from '../../errors.ts';
import type { AccessChanges } from '../auth/access-changes.ts';
import type { Passwords } from '../auth/passwords.ts';
import { refuseBeyond } from '../../preconditions/limits.ts';
import type { MailOut } from '../../mail/mail-out.ts';
import { byId, pageOf } from '../../lists/page.ts';
import { covers } from '../auth/role-permissions.ts';
import { createSecret, hashSecret } from '../../secrets/random-secrets.ts';
import {
  isOpen,
  permissionsOf,
  permissionsOfMember,
  refuseBeyondOwn,
  lockAccess,
  lockAccessOf,
} from './access.ts';
import { accounts } from './index.ts';

const lifetimeMs = 7 * 24 * 60 * 60_000;
/** Maximum per day, including ended ones: each sends an e-mail that its receiver may not want. */
export const maxPerDay = 100;
const dayMs = 24 * 60 * 60_000;

export type InvitationRow = Awaited<ReturnType<typeof invitationOf>>;

export interface Acceptance {
  licenseId: string;
  licenseName: string;
  email: string;
  role: string;
  isPasswordSet: boolean;
}

export interface InvitationParts {
  platform: PlatformScope;
  passwords: Passwords;
  changes: AccessChanges;
  mailOut: MailOut;
}

export class Invitations {
  readonly #platform: PlatformScope;
  readonly #passwords: Passwords;
  readonly #changes: AccessChanges;
  readonly #mailOut: MailOut;

  constructor({ platform, passwords, changes, mailOut }: InvitationParts) {
    this.#platform = platform;
    this.#passwords = passwords;
    this.#changes = changes;
    this.#mailOut = mailOut;
  }

  async list(ctx: Ctx, query: Query<'listInvitations'>) {
    return ctx.read((queries) => pageOf(openInvitations(queries), query, byId('invitation.id', 'asc')));
  }

  /** The token is in the message only; the database has its hash. */
  async create(ctx: Ctx, input: Schemas['InvitationCreate']): Promise<InvitationRow> {
    const email = input.email.toLowerCase();
    const token = createSecret('gantry_invitation_');
    return ctx.transact(async (em, queries) => {
      const held = await lockAccessOf(ctx, em, queries);
      const role = await em.findOne(Role, input.role_id);
      if (role === null) throw notFound('role');
      refuseBeyondOwn(held, permissionsOf(role));
      await refuseMember(queries, email);
      await refuseBeyond(em, {
        subject: `invitations ${ctx.licenseId}`,
        max: maxPerDay,
        count: () => em.count(Invitation, { createdAt: { $gt: new Date(Date.now() - dayMs) } }),
        detail: `A license sends at most ${maxPerDay} invitations a day.`,
      });
      await em.nativeUpdate(
        Invitation,
        { email, endedAt: null, expiresAt: { $lte: new Date() } },
        { endedAt: new Date() },
      );
      const invitation = em.create(Invitation, {
        email,
        roleId: role.id,
        invitedBy: ctx.user.userId,
        tokenHash: hashSecret(token),
        expiresAt: new Date(Date.now() + lifetimeMs),
      });
      await refusing({ invitation_open_key: () => alreadyInvited(email) }, () => em.flush());
      const { name: license } = await em.findOneOrFail(License, ctx.licenseId);
      await this.#mailOut.enqueue(em, {
        to: email,
        template: 'invitation',
        values: { inviter: ctx.user.email, license, role: role.name, token },
      });
      return invitationOf(queries, invitation.id);
    });
  }

  async revoke(ctx: Ctx, id: string): Promise<void> {
    await ctx.transact(async (em) => {
      const ended = await em.nativeUpdate(Invitation, { id, ...isOpen() }, { endedAt: new Date() });
      if (ended === 0) throw notFound('invitation');
    });
  }

  /** The token proves control of the address. Accepting never changes an existing password. */
  async accept({ token, password }: Schemas['InvitationAcceptance']): Promise<Acceptance> {
    const tokenHash = hashSecret(token);
    const { licenseId, email, needsPassword } = await this.#find(tokenHash);
    if (needsPassword && password === undefined) throw passwordRequired();
    const passwordHash =
      needsPassword && password !== undefined
        ? await this.#passwords.hashChosen({ password, email, pointer: '/password' })
        : undefined;
    return this.#platform.transact('sign-in', async (em, queries) => {
      await lockAccess(em, licenseId);
      const invitation = await em.findOne(
        Invitation,
        { tokenHash, ...isOpen() },
        { lockMode: LockMode.PESSIMISTIC_WRITE },
      );
      if (!invitation?.roleId) throw invalidInvitation();
      const license = await em.findOneOrFail(License, licenseId);
      if (license.status === 'revoked') throw licenseRevoked();
      const role = await em.findOneOrFail(Role, { id: invitation.roleId });
      const held = await permissionsOfMember(queries, licenseId, invitation.invitedBy);
      const isInviterDisabled = await em.count(UserAccount, { id: invitation.invitedBy, isDisabled: true });
      if (isInviterDisabled > 0 || held === undefined || !covers(held, permissionsOf(role)))
        throw invalidInvitation();
      const { user, isPasswordSet } = await accountOf(em, invitation.email, passwordHash);
      em.create(Membership, { licenseId, userId: user.id, roleId: role.id });
      invitation.endedAt = new Date();
      await refusing({ membership_license_id_user_id_key: () => alreadyMember(user.email) }, () =>
        em.flush(),
      );
      this.#changes.announce({ user_id: user.id });
      return { licenseId, licenseName: license.name, email: user.email, role: role.name, isPasswordSet };
    });
  }

  async #find(tokenHash: string): Promise<{ licenseId: string; email: string; needsPassword: boolean }> {
    const found = await this.#platform.read('sign-in', (queries) =>
      queries
        .selectFrom('invitation')
        .leftJoin('user_account', 'user_account.email', 'invitation.email')
        .select(['invitation.license_id', 'invitation.email', 'user_account.password_hash'])
        .where('invitation.token_hash', '=', tokenHash)
        .where('invitation.ended_at', 'is', null)
        .where('invitation.expires_at', '>', new Date().toISOString())
        .executeTakeFirst(),
    );
    if (found === undefined) throw invalidInvitation();
    const { license_id: licenseId, email, password_hash } = found;
    return { licenseId, email, needsPassword: password_hash === null };
  }
}

/**
 * Returns the account of the address, and creates it if there is none. Sets a password only where the account has none.
 */
async function accountOf(
  em: EntityManager,
  email: string,
  passwordHash: string | undefined,
): Promise<{ user: UserAccount; isPasswordSet: boolean }> {
  await em.execute('insert into user_account (email) values (?) on conflict do nothing', [email]);
  const user = await em.findOneOrFail(
    UserAccount,
    { email },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  );
  if (user.isDisabled) throw invalidInvitation();
  await attributeToUser(em, user);
  const hasPassword = typeof user.passwordHash === 'string';
  if (!hasPassword && passwordHash === undefined) throw passwordRequired();
  if (!hasPassword && passwordHash !== undefined) user.passwordHash = passwordHash;
  return { user, isPasswordSet: !hasPassword };
}

function openInvitations(queries: Queries) {
  return queries
    .selectFrom('invitation')
    .innerJoin('role', 'role.id', 'invitation.role_id')
    .innerJoin(accounts, 'account.user_id', 'invitation.invited_by')
    .select([
      'invitation.id',
      'invitation.email',
      'role.id as role_id',
      'role.name as role',
      'account.email as invited_by',
      'invitation.created_at',
      'invitation.expires_at',
    ])
    .where('invitation.ended_at', 'is', null)
    .where('invitation.expires_at', '>', new Date().toISOString());
}

async function invitationOf(queries: Queries, id: string) {
  const invitation = await openInvitations(queries).where('invitation.id', '=', id).executeTakeFirst();
  if (invitation === undefined) throw notFound('invitation');
  return invitation;
}

async function refuseMember(queries: Queries, email: string): Promise<void> {
  const member = await queries
    .selectFrom(accounts)
    .select('account.user_id')
    .where('account.email', '=', email)
    .executeTakeFirst();
  if (member !== undefined) throw alreadyMember(email);
}

const alreadyMember = (email: string) =>
  new DomainError('already_member', `${email} is already a member of the license.`);

const alreadyInvited = (email: string) =>
  new DomainError('already_invited', `${email} has an open invitation; revoke it to send another.`);

const invalidInvitation = () =>
  new DomainError('invalid_invitation', 'This invitation is no longer valid; ask for a new one.');

const passwordRequired = () =>
  new DomainError('password_required', 'Your account has no password yet; choose one to accept.');
