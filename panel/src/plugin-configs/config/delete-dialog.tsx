// Deletes a configuration, after saying what stays.
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import type { Schemas } from '../../api/operations.ts';
import { useWrite } from '../../api/writing.ts';
import { tagOf } from '../../shared/draft.ts';
import { ProblemAlert } from '../../shared/problem-alert.tsx';
import { useTexts } from '../../texts/texts.ts';
import { removeKept } from './kept-changes.ts';

interface DeleteDialogProps {
  config: Schemas['PluginConfigSummary'];
  onClose: () => void;
  onDone: () => void;
}

export function DeleteDialog({ config, onClose, onDone }: DeleteDialogProps) {
  const t = useTexts('plugin-configs');
  const common = useTexts('common');
  const { kind, id, name, version } = config;
  const remove = useWrite('DELETE /api/plugin-configs/{kind}/{plugin_config_id}', {
    refreshes: ['/api/plugin-configs/{kind}'],
    onDone: () => {
      removeKept(id);
      onDone();
    },
  });
  return (
    <ConfirmDialog
      isOpen
      title={t('delete.title', { name })}
      action={common('actions.delete')}
      isDangerous
      typed={name}
      isPending={remove.isPending}
      problem={<ProblemAlert error={remove.error} />}
      onConfirm={() =>
        remove.mutate({
          params: { path: { kind, plugin_config_id: id }, header: { 'If-Match': tagOf(version) } },
        })
      }
      onClose={onClose}
    >
      <p>{t('delete.detail', { kind: t(`kinds.${kind}.name`), name })}</p>
      <p>{kind === 'timed-commands' ? t('delete.keepsCommands') : t('delete.keepsServers')}</p>
    </ConfirmDialog>
  );
}
