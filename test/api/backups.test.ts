// Operations of the area `backups`, by a real agent with real files: create, list, rotate, restore and
// delete.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { components } from '../../generated/platform.d.ts';
import { AgentProcess } from '../agent/support/agent.ts';
import { TestAgent } from '../support/agent.ts';
import { someId } from '../support/contract.ts';
import { createBackup, createCommand, createInstance, createSchedule } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { World, type Method, type Tenant } from '../support/world.ts';

type Schemas = components['schemas'];

let world: World;
let tenant: Tenant;
let directory: string;
let agent: AgentProcess;
let root: string;
let instanceId: string;

beforeAll(async () => {
  world = await World.create({ heartbeatIntervalSeconds: 2 });
  tenant = await world.createTenant();
  directory = await mkdtemp(join(tmpdir(), 'gantry-backups-'));
  root = join(directory, 'root');
  mkdirSync(join(root, 'server/main'), { recursive: true });
  writeFileSync(join(root, 'server/main/map.sav'), randomBytes(900_000));
  writeFileSync(join(root, 'server/main/player.db'), 'players');
  writeFileSync(join(root, 'other.txt'), 'other');
  agent = new AgentProcess(directory);
  agent.configure([{ root }]);
  startAgent();
  instanceId = await until(async () => {
    const { body } = await world.call('get', '/api/fleet/instances', tenant.owner);
    const { data } = body as Schemas['GameInstancePage'];
    return data.find(({ state }) => state !== 'offline')?.id;
  }, 'the instance');
});

afterAll(async () => {
  await agent.end();
  await world.close();
  await rm(directory, { recursive: true, force: true });
});

function startAgent(): void {
  agent.start({ GANTRY_URL: world.url, GANTRY_COMPANION_TOKEN: tenant.license.companion_token });
}

const call = (method: Method, rest = '', member = tenant.owner) =>
  world.call(method, `/api/instances/${instanceId}${rest}`, member);

async function run(method: Method, rest: string, body?: object): Promise<Schemas['Command']> {
  const reply = await call(method, rest).set('Prefer', 'wait=10').send(body).expect(202);
  const { id } = reply.body as Schemas['Command'];
  return until(async () => {
    const { body: command } = await world.call('get', `/api/commands/${id}`, tenant.owner);
    return (command as Schemas['Command']).finished_at !== null && (command as Schemas['Command']);
  }, 'the end of the command');
}

async function make(body: Schemas['BackupCreate'] = {}): Promise<Schemas['InstanceBackup']> {
  const command = await run('post', '/backups', body);
  expect(command).toMatchObject({ kind: 'create_backup', status: 'succeeded' });
  return (await call('get', `/backups/${command.id}`).expect(200)).body as Schemas['InstanceBackup'];
}

async function listed(query: object = {}): Promise<Schemas['InstanceBackup'][]> {
  const { body } = await call('get', '/backups').query(query).expect(200);
  return (body as Schemas['InstanceBackupPage']).data;
}

const archives = () =>
  readdirSync(join(agent.stateDirectory, 'backups/main'))
    .filter((name) => name.endsWith('.zip'))
    .map((name) => name.slice(0, -4));

describe('createBackup, getBackup and listBackups', () => {
  it("returns 202 with the command, whose id is also the backup's", async () => {
    const backup = await make({ note: 'the first' });
    expect(backup).toEqual({
      id: expect.any(String),
      instance_id: instanceId,
      kind: 'manual',
      note: 'the first',
      is_pinned: false,
      is_partial: false,
      paths: null,
      size: expect.any(Number),
      content_size: 900_012,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      files: 3,
      changed_files: 0,
      left_out: 0,
      schedule_id: null,
      created_at: expect.any(String),
    });
    expect((await listed())[0]).toEqual(backup);
    expect(await listed({ kind: 'wipe' })).toEqual([]);
  });

  it('returns 202 for selected paths, which the backup lists', async () => {
    const backup = await make({ paths: ['server/main/player.db', 'absent'] });
    expect(backup).toMatchObject({
      is_partial: true,
      files: 1,
      paths: ['server/main/player.db', 'absent'],
    });
  });

  it('lists page by page', async () => {
    const all = (await listed()).map(({ id }) => id);
    const { body } = await call('get', '/backups').query({ limit: 1 }).expect(200);
    const page = body as Schemas['InstanceBackupPage'];
    const [next] = await listed({ limit: 1, cursor: page.next_cursor });
    expect([page.data[0]?.id, next?.id]).toEqual(all.slice(0, 2));
  });

  it('returns 422 path_refused for a path outside the instance', async () => {
    const { body } = await call('post', '/backups')
      .send({ paths: ['server/../../x'] })
      .expect(422);
    expect(body).toMatchObject({ code: 'path_refused' });
  });

  it('fails when the instance directory has nothing to back up', async () => {
    expect(await run('post', '/backups', { paths: ['absent'] })).toMatchObject({
      status: 'failed',
      error: { code: 'files_refused' },
    });
  });

  it('creates one backup for the same Idempotency-Key', async () => {
    const key = randomUUID();
    const ask = () =>
      call('post', '/backups')
        .set('Idempotency-Key', key)
        .send({ paths: ['other.txt'] });
    const [first, second] = [await ask().expect(202), await ask().expect(202)];
    expect((first.body as Schemas['Command']).id).toBe((second.body as Schemas['Command']).id);
  });

  it('returns 404 for unknown backups and instances', async () => {
    await call('get', `/backups/${someId}`).expect(404);
    await world.call('get', `/api/instances/${someId}/backups`, tenant.owner).expect(404);
    await world.call('post', `/api/instances/${someId}/backups`, tenant.owner).send({}).expect(404);
  });

  it('returns 409 limit_reached when the instance has a hundred', async () => {
    const full = await createInstance(world, tenant);
    for (let n = 0; n < 100; n += 1) await createBackup(world, tenant, { instance_id: full });
    const { body } = await world
      .call('post', `/api/instances/${full}/backups`, tenant.owner)
      .send({})
      .expect(409);
    expect(body).toMatchObject({ code: 'limit_reached' });
  });
});

describe('downloadBackup', () => {
  it('returns 200 with the archive, byte for byte', async () => {
    const backup = await make();
    const { body, headers } = await call('get', `/backups/${backup.id}/download`)
      .buffer(true)
      .parse((response, done) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', (error) => done(error, null));
        response.on('end', () => done(null, Buffer.concat(chunks)));
      })
      .expect(200);
    expect(
      createHash('sha256')
        .update(body as Buffer)
        .digest('hex'),
    ).toBe(backup.sha256);
    expect(headers['content-length']).toBe(String(backup.size));
  });

  it('returns 404 for an unknown backup', async () => {
    await call('get', `/backups/${someId}/download`).expect(404);
  });

  it('returns 503 agent_offline', async () => {
    const idle = await createInstance(world, tenant);
    const backup = await createBackup(world, tenant, { instance_id: idle });
    const { body } = await world
      .call('get', `/api/instances/${idle}/backups/${backup}/download`, tenant.owner)
      .expect(503);
    expect(body).toMatchObject({ code: 'agent_offline' });
  });
});

describe('restoreBackup', () => {
  it('returns 202; the files are restored, and the replaced ones are kept', async () => {
    const before = readFileSync(join(root, 'server/main/map.sav'));
    const backup = await make();
    writeFileSync(join(root, 'server/main/map.sav'), 'another map');
    writeFileSync(join(root, 'later'), 'later');
    const command = await run('post', `/backups/${backup.id}/restore`, { remove_later: true });
    expect(command).toMatchObject({ kind: 'restore_backup', status: 'succeeded' });
    expect(readFileSync(join(root, 'server/main/map.sav')).equals(before)).toBe(true);
    expect(readdirSync(root).toSorted()).toEqual(['other.txt', 'server']);
    expect(await listed({ kind: 'before_restore' })).toMatchObject([{ id: command.id, files: 4 }]);
  });

  it('returns 202 with a command that fails while the instance runs, unless stopping it is allowed', async () => {
    const backup = await make({ paths: ['other.txt'] });
    await run('post', '/start');
    expect(await run('post', `/backups/${backup.id}/restore`, {})).toMatchObject({
      status: 'failed',
      error: { code: 'still_running' },
    });
    const starts = agent.starts().length;
    expect(
      await run('post', `/backups/${backup.id}/restore`, { stop_instance: true, keep_present: false }),
    ).toMatchObject({ status: 'succeeded' });
    expect(agent.starts().length).toBe(starts + 1);
    await run('post', '/stop');
  });

  it('returns 202 with a command that fails when the archive was altered', async () => {
    const backup = await make({ paths: ['other.txt'] });
    const path = join(agent.stateDirectory, 'backups/main', `${backup.id}.zip`);
    const bytes = readFileSync(path);
    bytes.fill(0, 40, 44);
    writeFileSync(path, bytes);
    writeFileSync(join(root, 'other.txt'), 'newer');
    expect(await run('post', `/backups/${backup.id}/restore`, { keep_present: false })).toMatchObject({
      status: 'failed',
      error: { code: 'backup_damaged' },
    });
    expect(readFileSync(join(root, 'other.txt'), 'utf8')).toBe('newer');
  });

  it('returns 404 for an unknown backup', async () => {
    await call('post', `/backups/${someId}/restore`).send({}).expect(404);
  });
});

describe('updateBackup and deleteBackup', () => {
  it('set a note, pin and delete', async () => {
    const { id } = await make({ paths: ['other.txt'], note: 'before' });
    const patch = (changes: object) => call('patch', `/backups/${id}`).send(changes);
    expect((await patch({ note: 'after', is_pinned: true }).expect(200)).body).toMatchObject({
      id,
      note: 'after',
      is_pinned: true,
    });
    const { body } = await call('delete', `/backups/${id}`).expect(409);
    expect(body).toMatchObject({ code: 'backup_pinned' });
    expect((await patch({ note: null, is_pinned: false }).expect(200)).body).toMatchObject({
      note: null,
      is_pinned: false,
    });
    expect(await run('delete', `/backups/${id}`)).toMatchObject({
      kind: 'delete_backup',
      status: 'succeeded',
    });
    await call('get', `/backups/${id}`).expect(404);
    expect(archives()).not.toContain(id);
    await patch({ is_pinned: true }).expect(404);
    await call('delete', `/backups/${id}`).expect(404);
  });

  it('returns 409 backup_being_deleted for a pin that comes too late', async () => {
    const idle = await createInstance(world, tenant);
    const backup = await createBackup(world, tenant, { instance_id: idle });
    await createCommand(world, tenant, {
      instance_id: idle,
      kind: 'delete_backup',
      args: { backup_id: backup },
    });
    const { body } = await world
      .call('patch', `/api/instances/${idle}/backups/${backup}`, tenant.owner)
      .send({ is_pinned: true })
      .expect(409);
    expect(body).toMatchObject({ code: 'backup_being_deleted' });
  });
});

describe('getBackupPolicy and updateBackupPolicy', () => {
  it('returns 200; backups beyond the limit are deleted, but not pinned ones or those of another kind', async () => {
    expect((await call('get', '/backup-policy').expect(200)).body).toEqual({ keep: 7 });
    const oldest = await make({ paths: ['other.txt'] });
    await call('patch', `/backups/${oldest.id}`).send({ is_pinned: true }).expect(200);
    await make({ paths: ['other.txt'] });
    const newest = await make({ paths: ['other.txt'] });
    const { body } = await call('patch', '/backup-policy').send({ keep: 1 }).expect(200);
    expect(body).toEqual({ keep: 1 });
    const kept = () => listed({ kind: 'manual' });
    await until(async () => (await kept()).length === 2, 'the rotation');
    expect((await kept()).map(({ id }) => id)).toEqual([newest.id, oldest.id]);
    expect(await listed({ kind: 'before_restore' })).toHaveLength(1);
    const another = await make({ paths: ['other.txt'] });
    await until(async () => !(await kept()).some(({ id }) => id === newest.id), 'the next rotation');
    expect((await kept()).map(({ id }) => id)).toEqual([another.id, oldest.id]);
    expect(archives().toSorted()).toEqual((await listed()).map(({ id }) => id).toSorted());
  });

  it('returns 400 for zero or too many, and 404 for an unknown instance', async () => {
    for (const keep of [0, 31]) await call('patch', '/backup-policy').send({ keep }).expect(400);
    const path = `/api/instances/${someId}/backup-policy`;
    await world.call('get', path, tenant.owner).expect(404);
    await world.call('patch', path, tenant.owner).send({ keep: 1 }).expect(404);
  });
});

describe('backups of schedules', () => {
  const action = (keep_last: number) => ({ kind: 'backup', keep_last, paths: ['other.txt'] });

  const create = async (keep_last: number, more: object = {}): Promise<string> => {
    const { body } = await world
      .call('post', '/api/schedules', tenant.owner)
      .send({
        name: `Keeps ${keep_last}`,
        instance_id: instanceId,
        action: action(keep_last),
        cron: '0 4 1 1 *',
        time_zone: 'UTC',
        ...more,
      })
      .expect(201);
    return (body as Schemas['Schedule']).id;
  };

  const runsOf = async (id: string): Promise<Schemas['ScheduleRun'][]> => {
    const { body } = await world.call('get', `/api/schedules/${id}/runs`, tenant.owner).expect(200);
    return (body as Schemas['ScheduleRunPage']).data;
  };

  /** The run of a due time, once it has finished. */
  async function runDue(id: string): Promise<Schemas['ScheduleRun']> {
    const { length } = await runsOf(id);
    await world.database.query('update schedule set next_run_at = now() where id = $1', [id]);
    return until(async () => {
      const runs = await runsOf(id);
      return runs.length > length && runs[0]?.finished_at !== null && runs[0];
    }, 'the end of the run');
  }

  const madeBy = async (id: string) =>
    (await listed({ limit: 100 })).filter(({ schedule_id }) => schedule_id === id).map((one) => one.id);

  it('keep as many as configured, regardless of other backups, and never fewer in between', async () => {
    await call('patch', '/backup-policy').send({ keep: 1 }).expect(200);
    const byHand = await make({ paths: ['other.txt'] });
    const [id, other] = [await create(2), await create(1)];
    const made: string[] = [];
    for (let count = 1; count <= 4; count += 1) {
      const run = await runDue(id);
      expect(run).toMatchObject({ status: 'succeeded', error: null, due_at: expect.any(String) });
      made.push(run.command_id ?? '');
      await runDue(other);
      const kept = made.slice(-2).toReversed();
      await until(async () => (await madeBy(id)).length === kept.length, 'the rotation');
      expect(await madeBy(id)).toEqual(kept);
      await until(async () => (await madeBy(other)).length === 1, 'the rotation of the other schedule');
    }
    expect((await call('get', `/backups/${made.at(-1)}`).expect(200)).body).toMatchObject({
      kind: 'scheduled',
      note: 'Keeps 2',
      schedule_id: id,
      paths: ['other.txt'],
    });
    await call('get', `/backups/${byHand.id}`).expect(200);
  });

  it('stay and do not count when pinned', async () => {
    const id = await create(1);
    const { command_id: pinned } = await runDue(id);
    await call('patch', `/backups/${pinned}`).send({ is_pinned: true }).expect(200);
    const { command_id: second } = await runDue(id);
    const { command_id: third } = await runDue(id);
    await until(async () => !(await madeBy(id)).includes(second ?? ''), 'the rotation');
    expect(await madeBy(id)).toEqual([third, pinned]);
  });

  it('follow the policy as a kind of their own once their schedule is deleted', async () => {
    const id = await create(3);
    await runDue(id);
    const newest = (await runDue(id)).command_id;
    await world.call('delete', `/api/schedules/${id}`, tenant.owner).expect(204);
    const byHand = await make({ paths: ['other.txt'] });
    const scheduled = async () =>
      (await listed({ kind: 'scheduled', limit: 100 })).filter(({ schedule_id }) => schedule_id === null);
    await until(async () => (await scheduled()).length === 1, 'the rotation');
    expect((await scheduled()).map((one) => one.id)).toEqual([newest]);
    await call('get', `/backups/${byHand.id}`).expect(200);
  });

  it('start at once when the schedule is run by hand, and count', async () => {
    const id = await create(1);
    await runDue(id);
    const { body } = await world.call('post', `/api/schedules/${id}/runs`, tenant.owner).expect(202);
    const { command_id } = body as Schemas['ScheduleRun'];
    await until(async () => {
      const [newest, ...rest] = await madeBy(id);
      return newest === command_id && rest.length === 0;
    }, 'the rotation');
  });

  it('fail for missing files and delete nothing', async () => {
    const id = await create(1);
    const { command_id } = await runDue(id);
    await world
      .call('patch', `/api/schedules/${id}`, tenant.owner)
      .send({ action: { kind: 'backup', keep_last: 1, paths: ['absent'] } })
      .expect(200);
    expect(await runDue(id)).toMatchObject({ status: 'failed', error: { code: 'files_refused' } });
    expect(await madeBy(id)).toEqual([command_id]);
  });

  it('returns 409 and a failed run with limit_reached while the instance has a hundred', async () => {
    const full = await createInstance(world, tenant);
    await Promise.all(Array.from({ length: 100 }, () => createBackup(world, tenant, { instance_id: full })));
    const id = await createSchedule(world, tenant, { instance_id: full, action: action(1) });
    const { body } = await world.call('post', `/api/schedules/${id}/runs`, tenant.owner).expect(409);
    expect(body).toMatchObject({ code: 'limit_reached' });
    expect(await runDue(id)).toMatchObject({ error: { code: 'limit_reached' }, command_id: null });
  });

  it('returns 403 without backups.manage, 422 for a path outside the instance and 400 for a number out of range', async () => {
    const input = { name: 'x', instance_id: instanceId, cron: '0 4 * * *', time_zone: 'UTC' };
    const member = await world.addMemberWith(tenant, { 'schedules.manage': true, 'instances.power': true });
    const post = (body: object, by = tenant.owner) =>
      world.call('post', '/api/schedules', by).send({ ...input, action: body });
    expect((await post(action(1), member).expect(403)).body).toMatchObject({
      code: 'beyond_own_permissions',
    });
    const elsewhere = { ...action(1), paths: ['../elsewhere'] };
    expect((await post(elsewhere).expect(422)).body).toMatchObject({ code: 'path_refused' });
    for (const keep_last of [0, 31, 1.5]) await post(action(keep_last)).expect(400);
    await post({ kind: 'backup' }).expect(400);
  });

  it('fail when the disk is full, leave no partial archive and delete nothing', async () => {
    const id = await create(1, { action: { kind: 'backup', keep_last: 1 } });
    const { command_id } = await runDue(id);
    const files = () => readdirSync(join(agent.stateDirectory, 'backups/main')).toSorted();
    await until(async () => (await madeBy(id)).length === 1, 'the report');
    const before = files();
    // A sparse file that takes no room, but whose backup would take more than there is.
    writeFileSync(join(root, 'huge'), '');
    truncateSync(join(root, 'huge'), 2 ** 43);
    expect(await runDue(id)).toMatchObject({ status: 'failed', error: { code: 'disk_full' } });
    rmSync(join(root, 'huge'));
    expect(files()).toEqual(before);
    expect(await madeBy(id)).toEqual([command_id]);
  });
});

describe('reports of the agent', () => {
  it('backups that are gone from the host disappear from the list', async () => {
    const { id } = await make({ paths: ['other.txt'] });
    await agent.end();
    rmSync(join(agent.stateDirectory, 'backups/main', `${id}.zip`));
    startAgent();
    await until(async () => !(await listed()).some((backup) => backup.id === id), 'the report');
  });

  const record = {
    id: randomUUID(),
    kind: 'wipe',
    created_at: '2026-11-21T10:00:00.000Z',
    size: 1,
    sha256: '0'.repeat(64),
    content_size: 1,
    files: 1,
    changed: 0,
    left_out: 0,
    is_partial: false,
  };

  it('apply to its own host only, for its current boot, and never over newer reports', async () => {
    const outsider = await world.createTenant();
    const other = await TestAgent.connect(world, outsider);
    await other.hello(['main']);
    const report = (seq: number, backups: object[], boot = other.boot) =>
      other.request('backups', { v: 1, boot, seq, instance: 'main', backups });
    const kept = async () => {
      const rows = await world.database.query<{ id: string }>(
        `select backup.id from instance_backup as backup join game_instance as instance on instance.id = instance_id
         where instance.host_id = $1`,
        [other.hostId],
      );
      return rows.map(({ id }) => id);
    };
    expect(await report(1, [], randomUUID())).toMatchObject({ ok: false });
    const { id: foreign } = await make({ paths: ['other.txt'] });
    expect(await report(3, [{ ...record, id: foreign }, record])).toEqual({ v: 1, ok: true });
    expect((await kept()).toSorted()).toEqual([foreign, record.id].toSorted());
    expect((await call('get', `/backups/${foreign}`).expect(200)).body).toMatchObject({ kind: 'manual' });
    expect(await report(2, [])).toEqual({ v: 1, ok: true });
    expect(await kept()).toHaveLength(2);
    for (const broken of [
      { ...record, size: -1 },
      { ...record, kind: 'evil' },
      { ...record, id: '../x' },
    ])
      expect(await report(4, [broken])).toMatchObject({ ok: false });
    expect(
      await report(
        5,
        Array.from({ length: 101 }, () => record),
      ),
    ).toMatchObject({ ok: false });
    expect(await report(6, [])).toEqual({ v: 1, ok: true });
    expect(await kept()).toEqual([]);
  });
});
