// The days whose orders are listed: a usual period, or two dates.
import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../texts/texts.ts';
import type { OrderSearch } from '../searches.ts';
import classes from './orders.module.css';

const periods = ['today', 'week', 'month', 'quarter'] as const;

type Period = (typeof periods)[number];

const daysOf: Record<Period, number> = { today: 1, week: 7, month: 30, quarter: 90 };

/** The viewer's day that many days ago. */
function dayBefore(count: number): string {
  const now = new Date();
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() - count);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

interface OrderDaysProps {
  search: OrderSearch;
  onChange: (change: Pick<OrderSearch, 'from' | 'to'>) => void;
}

export function OrderDays({ search: { from, to }, onChange }: OrderDaysProps) {
  const t = useTexts('store');
  const [isOpen, setIsOpen] = useState(false);
  const period = to === '' ? periods.find((each) => dayBefore(daysOf[each] - 1) === from) : undefined;
  const isCustom = isOpen || (period === undefined && (from !== '' || to !== ''));
  const choose = (value: string) => {
    setIsOpen(value === 'custom');
    const chosen = periods.find((each) => each === value);
    if (value !== 'custom')
      onChange({ from: chosen === undefined ? '' : dayBefore(daysOf[chosen] - 1), to: '' });
  };
  return (
    <>
      <NativeSelect
        aria-label={t('orders.period')}
        value={isCustom ? 'custom' : (period ?? '')}
        data={[
          { value: '', label: t('orders.periods.any') },
          ...periods.map((value) => ({ value, label: t(`orders.periods.${value}`) })),
          { value: 'custom', label: t('orders.periods.custom') },
        ]}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      {isCustom &&
        (['from', 'to'] as const).map((field) => (
          <TextInput
            key={field}
            type="date"
            className={classes.day ?? ''}
            aria-label={t(`orders.${field}`)}
            leftSection={<span className={classes.dayName}>{t(`orders.${field}Short`)}</span>}
            leftSectionWidth={44}
            value={field === 'from' ? from : to}
            onChange={({ currentTarget }) => onChange({ from, to, [field]: currentTarget.value })}
          />
        ))}
    </>
  );
}
