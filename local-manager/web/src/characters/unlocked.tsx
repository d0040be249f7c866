// The result of unlocking everything.
import { Alert } from '@mantine/core';
import type { Schemas } from '../api/client.ts';
import { Icon } from '@gantry/ui/icons.tsx';

export function Unlocked({ unlock }: { unlock: Schemas['TechUnlock'] }) {
  const { added, purchased, previous, total, catalogTotal, points, backupFile } = unlock;
  return (
    <Alert
      color="teal"
      role="status"
      icon={<Icon name="check" />}
      title={added === 0 ? 'Nothing was missing' : `${added} of ${catalogTotal} nodes were added`}
    >
      <p className="sentence">
        The save had {previous} entries and has {total} now. {purchased} existing entries are now purchased.
        There are {points.toLocaleString('en')} unspent points.
      </p>
      <p className="sentence">The previous state is saved in {backupFile}.</p>
    </Alert>
  );
}
