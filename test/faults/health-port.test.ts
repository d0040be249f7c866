// The health port of processes without the API, as used by a supervisor, a load balancer and Prometheus.
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import type { Role } from '../../src/config/index.ts';
import { runCommand } from '../../src/embedded/run-command.ts';
import { until } from '../support/until.ts';
import { jwtSecret, World } from '../support/world.ts';

const root = resolve(import.meta.dirname, '../..');

interface Report {
  status: string;
  checks: Record<string, string>;
  work: Record<string, number>;
}

async function ask(url: string | undefined, path: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${url ?? ''}${path}`);
  return { status: response.status, text: await response.text() };
}

describe.each<[Role, string]>([
  ['ingest', 'find stale hosts'],
  ['jobs', 'free jobs of crashed processes'],
])('a process with only the role %s', (role, work) => {
  let world: World;
  beforeAll(async () => {
    world = await World.create({
      roles: [role],
      withoutFirstUser: true,
      health: { port: 0, canMove: false },
    });
  });
  afterAll(() => world.close());

  it('reports that it is alive, whether it is ready, and its metrics', async () => {
    const { healthUrl } = world.platform;
    expect(await ask(healthUrl, '/healthz')).toEqual({ status: 200, text: '{"status":"ok"}' });
    const ready = await ask(healthUrl, '/readyz');
    const report = JSON.parse(ready.text) as Report;
    expect(ready.status).toBe(200);
    expect(report).toMatchObject({
      status: 'ready',
      checks: { database: 'ok', message_bus: 'ok', work: 'ok' },
    });
    expect(Object.keys(report.work)).toContain(work);
    const metrics = await ask(healthUrl, '/metrics');
    expect(metrics.text).toContain(`gantry_work_since_success_seconds{work="${work}"}`);
  });

  it('serves nothing else there', async () => {
    for (const path of ['/', '/api/openapi.json', '/auth/login', '/setup'])
      expect((await ask(world.platform.healthUrl, path)).status).toBe(404);
  });
});

describe('when another process has the port', () => {
  const other = createServer();
  let port: number;
  beforeAll(async () => {
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    ({ port } = other.address() as AddressInfo);
  });
  afterAll(() => other.close());

  it('uses a free one if the port was not configured, and is not ready there once the bus is gone', async () => {
    const world = await World.create({
      roles: ['ingest'],
      withoutFirstUser: true,
      health: { port, canMove: true },
    });
    const { healthUrl } = world.platform;
    try {
      expect(new URL(healthUrl ?? '').port).not.toBe(String(port));
      expect((await ask(healthUrl, '/readyz')).status).toBe(200);
      await world.nats.stop();
      await until(async () => (await ask(healthUrl, '/readyz')).status === 503, 'the process to be unready');
      const { checks } = JSON.parse((await ask(healthUrl, '/readyz')).text) as Report;
      expect(checks['database']).toBe('ok');
      expect(checks['message_bus']).not.toBe('ok');
      expect((await ask(healthUrl, '/healthz')).status).toBe(200);
    } finally {
      await world.close();
    }
  });

  it('does not start if it was configured', async () => {
    const { code, stderr } = await runCommand(process.execPath, [join(root, 'src/main.ts')], {
      env: {
        PATH: process.env['PATH'] ?? '',
        GANTRY_ROLES: 'ingest',
        GANTRY_HEALTH_PORT: String(port),
        DATABASE_URL: 'postgres://127.0.0.1:1/none',
        GANTRY_JWT_SECRET: jwtSecret,
      },
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^gantry: HOST or GANTRY_HEALTH_PORT: .*EADDRINUSE[^\n]*\n$/);
  });
});
