// What can be done with the selected servers.
import { Button } from '@mantine/core';
import { CircleArrowUp, MessageSquare, OctagonX, Play, RotateCw, Square } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../api/may.ts';
import { usePages } from '../../api/reading.ts';
import { updatable, useMayUpdateAgents } from '../../hosts/update-agents.tsx';
import { SelectionBar } from '../../shared/selection-bar.tsx';
import { useTexts } from '../../texts/texts.ts';
import type { Server } from '../server-search.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import type { BulkAction } from './bulk-run.ts';

const actions = [
  { action: 'start', icon: Play },
  { action: 'stop', icon: Square },
  { action: 'restart', icon: RotateCw },
  { action: 'kill', icon: OctagonX },
  { action: 'message', icon: MessageSquare },
  { action: 'update', icon: CircleArrowUp },
] as const;

/** Whether the agent of one of the servers can be updated. */
function useHasUpdates(servers: readonly Server[]): boolean {
  const { items } = usePages('/api/fleet/hosts', {}, { all: true });
  const hostIds = new Set(updatable(items ?? []).map(({ id }) => id));
  return servers.some(({ host_id }) => hostIds.has(host_id));
}

interface BulkBarProps {
  servers: readonly Server[];
  onClear: () => void;
}

export function BulkBar({ servers, onClear }: BulkBarProps) {
  const t = useTexts('servers');
  const mayUpdate = useMayUpdateAgents();
  const may: Record<BulkAction, boolean> = {
    start: useMay('POST /api/instances/{instance_id}/start'),
    stop: useMay('POST /api/instances/{instance_id}/stop'),
    restart: useMay('POST /api/instances/{instance_id}/restart'),
    kill: useMay('POST /api/instances/{instance_id}/stop'),
    message: useMay('POST /api/instances/{instance_id}/console'),
    update: useHasUpdates(servers) && mayUpdate,
  };
  const [asking, setAsking] = useState<BulkAction | null>(null);
  return (
    <>
      <SelectionBar label={t('bulk.bar')} count={servers.length} onClear={onClear}>
        {actions
          .filter(({ action }) => may[action])
          .map(({ action, icon: Icon }) => (
            <Button
              key={action}
              variant="default"
              leftSection={<Icon size={15} aria-hidden="true" />}
              onClick={() => setAsking(action)}
            >
              {t(`bulk.${action}`)}
            </Button>
          ))}
      </SelectionBar>
      {asking !== null && (
        <BulkDialog action={asking} servers={servers} onClose={() => setAsking(null)} onStarted={onClear} />
      )}
    </>
  );
}
