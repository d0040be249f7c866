// The bill of a reseller for a month: what it adds up to, and a line for each license.
import { Skeleton } from '@mantine/core';
import type { Asked } from '@gantry/ui/loaded.tsx';
import { StateText } from '@gantry/ui/state-text.tsx';
import { ReceiptText, SearchX } from 'lucide-react';
import type { Schemas } from '../../api/operations.ts';
import { useTexts } from '../../texts/texts.ts';
import { DataTable } from '../data-table/data-table.tsx';
import { DownloadButton } from '../download-button.tsx';
import { EmptyState } from '../empty-state.tsx';
import { Figures } from '../figures.tsx';
import { FilterBar } from '../filter-bar.tsx';
import { useFormats } from '../formats.ts';
import { Loaded } from '../loaded.tsx';
import { useLineColumns } from './line-columns.tsx';
import { MonthStepper } from './month-stepper.tsx';
import classes from './reseller-bill.module.css';

type Bill = Schemas['ResellerBill'];

interface ResellerBillProps {
  asked: Asked<Bill>;
  month: string;
  onMonth: (month: string) => void;
  /** The first month that can have a bill, where it is known. */
  first?: string;
  search: string;
  onSearch: (search: string) => void;
  file: string;
  fetchCsv: () => Promise<Blob>;
}

export function ResellerBill(props: ResellerBillProps) {
  const { asked, month, onMonth, first, search, onSearch, file, fetchCsv } = props;
  const t = useTexts('reseller-bill');
  return (
    <>
      <div className={classes.head}>
        <MonthStepper month={month} first={first} onMonth={onMonth} />
        <DownloadButton file={file} fetch={fetchCsv}>
          {t('csv')}
        </DownloadButton>
      </div>
      <Loaded asked={asked} waitingFor={t('bill')} skeleton={<Skeleton height={320} />}>
        {(bill) => (
          <>
            <Sums bill={bill} />
            <Lines bill={bill} search={search} onSearch={onSearch} />
          </>
        )}
      </Loaded>
    </>
  );
}

function Sums({ bill }: { bill: Bill }) {
  const t = useTexts('reseller-bill');
  const formats = useFormats();
  const count = (value: number | null) => (value === null ? '–' : formats.number(value));
  return (
    <Figures
      label={t('sums')}
      figures={[
        {
          name: t('total'),
          value: formats.money(bill.total),
          detail: bill.is_provisional ? (
            <StateText tone="busy">{t('provisional')}</StateText>
          ) : (
            <StateText tone="good">{t('final')}</StateText>
          ),
        },
        {
          name: t('rate'),
          value: formats.money(bill.wholesale_rate),
          detail: t(`per.${bill.billing_unit}`),
        },
        {
          name: t('charged'),
          value: formats.number(bill.charged_days),
          detail: t('ofMonth', { count: bill.days_in_month }),
        },
        {
          name: t('licenses'),
          value: formats.number(bill.license_count),
          detail: t('activeDays', { count: bill.active_days }),
        },
        {
          name: t('instances'),
          value: count(bill.instance_count),
          ...(bill.instance_days !== null && {
            detail: t('instanceDays', { count: bill.instance_days }),
          }),
        },
      ]}
    />
  );
}

function Lines({ bill, search, onSearch }: { bill: Bill } & Pick<ResellerBillProps, 'search' | 'onSearch'>) {
  const t = useTexts('reseller-bill');
  const formats = useFormats();
  const columns = useLineColumns();
  if (bill.lines.length === 0)
    return (
      <EmptyState icon={ReceiptText} title={t('empty.title', { month: formats.month(bill.month) })}>
        {t('empty.detail')}
      </EmptyState>
    );
  const wanted = search.trim().toLowerCase();
  const shown = bill.lines.filter(({ server_id, hostname, customer_email }) =>
    [server_id, hostname, customer_email].some((text) => text.toLowerCase().includes(wanted)),
  );
  return (
    <>
      <FilterBar
        search={search}
        onSearch={onSearch}
        placeholder={t('search')}
        count={t('lines', { count: shown.length })}
      />
      {shown.length === 0 ? (
        <EmptyState icon={SearchX} title={t('noMatch.title')}>
          {t('noMatch.detail')}
        </EmptyState>
      ) : (
        <DataTable
          label={t('bill')}
          columns={columns}
          groups={[{ key: 'all', name: '', rows: shown }]}
          keyOf={(line) => line.reseller_license_id}
          nameOf={(line) => line.server_id}
        />
      )}
    </>
  );
}
