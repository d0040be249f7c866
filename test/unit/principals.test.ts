// What is known of sessions while the database cannot be reached: nothing, rather than that they have ended.
import type { Ctx } from '../../src/context.ts';
import type { PlatformScope } from '../../src/database/platform-scope.ts';
import { DomainError } from '../../src/errors.ts';
import type { AccessChanges } from '../../src/services/auth/access-changes.ts';
import { Principals } from '../../src/services/auth/principals.ts';
import { ConsoleTickets } from '../../src/services/console/index.ts';

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

  it.each([
    ['can be presented again after the database could not be reached', unavailable(), 'unavailable'],
    ['cannot be presented again after it was used', undefined, 'unauthorized'],
  ])('%s', async (_what, failure, code) => {
    const transact = jest.fn(() => Promise.resolve(undefined));
    if (failure !== undefined) transact.mockRejectedValueOnce(failure);
    const tickets = new ConsoleTickets({ transact } as never, {} as never, 'secret');
    const ctx = { user: { license: null }, transact: () => Promise.resolve() } as unknown as Ctx;
    const { ticket } = await tickets.create(ctx, instanceId);
    await expect(tickets.redeem(ticket, instanceId)).rejects.toMatchObject({ code });
    await expect(tickets.redeem(ticket, instanceId)).rejects.toMatchObject({ code: 'unauthorized' });
    expect(transact).toHaveBeenCalledTimes(failure === undefined ? 1 : 2);
  });
});
