// Reports of a simulated agent about backups and wipes.
import { createHash } from 'node:crypto';
import type { BusSchemas } from '../platform-contract/bus-types.ts';
import { nextBelow } from './random.ts';
import type { SimulatedHost } from './state.ts';

const maxBackups = 20;

export function backupOf(
  { host, instance, nowMs }: { host: SimulatedHost; instance: string; nowMs: number },
  id: string,
  kind: BusSchemas['BackupKind'],
  chosen: Pick<BusSchemas['BackupRecord'], 'paths' | 'note'> = {},
): BusSchemas['BackupRecord'] {
  const size = 40_000_000 + nextBelow(host, 20_000_000);
  return {
    id,
    kind,
    created_at: new Date(nowMs).toISOString(),
    size,
    sha256: createHash('sha256').update(`${instance} ${id}`).digest('hex'),
    content_size: size * 4,
    files: 300 + nextBelow(host, 50),
    changed: 0,
    left_out: 0,
    is_partial: chosen.paths !== undefined,
    ...chosen,
  };
}

export function addBackup(host: SimulatedHost, instance: string, record: BusSchemas['BackupRecord']): void {
  const server = host.servers[instance];
  if (server === undefined) return;
  server.backups = [...server.backups, record].slice(-maxBackups);
  reportBackups(host, instance);
}

export function reportBackups(host: SimulatedHost, instance: string): void {
  const server = host.servers[instance];
  if (server === undefined) return;
  server.backupsSeq += 1;
  host.outbox.push({
    id: `${instance} ${server.backupsSeq}`,
    kind: 'backups',
    message: { v: 1, boot: host.boot, seq: server.backupsSeq, instance, backups: server.backups },
  });
}

export function reportWipe(
  host: SimulatedHost,
  instance: string,
  status: BusSchemas['WipeStatus'],
  nowMs: number,
  more: Partial<BusSchemas['WipeReport']> = {},
): void {
  const wipe = host.servers[instance]?.wipe;
  if (wipe === null || wipe === undefined) return;
  wipe.seq += 1;
  host.outbox.push({
    id: `${wipe.id} ${wipe.seq}`,
    kind: 'wipe-status',
    message: { v: 1, wipe_id: wipe.id, seq: wipe.seq, status, at: new Date(nowMs).toISOString(), ...more },
  });
}
