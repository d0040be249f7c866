// Raises alarms for the platform's operator: one log line, and one mail to every super admin, per incident.
import type { Logger } from 'pino';
import { holdLock } from '../../database/advisory-locks.ts';
import type { EntityManager } from '../../database/connection.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import type { MailOut } from '../../mail/mail-out.ts';
import { readQueues, stuckMinutes, type QueueState } from './queue-ages.ts';

interface Alarm {
  subject: string;
  detail: string;
  /** A number of jobs, or of seconds. If it doubles, that is a new incident. */
  level: number;
}

/** An alarm ends after this time without a confirmation: a value that fluctuates around its limit is one incident. */
export const calmMinutes = 10;

export class OperatorAlarms {
  readonly #platform: PlatformScope;
  readonly #mailOut: MailOut;
  readonly #log: Logger;

  constructor(platform: PlatformScope, mailOut: MailOut, log: Logger) {
    this.#platform = platform;
    this.#mailOut = mailOut;
    this.#log = log;
  }

  /** Raises alarms that are new or have doubled, and ends those that are over. Replicas may run this concurrently. */
  async run(): Promise<void> {
    const alarms = alarmsOf(await this.#platform.read('health', readQueues));
    const { raised, ended } = await this.#platform.transact('health', async (em) => {
      const fresh = await raise(em, alarms);
      for (const alarm of fresh) await this.#mail(em, alarm);
      return { raised: fresh, ended: await end(em) };
    });
    for (const { subject, detail } of raised) this.#log.error({ subject }, detail);
    for (const subject of ended) this.#log.info({ subject }, 'an alarm has ended');
  }

  async #mail(em: EntityManager, { subject, detail }: Alarm): Promise<void> {
    const admins = await em.execute<{ email: string }[]>(
      'select email from user_account where is_super_admin and not is_disabled order by email',
    );
    for (const { email } of admins)
      await this.#mailOut.enqueue(
        em,
        { to: email, template: 'operator-alarm', values: { subject, detail } },
        'operator',
      );
  }
}

function alarmsOf({ ages, deadJobs, stuckJobs }: QueueState): Alarm[] {
  const late = ages
    .filter(({ oldestSeconds, maxSeconds }) => oldestSeconds !== null && oldestSeconds > maxSeconds)
    .map(({ name, oldestSeconds }) => ({
      subject: `queue ${name}`,
      detail: `The oldest row of the queue ${name} has waited for ${oldestSeconds ?? 0} seconds.`,
      level: oldestSeconds ?? 0,
    }));
  const jobs = [
    {
      subject: 'dead jobs',
      detail: `${deadJobs} jobs have used up their retries. List them with GET /api/admin/jobs.`,
      level: deadJobs,
    },
    {
      subject: 'stuck jobs',
      detail: `Workers have held ${stuckJobs} jobs for more than ${stuckMinutes} minutes. List them with GET /api/admin/jobs?status=stuck.`,
      level: stuckJobs,
    },
  ];
  return [...late, ...jobs.filter(({ level }) => level > 0)];
}

async function raise(em: EntityManager, alarms: readonly Alarm[]): Promise<Alarm[]> {
  // Two replicas that compare with the same former level would both raise the alarm.
  await holdLock(em, 'operator alarms');
  const rows = await em.execute<(Alarm & { is_raised: boolean })[]>(
    `with former as (
       select subject as former_subject, level as former_level from operator_alarm
     ), current as (
       insert into operator_alarm as known (subject, detail, level)
       select subject, detail, level
       from jsonb_to_recordset(?::jsonb) as alarm(subject text, detail text, level double precision)
       on conflict (subject) do update set confirmed_at = now(),
         detail = case when excluded.level >= 2 * known.level then excluded.detail else known.detail end,
         level = case when excluded.level >= 2 * known.level then excluded.level else known.level end
       returning subject, detail, level
     )
     select current.*, former_level is distinct from level as is_raised
     from current left join former on former_subject = subject`,
    [JSON.stringify(alarms)],
  );
  return rows.filter(({ is_raised }) => is_raised);
}

async function end(em: EntityManager): Promise<string[]> {
  const rows = await em.execute<{ subject: string }[]>(
    `delete from operator_alarm where confirmed_at < now() - interval '${calmMinutes} minutes' returning subject`,
  );
  return rows.map(({ subject }) => subject);
}
