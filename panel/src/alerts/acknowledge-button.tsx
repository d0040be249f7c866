// Acknowledges an alert, so that others see who takes care of it.
import { Button, type ButtonProps } from '@mantine/core';
import { Check } from 'lucide-react';
import { useWrite } from '../api/writing.ts';
import { useTexts } from '../texts/texts.ts';
import type { Alert } from './alert-search.ts';
import { useAlertWords } from './alert-words.ts';

/** The caller shows its error: rows of tables have no room for it. */
export function useAcknowledge() {
  const change = useWrite('PATCH /api/alerts/{alert_id}', {
    refreshes: ['/api/alerts', '/api/alerts/{alert_id}', '/api/events'],
  });
  return {
    ...change,
    pendingId: change.isPending ? change.variables.params.path.alert_id : null,
    set: (alertId: string, isAcknowledged: boolean) =>
      change.mutate({ params: { path: { alert_id: alertId } }, body: { is_acknowledged: isAcknowledged } }),
  };
}

interface AcknowledgeButtonProps {
  alert: Alert;
  isPending: boolean;
  onPress: (alertId: string, isAcknowledged: boolean) => void;
  size?: ButtonProps['size'];
  variant?: ButtonProps['variant'];
}

export function AcknowledgeButton(props: AcknowledgeButtonProps) {
  const { alert, isPending, onPress, size = 'compact-sm', variant = 'default' } = props;
  const t = useTexts('alerts');
  const words = useAlertWords();
  return (
    <Button
      variant={variant}
      size={size}
      leftSection={<Check size={14} aria-hidden="true" />}
      aria-label={t('acknowledgeNamed', { name: words.headline(alert) })}
      loading={isPending}
      onClick={() => onPress(alert.id, true)}
    >
      {t('acknowledge')}
    </Button>
  );
}
