// Access of super admins to every license's rows, which every other caller is refused.
import type { Ctx, Principal } from '../../src/context.ts';
import type { PlatformScope } from '../../src/database/platform-scope.ts';
import { Administration } from '../../src/services/auth/administration.ts';

const reached: string[] = [];
const platform = {
  read: async (reason: string) => void reached.push(`read ${reason}`),
  transact: async (reason: string) => void reached.push(`transact ${reason}`),
} as unknown as PlatformScope;
const administration = new Administration(platform);

const actor = { kind: 'user' as const, id: 'u', label: 'u@example.com' };
const license = { id: 'l', role: 'Owner', permissions: { '*': true }, isRevoked: false };
const user = {
  kind: 'user' as const,
  actor,
  license,
  userId: 'u',
  email: 'u@example.com',
  sessionId: 's',
  accessEndsAt: new Date(),
};

const others: Principal[] = [
  { kind: 'anonymous', actor: null, license: null },
  { ...user, isSuperAdmin: false },
  { kind: 'companion', actor, license, credential: { tokenHash: 'h' } },
  { kind: 'api_key', identifier: 'k', actor, license },
  { kind: 'plugin', actor, license },
  { kind: 'job', actor, license },
  { kind: 'reseller', actor, license: null, resellerId: 'r' },
];

const ctxOf = (principal: Principal) => ({ principal }) as Ctx;

beforeEach(() => void reached.splice(0));

it.each(others)('is refused to $kind', async (principal) => {
  const ctx = ctxOf(principal);
  await expect(administration.read(ctx, async () => 1)).rejects.toMatchObject({ code: 'forbidden' });
  await expect(administration.transact(ctx, async () => 1)).rejects.toMatchObject({ code: 'forbidden' });
  expect(reached).toEqual([]);
});

it('is given to a super admin, with or without a license', async () => {
  for (const own of [license, { ...license, isRevoked: true }, null]) {
    const ctx = ctxOf({ ...user, license: own, isSuperAdmin: true });
    await administration.read(ctx, async () => 1);
    await administration.transact(ctx, async () => 1);
  }
  const once = ['read administration', 'transact administration'];
  expect(reached).toEqual([...once, ...once, ...once]);
});
