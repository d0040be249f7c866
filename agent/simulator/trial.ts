// Starts an agent with one simulated Rust server, for a first try: `npm run agent:trial`.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';

/** Everything of the trial is in here, so that deleting it undoes the trial. */
const directory = resolve(process.env['GANTRY_AGENT_STATE'] ?? '.gantry-agent/trial');
const configFile = join(directory, 'gantry-agent.yaml');

// An existing file may have been edited since.
if (!existsSync(configFile)) await writeConfig();
process.env['GANTRY_AGENT_CONFIG'] = configFile;
process.env['GANTRY_AGENT_STATE'] = join(directory, 'state');
await import('../src/main.ts');

async function writeConfig(): Promise<void> {
  mkdirSync(join(directory, 'rust-1'), { recursive: true });
  const password = randomBytes(16).toString('hex');
  writeFileSync(join(directory, 'rcon-password'), password, { mode: 0o600 });
  const port = await freePort();
  const instance = {
    name: 'rust-1',
    game: 'rust',
    command: process.execPath,
    args: [
      fileURLToPath(new URL('rust-server.ts', import.meta.url)),
      ...['+server.identity', 'trial', '+server.seed', '1337', '+server.worldsize', '3500'],
      ...['+rcon.port', String(port), '+rcon.password', password],
    ],
    cwd: 'rust-1',
    webrcon: { port, password_file: 'rcon-password' },
    ready_after_seconds: 20,
    ready_pattern: 'Server startup complete',
    stop: { command: 'quit' },
  };
  // Another name than that of the machine, whose own agent may enroll later.
  const settings = { hostname: `${hostname()}-trial`, instances: [instance] };
  writeFileSync(configFile, stringify(settings), { mode: 0o600 });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}
