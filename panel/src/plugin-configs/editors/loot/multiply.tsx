// Multiplies all amounts of the saved profile, after showing what becomes of them.
import { Button, Table } from '@mantine/core';
import { ScrollingTable } from '@gantry/ui/scrolling-table.tsx';
import { Dialog } from '@gantry/ui/dialog.tsx';
import { X } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../../api/may.ts';
import { faultAt } from '../../../api/problem.ts';
import { useWrite } from '../../../api/writing.ts';
import { Form } from '../../../shared/form.tsx';
import { useFormats } from '../../../shared/formats.ts';
import { NumberField } from '../../../shared/number-field.tsx';
import type { NumberValue } from '../../../shared/number-text.ts';
import { useTexts } from '../../../texts/texts.ts';
import { useConfig } from '../editing.ts';
import { nameOfItem } from '../parts/item-name.tsx';
import { useItems } from '../parts/use-items.ts';
import { entriesOf, valueAt, type Json, type JsonObject } from '../../schema/data.ts';

export function Multiply({ data }: { data: JsonObject }) {
  const t = useTexts('plugin-configs');
  const mayScale = useMay('POST /api/plugin-configs/loot/{loot_config_id}/multiply');
  const [isOpen, setIsOpen] = useState(false);
  if (!mayScale) return null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<X size={15} aria-hidden="true" />}
        onClick={() => setIsOpen(true)}
      >
        {t('multiply.open')}
      </Button>
      <Dialog isOpen={isOpen} title={t('multiply.title')} onClose={() => setIsOpen(false)}>
        <MultiplyForm data={data} onDone={() => setIsOpen(false)} />
      </Dialog>
    </>
  );
}

const maxExamples = 6;

function MultiplyForm({ data, onDone }: { data: JsonObject; onDone: () => void }) {
  const t = useTexts('plugin-configs');
  const formats = useFormats();
  const items = useItems();
  const { id, version, isDirty, take } = useConfig();
  const [factor, setFactor] = useState<NumberValue>(2);
  const scale = useWrite('POST /api/plugin-configs/loot/{loot_config_id}/multiply', {
    refreshes: ['/api/plugin-configs/{kind}'],
    onDone: (stored) => {
      take(stored);
      onDone();
    },
  });
  const amounts = amountsIn(data);
  return (
    <div className="dialogForm">
      <Form
        submit={t(factor === 0 ? 'multiply.toZero' : 'multiply.submit', { count: amounts.length })}
        isPending={scale.isPending}
        isDisabled={isDirty || amounts.length === 0 || typeof factor !== 'number'}
        error={scale.error}
        fields={['/multiplier']}
        onSubmit={(event) => {
          event.preventDefault();
          if (typeof factor === 'number')
            scale.mutate({
              params: { path: { loot_config_id: id }, header: { 'If-Match': version } },
              body: { multiplier: factor },
            });
        }}
      >
        <p className="hint">{isDirty ? t('multiply.saveFirst') : t('multiply.lead')}</p>
        <NumberField
          label={t('multiply.factor')}
          value={factor}
          min={0}
          step={0.5}
          error={faultAt(scale.error, '/multiplier')}
          onChange={setFactor}
        />
        {amounts.length > 0 && (
          <ScrollingTable label={t('multiply.preview')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{t('parts.item')}</Table.Th>
                <Table.Th scope="col">{t('multiply.before')}</Table.Th>
                <Table.Th scope="col">{t('multiply.after')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {amounts.slice(0, maxExamples).map(({ shortname, min, max }, index) => (
                <Table.Tr key={index}>
                  <Table.Th scope="row">{nameOfItem(shortname, items)}</Table.Th>
                  <Table.Td>{`${formats.number(min)}–${formats.number(max)}`}</Table.Td>
                  <Table.Td>
                    {typeof factor === 'number' &&
                      `${formats.number(scaled(min, factor))}–${formats.number(scaled(max, factor))}`}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </ScrollingTable>
        )}
        {amounts.length > maxExamples && (
          <p className="hint">{t('findings.more', { count: amounts.length - maxExamples })}</p>
        )}
      </Form>
    </div>
  );
}

interface Amount {
  shortname: string;
  min: number;
  max: number;
}

function amountsIn(data: JsonObject): Amount[] {
  const places = [...entriesOf(data['loot_table']), ...entriesOf(data['loot_groups'])];
  return places.flatMap(([, place]) =>
    ['items', 'guaranteed_items'].flatMap((field) =>
      entriesOf(valueAt(place, [field])).flatMap(([shortname, entry]) => amountOf(shortname, entry)),
    ),
  );
}

function amountOf(shortname: string, entry: Json): Amount[] {
  const amount = valueAt(entry, ['amount']) ?? entry;
  const [min, max] = [valueAt(amount, ['min']), valueAt(amount, ['max'])];
  return typeof min === 'number' && typeof max === 'number' ? [{ shortname, min, max }] : [];
}

/** As the platform does: halves up, 0 stays, anything else stays at least 1 unless the factor is 0. */
const scaled = (amount: number, factor: number): number =>
  amount === 0 || factor === 0 ? 0 : Math.max(1, Math.floor(amount * factor + 0.5));
