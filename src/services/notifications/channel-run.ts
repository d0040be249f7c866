// One lease of a channel: sends its pending notifications in order, until one cannot be sent.
import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import { messageFor, type AlertDetails, type NotificationSubject } from './message.ts';
import { recordOutcome } from './outcomes.ts';
import { send, type Outcome, type SenderParts } from './sending.ts';
import { isStillOfTeam, type Targets } from './targets.ts';

export interface RunParts extends SenderParts {
  targets: Targets;
}

/** A pending notification is given up after this, regardless of the cause of the delay. */
const maxAgeHours = 6;

/** A channel's notifications are sent in order: a recovery never precedes the alert that it resolves. */
export async function runChannel(
  ctx: Ctx,
  channelId: string,
  shouldContinue: () => boolean,
  parts: RunParts,
): Promise<void> {
  while (shouldContinue()) {
    const due = await nextOf(ctx, channelId);
    if (due === undefined) return;
    const at = new Date();
    const outcome = await deliver(ctx, channelId, due, parts);
    await recordOutcome(ctx, channelId, due, { at, outcome });
    if (outcome.kind === 'failed' || outcome.kind === 'retry_later') return;
  }
}

type Due = NonNullable<Awaited<ReturnType<typeof nextOf>>>;

/** Tests come first: a user waits for them. */
async function nextOf(ctx: Ctx, channelId: string) {
  return ctx.read(async (queries) => {
    const next = await queries
      .selectFrom('notification')
      .innerJoin('notification_channel as channel', 'channel.id', 'notification.channel_id')
      .innerJoin('license', 'license.id', 'notification.license_id')
      .leftJoin('alert', 'alert.id', 'notification.alert_id')
      .select([
        'notification.id',
        'notification.event',
        'notification.created_at',
        sql<number>`notification.attempt_count`.as('attempt_count'),
        sql<number>`notification.failure_count`.as('failure_count'),
        sql<boolean>`next_attempt_at <= now()`.as('is_due'),
        sql<boolean>`notification.created_at < now() - make_interval(hours => ${maxAgeHours})`.as('is_stale'),
        'channel.name as channel_name',
        'channel.kind as channel_kind',
        'channel.template',
        'channel.target',
        'license.name as license_name',
        'license.is_sandbox',
        'alert.id as alert_id',
        'alert.kind',
        'alert.severity',
        'alert.subject_name',
        'alert.host_name',
        'alert.metadata',
        'alert.raised_at',
        'alert.ended_at',
      ])
      .where('notification.channel_id', '=', channelId)
      .where('notification.status', '=', 'pending')
      .orderBy(sql`(event = 'test') desc`)
      .orderBy('notification.id')
      .limit(1)
      .executeTakeFirst();
    return next?.is_due === true ? next : undefined;
  });
}

/** The target may become readable again: the key that encrypted it can be restored. */
const unreadable: Outcome = {
  kind: 'failed',
  detail:
    'Nothing was sent: the target was encrypted with another key and cannot be read. Enter the target again.',
};

async function deliver(ctx: Ctx, channelId: string, due: Due, parts: RunParts): Promise<Outcome> {
  if (due.is_stale)
    return { kind: 'refused', detail: `The notification could not be sent for ${maxAgeHours} hours.` };
  if (due.target === null) return { kind: 'refused', detail: 'The channel has no target.' };
  const target = parts.targets.open(due.target, channelId);
  if (target === undefined) return unreadable;
  if (target.kind === 'email' && due.is_sandbox)
    return { kind: 'refused', detail: 'Sandboxes send no e-mail.' };
  if (target.kind === 'email' && !(await isStillOfTeam(ctx, target.address)))
    return { kind: 'refused', detail: 'The address no longer belongs to a team member.' };
  const channel = { kind: due.channel_kind, template: due.template };
  const message = messageFor(channel, subjectOf(due), due.license_name);
  return send(target, message, { id: due.id, channelName: due.channel_name }, parts);
}

function subjectOf(due: Due): NotificationSubject {
  const { event } = due;
  if (event === 'test') return { event, channelName: due.channel_name, at: due.created_at ?? '' };
  return { event, alert: alertOf(due) };
}

function alertOf(due: Due): AlertDetails {
  const { alert_id: id, kind, severity, subject_name, host_name, metadata, raised_at } = due;
  if (
    id === null ||
    kind === null ||
    severity === null ||
    subject_name === null ||
    host_name === null ||
    metadata === null
  )
    throw new Error(`the notification ${due.id} has no alert`);
  return {
    id,
    kind,
    severity,
    subjectName: subject_name,
    hostName: host_name,
    metadata,
    raisedAt: raised_at ?? '',
    // An alert that was reopened meanwhile had nevertheless ended by then.
    endedAt: due.ended_at ?? (due.event === 'recovered' ? due.created_at : null),
  };
}
