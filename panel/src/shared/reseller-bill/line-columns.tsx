// What is shown of each line of a reseller's bill.
import { useMemo } from 'react';
import type { Schemas } from '../../api/operations.ts';
import { useTexts } from '../../texts/texts.ts';
import type { Column } from '../data-table/columns.ts';
import { useFormats } from '../formats.ts';
import classes from './reseller-bill.module.css';

export function useLineColumns(): readonly Column<Schemas['ResellerBillLine']>[] {
  const t = useTexts('reseller-bill');
  const formats = useFormats();
  return useMemo(
    () => [
      {
        key: 'server',
        header: t('columns.server'),
        width: 'minmax(150px, 1.4fr)',
        phone: 'title',
        cell: ({ server_id, hostname }) => (
          <span className={classes.server}>
            <b>{server_id}</b>
            <span className="dim">{hostname}</span>
          </span>
        ),
      },
      {
        key: 'customer',
        header: t('columns.customer'),
        width: 'minmax(140px, 1.3fr)',
        phone: 'line',
        cell: ({ customer_email }) => (
          <span className="cut" title={customer_email}>
            {customer_email}
          </span>
        ),
      },
      {
        key: 'active',
        header: t('columns.active'),
        width: 'minmax(130px, 1.2fr)',
        phone: 'line',
        isWide: true,
        cell: ({ active }) =>
          active
            .map(({ from, to }) => `${formats.date(from)} – ${to === null ? t('now') : formats.date(to)}`)
            .join(', '),
      },
      {
        key: 'activeDays',
        header: t('columns.activeDays'),
        width: '104px',
        align: 'end',
        phone: 'line',
        cell: ({ active_days }) => formats.number(active_days),
      },
      {
        key: 'instances',
        header: t('columns.instances'),
        width: '130px',
        align: 'end',
        phone: 'line',
        cell: ({ instance_count, instance_days }) =>
          instance_count === null || instance_days === null
            ? '–'
            : t('instancesAndDays', {
                instances: formats.number(instance_count),
                days: formats.number(instance_days),
              }),
      },
      {
        key: 'charged',
        header: t('columns.charged'),
        width: '110px',
        align: 'end',
        phone: 'line',
        cell: ({ charged_days }) => formats.number(charged_days),
      },
      {
        key: 'amount',
        header: t('columns.amount'),
        width: '110px',
        align: 'end',
        phone: 'aside',
        cell: ({ amount }) => <b>{formats.money(amount)}</b>,
      },
    ],
    [t, formats],
  );
}
