// An embedded server that cannot be kept running: the platform reports it and ends, so that its supervisor
// restarts it.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning } from '../../src/embedded/processes.ts';
import { Program } from '../support/processes.ts';
import { until } from '../support/until.ts';
import { firstNumber, natsServer, Scratch, writeProgram } from '../unit/embedded/scratch.ts';

const scratch = new Scratch();
let platform: Program | undefined;

afterAll(async () => {
  await platform?.signal('SIGKILL');
  await scratch.remove();
});

it('ends the platform with code 1, and the other embedded server with it', async () => {
  const dataDir = await scratch.dataDir();
  const folder = await scratch.folder();
  const isBroken = join(folder, 'broken');
  platform = Program.platform({
    GANTRY_DATA_DIR: dataDir,
    NATS_SERVER_BIN: await writeProgram(
      join(folder, 'nats-server'),
      `[ -e ${isBroken} ] && { echo 'nats-server: no more' >&2; exit 1; }`,
      `exec ${natsServer()} "$@"`,
    ),
    PORT: '0',
    LOG_LEVEL: 'warn',
  });
  await platform.start();
  const postgres = await firstNumber(join(dataDir, 'postgres/postmaster.pid'));
  expect(await isRunning(postgres)).toBe(true);
  await writeFile(isBroken, '');
  process.kill(await firstNumber(join(dataDir, 'nats/nats-server.pid')), 'SIGKILL');
  expect(await platform.ended()).toBe(1);
  const { output } = platform;
  expect(output).toContain('nats-server failed 5 restarts in a row');
  expect(output).toMatch(/"level":"fatal".*nats-server: no more.*"msg":"stopping"/);
  await until(async () => !(await isRunning(postgres)), 'the end of PostgreSQL');
});
