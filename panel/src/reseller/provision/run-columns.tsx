// What is shown of each server that is being provisioned.
import { Button } from '@mantine/core';
import { StateText, type Tone } from '@gantry/ui/state-text.tsx';
import { useMemo } from 'react';
import type { Schemas } from '../../api/operations.ts';
import type { Column } from '../../shared/data-table/columns.ts';
import { useTexts } from '../../texts/texts.ts';
import classes from '../reseller.module.css';
import type { License } from './provision-once.ts';
import type { RunRow } from './provisioning.ts';

const tones: Record<Schemas['ProvisioningOutcome'], Tone> = {
  created: 'good',
  existing: 'idle',
  failed: 'bad',
};

export function useRunColumns(
  licenses: ReadonlyMap<string, License>,
  onShow: (name: string, license: License) => void,
): readonly Column<RunRow>[] {
  const t = useTexts('reseller');
  return useMemo(
    () => [
      {
        key: 'server',
        header: t('columns.server'),
        width: 'minmax(110px, 1fr)',
        phone: 'title',
        cell: ({ server_id }) => <b>{server_id}</b>,
      },
      {
        key: 'hostname',
        header: t('columns.hostname'),
        width: 'minmax(130px, 1.2fr)',
        phone: 'line',
        cell: ({ hostname }) => hostname,
      },
      {
        key: 'customer',
        header: t('columns.customer'),
        width: 'minmax(130px, 1.2fr)',
        phone: 'line',
        isWide: true,
        cell: ({ customer_email }) => customer_email,
      },
      {
        key: 'outcome',
        header: t('columns.outcome'),
        width: 'minmax(200px, 1.8fr)',
        phone: 'line',
        cell: ({ outcome, problem }) =>
          outcome === null ? (
            <span className="dim">{t('outcomes.waiting')}</span>
          ) : (
            <span className={classes.outcome}>
              <StateText tone={tones[outcome]}>{t(`outcomes.${outcome}`)}</StateText>
              {problem !== null && <span className="dim">{problem}</span>}
            </span>
          ),
      },
      {
        key: 'access',
        header: t('access.title'),
        width: '150px',
        phone: 'line',
        cell: ({ server_id }) => {
          const license = licenses.get(server_id);
          return (
            license !== undefined && (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={t('access.showOne', { name: server_id })}
                onClick={() => onShow(server_id, license)}
              >
                {t('access.show')}
              </Button>
            )
          );
        },
      },
    ],
    [t, licenses, onShow],
  );
}
