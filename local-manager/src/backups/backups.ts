// Backs up the game's database to the host, and restores it from there.
import type { components } from '../../../generated/local-manager.d.ts';
import type { Battlegroup } from '../battlegroup/battlegroup-view.ts';
import type { Battlegroups } from '../battlegroup/battlegroups.ts';
import type { GuestShell } from '../guest-shell/guest-shell.ts';
import { downloadFromGuest, uploadToGuest } from '../guest-shell/guest-transfer.ts';
import type { Guest } from '../guest-shell/guest.ts';
import type { Operation, OperationRun } from '../operations/operation-run.ts';
import type { Operations } from '../operations/operations.ts';
import { isRefusal, refusal } from '../refusals.ts';
import type { Backup, BackupStore } from './backup-store.ts';

type BackupList = components['schemas']['BackupList'];

const confirmation = 'RESTORE';
const dumpMs = 30 * 60_000;

/** Runs a program of PostgreSQL in the database's pod, at the port that it listens on. */
const inPod = `
pod="$2-db-dbdepl-sts-0"
run() { sudo -n kubectl exec -i -n "$namespace" "$pod" -- sh -c 'PGPASSWORD="$\{PGPASSWORD:-$POSTGRES_PASSWORD}" exec "$@"' "$@"; }
namespace=$1
known=$(sudo -n kubectl get databasedeployments -n "$namespace" -o 'jsonpath={.items[0].spec.port}' 2>/dev/null)
port=
for candidate in $known 5432 15432; do
  if run psql psql -U dune -d dune -p "$candidate" -X -q -t -A -c 'select 1' > /dev/null 2>&1; then port=$candidate; break; fi
done
[ -n "$port" ] || { echo 'the database does not respond' >&2; exit 2; }
file="\${TMPDIR:-/tmp}/$3"
`;

/** Prints the size and the checksum of the dump, which stays in the virtual machine until it is copied. */
const dump = `${inPod}
umask 077
# Interrupted backups and restores have left these.
find "\${TMPDIR:-/tmp}" -maxdepth 1 -type f \\( -name 'gantry-backup-*.dump' -o -name 'gantry-restore-*.dump' \\) -mmin +240 -exec rm -f {} \\; 2>/dev/null || :
trap '[ -n "$done" ] || rm -f "$file"' EXIT
run pg_dump pg_dump -U dune -d dune -p "$port" -Fc > "$file" || exit 1
[ -s "$file" ] || { echo 'the dump is empty' >&2; exit 1; }
wc -c < "$file"
sha256sum < "$file" | cut -d ' ' -f 1
echo "$file"
done=yes
`;

/** All of it or nothing: an error rolls the whole restore back. */
const restore = `${inPod}
run pg_restore pg_restore -U dune -d dune -p "$port" --clean --if-exists --no-owner --single-transaction --exit-on-error < "$file"
`;

const place = `printf '%s' "\${TMPDIR:-/tmp}/$1"`;
const remove = `rm -f "\${TMPDIR:-/tmp}/$1"`;

interface Parts {
  guest: Guest;
  battlegroups: Battlegroups;
  operations: Operations;
  store: BackupStore;
  /** How many scheduled backups are kept. */
  keepCount: () => number;
}

export class Backups {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async list(): Promise<BackupList> {
    const { store, keepCount } = this.#parts;
    const freeBytes = await store.freeBytes();
    return { data: await store.list(), folder: store.folder, freeBytes, keepCount: keepCount() };
  }

  /** Removes what an interrupted backup has left on the host. */
  recover(): Promise<void> {
    return this.#parts.store.removeIncomplete();
  }

  download(id: string): ReturnType<BackupStore['download']> {
    return this.#parts.store.download(id);
  }

  async delete(id: string): Promise<void> {
    this.#parts.operations.refuseWhileRunning();
    await this.#parts.store.delete(id);
  }

  async create(reason: Backup['reason'] = 'manual'): Promise<Operation> {
    const { guest, battlegroups, operations } = this.#parts;
    operations.refuseWhileRunning();
    const shell = await guest.open();
    const battlegroup = await battlegroups.only(shell);
    return operations.start('createBackup', async (run) => {
      const { sizeBytes } = await this.createIn(run, shell, battlegroup, reason);
      if (reason === 'scheduled') await this.#prune(run);
      return { summary: `The backup is on this host, ${inMegabytes(sizeBytes)}.` };
    });
  }

  async restore(id: string, confirm: string | undefined): Promise<Operation> {
    const { guest, battlegroups, operations, store } = this.#parts;
    const backup = await store.get(id);
    if (confirm !== confirmation)
      throw refusal('confirmation_needed', `Nothing was changed: send the word ${confirmation} to confirm.`);
    operations.refuseWhileRunning();
    const shell = await guest.open();
    const battlegroup = await battlegroups.only(shell);
    return operations.start('restoreBackup', async (run) => {
      if (battlegroup.phase === 'Stopped') run.skip('Stop the battlegroup', 'it is stopped');
      else await battlegroups.stopIn(run, shell);
      await this.createIn(run, shell, battlegroup, 'beforeRestore');
      await this.#restoreIn(run, shell, battlegroup, backup);
      return { summary: `The world has the state of ${backup.createdAt}. Start the battlegroup.` };
    });
  }

  /** Dumps, copies out and records; leaves nothing behind of one that failed. */
  async createIn(
    run: OperationRun,
    shell: GuestShell,
    battlegroup: Pick<Battlegroup, 'namespace' | 'name' | 'title'>,
    reason: Backup['reason'],
  ): Promise<Backup> {
    const { store } = this.#parts;
    const { id, partFile } = await store.begin();
    const { namespace, name, title } = battlegroup;
    const there = `gantry-backup-${id}.dump`;
    const createdAt = new Date().toISOString();
    try {
      const found = await run.step('Dump the database', async ({ note }) => {
        const printed = await shell.read({
          script: dump,
          values: [namespace, name, there],
          timeoutMs: dumpMs,
        });
        const [size = '', sha256 = '', path = ''] = printed
          .trim()
          .split('\n')
          .map((line) => line.trim());
        if (!/^\d+$/.test(size) || !/^[0-9a-f]{64}$/.test(sha256) || path === '')
          throw refusal('guest_failed', 'The dump of the database has an unknown format.');
        note(inMegabytes(Number(size)));
        return { sizeBytes: Number(size), sha256, path };
      });
      await run.step(
        'Copy it out of the virtual machine',
        ({ percent, signal }) =>
          downloadFromGuest(shell, found.path, partFile, { ...found, percent, signal }),
        { isCancellable: true },
      );
      const { sizeBytes, sha256 } = found;
      const time = createdAt.replace(/[-:]|\.\d+/g, '');
      const about = { id, createdAt, reason, worldName: name, worldTitle: title, sizeBytes, sha256 };
      const backup: Backup = { ...about, fileName: `${name}-${time}.dump` };
      await store.add(backup);
      return backup;
    } finally {
      await this.#removeThere(run, shell, there);
    }
  }

  async #restoreIn(
    run: OperationRun,
    shell: GuestShell,
    battlegroup: Battlegroup,
    backup: Backup,
  ): Promise<void> {
    const there = `gantry-restore-${backup.id}.dump`;
    const { sha256 } = backup;
    const { store } = this.#parts;
    try {
      await run.step(
        'Copy it into the virtual machine',
        async ({ percent, signal }) => {
          const path = await shell.read({ script: place, values: [there] });
          await uploadToGuest(shell, store.fileOf(backup.id), path.trim(), { sha256, percent, signal });
        },
        { isCancellable: true },
      );
      await run.step('Restore the database', async () => {
        const values = [battlegroup.namespace, battlegroup.name, there];
        await shell.read({ script: restore, values, timeoutMs: dumpMs });
      });
    } finally {
      await this.#removeThere(run, shell, there);
    }
  }

  async #removeThere(run: OperationRun, shell: GuestShell, there: string): Promise<void> {
    try {
      await shell.read({ script: remove, values: [there] });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      run.line('error', `${there} stays in the virtual machine: ${error.message}`);
    }
  }

  async #prune(run: OperationRun): Promise<void> {
    const { store, keepCount } = this.#parts;
    for (const { fileName } of await store.prune(keepCount()))
      run.line('output', `Deleted the old backup ${fileName}`);
  }
}

const inMegabytes = (bytes: number): string => `${Math.max(0.1, bytes / 1e6).toFixed(1)} MB`;
