// Asks before a configuration is applied: what, where, and what happens there.
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import type { Schemas } from '../../api/operations.ts';
import { useTexts } from '../../texts/texts.ts';
import { pluginsOf } from '../kinds.ts';
import { applyTo } from './apply-run.ts';

interface ApplyDialogProps {
  config: Schemas['PluginConfig'];
  servers: readonly Schemas['GameInstance'][];
  onApply: () => void;
  onClose: () => void;
}

const maxNames = 6;

export function ApplyDialog({ config, servers, onApply, onClose }: ApplyDialogProps) {
  const t = useTexts('plugin-configs');
  const names = servers.slice(0, maxNames).map(({ name }) => name);
  const rest = servers.length - maxNames;
  return (
    <ConfirmDialog
      isOpen
      title={t('apply.confirmTitle', { name: config.name, version: config.version })}
      action={t('apply.apply', { count: servers.length })}
      onConfirm={() => {
        onApply();
        void applyTo(config, servers);
      }}
      onClose={onClose}
    >
      <p>{rest > 0 ? t('apply.more', { names: names.join(', '), count: rest }) : names.join(', ')}</p>
      <p>{t('apply.confirmDetail', { plugins: pluginsOf(config.kind).join(', ') })}</p>
      {config.kind === 'timed-commands' && <p>{t('apply.confirmCommands')}</p>}
    </ConfirmDialog>
  );
}
