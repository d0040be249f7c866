// Starts, stops or kills one server from its row; the result is shown above the table.
import { ActionIcon, Portal } from '@mantine/core';
import { OctagonX, Play, Square } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../api/may.ts';
import { useTexts } from '../../texts/texts.ts';
import type { Server } from '../server-search.ts';
import { BulkDialog } from './bulk-dialog.tsx';

const icons = { start: Play, stop: Square, kill: OctagonX };

/** A server that hangs while it stops can only be killed. */
function actionOf(state: Server['state']): keyof typeof icons {
  if (state === 'stopping') return 'kill';
  return state === 'running' || state === 'starting' ? 'stop' : 'start';
}

export function RowPower({ server }: { server: Server }) {
  const t = useTexts('servers');
  // What was asked for stays: the dialog must not offer another action because the server changed its state.
  const [asking, setAsking] = useState<keyof typeof icons | null>(null);
  const action = actionOf(server.state);
  const mayStart = useMay('POST /api/instances/{instance_id}/start');
  const mayStop = useMay('POST /api/instances/{instance_id}/stop');
  const Icon = icons[action];
  const may = action === 'start' ? mayStart : mayStop;
  if (!may || server.state === 'offline') return null;
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t(`row.${action}`, { name: server.name })}
        onClick={() => setAsking(action)}
      >
        <Icon size={15} aria-hidden="true" />
      </ActionIcon>
      {asking !== null && (
        // The styles of the row do not reach it there.
        <Portal>
          <BulkDialog
            action={asking}
            servers={[server]}
            onClose={() => setAsking(null)}
            onStarted={() => setAsking(null)}
          />
        </Portal>
      )}
    </>
  );
}
