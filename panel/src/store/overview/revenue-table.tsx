// The revenue of each day or month, newest first.
import { Table } from '@mantine/core';
import { ScrollingTable } from '@gantry/ui/scrolling-table.tsx';
import { useFormats } from '../../shared/formats.ts';
import { useLanguage, useTexts } from '../../texts/texts.ts';
import { periodName } from './period-name.ts';
import { isByMonth, type Period } from './revenue.ts';

interface RevenueTableProps {
  periods: readonly Period[];
  days: number;
  money: (minor: number) => string;
}

export function RevenueTable({ periods, days, money }: RevenueTableProps) {
  const t = useTexts('store');
  const formats = useFormats();
  const language = useLanguage();
  return (
    <ScrollingTable label={t('revenue.title')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{isByMonth(days) ? t('revenue.month') : t('revenue.day')}</Table.Th>
          <Table.Th scope="col" ta="end">
            {t('revenue.orders')}
          </Table.Th>
          <Table.Th scope="col" ta="end">
            {t('revenue.net')}
          </Table.Th>
          <Table.Th scope="col" ta="end">
            {t('revenue.refunded')}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody className="number">
        {periods.toReversed().map(({ start, orders, net, refunded }) => (
          <Table.Tr key={start.toISOString()}>
            <Table.Th scope="row" className="nowrap">
              {periodName(start, days, language)}
            </Table.Th>
            <Table.Td ta="end">{formats.number(orders)}</Table.Td>
            <Table.Td ta="end">{money(net)}</Table.Td>
            <Table.Td ta="end">{money(refunded)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrollingTable>
  );
}
