// Creates the first user of an empty installation: from the settings, or through a printed one-time link.
import { ConfigError } from '../../process/environment.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import { SetupToken, UserAccount } from '../../entities/index.ts';
import { DomainError } from '../../errors.ts';
import { createSecret, hashSecret } from '../../secrets/random-secrets.ts';
import type { Passwords } from './passwords.ts';

const setupTokenMs = 24 * 60 * 60_000;

export type FirstUser =
  { kind: 'exists' } | { kind: 'created'; email: string } | { kind: 'setup-token'; token: string };

export async function hasUsers(platform: PlatformScope): Promise<boolean> {
  const users = await platform.read('sign-in', (queries) =>
    queries
      .selectFrom('user_account')
      .select('id')
      .where('sandbox_license_id', 'is', null)
      .limit(1)
      .execute(),
  );
  return users.length > 0;
}

/** Creates the user named by the settings, or a setup token, unless there is a user already. */
export async function provideFirstUser(
  platform: PlatformScope,
  passwords: Passwords,
  bootstrap: { email: string; password: string } | undefined,
): Promise<FirstUser> {
  if (await hasUsers(platform)) return { kind: 'exists' };
  const passwordHash = bootstrap && (await hashOf(bootstrap, passwords));
  return platform.transact('sign-in', async (em): Promise<FirstUser> => {
    await em.execute('lock table user_account in share row exclusive mode');
    if ((await em.count(UserAccount, { sandboxLicenseId: null })) > 0) return { kind: 'exists' };
    if (bootstrap !== undefined && passwordHash !== undefined) {
      em.create(UserAccount, { email: bootstrap.email, passwordHash, isSuperAdmin: true });
      return { kind: 'created', email: bootstrap.email };
    }
    const token = createSecret('');
    await em.nativeDelete(SetupToken, { expiresAt: { $lt: new Date() } });
    em.create(SetupToken, { tokenHash: hashSecret(token), expiresAt: new Date(Date.now() + setupTokenMs) });
    return { kind: 'setup-token', token };
  });
}

async function hashOf(
  { email, password }: { email: string; password: string },
  passwords: Passwords,
): Promise<string> {
  try {
    return await passwords.hashChosen({ email, password, pointer: '' });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new ConfigError(`GANTRY_BOOTSTRAP_PASSWORD: ${error.message}`, { cause: error });
  }
}
