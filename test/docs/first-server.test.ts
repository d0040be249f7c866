// docs/first-server.md, run as it stands: from signing in to a server that starts, prints and stops.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { adminEmail, password, World } from '../support/world.ts';

const root = resolve(import.meta.dirname, '../..');

it('goes the way the guide describes', async () => {
  const world = await World.create();
  const directory = await mkdtemp(join(tmpdir(), 'gantry-guide-'));
  try {
    for (const name of ['package.json', 'node_modules', 'agent', 'generated'])
      await symlink(join(root, name), join(directory, name));
    const guide = await readFile(join(root, 'docs/first-server.md'), 'utf8');
    const script = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block).join('\n');
    const { output, status } = await run(
      `set -euo pipefail\ntrap 'kill $(jobs -p)' EXIT\n${script}`,
      directory,
      {
        GANTRY: world.url,
        EMAIL: adminEmail,
        PASSWORD: password,
      },
    );
    expect({ status, output }).toEqual({
      status: 0,
      output: expect.stringMatching(/succeeded[\s\S]*Server startup complete[\s\S]*succeeded\n$/),
    });
  } finally {
    await world.close();
    await rm(directory, { recursive: true, force: true });
  }
}, 60_000);

async function run(
  script: string,
  cwd: string,
  environment: Record<string, string>,
): Promise<{ output: string; status: number | null }> {
  const child = spawn('bash', ['-c', script], {
    cwd,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (output += data.toString()));
  const [status] = (await once(child, 'close')) as [number | null];
  return { output, status };
}
