// Starts or stops one server from its row; the result is shown above the table.
import { ActionIcon, Portal } from '@mantine/core';
import { Play, Square } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../api/may.ts';
import { useTexts } from '../../texts/texts.ts';
import type { Server } from '../server-search.ts';
import { BulkDialog } from './bulk-dialog.tsx';

export function RowPower({ server }: { server: Server }) {
  const t = useTexts('servers');
  const [isAsking, setIsAsking] = useState(false);
  const action = server.state === 'running' || server.state === 'starting' ? 'stop' : 'start';
  const mayStart = useMay('POST /api/instances/{instance_id}/start');
  const mayStop = useMay('POST /api/instances/{instance_id}/stop');
  const Icon = action === 'start' ? Play : Square;
  const may = action === 'start' ? mayStart : mayStop;
  if (!may || server.state === 'stopping' || server.state === 'offline') return null;
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t(`row.${action}`, { name: server.name })}
        onClick={() => setIsAsking(true)}
      >
        <Icon size={15} aria-hidden="true" />
      </ActionIcon>
      {isAsking && (
        // The styles of the row do not reach it there.
        <Portal>
          <BulkDialog
            action={action}
            servers={[server]}
            onClose={() => setIsAsking(false)}
            onStarted={() => setIsAsking(false)}
          />
        </Portal>
      )}
    </>
  );
}
