// The same few settings of several things, side by side.
import { ActionIcon, Table } from '@mantine/core';
import { ScrollingTable } from '@gantry/ui/scrolling-table.tsx';
import { Trash2 } from 'lucide-react';
import { useTexts } from '../../../texts/texts.ts';
import { useEditing } from '../editing.ts';
import { valueAt, type JsonObject, type Path } from '../../schema/data.ts';
import type { Schema } from '../../schema/schema.ts';
import { Cell } from './cell.tsx';
import parts from './parts.module.css';

export interface SettingsRow {
  name: string;
  path: Path;
  schema: Schema;
  /** Entries of maps can be removed. */
  isRemovable?: boolean;
}

interface SettingsTableProps {
  label: string;
  data: JsonObject;
  rows: readonly SettingsRow[];
  /** A row without one of these fields has an empty cell there. */
  columns: readonly { field: string; header: string; unit?: string }[];
}

export function SettingsTable({ label, data, rows, columns }: SettingsTableProps) {
  const t = useTexts('plugin-configs');
  const { set, isReadOnly } = useEditing();
  return (
    <ScrollingTable label={label}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{t('field.entryName')}</Table.Th>
          {columns.map(({ field, header }) => (
            <Table.Th key={field} scope="col" className={parts.numberColumn ?? ''}>
              {header}
            </Table.Th>
          ))}
          <Table.Td />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ name, path, schema, isRemovable = false }) => (
          <Table.Tr key={path.join('/')}>
            <Table.Th scope="row">{name}</Table.Th>
            {columns.map(({ field, header, unit }) => {
              const part = schema.properties?.[field];
              return (
                <Table.Td key={field}>
                  {part !== undefined && (
                    <Cell
                      path={[...path, field]}
                      schema={part}
                      value={valueAt(data, [...path, field])}
                      label={t('parts.of', { name: header, item: name })}
                      {...(unit !== undefined && { unit })}
                    />
                  )}
                </Table.Td>
              );
            })}
            <Table.Td width={44}>
              {isRemovable && !isReadOnly && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('field.remove', { name })}
                  title={t('field.remove', { name })}
                  onClick={() => set(path, undefined)}
                >
                  <Trash2 size={15} aria-hidden="true" />
                </ActionIcon>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrollingTable>
  );
}
