// What is known of sessions while the database cannot be reached: nothing, rather than that they have ended.
import type { Ctx } from '../../src/context.ts';
import type { PlatformScope } from '../../src/database/platform-scope.ts';
import { DomainError, unauthorized } from '../../src/errors.ts';
import type { AccessChanges } from '../../src/services/auth/access-changes.ts';
import { Principals } from '../../src/services/auth/principals.ts';
import { ConsoleTickets, type ReservePlace } from '../../src/services/console/index.ts';

const unavailable = () => new DomainError('unavailable', 'The database cannot be reached; try again soon.');
const changes = { on: () => () => undefined } as unknown as AccessChanges;
const claims = { sub: 'the user', sid: 'the session', license_id: null };
const row = { ...claims, claimed_license_id: null, license_id: null, role: null, email: 'one@example.com' };

describe('sessions', () => {
  it('that cannot be looked up have not ended', async () => {
    const read = jest
      .fn(() => Promise.resolve([row]))
      .mockRejectedValueOnce(unavailable())
      .mockRejectedValueOnce(unavailable());
    const principals = new Principals({ read } as unknown as PlatformScope, changes);
    await expect(principals.findAll([claims])).rejects.toMatchObject({ code: 'unavailable' });
    await expect(principals.find(claims)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await principals.findAll([claims])).toMatchObject([{ userId: 'the user' }]);
  });

  it('that are gone are undefined among others', async () => {
    const read = () => Promise.resolve([row]);
    const principals = new Principals({ read } as unknown as PlatformScope, changes);
    const found = await principals.findAll([claims, { ...claims, sid: 'another' }]);
    expect(found).toMatchObject([{ sessionId: 'the session' }, undefined]);
  });
});

describe('a console ticket', () => {
  const instanceId = '0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b11';

  const row = { user_id: 'u', session_id: 's', license_id: 'l', host_id: 'h', name: 'main' };
  const watcher = { userId: 'u', license: { isRevoked: false, permissions: { 'console.view': true } } };

  /** The steps of a redemption: each fails as many times as it has failures, and the last one consumes the ticket. */
  async function issueTicket(failures: { read?: Error; find?: Error; transact?: Error } = {}) {
    const rows = [row];
    const failing = <T>(failure: Error | undefined, step: () => T) => {
      const mock = jest.fn(() => Promise.resolve(step()));
      if (failure !== undefined) mock.mockRejectedValueOnce(failure);
      return mock;
    };
    const read = failing(failures.read, () => rows[0]);
    const find = failing(failures.find, () => watcher);
    const transact = failing(failures.transact, () => rows.shift());
    const tickets = new ConsoleTickets({ read, transact } as never, { find } as never, 'secret');
    const ctx = { user: { license: null }, transact: () => Promise.resolve() } as unknown as Ctx;
    const { ticket } = await tickets.create(ctx, instanceId);
    return {
      redeem: (reserve: ReservePlace = () => undefined) => tickets.redeem(ticket, instanceId, reserve),
      read,
    };
  }

  it.each(['read', 'find', 'transact'])(
    'can be presented again after the database could not be reached: %s',
    async (step) => {
      const { redeem } = await issueTicket({ [step]: unavailable() });
      await expect(redeem()).rejects.toMatchObject({ code: 'unavailable' });
      await expect(redeem()).resolves.toMatchObject({ instanceName: 'main' });
    },
  );

  it('can be presented again once its holder has a place, and is not looked up until then', async () => {
    const { redeem, read } = await issueTicket();
    const full = () => {
      throw new DomainError('rate_limited', 'Too many open console sockets; close one.');
    };
    await expect(redeem(full)).rejects.toMatchObject({ code: 'rate_limited' });
    await expect(redeem(full)).rejects.toMatchObject({ code: 'rate_limited' });
    expect(read).toHaveBeenCalledTimes(1);
    const reserve = jest.fn();
    await expect(redeem(reserve)).resolves.toMatchObject({ instanceName: 'main' });
    expect(reserve.mock.calls).toEqual([['u']]);
  });

  it('cannot be presented again after it was used, and is not looked up then', async () => {
    const { redeem, read } = await issueTicket();
    await redeem();
    await expect(redeem()).rejects.toMatchObject({ code: 'unauthorized' });
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('cannot be presented again after its holder was refused', async () => {
    const { redeem } = await issueTicket({ find: unauthorized() });
    await expect(redeem()).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(redeem()).rejects.toMatchObject({ code: 'unauthorized' });
  });
});
