// Applies agents' reports of their templates and managed instances, so that rows match the newest report.
import { hasRoom } from '../agents/report-limits.ts';
import type { BusSchemas } from '../../platform-contract/bus-types.ts';
import type { EntityManager } from '../../database/connection.ts';
import type { HostScope } from '../agents/host-scope.ts';
import type { Taken } from '../agents/reports.ts';

type Report = BusSchemas['ManagedInstancesReport'];

const refused: Taken = {
  ok: false,
  detail: 'The host is unknown, or a later boot of its agent has reported.',
};

export class ManagedInstanceReports {
  readonly #hosts: HostScope;

  constructor(hosts: HostScope) {
    this.#hosts = hosts;
  }

  /** Ignores a report that is older than the last one. */
  async take(hostId: string, report: Report): Promise<Taken> {
    const taken = await this.#hosts.transact(hostId, async (em): Promise<Taken> => {
      const [host] = await em.execute<{ license_id: string; is_newer: boolean }[]>(
        `select host.license_id,
           host.managed_boot_id is distinct from ?::uuid or host.managed_seq < ?::bigint as is_newer
         from agent_host as host join license on license.id = host.license_id
         where host.id = ? and host.boot_id = ?::uuid and license.status = 'active' for no key update of host`,
        [report.boot, report.seq, hostId, report.boot],
      );
      if (host === undefined) return refused;
      if (host.is_newer) await store(em, hostId, host.license_id, report);
      return { ok: true };
    });
    return taken ?? refused;
  }
}

async function store(em: EntityManager, hostId: string, licenseId: string, report: Report): Promise<void> {
  await em.execute(
    `update agent_host set managed_boot_id = ?::uuid, managed_seq = ?, max_managed_instances = ?,
       instance_templates = ?::jsonb
     where id = ?`,
    [report.boot, report.seq, report.maximum, JSON.stringify(report.templates), hostId],
  );
  const instances = JSON.stringify(report.instances);
  // Keeps the row of an instance that the report no longer lists, as one that the agent's file defines.
  await em.execute(
    `update game_instance set managed_by = 'file', template = null, template_parameters = null,
       definition_version = null, definition_problem = null
     where host_id = ? and managed_by = 'platform'
       and name <> all(select reported.name from jsonb_to_recordset(?::jsonb) as reported(name text))`,
    [hostId, instances],
  );
  await em.execute(
    `insert into game_instance as known (license_id, host_id, name, managed_by, template, template_parameters,
       definition_version, definition_problem)
     select ?::uuid, ?::uuid, reported.name, 'platform', reported.template, reported.parameters, reported.version, reported.problem
     from jsonb_to_recordset(?::jsonb)
       as reported(name text, template text, parameters jsonb, version bigint, problem text)
     where ${hasRoom('?::uuid', 'reported.name', `now() - interval '1 minute'`)}
     on conflict (host_id, name) do update set
       managed_by = excluded.managed_by, template = excluded.template,
       template_parameters = excluded.template_parameters, definition_version = excluded.definition_version,
       definition_problem = excluded.definition_problem
     where (known.template, known.template_parameters, known.definition_version, known.definition_problem)
       is distinct from (excluded.template, excluded.template_parameters, excluded.definition_version,
         excluded.definition_problem)`,
    [licenseId, hostId, instances, hostId, hostId, hostId],
  );
}
