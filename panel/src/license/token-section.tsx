// Rotates the companion token, with which agents join the license.
import { Alert, Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { CopyField } from '@gantry/ui/copy-field.tsx';
import { Section } from '@gantry/ui/section.tsx';
import type { Schemas } from '../api/operations.ts';
import { useWrite } from '../api/writing.ts';
import { keepCompanionToken } from '../session/companion-token.ts';
import { useFormats } from '../shared/formats.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useTexts } from '../texts/texts.ts';

/** How long the former token stays valid, in seconds. */
const overlaps = { '3600': 'hour', '86400': 'day', '604800': 'week', '0': 'none' } as const;

export function TokenSection({ license }: { license: Schemas['OwnLicense'] }) {
  const t = useTexts('license');
  const formats = useFormats();
  const [isAsking, setIsAsking] = useState(false);
  const [fresh, setFresh] = useState<Schemas['CompanionToken'] | null>(null);
  return (
    <Section title={t('token.title')} lead={t('token.lead')}>
      {fresh !== null && (
        <Alert color="green" role="status" title={t('token.fresh')} mb="md">
          <p className="sentence">
            {fresh.former_token_expires_at === null
              ? t('token.formerRefused')
              : t('token.formerUntil', { date: formats.dateTime(fresh.former_token_expires_at) })}
          </p>
          <CopyField value={fresh.companion_token} label={t('token.title')} action={t('token.copy')} />
        </Alert>
      )}
      <Button variant="default" onClick={() => setIsAsking(true)}>
        {t('token.rotate')}
      </Button>
      <RotateDialog
        name={license.name}
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        onDone={(token) => {
          keepCompanionToken(license.id, token.companion_token);
          setFresh(token);
        }}
      />
    </Section>
  );
}

interface RotateDialogProps {
  name: string;
  isOpen: boolean;
  onClose: () => void;
  onDone: (token: Schemas['CompanionToken']) => void;
}

function RotateDialog({ name, isOpen, onClose, onDone }: RotateDialogProps) {
  const t = useTexts('license');
  const [overlap, setOverlap] = useState<keyof typeof overlaps>('86400');
  const rotate = useWrite('POST /api/license/rotate-companion-token', {
    onDone: (token) => {
      onDone(token);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={t('token.rotateTitle')}
      action={t('token.rotate')}
      isDangerous={overlap === '0'}
      {...(overlap === '0' && { typed: name })}
      isPending={rotate.isPending}
      problem={<ProblemAlert error={rotate.error} />}
      onConfirm={() => rotate.mutate({ body: { overlap_seconds: Number(overlap) } })}
      onClose={onClose}
    >
      <p>{t('token.rotateDetail')}</p>
      <NativeSelect
        label={t('token.overlap')}
        value={overlap}
        data={Object.entries(overlaps).map(([value, name]) => ({
          value,
          label: t(`token.overlaps.${name}`),
        }))}
        onChange={(event) => setOverlap(event.currentTarget.value as keyof typeof overlaps)}
      />
      {overlap === '0' && (
        <Alert color="red" mt="sm">
          {t('token.disconnects')}
        </Alert>
      )}
    </ConfirmDialog>
  );
}
