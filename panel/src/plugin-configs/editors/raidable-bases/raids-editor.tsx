// Raidable bases: which difficulty comes on which day, how often, and the loot lists.
import { Table } from '@mantine/core';
import { ScrollingTable } from '@gantry/ui/scrolling-table.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { Check, Minus, X } from 'lucide-react';
import { useTexts } from '../../../texts/texts.ts';
import { useEditing, type EditorProps } from '../editing.ts';
import { valueAt, type Json } from '../../schema/data.ts';
import type { Schema } from '../../schema/schema.ts';
import { Cell } from '../parts/cell.tsx';
import parts from '../parts/parts.module.css';
import { LootLists } from './loot-lists.tsx';
import classes from './raids.module.css';

const difficulties = ['easy', 'medium', 'hard', 'expert', 'nightmare'] as const;
const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
const management = ['settings', 'settings', 'raid_management'];

export default function RaidsEditor({ data, schema, generation }: EditorProps) {
  return (
    <>
      {generation !== 'one' && <Calendar data={data} schema={schema} />}
      <LootLists data={data} schema={schema} generation={generation} />
    </>
  );
}

function Calendar({ data, schema }: Pick<EditorProps, 'data' | 'schema'>) {
  const t = useTexts('plugin-configs');
  const { set, isReadOnly } = useEditing();
  const part = schemaAt(schema, management);
  const limits = ['max_automatic_spawns', 'chance_of_automatic_spawns'] as const;
  return (
    <Section title={t('raids.title')} lead={t('raids.lead')}>
      <ScrollingTable label={t('raids.title')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('raids.difficulty')}</Table.Th>
            {days.map((day) => (
              <Table.Th key={day} scope="col" className={classes.day ?? ''}>
                <abbr title={t(`raids.days.${day}`)}>{t(`raids.shortDays.${day}`)}</abbr>
              </Table.Th>
            ))}
            {limits.map((limit) => (
              <Table.Th key={limit} scope="col" className={parts.numberColumn ?? ''}>
                {t(`raids.limits.${limit}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {difficulties.map((difficulty) => (
            <Table.Tr key={difficulty}>
              <Table.Th scope="row">{t(`raids.difficulties.${difficulty}`)}</Table.Th>
              {days.map((day) => {
                const path = [...management, `${difficulty}_raids_can_spawn_on`, day];
                return (
                  <Table.Td key={day} className={classes.day ?? ''}>
                    <DayToggle
                      value={valueAt(data, path)}
                      isReadOnly={isReadOnly}
                      label={t('parts.of', {
                        name: t(`raids.difficulties.${difficulty}`),
                        item: t(`raids.days.${day}`),
                      })}
                      onChange={(next) => set(path, next)}
                    />
                  </Table.Td>
                );
              })}
              {limits.map((limit) => (
                <Table.Td key={limit}>
                  <Cell
                    path={[...management, limit, difficulty]}
                    schema={schemaAt(part, [limit, difficulty])}
                    value={valueAt(data, [...management, limit, difficulty])}
                    label={t('parts.of', {
                      name: t(`raids.limits.${limit}`),
                      item: t(`raids.difficulties.${difficulty}`),
                    })}
                  />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ScrollingTable>
      <p className={classes.legend}>{t('raids.legend')}</p>
    </Section>
  );
}

const schemaAt = (schema: Schema | undefined, path: readonly string[]): Schema | undefined =>
  path.reduce<Schema | undefined>((part, step) => part?.properties?.[step], schema);

interface DayToggleProps {
  value: Json | undefined;
  label: string;
  isReadOnly: boolean;
  onChange: (value: boolean | undefined) => void;
}

/** Unchanged, then on, then off. */
function DayToggle({ value, label, isReadOnly, onChange }: DayToggleProps) {
  const Icon = value === true ? Check : value === false ? X : Minus;
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={typeof value === 'boolean' ? value : 'mixed'}
      aria-label={label}
      className={classes.toggle}
      data-value={typeof value === 'boolean' ? String(value) : 'unset'}
      disabled={isReadOnly}
      onClick={() => onChange(value === undefined ? true : value === true ? false : undefined)}
    >
      <Icon size={15} aria-hidden="true" />
    </button>
  );
}
