// Revokes a key, after naming what stops.
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { useNow } from '@gantry/ui/use-now.ts';
import type { Schemas } from '../api/operations.ts';
import { useWrite } from '../api/writing.ts';
import { grantedEntries } from '../permissions/permission-map.ts';
import { useFormats } from '../shared/formats.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useTexts } from '../texts/texts.ts';

interface RevokeKeyDialogProps {
  apiKey: Schemas['ApiKey'];
  isOpen: boolean;
  onClose: () => void;
}

export function RevokeKeyDialog({ apiKey, isOpen, onClose }: RevokeKeyDialogProps) {
  const t = useTexts('api-keys');
  const formats = useFormats();
  const now = useNow(isOpen);
  const { id, name, last_used_at, permissions } = apiKey;
  const revoke = useWrite('DELETE /api/api-keys/{api_key_id}', {
    refreshes: ['/api/api-keys', '/api/api-keys/{api_key_id}'],
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={t('revoke.title', { name })}
      action={t('revoke.action')}
      isDangerous
      typed={name}
      isPending={revoke.isPending}
      problem={<ProblemAlert error={revoke.error} />}
      onConfirm={() => revoke.mutate({ params: { path: { api_key_id: id } } })}
      onClose={onClose}
    >
      <p>{t('revoke.detail')}</p>
      <p>
        {last_used_at === null
          ? t('revoke.unused')
          : t('revoke.used', { time: formats.relative(last_used_at, now) })}
      </p>
      <p>{t('revoke.stops', { list: grantedEntries(permissions).join(', ') })}</p>
    </ConfirmDialog>
  );
}
