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
        The save had {previous} entries and has {total} now. {purchased} entries that were there are purchased
        now. There are {points.toLocaleString('en')} points to spend.
      </p>
      <p className="sentence">What was there before is kept in {backupFile}.</p>
    </Alert>
  );
}
