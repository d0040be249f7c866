// Backups of the game's database: made while it runs, copied out of the machine, downloaded and restored.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { components } from '../../generated/local-manager.d.ts';
import { GamePostgres } from '../../local-manager/stand-ins/game-postgres.ts';
import { ManagerWorld, type Operation } from './support/manager.ts';

type Backup = components['schemas']['Backup'];

const patienceMs = 120_000;
const id = '0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a10';
const other = '0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a11';

let database: GamePostgres;
let at: ManagerWorld;

beforeAll(async () => {
  database = await GamePostgres.start();
}, patienceMs);

afterAll(() => database.stop());

beforeEach(async () => {
  at = await ManagerWorld.start({ databaseUrl: database.url });
});

afterEach(() => at.stop());

const list = async (): Promise<Backup[]> => (await at.get('/api/backups')).body.data;
const folder = () => join(at.home, 'backups');
const characters = () => database.query('select id, properties from dune.actors order by id');
const namesOf = ({ steps }: Operation) => steps.map(({ name }) => name);

it(
  'is made while players are online, and holds what it says',
  async () => {
    await at.done('/api/battlegroup/start');
    const guestTmp = join(at.world.folder, 'guest/tmp');
    const leftFile = join(guestTmp, `gantry-restore-${id}.dump`);
    writeFileSync(leftFile, 'of an interrupted restore');
    utimesSync(leftFile, 0, 0);
    const made = await at.done('/api/backups');
    expect(made).toMatchObject({ kind: 'createBackup', state: 'succeeded' });
    expect(namesOf(made)).toEqual(['Dump the database', 'Copy it out of the virtual machine']);
    expect(made.steps[1]?.percent).toBe(100);
    const [backup, ...others] = await list();
    expect(others).toEqual([]);
    expect(backup).toMatchObject({ reason: 'manual', worldTitle: 'Sietch Tabr' });
    const file = readFileSync(join(folder(), `${backup?.id}.dump`));
    expect({
      sizeBytes: file.length,
      sha256: createHash('sha256').update(file).digest('hex'),
      head: file.toString('latin1', 0, 5),
    }).toEqual({ sizeBytes: backup?.sizeBytes, sha256: backup?.sha256, head: 'PGDMP' });
    const downloaded = await fetch(`${at.manager.url}/api/backups/${backup?.id}/file`, {
      headers: { 'X-Manager-Token': at.manager.token },
    });
    expect(Buffer.from(await downloaded.arrayBuffer()).equals(file)).toBe(true);
    expect(downloaded.headers.get('content-disposition')).toContain(backup?.fileName);
    expect(readdirSync(guestTmp)).toEqual([]);
  },
  patienceMs,
);

it(
  'is restored as a whole, after the present state was backed up',
  async () => {
    const before = await characters();
    await at.done('/api/backups');
    const [backup] = await list();
    await database.query(`delete from dune.items; update dune.actors set properties = '{}'`);
    const path = `/api/backups/${backup?.id}/restore`;
    const unconfirmed = await at.post(path, { confirm: 'restore' });
    expect({ status: unconfirmed.status, code: unconfirmed.body.code }).toEqual({
      status: 422,
      code: 'confirmation_needed',
    });
    await at.done('/api/battlegroup/start');
    const restored = await at.done(path, { confirm: 'RESTORE' });
    expect(restored).toMatchObject({ state: 'succeeded', problem: null });
    expect(namesOf(restored).slice(0, 2)).toEqual(['Stop the battlegroup', 'Wait until it is stopped']);
    expect(await characters()).toEqual(before);
    expect((await list()).map(({ reason }) => reason)).toEqual(['beforeRestore', 'manual']);
    expect(at.world.commands).toEqual(['start', 'stop']);
  },
  patienceMs,
);

it(
  'changes nothing if its file is damaged',
  async () => {
    await at.done('/api/backups');
    const [backup] = await list();
    const file = join(folder(), `${backup?.id}.dump`);
    const content = readFileSync(file);
    content[content.length >> 1] = (content[content.length >> 1] ?? 0) ^ 1;
    writeFileSync(file, content);
    const before = await characters();
    const failed = await at.done(`/api/backups/${backup?.id}/restore`, { confirm: 'RESTORE' });
    expect(failed).toMatchObject({ state: 'failed', problem: { code: 'guest_failed' } });
    expect(await characters()).toEqual(before);
  },
  patienceMs,
);

it(
  'is deleted, and one that was cut off is removed at the next start',
  async () => {
    await at.done('/api/backups');
    const [backup] = await list();
    writeFileSync(join(folder(), `${id}.dump.part`), 'half');
    // The owner is copying backups back, and the description of this one is not here yet.
    writeFileSync(join(folder(), `${other}.dump`), 'whole');
    await at.restart();
    expect(existsSync(join(folder(), `${id}.dump.part`))).toBe(false);
    expect((await at.call('DELETE', `/api/backups/${backup?.id}`)).status).toBe(204);
    expect(readdirSync(folder())).toEqual([`${other}.dump`]);
    expect((await at.call('DELETE', `/api/backups/${backup?.id}`)).status).toBe(404);
  },
  patienceMs,
);

it(
  'is deleted by the manager only if it was scheduled, and is one too many',
  async () => {
    const { body } = await at.get('/api/automation');
    const put = (keepBackups: number) =>
      at.call('PUT', '/api/automation', { ...body.automation, keepBackups });
    for (const keepBackups of [0, -1, 1.5, 366]) expect((await put(keepBackups)).status).toBe(400);
    expect((await put(1)).status).toBe(200);
    await at.done('/api/backups');
    for (let time = 0; time < 2; time += 1)
      await at.end(await at.manager.services.backups.create('scheduled'));
    expect((await list()).map(({ reason }) => reason)).toEqual(['scheduled', 'manual']);
    expect((await at.get('/api/backups')).body.keepCount).toBe(1);
  },
  patienceMs,
);

it(
  'comes before a reset on request, which deletes nothing without it',
  async () => {
    const { body } = await at.post('/api/setup/reset', { confirm: 'DELETE', backup: true });
    const done = await at.end(body);
    expect(done).toMatchObject({ state: 'succeeded', result: { remaining: [] } });
    expect((await list()).map(({ reason }) => reason)).toEqual(['beforeReset']);
    expect(at.world.host.vm).toBeUndefined();
  },
  patienceMs,
);

it(
  'stops a reset if it fails',
  async () => {
    await at.stop();
    at = await ManagerWorld.start();
    const failed = await at.done('/api/setup/reset', { confirm: 'DELETE', backup: true });
    expect(failed).toMatchObject({ state: 'failed', problem: { code: 'guest_failed' } });
    expect(at.world.host.vm?.state).toBe('Running');
    expect(await list()).toEqual([]);
  },
  patienceMs,
);
