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
  'disk.ts',
  'outages.ts',
  'operators.ts',
  'login-storm.ts',
  'schedules.ts',
  'files.ts',
  'plugin-files.ts',
  'webhooks.ts',
  'status.ts',
  'licenses.ts',
  'store.ts',
  'events.ts',
  'analytics.ts',
  'archive.ts',
  'provision.ts',
  'rolling-restarts.ts',
  'viewers.ts',
  'directory.ts',
  'cells.ts',
];
const failed = programs.filter((program) => {
  const { status } = spawnSync(process.execPath, [resolve(import.meta.dirname, program)], {
    stdio: 'inherit',
  });
  return status !== 0;
});
if (failed.length > 0) {
  console.log(`\nfailed or missed their aim: ${failed.join(', ')}`);
  process.exitCode = 1;
}
