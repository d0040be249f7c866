// Asks before an action on many servers: which ones, and how many players notice.
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { useTexts } from '../../texts/texts.ts';
import type { Server } from '../server-search.ts';
import { runBulk, type BulkAction } from './bulk-run.ts';

interface BulkDialogProps {
  action: BulkAction;
  servers: readonly Server[];
  onClose: () => void;
  onStarted: () => void;
}

const maxNames = 6;
const maxMessageLength = 200;

export function BulkDialog({ action, servers, onClose, onStarted }: BulkDialogProps) {
  const t = useTexts('servers');
  const [message, setMessage] = useState('');
  const isMessage = action === 'message';
  const interrupts = action === 'stop' || action === 'restart' || action === 'kill';
  const targets = isMessage ? servers.filter(({ state }) => state === 'running') : servers;
  const players = servers.reduce((sum, server) => sum + (server.players ?? 0), 0);
  const names = servers
    .slice(0, maxNames)
    .map(({ name }) => name)
    .join(', ');
  const rest = servers.length - maxNames;
  const [first] = servers;
  const isPowerOfOne =
    first !== undefined && servers.length === 1 && action !== 'message' && action !== 'update';
  const [isOpen, setIsOpen] = useState(true);
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={
        isPowerOfOne
          ? t(`bulk.${action}OneTitle`, { name: first.name })
          : t(`bulk.${action}Title`, { count: servers.length })
      }
      action={isMessage ? t('bulk.send') : t(`bulk.${action}`)}
      isDangerous={interrupts}
      onConfirm={() => {
        if (targets.length === 0 || (isMessage && message.trim() === '')) return;
        void runBulk(action, targets, message.trim());
        onStarted();
      }}
      onClose={() => {
        setIsOpen(false);
        onClose();
      }}
    >
      {!isPowerOfOne && <p>{rest > 0 ? t('bulk.more', { names, count: rest }) : names}</p>}
      {action === 'kill' && <p>{t('bulk.killLead')}</p>}
      {interrupts && (
        <p>{players === 0 ? t('bulk.noPlayersHit') : t('bulk.playersHit', { count: players })}</p>
      )}
      {action === 'update' && <p>{t('bulk.updateLead')}</p>}
      {isMessage && targets.length < servers.length && (
        <p>{t('bulk.notRunning', { count: servers.length - targets.length })}</p>
      )}
      {isMessage && (
        <TextInput
          label={t('bulk.messageLabel')}
          description={t('bulk.messageHint')}
          value={message}
          required
          withAsterisk={false}
          maxLength={maxMessageLength}
          data-autofocus
          onChange={(event) => setMessage(event.currentTarget.value)}
        />
      )}
    </ConfirmDialog>
  );
}
