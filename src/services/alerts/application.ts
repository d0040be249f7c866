// Applies an evaluation's decision: raises, reopens, repeats and ends alerts. Their events cause the notifications.
import type { EntityManager } from '../../database/connection.ts';
import type { Decision } from './decision.ts';
import type { Subject } from './figures.ts';
import type { AlertRules } from './rules.ts';

export async function applyDecision(
  em: EntityManager,
  rules: AlertRules,
  decision: Decision<Subject>,
): Promise<void> {
  await raise(em, rules, decision);
  await reopen(em, decision);
  await repeat(em, decision);
  await noteWell(em, decision);
  await end(em, decision);
}

async function raise(em: EntityManager, rules: AlertRules, { raised }: Decision<Subject>): Promise<void> {
  if (raised.length === 0) return;
  const alerts = raised.map(({ kind, subject, metadata }) => ({
    kind,
    severity: rules[kind].severity,
    subject_id: subject.instanceId ?? subject.hostId,
    subject_name: subject.name,
    host_id: subject.hostId,
    host_name: subject.hostName,
    instance_id: subject.instanceId,
    metadata,
  }));
  await em.execute(
    `insert into alert (kind, severity, subject_id, subject_name, host_id, host_name, instance_id, metadata)
     select kind, severity, subject_id, subject_name, host_id, host_name, instance_id, metadata
     from jsonb_to_recordset(?::jsonb) as one(kind text, severity text, subject_id uuid, subject_name text,
       host_id uuid, host_name text, instance_id uuid, metadata jsonb)`,
    [JSON.stringify(alerts)],
  );
}

/** Metadata of an alert that recurs. Crashes of an instance are counted from when the alert was raised. */
const repeatedMetadata = `one.metadata || case when alert.kind = 'instance_crashed'
  then jsonb_build_object('crash_count', coalesce((alert.metadata ->> 'crash_count')::integer, 1) + 1)
  else '{}' end`;

async function repeat(em: EntityManager, { repeated }: Decision<Subject>): Promise<void> {
  if (repeated.length === 0) return;
  await em.execute(
    `update alert set metadata = ${repeatedMetadata}
     from jsonb_to_recordset(?::jsonb) as one(id uuid, metadata jsonb) where alert.id = one.id`,
    [JSON.stringify(repeated)],
  );
}

async function reopen(em: EntityManager, { reopened }: Decision<Subject>): Promise<void> {
  if (reopened.length === 0) return;
  await em.execute(
    `update alert set ended_at = null, end_reason = null, well_since = null, reopened_at = now(),
       metadata = ${repeatedMetadata}
     from jsonb_to_recordset(?::jsonb) as one(id uuid, metadata jsonb) where alert.id = one.id`,
    [JSON.stringify(reopened)],
  );
}

async function noteWell(em: EntityManager, { wellSince, notWell }: Decision<Subject>): Promise<void> {
  if (wellSince.length + notWell.length === 0) return;
  await em.execute(
    `update alert set well_since = case when one.is_well then now() end
     from jsonb_to_recordset(?::jsonb) as one(id uuid, is_well boolean) where alert.id = one.id`,
    [
      JSON.stringify([
        ...wellSince.map((id) => ({ id, is_well: true })),
        ...notWell.map((id) => ({ id, is_well: false })),
      ]),
    ],
  );
}

async function end(em: EntityManager, { ended }: Decision<Subject>): Promise<void> {
  if (ended.length === 0) return;
  await em.execute(
    `update alert set end_reason = one.reason,
       ended_at = case when one.reason in ('recovered', 'settled') then well_since else now() end
     from jsonb_to_recordset(?::jsonb) as one(id uuid, reason text) where alert.id = one.id`,
    [JSON.stringify(ended)],
  );
}
