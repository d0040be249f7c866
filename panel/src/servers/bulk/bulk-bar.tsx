// What can be done with the selected servers.
import { Button, CloseButton } from '@mantine/core';
import { MessageSquare, Play, RotateCw, Square } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../api/may.ts';
import { useTexts } from '../../texts/texts.ts';
import type { Server } from '../server-search.ts';
import classes from './bulk.module.css';
import { BulkDialog } from './bulk-dialog.tsx';
import type { BulkAction } from './bulk-run.ts';

const actions = [
  { action: 'start', icon: Play },
  { action: 'stop', icon: Square },
  { action: 'restart', icon: RotateCw },
  { action: 'message', icon: MessageSquare },
] as const;

interface BulkBarProps {
  servers: readonly Server[];
  onClear: () => void;
}

export function BulkBar({ servers, onClear }: BulkBarProps) {
  const t = useTexts('servers');
  const may: Record<BulkAction, boolean> = {
    start: useMay('POST /api/instances/{instance_id}/start'),
    stop: useMay('POST /api/instances/{instance_id}/stop'),
    restart: useMay('POST /api/instances/{instance_id}/restart'),
    message: useMay('POST /api/instances/{instance_id}/console'),
  };
  const [asking, setAsking] = useState<BulkAction | null>(null);
  return (
    <>
      <div className={classes.room} />
      <div className={classes.bar} role="toolbar" aria-label={t('bulk.bar')}>
        <span className={classes.count} role="status">
          {t('bulk.selected', { count: servers.length })}
        </span>
        <div className={classes.actions}>
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
        </div>
        <CloseButton aria-label={t('bulk.clear')} onClick={onClear} />
      </div>
      {asking !== null && (
        <BulkDialog action={asking} servers={servers} onClose={() => setAsking(null)} onStarted={onClear} />
      )}
    </>
  );
}
