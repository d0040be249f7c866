// Backups of game instances: agents report which exist, and carry out changes to them.
import { sql } from 'kysely';
import type { Ctx, Contexts } from '../../context.ts';
import type { Query, Schemas } from '../../platform-contract/types.ts';
import type { Download } from '../../results/results.ts';
import type { EntityManager } from '../../database/connection.ts';
import type { Queries } from '../../database/reader.ts';
import { holdLock } from '../../database/advisory-locks.ts';
import { GameInstance, InstanceBackup } from '../../entities/index.ts';
import { DomainError, notFound } from '../../errors.ts';
import { enqueueRotation } from '../../queue/enqueue.ts';
import { issueCommand, type CommandRow, type Commands, type Request } from '../commands/index.ts';
import type { Files } from '../files/index.ts';
import { checkedPath } from '../files/path.ts';
import { refuseUnknownInstance } from '../../preconditions/instance-existence.ts';
import { refuseBeyond, type Limit } from '../../preconditions/limits.ts';
import { byId, pageOf } from '../../lists/page.ts';
import type { JobPayloads } from '../../queue/payloads.ts';

export type BackupRow = Awaited<ReturnType<typeof backupOf>>;

/** The backup and its instance. */
export interface Target {
  instance_id: string;
  backup_id: string;
}

/** The maximum number of backups that an agent keeps of one instance. */
export const maxBackups = 100;
const defaultKeep = 7;

const columns = [
  'id',
  'instance_id',
  'kind',
  'note',
  'is_pinned',
  'is_partial',
  'paths',
  'size',
  'content_size',
  'sha256',
  'files',
  'changed_files',
  'left_out',
  'schedule_id',
  'created_at',
] as const;

export class Backups {
  readonly #commands: Commands;
  readonly #files: Pick<Files, 'downloadBackup'>;

  constructor(commands: Commands, files: Pick<Files, 'downloadBackup'>) {
    this.#commands = commands;
    this.#files = files;
  }

  async list(ctx: Ctx, instanceId: string, query: Query<'listBackups'>) {
    return ctx.read(async (queries) => {
      await refuseUnknownInstance(queries, instanceId);
      let backups = queries
        .selectFrom('instance_backup')
        .select(columns)
        .where('instance_id', '=', instanceId);
      if (query.kind !== undefined) backups = backups.where('kind', '=', query.kind);
      return pageOf(backups, query, byId('id', 'desc'));
    });
  }

  async get(ctx: Ctx, target: Target): Promise<BackupRow> {
    return ctx.read((queries) => backupOf(queries, target));
  }

  async create(
    ctx: Ctx,
    instanceId: string,
    { paths, note }: Schemas['BackupCreate'] = {},
  ): Promise<CommandRow> {
    const args = {
      kind: 'manual',
      ...(paths !== undefined && { paths: paths.map(checkedPath) }),
      ...(note !== undefined && { note }),
    };
    return ctx.transact(async (em) => {
      await refuseBeyond(em, backupLimit(em, instanceId));
      return this.#commands.create(ctx, instanceId, { verb: 'create_backup', args });
    });
  }

  async update(ctx: Ctx, target: Target, changes: Schemas['BackupUpdate']): Promise<BackupRow> {
    return ctx.transact(async (em, queries) => {
      await lockBackups(em, target.instance_id);
      const backup = await changeable(em, target);
      if (changes.is_pinned === true && (await isBeingDeleted(queries, target))) throw beingDeleted();
      if (changes.note !== undefined) backup.note = changes.note;
      backup.isPinned = changes.is_pinned ?? backup.isPinned;
      await em.flush();
      return backupOf(queries, target);
    });
  }

  async delete(ctx: Ctx, target: Target): Promise<CommandRow> {
    return ctx.transact(async (em) => {
      await lockBackups(em, target.instance_id);
      if ((await changeable(em, target)).isPinned === true) throw pinned();
      return this.#commands.create(ctx, target.instance_id, deletionOf(target.backup_id));
    });
  }

  async restore(
    ctx: Ctx,
    target: Target,
    {
      keep_present = true,
      remove_later = false,
      stop_instance = false,
    }: Partial<Schemas['BackupRestore']> = {},
  ): Promise<CommandRow> {
    const args = { backup_id: target.backup_id, keep_present, remove_later, stop: stop_instance };
    return ctx.transact(async (em) => {
      await changeable(em, target);
      return this.#commands.create(ctx, target.instance_id, { verb: 'restore_backup', args });
    });
  }

  async download(ctx: Ctx, target: Target): Promise<Download> {
    await this.get(ctx, target);
    return this.#files.downloadBackup(ctx, target.instance_id, target.backup_id);
  }

  async policy(ctx: Ctx, instanceId: string): Promise<number> {
    return ctx.read(async (queries) => {
      await refuseUnknownInstance(queries, instanceId);
      return keepOf(queries, instanceId);
    });
  }

  async updatePolicy(ctx: Ctx, instanceId: string, { keep }: Schemas['BackupPolicyUpdate']): Promise<number> {
    return ctx.transact(async (em, queries) => {
      if ((await em.count(GameInstance, { id: instanceId })) === 0) throw notFound('instance');
      await em.execute(
        `insert into backup_policy (instance_id, keep) values (?, ?)
         on conflict (instance_id) do update set keep = excluded.keep`,
        [instanceId, keep],
      );
      await enqueueRotation(em, ctx.licenseId, instanceId);
      return keepOf(queries, instanceId);
    });
  }

  /** Deletes the oldest backups of each kind, and of each schedule, beyond the number that its policy keeps. */
  async rotate(ctx: Ctx, instanceId: string): Promise<void> {
    await ctx.transact(async (em, queries) => {
      await lockBackups(em, instanceId);
      const requestedBy = ctx.actor?.label ?? null;
      for (const id of await surplusOf(queries, instanceId))
        await issueCommand(em, queries, instanceId, { ...deletionOf(id), requestedBy });
    });
  }
}

/** The maximum number of backups of an instance. */
export const backupLimit = (em: EntityManager, instanceId: string): Limit => ({
  subject: `backups ${instanceId}`,
  max: maxBackups,
  count: () => em.count(InstanceBackup, { instanceId }),
  detail: `An instance has at most ${maxBackups} backups; delete one first.`,
});

/** Serialises pinning, deleting and rotating, so that each sees the others' decisions. */
const lockBackups = (em: EntityManager, instanceId: string) => holdLock(em, `kept backups ${instanceId}`);

async function backupOf(queries: Queries, { instance_id, backup_id }: Target) {
  const backup = await queries
    .selectFrom('instance_backup')
    .select(columns)
    .where('instance_id', '=', instance_id)
    .where('id', '=', backup_id)
    .executeTakeFirst();
  if (backup === undefined) throw notFound('backup');
  return backup;
}

async function changeable(em: EntityManager, { instance_id, backup_id }: Target): Promise<InstanceBackup> {
  const backup = await em.findOne(InstanceBackup, { instanceId: instance_id, id: backup_id });
  if (backup === null) throw notFound('backup');
  return backup;
}

async function keepOf(queries: Queries, instanceId: string): Promise<number> {
  const policy = await queries
    .selectFrom('backup_policy')
    .select('keep')
    .where('instance_id', '=', instanceId)
    .executeTakeFirst();
  return policy?.keep ?? defaultKeep;
}

async function isBeingDeleted(queries: Queries, { instance_id, backup_id }: Target): Promise<boolean> {
  const { rows } = await sql`
    select 1 from command where instance_id = ${instance_id} and ${deletes(backup_id)}`.execute(queries);
  return rows.length > 0;
}

/**
 * Manual backups, backups before wipes and those of each schedule are counted separately. A schedule sets how many of
 * its backups are kept. Backups of deleted schedules follow the policy, as a kind of their own.
 */
async function surplusOf(queries: Queries, instanceId: string): Promise<string[]> {
  const keep = await keepOf(queries, instanceId);
  const { rows } = await sql<{ id: string }>`
    select id from (
      select backup.id, coalesce((schedule.action ->> 'keep_last')::integer, ${keep}) as keep, row_number() over (
        partition by backup.kind, schedule.id order by backup.created_at desc, backup.id desc) as place
      from instance_backup as backup left join schedule
        on schedule.license_id = backup.license_id and schedule.id = backup.schedule_id
          and schedule.action ->> 'kind' = 'backup'
      where backup.instance_id = ${instanceId} and not backup.is_pinned
    ) as kept
    where place > kept.keep and not exists (
      select from command where instance_id = ${instanceId} and ${deletes(sql.ref('kept.id'))})
    order by place desc`.execute(queries);
  return rows.map(({ id }) => id);
}

/** Whether a row of commands is a pending deletion of the backup. */
function deletes(backupId: unknown) {
  return sql`kind = 'delete_backup' and finished_at is null and args ->> 'backup_id' = ${backupId}::text`;
}

function deletionOf(backupId: string): Request & { args: Record<string, unknown> } {
  return { verb: 'delete_backup', args: { backup_id: backupId } };
}

const pinned = () => new DomainError('backup_pinned', 'The backup is pinned; unpin it first.');
const beingDeleted = () => new DomainError('backup_being_deleted', 'The backup is already being deleted.');

/** The job that rotates the backups of an instance beyond its policy. */
export class BackupRotation {
  readonly #contexts: Contexts;
  readonly #backups: Backups;

  constructor(contexts: Contexts, backups: Backups) {
    this.#contexts = contexts;
    this.#backups = backups;
  }

  async rotate({ license_id, instance_id }: JobPayloads['rotate-backups']): Promise<void> {
    await this.#contexts.forJob('rotate-backups', license_id, (ctx) =>
      this.#backups.rotate(ctx, instance_id),
    );
  }
}
