// Applies agents' messages about their hosts: hello, bye, changed states, and results of commands.
import type { Announcements } from '../../bus/announcements.ts';
import { hasRoom, earliestReport, maxLateHours } from './report-limits.ts';
import type { BusSchemas, CommandVerb } from '../../platform-contract/bus-types.ts';
import type { EntityManager } from '../../database/connection.ts';
import { enqueueRelay } from '../../queue/enqueue.ts';
import { followEnds } from '../commands/completion.ts';
import type { CommandEnd } from '../commands/index.ts';
import type { HostScope } from './host-scope.ts';
import { recordCrash, takeHostOffline } from './outages.ts';
import { takeWipeReport } from '../wipes/outcomes.ts';

/** Whether the platform accepted the message; an agent does not repeat a refused one. */
export type Taken = { ok: true } | { ok: false; detail: string };

/** Verbs that become console lines. Only for these may an agent report that the outcome is unknown. */
const verbsWithUnknownOutcome: readonly CommandVerb[] = ['announce', 'type', 'type_lines', 'reload_plugin'];

const taken: Taken = { ok: true };
const unknownHost: Taken = { ok: false, detail: 'This host is unknown or its license is revoked.' };
const unknownCommand: Taken = { ok: false, detail: 'This host has no such command.' };
const unknownWipe: Taken = { ok: false, detail: 'This host has no such wipe.' };
const formerBoot: Taken = { ok: false, detail: 'This boot of the agent has ended.' };

export class AgentReports {
  readonly #hosts: HostScope;
  readonly #ends: Announcements<CommandEnd>;

  readonly #lateHours: number;

  constructor(hosts: HostScope, ends: Announcements<CommandEnd>, lateHours = maxLateHours) {
    this.#hosts = hosts;
    this.#ends = ends;
    this.#lateHours = lateHours;
  }

  /**
   * Handles an agent that has connected: marks instances it no longer has as offline, and relays its waiting commands.
   * Refuses a hello that arrives after the goodbye of its boot, or after a message of a later boot.
   */
  async hello(hostId: string, message: BusSchemas['Hello']): Promise<Taken> {
    return this.#take(hostId, unknownHost, async (em) => {
      if ((await activeLicense(em, hostId)) === undefined) return unknownHost;
      if (!(await enterBoot(em, hostId, message, false))) return formerBoot;
      await em.execute(
        'update agent_host set agent_version = ?, platform = ?, is_silent = false where id = ?',
        [message.agent_version, message.platform, hostId],
      );
      await em.execute(
        `with gone as (
           update game_instance set state = 'offline'
           where host_id = ? and state <> 'offline' and name <> all(?::text[]) returning license_id, id
         )
         update server_connection set is_connected = false from gone
         where server_connection.license_id = gone.license_id and server_connection.instance_id = gone.id`,
        [hostId, `{${message.instances.map((name) => `"${name}"`).join(',')}}`],
      );
      await enqueueRelay(em, hostId);
      return taken;
    });
  }

  /**
   * Applies a change of an instance's state once, and never over a newer change. A change dated before the earliest
   * time that a report may name counts from that time.
   */
  async instanceState(hostId: string, change: BusSchemas['InstanceStateChange']): Promise<Taken> {
    return this.#take(hostId, unknownHost, async (em) => {
      const known = await activeLicense(em, hostId);
      if (known === undefined) return unknownHost;
      const at = await this.#timeOf(em, hostId, change);
      await em.execute(
        `insert into game_instance as instance (license_id, host_id, name, state, state_at, state_boot_id, state_seq, is_unconfirmed)
         select *, true from (values (?::uuid, ?::uuid, ?, ?, ?::timestamptz, ?::uuid, ?::bigint))
           as change(license_id, host_id, name, state, state_at, boot, seq)
         where ${hasRoom('change.host_id', 'change.name', 'change.state_at')}
         on conflict (host_id, name) do update set
           state = excluded.state, state_at = excluded.state_at,
           state_boot_id = excluded.state_boot_id, state_seq = excluded.state_seq,
           down_since = case when excluded.state not in ('running', 'stopped') then instance.down_since end
         where case when instance.state_boot_id = excluded.state_boot_id then excluded.state_seq > instance.state_seq
           else instance.state_at is null or excluded.state_at >= instance.state_at end`,
        [known, hostId, change.instance, change.state, at, change.boot, change.seq],
      );
      // A change that arrives after a newer one still belongs in the history of states.
      await em.execute(
        `select note_instance_state(license_id, id, ?, ?::timestamptz, ?::uuid, ?::bigint)
         from game_instance where host_id = ? and name = ?`,
        [change.state, at, change.boot, change.seq, hostId, change.instance],
      );
      if (change.state === 'crashed') await recordCrash(em, hostId, change);
      return taken;
    });
  }

  /** Applies the result of a command. Only the command's host can report one, and the first result is final. */
  async commandResult(hostId: string, result: BusSchemas['CommandResult']): Promise<Taken> {
    return this.#hosts.transactAsPlatform(async (em): Promise<Taken> => {
      const ended = await em.execute<{ id: string }[]>(
        `update command set status = ?, detail = ?, error_code = ?, output = ?::jsonb, finished_at = now(),
           acknowledged_at = coalesce(acknowledged_at, now())
         where id = ? and host_id = ? and status in ('queued', 'sent', 'acknowledged', 'expired')
           and (? <> 'sent' or kind = any(?::text[])) returning id`,
        [
          result.status === 'sent' ? 'unconfirmed' : result.status,
          result.detail ?? null,
          result.status === 'failed' ? (result.error_code ?? 'internal') : null,
          result.output === undefined ? null : JSON.stringify(result.output),
          result.command_id,
          hostId,
          result.status,
          `{${verbsWithUnknownOutcome.join(',')}}`,
        ],
      );
      if (ended.length > 0) {
        const { is_loaded } = result;
        await followEnds(
          em,
          ended.map(({ id }) => ({ id, ...(is_loaded !== undefined && { is_loaded }) })),
        );
        this.#ends.announce({ command_id: result.command_id });
        return taken;
      }
      const [known] = await em.execute<{ kind: string; is_over: boolean }[]>(
        'select kind, finished_at is not null as is_over from command where id = ? and host_id = ?',
        [result.command_id, hostId],
      );
      if (known === undefined) return unknownCommand;
      if (known.is_over) return taken;
      return { ok: false, detail: `A command ${known.kind} cannot end with ${result.status}.` };
    });
  }

  /** Applies a report of a wipe's progress. Each report counts once and in order; the end of a wipe is final. */
  async wipeStatus(hostId: string, report: BusSchemas['WipeReport']): Promise<Taken> {
    return this.#take(hostId, unknownWipe, async (em) =>
      (await takeWipeReport(em, hostId, report)) ? taken : unknownWipe,
    );
  }

  /** Takes the host of an agent that says goodbye offline. A goodbye of an earlier boot has no effect. */
  async bye(hostId: string, message: BusSchemas['Bye']): Promise<void> {
    await this.#hosts.transact(hostId, async (em) => {
      if (await enterBoot(em, hostId, message, true)) await takeHostOffline(em, hostId);
    });
  }

  async #timeOf(em: EntityManager, hostId: string, { at }: { at: string }): Promise<string> {
    const [row] = await em.execute<{ at: string }[]>(
      `select least(greatest(?::timestamptz, ${earliestReport('host', this.#lateHours)}), now())::timestamptz(3) as at
       from agent_host as host where id = ?`,
      [at, hostId],
    );
    return row?.at ?? at;
  }

  async #take(hostId: string, refusal: Taken, work: (em: EntityManager) => Promise<Taken>): Promise<Taken> {
    return (await this.#hosts.transact(hostId, work)) ?? refusal;
  }
}

/** The host's license; undefined if it is revoked, or the host was deleted. */
async function activeLicense(em: EntityManager, hostId: string): Promise<string | undefined> {
  const [row] = await em.execute<{ license_id: string }[]>(
    `select host.license_id from agent_host as host join license on license.id = host.license_id
     where host.id = ? and license.status = 'active'`,
    [hostId],
  );
  return row?.license_id;
}

/**
 * Records which boot the host is in, and returns whether the message belongs to it. Boots are ordered by the send time
 * of their messages, since replicas may receive them in any order. Heartbeats follow the same rule.
 */
async function enterBoot(
  em: EntityManager,
  hostId: string,
  { boot, sent_at: sentAt }: { boot: string; sent_at: string },
  isOver: boolean,
): Promise<boolean> {
  const rows = await em.execute(
    `update agent_host as host set
       boot_id = reported.boot_id,
       boot_since = case when host.boot_id = reported.boot_id then host.boot_since else reported.at end,
       heartbeat_seq = case when host.boot_id = reported.boot_id then host.heartbeat_seq end,
       is_boot_over = ?
     from (select ?::uuid as boot_id, least(?::timestamptz, now()) as at) as reported
     where host.id = ? and case when host.boot_id = reported.boot_id then not host.is_boot_over
       else host.boot_since is null or reported.at >= host.boot_since end
     returning host.id`,
    [isOver, boot, sentAt, hostId],
  );
  return rows.length > 0;
}
