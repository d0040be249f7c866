// Keeps stored files while a backup runs: its snapshot still names files that are unwanted since.

/** Must differ from every other advisory lock in the database. */
const backupLock = 7_261_640_193;

/** Held in shared mode by the session of each backup. */
export const takeBackupLock = `select pg_advisory_lock_shared(${backupLock})`;

/** Whether a backup runs. A file whose row says that it is unwanted is not part of a backup that begins later. */
export const isBackupRunning = `select exists (
    select from pg_locks where locktype = 'advisory' and granted and objsubid = 1
      and classid = (${backupLock} >> 32)::oid and objid = (${backupLock} & 4294967295)::oid
      and database = (select oid from pg_database where datname = current_database())
  ) as is_running`;
