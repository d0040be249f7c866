// Applies agents' backup reports, so that the table matches the newest report of each host.
import type { BusSchemas } from '../../platform-contract/bus-types.ts';
import { hasRoom } from '../agents/report-limits.ts';
import type { EntityManager } from '../../database/connection.ts';
import { enqueueRotation } from '../../queue/enqueue.ts';
import type { HostScope } from '../agents/host-scope.ts';
import type { Taken } from '../agents/reports.ts';

type Report = BusSchemas['BackupReport'];

interface Instance {
  id: string;
  license_id: string;
}

const refused: Taken = {
  ok: false,
  detail: 'The host is unknown, or a later boot of its agent has reported.',
};

export class BackupReports {
  readonly #hosts: HostScope;

  constructor(hosts: HostScope) {
    this.#hosts = hosts;
  }

  /** Keeps what users wrote about a backup. Ignores a report that is older than the last one. */
  async take(hostId: string, report: Report): Promise<Taken> {
    return this.#hosts.transactAsPlatform(async (em): Promise<Taken> => {
      const licenseId = await licenseOf(em, hostId, report.boot);
      if (licenseId === undefined) return refused;
      const instance = await entered(em, { hostId, licenseId, report });
      if (instance === undefined) return { ok: true };
      const isMore = await store(em, instance, report);
      if (isMore) await enqueueRotation(em, licenseId, instance.id);
      return { ok: true };
    });
  }
}

/** The license of a host whose agent is in this boot. */
async function licenseOf(em: EntityManager, hostId: string, boot: string): Promise<string | undefined> {
  const [row] = await em.execute<{ license_id: string }[]>(
    `select host.license_id from agent_host as host join license on license.id = host.license_id
     where host.id = ? and host.boot_id = ?::uuid and license.status = 'active'`,
    [hostId, boot],
  );
  return row?.license_id;
}

/** The instance, locked until the transaction ends; undefined if a newer report was applied or the limit is reached. */
async function entered(
  em: EntityManager,
  {
    hostId,
    licenseId,
    report: { instance, boot, seq },
  }: { hostId: string; licenseId: string; report: Report },
): Promise<Instance | undefined> {
  // The report may arrive before the heartbeat that would create the instance.
  await em.execute(
    `insert into game_instance (license_id, host_id, name)
     select * from (values (?::uuid, ?::uuid, ?)) as reported(license_id, host_id, name)
     where ${hasRoom('reported.host_id', 'reported.name', `now() - interval '1 minute'`)} on conflict (host_id, name) do nothing`,
    [licenseId, hostId, instance],
  );
  const [row] = await em.execute<Instance[]>(
    `update game_instance set backups_boot_id = reported.boot, backups_seq = reported.seq
     from (values (?::uuid, ?::bigint)) as reported(boot, seq)
     where host_id = ? and name = ?
       and (backups_boot_id is distinct from reported.boot or backups_seq < reported.seq)
     returning id, license_id`,
    [boot, seq, hostId, instance],
  );
  return row;
}

/** Returns whether the report has a new backup. */
async function store(em: EntityManager, { id, license_id }: Instance, { backups }: Report): Promise<boolean> {
  const ids = backups.map((backup) => backup.id);
  await em.execute('delete from instance_backup where instance_id = ? and id <> all(?::uuid[])', [
    id,
    `{${ids.join(',')}}`,
  ]);
  const added = await em.execute(
    `insert into instance_backup (instance_id, id, license_id, kind, note, is_partial, paths, size, content_size,
       sha256, files, changed_files, left_out, schedule_id, created_at)
     select ?::uuid, reported.id, ?::uuid, reported.kind, reported.note, reported.is_partial, reported.paths, reported.size, reported.content_size,
       reported.sha256, reported.files, reported.changed, reported.left_out, (
         select run.schedule_id from schedule_run as run join command
           on command.license_id = run.license_id and command.id = run.command_id
         where run.command_id = reported.id and run.license_id = ?::uuid and command.instance_id = ?::uuid
           and reported.kind = 'scheduled'
       ), least(reported.created_at, now())
     from jsonb_to_recordset(?::jsonb) as reported(id uuid, kind text, note text, is_partial boolean, paths jsonb,
       size bigint, content_size bigint, sha256 text, files integer, changed integer, left_out integer,
       created_at timestamptz)
     on conflict (instance_id, id) do nothing returning id`,
    [id, license_id, license_id, id, JSON.stringify(backups)],
  );
  return added.length > 0;
}
