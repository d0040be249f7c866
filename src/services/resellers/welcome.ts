// Sends customers with a new account the link with which they choose its password.
import type { EntityManager } from '../../database/connection.ts';
import { createPasswordToken, welcomeTokenMs } from '../auth/password-changes.ts';
import type { MailOut } from '../../mail/mail-out.ts';

/** Idempotent: an account with a password, or with a link that is still valid, gets no message. */
export async function welcomeCustomers(
  em: EntityManager,
  mailOut: MailOut,
  licenseIds: readonly string[],
): Promise<void> {
  const owners = await em.execute<{ id: string; email: string; license: string }[]>(
    `select distinct on (account.id) account.id, account.email, license.name as license
     from license join user_account as account on account.email = license.owner_email
     where license.id = any(?::uuid[]) and account.password_hash is null and not account.is_disabled
       and not exists (select from password_token where user_id = account.id and expires_at > now())
     order by account.id, license.id`,
    [`{${licenseIds.join(',')}}`],
  );
  for (const { id, email, license } of owners) {
    const token = await createPasswordToken(em, id, welcomeTokenMs);
    const mail = { to: email, template: 'account-created', values: { email, license, token } } as const;
    await mailOut.enqueue(em, mail, 'provisioning');
  }
}
