// The new key of a reseller, which is shown once, and where the reseller uses it.
import { Alert, Button } from '@mantine/core';
import { CopyField } from '@gantry/ui/copy-field.tsx';
import { Section } from '@gantry/ui/section.tsx';
import type { Schemas } from '../../api/operations.ts';
import { UnsavedGuard } from '../../shared/unsaved-guard.tsx';
import { useTexts } from '../../texts/texts.ts';

interface KeyOnceProps {
  reseller: Schemas['CreatedReseller'];
  onDone: () => void;
}

export function KeyOnce({ reseller: { name, key }, onDone }: KeyOnceProps) {
  const t = useTexts('admin-resellers');
  return (
    <Section title={t('key.title', { name })}>
      <UnsavedGuard
        isUnsaved
        words={{ title: t('key.leaveTitle'), detail: t('key.leaveDetail'), leave: t('key.leave') }}
      />
      <div className="stack">
        <Alert color="green" role="status">
          {t('key.once')}
        </Alert>
        <CopyField value={key} label={t('key.label')} action={t('key.copy')} />
        <p className="hint">{t('key.portal')}</p>
        <CopyField
          value={`${window.location.origin}/reseller`}
          label={t('key.portalLabel')}
          action={t('key.copyPortal')}
        />
        <div>
          <Button onClick={onDone}>{t('key.done')}</Button>
        </div>
      </div>
    </Section>
  );
}
