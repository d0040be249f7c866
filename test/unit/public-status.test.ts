// The public status is computed once for concurrent requests, and failures are not cached.
import type { PlatformScope } from '../../src/database/platform-scope.ts';
import { DomainError } from '../../src/errors.ts';
import { PublicStatus, type PublicStatusPage } from '../../src/services/public-status/index.ts';

type Read = () => Promise<unknown>;

function statusOver(read: Read): PublicStatus {
  return new PublicStatus({ readLagging: read, maxLagMs: 0 } as unknown as PlatformScope);
}

const found = {
  total_servers: 3,
  online_servers: 2,
  total_players: 1,
  license: undefined,
  rows: [],
  nextCursor: null,
};

const view = ({ health, rows }: PublicStatusPage) => ({
  platform: health,
  license: null,
  data: rows as [],
  next_cursor: null,
});

const ask = (status: PublicStatus, limit = 25) => status.get({ limit }, view);

it('once for each page, and the totals once for all of them', async () => {
  let reads = 0;
  const status = statusOver(async () => {
    reads += 1;
    await new Promise(setImmediate);
    return found;
  });
  const responses = await Promise.all(
    Array.from({ length: 100 }, (_, index) => ask(status, 1 + (index % 2))),
  );
  expect(reads).toBe(3);
  expect(new Set(responses).size).toBe(2);
  expect(await ask(status, 1)).toBe(responses[0]);
  expect(reads).toBe(3);
});

it('again after a failure, which only the waiting requests get', async () => {
  let isAway = true;
  const status = statusOver(async () => {
    if (isAway) throw new DomainError('unavailable', 'The database cannot be reached.');
    return found;
  });
  const failures = await Promise.allSettled([ask(status), ask(status)]);
  expect(failures).toMatchObject([
    { status: 'rejected', reason: { code: 'unavailable' } },
    { status: 'rejected', reason: { code: 'unavailable' } },
  ]);
  isAway = false;
  expect((await ask(status)).body.platform).toMatchObject({ total_servers: 3 });
});
