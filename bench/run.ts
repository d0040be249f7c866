// Runs every benchmark, one after the other.
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { resolve } from 'node:path';

const cpu = cpus();
console.log(
  `${new Date().toISOString().slice(0, 10)} · ${cpu.length} cores · ${cpu[0]?.model ?? 'unknown'} · Node ${process.version}`,
);
const programs = [
  'read.ts',
  'authorization.ts',
  'ingest.ts',
  'login-storm.ts',
  'schedules.ts',
  'files.ts',
  'plugin-files.ts',
  'webhooks.ts',
  'status.ts',
  'events.ts',
  'analytics.ts',
  'provision.ts',
];
for (const program of programs) {
  const { status } = spawnSync(process.execPath, [resolve(import.meta.dirname, program)], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}
