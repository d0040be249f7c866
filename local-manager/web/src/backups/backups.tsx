// The backups on this host: made, downloaded, restored and deleted.
import { Button, Table, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api, bodyOf, type Schemas } from '../api/client.ts';
import { useAction, useBackups, useStatus } from '../api/queries.ts';
import { playersOn, PlayersHit } from '../dashboard/players-hit.tsx';
import { OperationOutcome } from '../operations/operation-outcome.tsx';
import { useRunning } from '../operations/operations-context.tsx';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { Facts } from '@gantry/ui/facts.tsx';
import { Icon } from '@gantry/ui/icons.tsx';
import { PageHead } from '@gantry/ui/page-head.tsx';
import { ScrollingTable } from '@gantry/ui/scrolling-table.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { WaitsFor } from '../shared/waits-for.tsx';

type Backup = Schemas['Backup'];

const reasons: Record<Backup['reason'], string> = {
  manual: 'Manual',
  scheduled: 'Scheduled',
  beforeReset: 'Before deleting everything',
  beforeRestore: 'Before a restore',
};

const megabytes = (bytes: number) => `${Math.max(0.1, bytes / 1e6).toFixed(1)} MB`;
const gigabytes = (bytes: number | null) => (bytes === null ? null : `${(bytes / 1e9).toFixed(1)} GB`);
const timeOf = (backup: Backup) => new Date(backup.createdAt).toLocaleString();

export function BackupsPage() {
  const backups = useBackups();
  const running = useRunning();
  const create = useAction(() => bodyOf(api.POST('/api/backups')));
  return (
    <div className="stack">
      <PageHead title="Backups">
        Copies of the game’s database on this host. They are kept when the virtual machine is deleted. Copy
        them to another drive in case this host fails.
      </PageHead>
      <Section title="Back up now" lead="Players can stay online during a backup.">
        <OperationOutcome kinds={['createBackup']}>
          <div className="actions">
            <Button
              disabled={running !== null}
              loading={create.isPending}
              onClick={() => create.mutate()}
              leftSection={<Icon name="archive" size={16} />}
            >
              Back up
            </Button>
          </div>
          <WaitsFor />
          <ProblemAlert error={create.error} />
        </OperationOutcome>
      </Section>
      <Section title="On this host">
        <OperationOutcome kinds={['restoreBackup']} />
        <Loaded asked={backups} waitingFor="the backups">
          {({ data, folder, freeBytes }) => (
            <>
              <Facts
                facts={[
                  ['Folder', <span className="path">{folder}</span>],
                  ['Free on its drive', gigabytes(freeBytes)],
                ]}
              />
              {data.length === 0 ? <p className="hint">None yet.</p> : <List backups={data} />}
            </>
          )}
        </Loaded>
      </Section>
    </div>
  );
}

function List({ backups }: { backups: readonly Backup[] }) {
  const running = useRunning();
  const [restoring, setRestoring] = useState<Backup | null>(null);
  const [deleting, setDeleting] = useState<Backup | null>(null);
  const remove = useAction((backupId: string) =>
    bodyOf(api.DELETE('/api/backups/{backupId}', { params: { path: { backupId } } })),
  );
  return (
    <>
      <ScrollingTable label="Backups">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Made</Table.Th>
            <Table.Th>World</Table.Th>
            <Table.Th ta="right">Size</Table.Th>
            <Table.Th>
              <span className="visuallyHidden">Actions</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {backups.map((backup) => (
            <Table.Tr key={backup.id}>
              <Table.Td>
                {timeOf(backup)}
                <br />
                <span className="hint">{reasons[backup.reason]}</span>
              </Table.Td>
              <Table.Td>{backup.worldTitle}</Table.Td>
              <Table.Td ta="right" className="number">
                {megabytes(backup.sizeBytes)}
              </Table.Td>
              <Table.Td>
                <div className="actions">
                  <Button
                    component="a"
                    size="xs"
                    variant="default"
                    href={`/api/backups/${backup.id}/file`}
                    download
                    aria-label={`Download the backup of ${timeOf(backup)}`}
                  >
                    Download
                  </Button>
                  <Button
                    size="xs"
                    variant="default"
                    disabled={running !== null}
                    onClick={() => setRestoring(backup)}
                    aria-label={`Restore the backup of ${timeOf(backup)}`}
                  >
                    Restore
                  </Button>
                  <Button
                    size="xs"
                    variant="default"
                    disabled={running !== null}
                    onClick={() => setDeleting(backup)}
                    aria-label={`Delete the backup of ${timeOf(backup)}`}
                  >
                    Delete
                  </Button>
                </div>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ScrollingTable>
      <ProblemAlert error={remove.error} />
      {restoring !== null && <Restore backup={restoring} onClose={() => setRestoring(null)} />}
      <ConfirmDialog
        isOpen={deleting !== null}
        title="Delete this backup?"
        action="Delete"
        isDangerous
        onConfirm={() => {
          if (deleting !== null) remove.mutate(deleting.id);
        }}
        onClose={() => setDeleting(null)}
      >
        <p>{deleting === null ? '' : `The backup of ${timeOf(deleting)} cannot be recovered.`}</p>
      </ConfirmDialog>
    </>
  );
}

function Restore({ backup, onClose }: { backup: Backup; onClose: () => void }) {
  const running = useRunning();
  const status = useStatus();
  const [word, setWord] = useState('');
  const restore = useAction((confirm: string) =>
    bodyOf(
      api.POST('/api/backups/{backupId}/restore', {
        params: { path: { backupId: backup.id } },
        body: { confirm },
      }),
    ),
  );
  const battlegroup = status.data?.battlegroup ?? null;
  const isOther = battlegroup !== null && battlegroup.name !== backup.worldName;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        restore.mutate(word, { onSuccess: onClose });
      }}
    >
      <p className="sentence">
        Stops the battlegroup, backs up the present state, and returns everything in the game to its state on{' '}
        {timeOf(backup)}.
      </p>
      {isOther && (
        <p className="sentence">
          <strong>
            This backup is of another world, {backup.worldTitle}. The game may not accept it here.
          </strong>
        </p>
      )}
      {battlegroup !== null && !battlegroup.isStopped && <PlayersHit players={playersOn(battlegroup)} />}
      <TextInput
        maw={320}
        label="Type RESTORE to confirm"
        autoComplete="off"
        spellCheck={false}
        maxLength={20}
        value={word}
        onChange={({ currentTarget }) => setWord(currentTarget.value)}
      />
      <div className="actions">
        <Button type="submit" color="red" disabled={running !== null} loading={restore.isPending}>
          Restore
        </Button>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      </div>
      <ProblemAlert error={restore.error} />
    </form>
  );
}
