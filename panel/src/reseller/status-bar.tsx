// What can be done with the selected licenses.
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Schemas } from '../api/operations.ts';
import { SelectionBar } from '../shared/selection-bar.tsx';
import { useTexts } from '../texts/texts.ts';
import { StatusDialog } from './status-dialog.tsx';

type License = Schemas['ResellerLicense'];

/** Each with the status of the licenses that it is for: only the platform can resume what it has revoked. */
const actions = [
  { verb: 'suspend', from: 'active', to: 'suspended' },
  { verb: 'resume', from: 'suspended', to: 'active' },
] as const;

interface StatusBarProps {
  licenses: readonly License[];
  onClear: () => void;
}

export function StatusBar({ licenses, onClear }: StatusBarProps) {
  const t = useTexts('reseller');
  const [asking, setAsking] = useState<{ wanted: License[]; status: 'active' | 'suspended' } | null>(null);
  return (
    <>
      {licenses.length > 0 && (
        <SelectionBar label={t('licenses.bar')} count={licenses.length} onClear={onClear}>
          {actions.map(({ verb, from, to }) => {
            const wanted = licenses.filter(({ status }) => status === from);
            return (
              <Button
                key={verb}
                variant="default"
                disabled={wanted.length === 0}
                onClick={() => setAsking({ wanted, status: to })}
              >
                {t(`${verb}.action`)}
              </Button>
            );
          })}
        </SelectionBar>
      )}
      {asking !== null && (
        <StatusDialog
          licenses={asking.wanted}
          status={asking.status}
          onClose={(isDone) => {
            setAsking(null);
            if (isDone) onClear();
          }}
        />
      )}
    </>
  );
}
