// A loot table of 2 MB applied to a server: merged, sent to the agent, written and read by the plugin,
// compared with an upload of it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openAgentHost, send, watchingMemory } from './support/agent-host.ts';
import { median, percentile, printComparison, refuseMissed } from './support/figures.ts';

const rounds = 5;
/** For other requests meanwhile. */
const maxWaitMs = 100;
const containers = 118;
const items = 190;
const password = 'bench-password';
const tables = 'oxide/data/BetterLoot/LootTables.json';
const plugin = `namespace Oxide.Plugins {
  [Info("BetterLoot", "An author", "4.3.0")]
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
  created_at: string;
  finished_at: string | null;
  detail: string | null;
  /** The result of an application. */
  command_id?: string | null;
}

type Phase = 'prepared' | 'written and loaded' | 'read back';

try {
  write('oxide/plugins/BetterLoot.cs', plugin);
  await ended('/api/commands', (await call(`/api/instances/${instanceId}/start`, {})) as Ending);
  await loaded();
  const created = (await call('/api/plugin-configs/loot', {
    kind: 'loot',
    name: 'Bench',
    config_data: configOf(1),
  })) as { id: string };
  const path = `/api/plugin-configs/loot/${created.id}`;
  const seconds: Record<'apply' | 'upload', number[]> = { apply: [], upload: [] };
  const phases: Record<Phase, number[]> = { prepared: [], 'written and loaded': [], 'read back': [] };
  const waits: Record<'at rest' | 'while it is applied' | 'while it is previewed', number[]> = {
    'at rest': [],
    'while it is applied': [],
    'while it is previewed': [],
  };
  await apply(path);
  const size = readFileSync(fileOf(tables)).length / 1e6;
  await asking(waits['at rest'], () => setTimeout(2_000));
  await watchingMemory(host, { platform: 400, agent: 100 }, async () => {
    for (let round = 0; round < rounds; round += 1) {
      await call(path, { kind: 'loot', config_data: configOf(round + 2) }, 'PATCH');
      seconds.apply.push(await timed(async () => note(phases, await apply(path))));
      seconds.upload.push(await timed(upload));
    }
  });
  for (let round = 0; round < rounds; round += 1) {
    await call(path, { kind: 'loot', config_data: configOf(round + 9) }, 'PATCH');
    await asking(waits['while it is previewed'], () => preview(path));
    await asking(waits['while it is applied'], () => apply(path));
  }
  printComparison({
    name: `A loot table of ${size.toFixed(1)} MB applied, every amount in it changed`,
    baseline: 'the file uploaded as it is, and the plugin reloaded',
    unit: 'ms',
    ours: seconds.apply.map((value) => value * 1000),
    theirs: seconds.upload.map((value) => value * 1000),
    aim: '≤ 5',
  });
  console.log(`  ${median(seconds.apply).toFixed(2)} s   aim < 5 s`);
  for (const [phase, values] of Object.entries(phases)) console.log(`  ${phase} in ${median(values)} ms`);
  console.log('\nGET /api/fleet/instances, one after another');
  for (const [when, values] of Object.entries(waits)) {
    const p99 = percentile(values, 0.99);
    console.log(`  p99 ${p99.toFixed(1)} ms of ${values.length} ${when}   aim < ${maxWaitMs} ms`);
    refuseMissed(p99 >= maxWaitMs);
  }
  refuseMissed(median(seconds.apply) >= 5);
} finally {
  await call(`/api/instances/${instanceId}/stop`, {})
    .then((command) => ended('/api/commands', command as Ending))
    .finally(() => host.close());
}

async function apply(path: string): Promise<Ending> {
  const begun = (await call(`${path}/apply`, { instance_id: instanceId })) as Ending;
  return ended('/api/plugin-applications', begun);
}

/** Its content does not matter here. */
async function preview(path: string): Promise<void> {
  const response = await fetch(`${url}${path}/preview`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ instance_id: instanceId }),
  });
  if (!response.ok) throw new Error(await response.text());
  await response.arrayBuffer();
}

/** The duration of each phase. */
async function note(phases: Record<Phase, number[]>, application: Ending): Promise<void> {
  const command = (await call(`/api/commands/${application.command_id ?? ''}`)) as Ending;
  const [begun, given, done, over] = [
    application.created_at,
    command.created_at,
    command.finished_at ?? '',
    application.finished_at ?? '',
  ].map((at) => Date.parse(at)) as [number, number, number, number];
  phases.prepared.push(given - begun);
  phases['written and loaded'].push(done - given);
  phases['read back'].push(over - done);
}

/** Sends another request repeatedly until the work is done, and records each response time. */
async function asking(tookMs: number[], work: () => Promise<unknown>): Promise<void> {
  let isOver = false;
  const askAgain = async () => {
    while (!isOver) {
      const started = performance.now();
      await call('/api/fleet/instances');
      tookMs.push(performance.now() - started);
      await setTimeout(5);
    }
  };
  const others = askAgain();
  try {
    await work();
  } finally {
    isOver = true;
    await others;
  }
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

async function ended(area: string, begun: Ending): Promise<Ending> {
  let now = begun;
  while (now.finished_at === null) {
    await setTimeout(20);
    now = (await call(`${area}/${begun.id}`)) as Ending;
  }
  if (now.status !== 'succeeded') throw new Error(JSON.stringify(now));
  return now;
}

/** The game server responds, and has the plugin. */
async function loaded(): Promise<void> {
  for (;;) {
    const found = await call(`/api/instances/${instanceId}/plugins`).catch(() => undefined);
    if (JSON.stringify(found)?.includes('BetterLoot')) return;
    await setTimeout(100);
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
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
