// The fields of a module in words, for when two people change it at once.
import { useTexts } from '../../texts/texts.ts';
import type { ModuleValues } from './module-values.ts';

interface Field {
  key: keyof ModuleValues;
  name: string;
  show: (values: ModuleValues) => string;
}

export function useConflictFields(): Field[] {
  const t = useTexts('admin-modules');
  const plain = (key: keyof ModuleValues, name: string): Field => ({
    key,
    name,
    show: (values) => String(values[key]),
  });
  return [
    plain('name', t('fields.name')),
    plain('description', t('fields.description')),
    plain('features', t('fields.features')),
    {
      key: 'isListed',
      name: t('columns.listed'),
      show: ({ isListed }) => (isListed ? t('listed') : t('hidden')),
    },
    { key: 'period', name: t('fields.period'), show: ({ period }) => t(`periods.${period}`) },
    plain('amount', t('fields.amount')),
    plain('currency', t('fields.currency')),
    plain('yearly', t('fields.yearly')),
    plain('trialDays', t('fields.trial')),
    plain('url', t('fields.url')),
    plain('sha256', t('fields.sha256')),
    plain('bytes', t('fields.bytes')),
  ];
}
