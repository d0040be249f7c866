// A loot table of 2 MB applied to a server: merged, brought to the agent, written and read by the plugin, against an upload of it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openAgentHost, send, watchingMemory } from './support/agent-host.ts';
import { median, printComparison } from './support/figures.ts';

const rounds = 5;
const containers = 118;
const items = 190;
const password = 'bench-password';
const tables = 'oxide/data/BetterLoot/LootTables.json';
const plugin = `namespace Oxide.Plugins {
  [Info("BetterLoot", "Somebody", "4.3.0")]
  class BetterLoot : RustPlugin {
    void Read() => ReadObject<Data>("BetterLoot/LootTables");
  }
}
`;

const port = await freePort();
const host = await openAgentHost((directory) => {
  const secretFile = join(directory, 'rcon-password');
  writeFileSync(secretFile, password);
  const simulator = resolve(import.meta.dirname, '../agent/simulator/rust-server.ts');
  const modding = ['--modding', 'oxide', '+server.identity', 'bench'];
  return {
    args: [
      simulator,
      '--boot-ms',
      '60',
      '--play-ms',
      '0',
      ...modding,
      '+rcon.port',
      String(port),
      '+rcon.password',
      password,
    ],
    game: 'rust',
    ready_pattern: 'Server startup complete',
    stop: { command: 'quit' },
    webrcon: { port, password_file: secretFile },
  };
});
const { url, token, instanceId, directory } = host;
const fileOf = (path: string) => join(directory, 'root', path);
const call = (path: string, body?: object, method?: string) =>
  send(url, path, token, body, method === undefined ? {} : { method });

interface Ending {
  id: string;
  status: string;
  finished_at: string | null;
  detail: string | null;
}

try {
  write('oxide/plugins/BetterLoot.cs', plugin);
  await ended('/api/commands', (await call(`/api/instances/${instanceId}/start`, {})) as Ending);
  await loaded();
  const created = (await call('/api/plugin-configs/loot', {
    name: 'Bench',
    config_data: configOf(1),
  })) as { id: string };
  const path = `/api/plugin-configs/loot/${created.id}`;
  const seconds: Record<'apply' | 'upload', number[]> = { apply: [], upload: [] };
  await apply(path);
  const size = readFileSync(fileOf(tables)).length / 1e6;
  await watchingMemory(host, '< 400 MB for the platform, < 100 MB for the agent', async () => {
    for (let round = 0; round < rounds; round += 1) {
      await call(path, { config_data: configOf(round + 2) }, 'PATCH');
      seconds.apply.push(await timed(() => apply(path)));
      seconds.upload.push(await timed(upload));
    }
  });
  printComparison({
    name: `A loot table of ${size.toFixed(1)} MB applied, every amount in it changed`,
    baseline: 'the file uploaded as it is, and the plugin reloaded',
    unit: 'ms',
    ours: seconds.apply.map((value) => value * 1000),
    theirs: seconds.upload.map((value) => value * 1000),
    aim: '≤ 5',
  });
  console.log(`  ${median(seconds.apply).toFixed(2)} s   aim < 5 s`);
} finally {
  await call(`/api/instances/${instanceId}/stop`, {})
    .then((command) => ended('/api/commands', command as Ending))
    .finally(() => host.close());
}

async function apply(path: string): Promise<void> {
  const begun = (await call(`${path}/apply`, { instance_id: instanceId })) as Ending;
  await ended('/api/plugin-applications', begun);
}

async function upload(): Promise<void> {
  const response = await fetch(
    `${url}/api/instances/${instanceId}/files/upload?path=${encodeURIComponent(tables)}&overwrite=true`,
    {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
      body: readFileSync(fileOf(tables)),
    },
  );
  if (!response.ok) throw new Error(await response.text());
  const reload = `/api/instances/${instanceId}/plugins/BetterLoot/reload`;
  await ended('/api/commands', (await call(reload, {})) as Ending);
}

async function ended(area: string, begun: Ending): Promise<void> {
  let now = begun;
  while (now.finished_at === null) {
    await setTimeout(20);
    now = (await call(`${area}/${begun.id}`)) as Ending;
  }
  if (now.status !== 'succeeded') throw new Error(JSON.stringify(now));
}

/** The game server answers, and has the plugin. */
async function loaded(): Promise<void> {
  for (;;) {
    const found = await call(`/api/instances/${instanceId}/plugins`).catch(() => undefined);
    if (JSON.stringify(found)?.includes('BetterLoot')) return;
    await setTimeout(100);
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

function configOf(amount: number): object {
  const pool = Object.fromEntries(
    Array.from({ length: items }, (_, item) => [`item.${item}`, { min: amount, max: amount * 2 }]),
  );
  const table = Array.from({ length: containers }, (_, container) => [
    `assets/bundled/prefabs/radtown/crate_${container}.prefab`,
    { is_enabled: true, items: pool },
  ]);
  return { loot_table: Object.fromEntries(table) as object };
}

function write(path: string, text: string): void {
  mkdirSync(dirname(fileOf(path)), { recursive: true });
  writeFileSync(fileOf(path), text);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: found } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return found;
}
