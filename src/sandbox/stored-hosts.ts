// Stored simulated hosts: each change of one happens in a transaction that holds its row.
import { sql } from 'kysely';
import type { EntityManager } from '../database/connection.ts';
import type { PlatformScope } from '../database/platform-scope.ts';
import { vitalsOf, type Vitals } from './heartbeat.ts';
import { isMilestone, takeDueSteps } from './steps.ts';
import type { SimulatedHost } from './state.ts';

interface StoredRow {
  license_id: string;
  state: SimulatedHost;
  now_ms: number;
}

export interface Acted<T> {
  result: T;
  licenseId: string;
  host: SimulatedHost;
  /** The number of the last console line of each server before the change. */
  formerLines: Readonly<Record<string, number>>;
}

export class StoredHosts {
  readonly #platform: PlatformScope;

  constructor(platform: PlatformScope) {
    this.#platform = platform;
  }

  /** Takes the due steps of the host, then does the work. Undefined, without doing it, if the host is gone. */
  async act<T>(
    hostId: string,
    work: (host: SimulatedHost, nowMs: number) => T,
  ): Promise<Acted<T> | undefined> {
    return this.#platform.transact('agents', async (em) => {
      const [row] = await em.execute<StoredRow[]>(
        `select host.license_id, host.state,
           (extract(epoch from clock_timestamp()) * 1000)::float8 + sandbox.clock_offset_ms as now_ms
         from simulated_host as host join sandbox on sandbox.license_id = host.license_id
         where host.host_id = ? for update of host`,
        [hostId],
      );
      if (row === undefined) return undefined;
      const { license_id: licenseId, state: host } = row;
      const nowMs = Math.floor(row.now_ms);
      const formerLines = Object.fromEntries(
        Object.entries(host.servers).map(([name, { lineSeq }]) => [name, lineSeq]),
      );
      takeDueSteps(host, nowMs);
      const result = work(host, nowMs);
      await em.execute(
        `update simulated_host set state = ?::jsonb, vitals = ?::jsonb, has_outgoing = ?,
           next_step_at = ?::timestamptz, next_milestone_at = ?::timestamptz where host_id = ?`,
        [...storedForms(host), hasOutgoing(host), ...nextTimes(host), hostId],
      );
      return { result, licenseId, host, formerLines };
    });
  }

  /** Hosts with steps that are due by their own clocks, or with messages that could not be sent. */
  async due(owner: string, limit: number): Promise<string[]> {
    const rows = await this.#platform.read('agents', (queries) =>
      queries
        .selectFrom('simulated_host as host')
        .innerJoin('sandbox', 'sandbox.license_id', 'host.license_id')
        .select('host.host_id')
        .where('host.owner', '=', owner)
        .where((eb) =>
          eb.or([
            eb('host.has_outgoing', '=', true),
            sql<boolean>`case when host.is_unused then host.next_milestone_at else host.next_step_at end <= now() + sandbox.clock_offset_ms * interval '1 millisecond'`,
          ]),
        )
        .orderBy('host.next_step_at')
        .limit(limit)
        .execute(),
    );
    return rows.map(({ host_id }) => host_id);
  }

  /**
   * Leases hosts that no other process runs, and renews leases that have less than `renewedSeconds` left: rarely, as a
   * renewal copies the whole row. Returns the hosts of the owner.
   */
  async lease(
    owner: string,
    { seconds, renewedSeconds }: { seconds: number; renewedSeconds: number },
  ): Promise<string[]> {
    return this.#platform.transact('agents', async (em) => {
      await em.execute(
        `update simulated_host set owner = ?, owned_until = now() + make_interval(secs => ?)
         where host_id in (
           select host_id from simulated_host
           where owner = ? and owned_until < now() + make_interval(secs => ?)
             or owned_until is null or owned_until < now()
           for update skip locked)`,
        [owner, seconds, owner, renewedSeconds],
      );
      // A row that was locked by a step keeps its lease until the next round.
      const rows = await em.execute<{ host_id: string }[]>(
        'select host_id from simulated_host where owner = ? and owned_until > now()',
        [owner],
      );
      return rows.map(({ host_id }) => host_id);
    });
  }

  /**
   * Marks the hosts of sandboxes that no request has used for an hour. Players of unused sandboxes neither come nor go,
   * unless other programs are notified of it.
   */
  async markUnused(): Promise<void> {
    await this.#platform.transact('sandboxes', (em) =>
      em.execute(
        `update simulated_host as host set is_unused = found.is_unused from (
           select sandbox.license_id, coalesce(reset_at, created_at) < now() - interval '1 hour'
             and not exists (select from api_key where api_key.license_id = sandbox.license_id
               and last_used_at > now() - interval '1 hour')
             and not exists (select from user_account as owner
               join user_session as session on session.user_id = owner.id
               where owner.sandbox_license_id = sandbox.license_id
                 and session.last_used_at > now() - interval '1 hour')
             and not exists (select from webhook where webhook.license_id = sandbox.license_id)
             and not exists (select from notification_channel as channel
               where channel.license_id = sandbox.license_id) as is_unused
           from sandbox
         ) as found
         where found.license_id = host.license_id and found.is_unused <> host.is_unused`,
      ),
    );
  }

  /** Gives the owner's hosts up, so that another process takes them at once. */
  async release(owner: string): Promise<void> {
    await this.#platform.transact('agents', (em) =>
      em.execute('update simulated_host set owner = null, owned_until = null where owner = ?', [owner]),
    );
  }

  /** The vitals of these hosts, and the times of their clocks. */
  async read(hostIds: readonly string[]): Promise<{ hostId: string; host: Vitals; nowMs: number }[]> {
    if (hostIds.length === 0) return [];
    const rows = await this.#platform.read('agents', (queries) =>
      queries
        .selectFrom('simulated_host as host')
        .innerJoin('sandbox', 'sandbox.license_id', 'host.license_id')
        .select(['host.host_id', 'host.vitals', 'sandbox.clock_offset_ms'])
        .where('host.host_id', 'in', [...hostIds])
        .where('host.vitals', 'is not', null)
        .execute(),
    );
    const now = Date.now();
    return rows.map((row) => ({
      hostId: row.host_id,
      host: row.vitals as Vitals,
      nowMs: now + row.clock_offset_ms,
    }));
  }

  /** The simulated host of the license. */
  async hostOf(licenseId: string): Promise<string | undefined> {
    const row = await this.#platform.read('agents', (queries) =>
      queries
        .selectFrom('simulated_host')
        .select('host_id')
        .where('license_id', '=', licenseId)
        .executeTakeFirst(),
    );
    return row?.host_id;
  }
}

/** Stores a new simulated host, whose other rows exist. */
export async function storeHost(
  em: EntityManager,
  { licenseId, hostId, host }: { licenseId: string; hostId: string; host: SimulatedHost },
): Promise<void> {
  await em.execute(
    `insert into simulated_host (license_id, host_id, state, vitals, has_outgoing, next_step_at, next_milestone_at)
     values (?, ?, ?::jsonb, ?::jsonb, ?, ?::timestamptz, ?::timestamptz)`,
    [licenseId, hostId, ...storedForms(host), hasOutgoing(host), ...nextTimes(host)],
  );
}

const storedForms = (host: SimulatedHost): [string, string] => [
  JSON.stringify(host),
  JSON.stringify(vitalsOf(host)),
];

const hasOutgoing = ({ isSilent, outbox, signs }: SimulatedHost) =>
  !isSilent && outbox.length + signs.length > 0;

function nextTimes({ steps }: SimulatedHost): [string | null, string | null] {
  const timeOf = (step: SimulatedHost['steps'][number] | undefined) =>
    step === undefined ? null : new Date(step.atMs).toISOString();
  return [timeOf(steps[0]), timeOf(steps.find(isMilestone))];
}
