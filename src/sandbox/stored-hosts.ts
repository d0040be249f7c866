// Stored simulated hosts: each change of one happens in a transaction that holds its row.
import { sql } from 'kysely';
import type { EntityManager } from '../database/connection.ts';
import type { PlatformScope } from '../database/platform-scope.ts';
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
        `update simulated_host set state = ?::jsonb, has_outgoing = ?, next_step_at = ?::timestamptz,
           next_milestone_at = ?::timestamptz where host_id = ?`,
        [JSON.stringify(host), hasOutgoing(host), ...nextTimes(host), hostId],
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
            sql<boolean>`host.next_step_at <= now() + sandbox.clock_offset_ms * interval '1 millisecond'`,
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

  /** Gives the owner's hosts up, so that another process takes them at once. */
  async release(owner: string): Promise<void> {
    await this.#platform.transact('agents', (em) =>
      em.execute('update simulated_host set owner = null, owned_until = null where owner = ?', [owner]),
    );
  }

  /** The states of these hosts, and the times of their clocks. */
  async read(hostIds: readonly string[]): Promise<{ hostId: string; host: SimulatedHost; nowMs: number }[]> {
    if (hostIds.length === 0) return [];
    const rows = await this.#platform.read('agents', (queries) =>
      queries
        .selectFrom('simulated_host as host')
        .innerJoin('sandbox', 'sandbox.license_id', 'host.license_id')
        .select(['host.host_id', 'host.state', 'sandbox.clock_offset_ms'])
        .where('host.host_id', 'in', [...hostIds])
        .execute(),
    );
    const now = Date.now();
    return rows.map((row) => ({
      hostId: row.host_id,
      host: row.state as SimulatedHost,
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
    `insert into simulated_host (license_id, host_id, state, has_outgoing, next_step_at, next_milestone_at)
     values (?, ?, ?::jsonb, ?, ?::timestamptz, ?::timestamptz)`,
    [licenseId, hostId, JSON.stringify(host), hasOutgoing(host), ...nextTimes(host)],
  );
}

const hasOutgoing = ({ isSilent, outbox, signs }: SimulatedHost) =>
  !isSilent && outbox.length + signs.length > 0;

function nextTimes({ steps }: SimulatedHost): [string | null, string | null] {
  const timeOf = (step: SimulatedHost['steps'][number] | undefined) =>
    step === undefined ? null : new Date(step.atMs).toISOString();
  return [timeOf(steps[0]), timeOf(steps.find(isMilestone))];
}
