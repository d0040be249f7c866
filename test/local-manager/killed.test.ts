// A manager that is killed during work: the state afterwards, and the next manager's report.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeProgram } from '../../local-manager/stand-ins/guest.ts';
import { StandInWorld, type WorldOptions } from '../../local-manager/stand-ins/world.ts';
import { until } from '../support/until.ts';
import { ManagerProcess } from './support/manager-process.ts';
import { importRequest } from './support/requests.ts';

const patienceMs = 240_000;
const never = new Promise<void>(() => undefined);

let world: StandInWorld;
let home: string;
let manager: ManagerProcess;

async function begin(options: WorldOptions = {}): Promise<void> {
  world = await StandInWorld.start(options);
  home = await mkdtemp(join(tmpdir(), 'gantry-local-manager-'));
  manager = await ManagerProcess.start(world, home);
}

async function restartManager(): Promise<void> {
  manager = await ManagerProcess.start(world, home);
}

afterEach(async () => {
  await manager.kill();
  await world.stop();
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
});

const lastOperation = async () => (await manager.get('/api/operations')).body.data[0];

const fileOf = (name: string) => join(world.guest.settingsFolder, name);
const contents = () => ['UserEngine.ini', 'UserGame.ini'].map((name) => readFileSync(fileOf(name), 'utf8'));

/** Changes a setting in each file; the second file is written only when the test allows it. */
async function changeBothHalfWay(displayName: string): Promise<() => void> {
  const hold = join(world.folder, 'hold');
  writeFileSync(hold, '');
  writeProgram(
    join(world.folder, 'guest/bin/mv'),
    `#!/bin/sh\ncase "$2" in */UserGame.ini) while [ -e '${hold}' ]; do sleep 0.05; done ;; esac\nexec /bin/mv "$@"\n`,
  );
  const { headers } = await manager.get('/api/game-config');
  const zones = '/Script/DuneSandbox.SecurityZonesSubsystem';
  const changes = [
    ...[
      {
        file: 'UserEngine.ini',
        section: 'ConsoleVariables',
        key: 'Bgd.ServerDisplayName',
        value: displayName,
      },
    ],
    ...[{ file: 'UserGame.ini', section: zones, key: 'm_bAreSecurityZonesEnabled', value: 'false' }],
  ];
  const response = manager.call(
    'PATCH',
    '/api/game-config',
    { changes },
    { 'If-Match': headers.get('etag') ?? '' },
  );
  // Killed before it can respond.
  response.catch(() => undefined);
  await until(() => readFileSync(fileOf('UserEngine.ini'), 'utf8').includes(displayName), 'the first file');
  return () => rmSync(hold);
}

it(
  'leaves both files of the game settings in the old version, or both in the new one',
  async () => {
    await begin();
    const before = contents();
    const letGo = await changeBothHalfWay('Arrakeen');
    await manager.kill();
    // The virtual machine loses its power between the two as well.
    await world.powerOff();
    letGo();
    const [engine, game] = contents();
    expect([engine?.includes('Arrakeen'), game]).toEqual([true, before[1]]);
    await world.powerOn();
    await restartManager();
    expect(await lastOperation()).toMatchObject({
      kind: 'changeGameConfig',
      state: 'interrupted',
      problem: {
        code: 'operation_ended',
        detail: expect.stringContaining('either both files are unchanged'),
      },
    });
    expect((await manager.get('/api/game-config')).body).toMatchObject({ drift: 'none', driftDetail: null });
    expect(contents()).toEqual(before);
    expect(existsSync(join(home, 'game-config/pending-change.json'))).toBe(false);

    // Where the virtual machine keeps running, the change completes.
    const goOn = await changeBothHalfWay('Carthag');
    await manager.kill();
    goOn();
    await until(() => contents()[1] !== before[1], 'the second file');
    await restartManager();
    const { body } = await manager.get('/api/game-config');
    expect(body.driftDetail).toMatch(
      /^The servers have other values of [^.]*\.ServerDisplayName, m_bAre\w+\.$/,
    );
    expect(existsSync(join(home, 'game-config/pending-change.json'))).toBe(false);
  },
  patienceMs,
);

it(
  'recommends the next step for an update and a backup, and allows the next operation',
  async () => {
    await begin();
    for (const [command, kind, advice] of [
      ['update', 'updateBattlegroup', 'update again'],
      ['backup', 'backUpBattlegroup', 'back up again'],
    ] as const) {
      world.held.set(command, never);
      expect((await manager.post(`/api/battlegroup/${command}`)).status).toBe(202);
      await until(() => world.commands.at(-1) === command, command);
      await manager.kill();
      await restartManager();
      expect(await lastOperation()).toMatchObject({
        ...{ kind, state: 'interrupted', isCancellable: false },
        problem: { code: 'operation_ended', detail: expect.stringContaining(advice) },
      });
    }
    expect(await manager.done('/api/battlegroup/start')).toMatchObject({ state: 'succeeded' });
  },
  patienceMs,
);

it(
  'recommends to start an import again, which resumes it',
  async () => {
    await begin({ begins: 'empty' });
    world.host.held.set('connect-network', never);
    expect((await manager.post('/api/setup/import', importRequest)).status).toBe(202);
    await until(() => world.host.calls.at(-1) === 'connect-network', 'the switch');
    await manager.kill();
    await restartManager();
    const { steps, nextStep } = (await manager.get('/api/setup')).body;
    expect(nextStep).toBe('import');
    expect(steps.find(({ name }: { name: string }) => name === 'import')).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining('Import again'),
    });
    world.host.held.clear();
    expect(await manager.done('/api/setup/import', importRequest)).toMatchObject({ state: 'succeeded' });
  },
  patienceMs,
);
