// Transactions and reads: effects after a commit, retries, and handles that outlive their read.
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { refusing } from '../../src/database/faults.ts';
import { connectDatabase, type DatabaseConnection } from '../../src/database/connection.ts';
import { Reader, type Queries } from '../../src/database/reader.ts';
import type { Scope } from '../../src/database/scope.ts';
import { Transactions } from '../../src/database/transactions.ts';
import { License, Membership, Role } from '../../src/entities/index.ts';
import { DomainError } from '../../src/errors.ts';
import { WorkMonitor } from '../../src/process/work-monitor.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let connection: DatabaseConnection;
let transactions: Transactions;
let licenseId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  connection = await connectDatabase({ url: database.url, log: pino({ level: 'silent' }) });
  transactions = new Transactions(connection.orm, pino({ level: 'silent' }));
  const [row] = await database.query<{ id: string }>(
    `insert into license (key, name, subdomain, companion_token_hash) values ('k', 'n', 's', 'h') returning id`,
  );
  licenseId = row?.id ?? '';
});

afterAll(async () => {
  await connection.close();
  await database.drop();
});

describe('an effect announced in a transaction', () => {
  it('runs once it has committed, when others can see its changes', async () => {
    const reported: number[] = [];
    await transactions.run(null, async (em) => {
      em.create(License, { key: 'k1', name: 'n', subdomain: 's1', companionTokenHash: 'h1' });
      transactions.afterCommit(() => reported.push(1));
      await em.flush();
      await transactions.run({ licenseId }, async () => {
        transactions.afterCommit(() => reported.push(2));
      });
      expect(reported).toEqual([]);
    });
    expect(reported).toEqual([1, 2]);
    expect(await database.query(`select 1 from license where key = 'k1'`)).toHaveLength(1);
  });

  it('never runs when it is rolled back', async () => {
    const reported: number[] = [];
    const failing = transactions.run(null, async () => {
      transactions.afterCommit(() => reported.push(1));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(reported).toEqual([]);
  });

  it('does not run for the part that was rolled back', async () => {
    const reported: number[] = [];
    await transactions.run(null, async () => {
      const part = transactions.run({ licenseId }, async () => {
        transactions.afterCommit(() => reported.push(1));
        throw new Error('no');
      });
      await expect(part).rejects.toThrow('no');
      transactions.afterCommit(() => reported.push(2));
    });
    expect(reported).toEqual([2]);
  });

  it('may fail without undoing or hiding the commit', async () => {
    const reported: number[] = [];
    await transactions.run(null, async (em) => {
      await em.execute(`insert into setup_token values ('announced', now())`);
      transactions.afterCommit(() => {
        throw new Error('no subscriber');
      });
      transactions.afterCommit(() => reported.push(2));
    });
    expect(reported).toEqual([2]);
    expect(await database.query(`select 1 from setup_token where token_hash = 'announced'`)).toHaveLength(1);
  });

  it('runs at once outside a transaction', () => {
    const reported: number[] = [];
    transactions.afterCommit(() => reported.push(1));
    expect(reported).toEqual([1]);
  });
});

it('a failed part of the same license is not committed, even if its error was caught', async () => {
  const reported: number[] = [];
  const whole = transactions.run({ licenseId }, async () => {
    await transactions
      .run({ licenseId }, async (em) => {
        em.create(Role, { name: 'Half', permissions: {} });
        await em.flush();
        transactions.afterCommit(() => reported.push(1));
        throw new Error('no');
      })
      .catch(() => undefined);
  });
  await expect(whole).rejects.toThrow('a part of the transaction failed');
  expect(reported).toEqual([]);
  expect(await database.query(`select 1 from role where name = 'Half'`)).toEqual([]);
});

it('forbidden actions inside a transaction are refused there, at any depth, and nowhere else', async () => {
  const refuse = () => transactions.refuseInside('asking an agent');
  await expect(transactions.run(null, async () => refuse())).rejects.toThrow('asking an agent');
  await expect(
    transactions.run(null, () => transactions.run({ licenseId }, async () => refuse())),
  ).rejects.toThrow('asking an agent');
  expect(refuse).not.toThrow();
});

it('two deadlocked transactions both succeed, and the retried one announces once', async () => {
  await database.query(`insert into setup_token values ('a', now()), ('b', now())`);
  const bothHold = Promise.withResolvers<void>();
  let holding = 0;
  let attempts = 0;
  const reported: string[] = [];
  const swap = (first: string, second: string) =>
    transactions.run(null, async (em) => {
      attempts += 1;
      transactions.afterCommit(() => reported.push(first));
      await em.execute('update setup_token set expires_at = now() where token_hash = ?', [first]);
      holding += 1;
      if (holding === 2) bothHold.resolve();
      await bothHold.promise;
      await em.execute('update setup_token set expires_at = now() where token_hash = ?', [second]);
    });
  await Promise.all([swap('a', 'b'), swap('b', 'a')]);
  expect(attempts).toBe(3);
  expect(reported.toSorted()).toEqual(['a', 'b']);
});

it('typed queries of a transaction see what it has flushed, in its license', async () => {
  await transactions
    .run({ licenseId }, async (em, queries) => {
      const role = em.create(Role, { name: 'Seen', permissions: {} });
      await em.flush();
      const rows = await queries.selectFrom('role').select(['id', 'license_id']).execute();
      expect(rows).toEqual([{ id: role.id, license_id: licenseId }]);
      throw new Error('rolled back');
    })
    .catch((error: Error) => expect(error.message).toBe('rolled back'));
});

it('a query after its read has ended is refused: it would run in another transaction', async () => {
  const reader = new Reader(connection.pool);
  let kept: Queries | undefined;
  await reader.read({ licenseId }, async (queries) => {
    kept = queries;
    await queries.selectFrom('role').select('id').execute();
  });
  await expect(kept?.selectFrom('role').select('id').execute()).rejects.toThrow('has ended');
});

describe('constraint violations', () => {
  const twice = (constraint: string) =>
    transactions.run(null, (em) =>
      refusing({ [constraint]: () => new DomainError('name_taken', 'taken') }, async () => {
        em.create(License, { key: 'k2', name: 'n', subdomain: 'twice', companionTokenHash: 'h2' });
        em.create(License, { key: 'k3', name: 'n', subdomain: 'twice', companionTokenHash: 'h3' });
        await em.flush();
      }),
    );

  it('become the error named for the constraint', async () => {
    await expect(twice('license_subdomain_key')).rejects.toMatchObject({ code: 'name_taken' });
  });

  it('become the error named for a foreign key', async () => {
    const orphan = transactions.run({ licenseId }, (em) =>
      refusing({ membership_user_id_fkey: () => new DomainError('not_found', 'gone') }, async () => {
        const role = em.create(Role, { name: 'Orphan', permissions: {} });
        await em.flush();
        em.create(Membership, { userId: licenseId, roleId: role.id });
        await em.flush();
      }),
    );
    await expect(orphan).rejects.toMatchObject({ code: 'not_found' });
  });

  it('of another constraint are unchanged', async () => {
    await expect(twice('license_key_key')).rejects.toMatchObject({ constraint: 'license_subdomain_key' });
  });
});

it.each([
  ['is read-only', '25006'],
  ['has no room on its disk', '53100'],
  ['is out of memory', '53200'],
  ['has no connection left', '53300'],
])('a server that %s makes the database unavailable', async (_what, code) => {
  const failing = transactions.run(null, (em) =>
    em.execute(`do $$ begin raise exception 'no' using errcode = '${code}'; end $$`),
  );
  await expect(failing).rejects.toMatchObject({ code: 'unavailable' });
});

it('retries a transaction with serialization conflicts seven times, and then reports that the database is busy', async () => {
  let attempts = 0;
  const lose = `do $$ begin raise exception 'lost' using errcode = '40P01'; end $$`;
  const work = async (times: number) =>
    transactions.run(null, async (em) => {
      attempts += 1;
      if (attempts <= times) await em.execute(lose);
      return attempts;
    });
  await expect(work(7)).resolves.toBe(8);
  attempts = 0;
  await expect(work(Infinity)).rejects.toMatchObject({ code: 'unavailable' });
  expect(attempts).toBe(8);
});

it('a transaction whose connection dies returns its place to the pool', async () => {
  const narrow = await connectDatabase({ url: database.url, poolSize: 1, log: pino({ level: 'silent' }) });
  try {
    const own = new Transactions(narrow.orm, pino({ level: 'silent' }));
    for (let round = 0; round < 3; round += 1) {
      const dying = own.run(null, (em) => em.execute('select pg_terminate_backend(pg_backend_pid())'));
      await expect(dying).rejects.toMatchObject({ code: 'unavailable' });
    }
    await expect(own.run(null, (em) => em.execute('select 1 as alive'))).resolves.toEqual([{ alive: 1 }]);
  } finally {
    await narrow.close();
  }
});

describe('an abandoned run', () => {
  const monitor = new WorkMonitor(pino({ level: 'silent' }));
  const watch = monitor.watch('a lane', () => undefined);
  let fenced: Transactions;

  beforeAll(() => {
    fenced = new Transactions(connection.orm, pino({ level: 'silent' }), undefined, undefined, monitor);
  });

  afterAll(() => {
    watch.stop();
    monitor.close();
  });

  const names = () => database.query(`select name from license where name like 'of a%run'`);

  it('commits nothing, begins nothing and has no external effect', async () => {
    const run = watch.run(async () => {
      const write = fenced.run(null, async (em) => {
        await em.execute(`update license set name = 'of an abandoned run' where id = ?`, [licenseId]);
        watch.abandonRuns();
      });
      await expect(write).rejects.toThrow('abandoned');
      await expect(fenced.run(null, async () => undefined)).rejects.toThrow('abandoned');
      expect(() => fenced.refuseInside('asking an agent')).toThrow('abandoned');
    });
    await expect(run).rejects.toThrow('abandoned');
    expect(await names()).toEqual([]);
  });

  async function holdJob(worker: string): Promise<{ id: string; worker: string }> {
    await database.query('insert into job_worker (worker_id, process) values ($1, 1)', [worker]);
    const [job] = await database.query<{ id: string }>(
      `select id::text as id from graphile_worker.add_job('send-mail', '{}')`,
    );
    const id = job?.id ?? '';
    await database.query(
      'update graphile_worker._private_jobs set locked_by = $1, locked_at = now() where id = $2',
      [worker, id],
    );
    return { id, worker };
  }

  const write = (scope: Scope) =>
    fenced.run(scope, (em) => em.execute(`update license set name = 'of a run' where id = ?`, [licenseId]));

  it.each([
    ['its worker is in no ledger', `delete from job_worker where worker_id = $1`],
    [
      'another worker holds its job',
      `update graphile_worker._private_jobs set locked_by = 'another' where locked_by = $1`,
    ],
  ])(
    'is one whose job was released: when %s it commits nothing and does not count as done',
    async (_when, free) => {
      const job = await holdJob(randomUUID());
      const run = watch.run(async () => {
        await fenced.run(null, async () => undefined);
        await database.query(free, [job.worker]);
        await expect(write(null)).rejects.toThrow('not held');
      }, job);
      await expect(run).rejects.toThrow('abandoned');
      expect(await names()).toEqual([]);
    },
  );

  it('is none while its worker holds the job, in any scope', async () => {
    const job = await holdJob(randomUUID());
    await watch.run(async () => {
      await fenced.run({ licenseId }, async (em) => em.execute('select 1'));
      await fenced.run({ resellerId: randomUUID() }, async (em) => em.execute('select 1'));
    }, job);
  });

  it('a job is not released while its work is being committed', async () => {
    const { worker } = await holdJob(randomUUID());
    const freed = await database.commitWhileWaiting(
      `select hold_job((select id from graphile_worker._private_jobs where locked_by = $1), $1)`,
      [worker],
      () => connection.pool.query('delete from job_worker where worker_id = $1', [worker]),
    );
    expect(freed.rowCount).toBe(1);
  });
});
