// Lists, reads and acknowledges the alerts of a license.
import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import type { Query, Schemas } from '../../platform-contract/types.ts';
import type { Queries } from '../../database/reader.ts';
import type { EntityManager } from '../../database/connection.ts';
import { Alert } from '../../entities/index.ts';
import { notFound } from '../../errors.ts';
import { recordEvent } from '../../events/record.ts';
import { createdWithin } from '../../lists/filters.ts';
import { refuseUnknownInstance } from '../../preconditions/instance-existence.ts';
import { byId, pageOf, type Page } from '../../lists/page.ts';

export type AlertRow = Awaited<ReturnType<typeof alertOf>>;

export class Alerts {
  async list(ctx: Ctx, query: Query<'listAlerts'>): Promise<Page<AlertRow>> {
    return ctx.read(async (queries) => {
      const { kind, severity, is_open: isOpen, is_acknowledged: isAcknowledged, instance_id } = query;
      let found = alerts(queries).where(createdWithin('raised_at', query));
      if (instance_id !== undefined) {
        await refuseUnknownInstance(queries, instance_id);
        found = found.where('instance_id', '=', instance_id);
      }
      if (kind !== undefined) found = found.where('kind', '=', kind);
      if (severity !== undefined) found = found.where('severity', '=', severity);
      if (isOpen !== undefined) found = found.where(sql<boolean>`(ended_at is null) = ${isOpen}`);
      if (isAcknowledged !== undefined)
        found = found.where(sql<boolean>`(acknowledged_at is not null) = ${isAcknowledged}`);
      return pageOf(found, query, byId('id', 'desc'));
    });
  }

  async get(ctx: Ctx, id: string): Promise<AlertRow> {
    return ctx.read((queries) => alertOf(queries, id));
  }

  /** A repeated acknowledgement keeps the name of the first user. */
  async update(
    ctx: Ctx,
    id: string,
    { is_acknowledged: isAcknowledged }: Schemas['AlertUpdate'],
  ): Promise<AlertRow> {
    return ctx.transact(async (em, queries) => {
      const alert = await em.findOne(Alert, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (alert === null) throw missing();
      if (!isAcknowledged) await withdrawAcknowledgement(em, alert);
      else if (!alert.acknowledgedAt)
        em.assign(alert, { acknowledgedAt: new Date(), acknowledgedBy: ctx.actor?.label ?? '' });
      await em.flush();
      return alertOf(queries, id);
    });
  }
}

async function withdrawAcknowledgement(em: EntityManager, alert: Alert): Promise<void> {
  if (!alert.acknowledgedAt) return;
  em.assign(alert, { acknowledgedAt: null, acknowledgedBy: null });
  const { id, kind, severity, subjectName, instanceId, hostId } = alert;
  await recordEvent(em, 'alert.unacknowledged', {
    subject: id,
    instanceId: instanceId ?? null,
    hostId,
    data: { kind, severity, subject_name: subjectName },
  });
}

function alerts(queries: Queries) {
  return queries
    .selectFrom('alert')
    .select([
      'id',
      'kind',
      'severity',
      'host_id',
      'instance_id',
      'subject_name',
      'metadata',
      'raised_at',
      'reopened_at',
      'ended_at',
      'end_reason',
      'acknowledged_at',
      'acknowledged_by',
    ]);
}

async function alertOf(queries: Queries, id: string) {
  const alert = await alerts(queries).where('id', '=', id).executeTakeFirst();
  if (alert === undefined) throw missing();
  return alert;
}

const missing = () => notFound('alert');
