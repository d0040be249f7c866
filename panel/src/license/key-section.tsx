// The license key of game plugins: hidden until it is wanted, and replaced after a leak.
import { Button, Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { CopyField } from '@gantry/ui/copy-field.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { useMay } from '../api/may.ts';
import type { Schemas } from '../api/operations.ts';
import { keyOf } from '../api/reading.ts';
import { useWrite } from '../api/writing.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useTexts } from '../texts/texts.ts';
import classes from './license.module.css';

interface KeySectionProps {
  license: Schemas['OwnLicense'];
  licenseKey: string;
}

export function KeySection({ license, licenseKey }: KeySectionProps) {
  const t = useTexts('license');
  const mayRotate = useMay('POST /api/license/rotate-key') && license.status === 'active';
  const [isShown, setIsShown] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Section title={t('key.title')} lead={t('key.lead')}>
      {isShown ? (
        <CopyField value={licenseKey} label={t('key.title')} action={t('key.copy')} />
      ) : (
        <p className={classes.hidden}>{t('key.hidden')}</p>
      )}
      <Group gap="xs" mt="sm">
        <Button
          variant="default"
          leftSection={isShown ? <EyeOff size={16} /> : <Eye size={16} />}
          onClick={() => setIsShown(!isShown)}
        >
          {isShown ? t('key.hide') : t('key.show')}
        </Button>
        {mayRotate && (
          <Button variant="default" onClick={() => setIsAsking(true)}>
            {t('key.replace')}
          </Button>
        )}
      </Group>
      <ReplaceDialog
        name={license.name}
        isOpen={isAsking}
        onDone={() => setIsShown(true)}
        onClose={() => setIsAsking(false)}
      />
    </Section>
  );
}

interface ReplaceDialogProps {
  name: string;
  isOpen: boolean;
  onDone: () => void;
  onClose: () => void;
}

function ReplaceDialog({ name, isOpen, onDone, onClose }: ReplaceDialogProps) {
  const t = useTexts('license');
  const queries = useQueryClient();
  const replace = useWrite('POST /api/license/rotate-key', {
    onDone: (license) => {
      queries.setQueryData(keyOf('/api/license', undefined), license);
      onDone();
      onClose();
    },
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={t('key.replaceTitle')}
      action={t('key.replace')}
      isDangerous
      typed={name}
      isPending={replace.isPending}
      problem={<ProblemAlert error={replace.error} />}
      onConfirm={() => replace.mutate({})}
      onClose={onClose}
    >
      {t('key.replaceDetail')}
    </ConfirmDialog>
  );
}
