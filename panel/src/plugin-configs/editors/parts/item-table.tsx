// Items with their amounts and chances; everything else of an item is in its dialog.
import { ActionIcon, Table } from '@mantine/core';
import { Dialog } from '@gantry/ui/dialog.tsx';
import { ScrollingTable } from '@gantry/ui/scrolling-table.tsx';
import { Ellipsis, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTexts } from '../../../texts/texts.ts';
import { useEditing } from '../editing.ts';
import { Group } from '../generic/field.tsx';
import { valueAt, type Json, type Path } from '../../schema/data.ts';
import type { Schema } from '../../schema/schema.ts';
import { Cell } from './cell.tsx';
import { ItemName, nameOfItem } from './item-name.tsx';
import { ItemPicker } from './item-picker.tsx';
import classes from './parts.module.css';
import type { Item } from './use-items.ts';

export interface ItemRow {
  /** Its key or its index. */
  step: string | number;
  shortname: string;
  value: Json;
}

export interface ItemColumn {
  header: string;
  /** The place of the value in the entry. */
  at: readonly string[];
  unit?: string;
}

interface ItemTableProps {
  label: string;
  path: Path;
  rows: readonly ItemRow[];
  columns: readonly ItemColumn[];
  /** The schema of an entry. */
  schema: Schema;
  items: ReadonlyMap<string, Item>;
  onAdd: (shortname: string) => void;
}

export function ItemTable({ label, path, rows, columns, schema, items, onAdd }: ItemTableProps) {
  const t = useTexts('plugin-configs');
  const { isReadOnly } = useEditing();
  const [opened, setOpened] = useState<ItemRow['step'] | null>(null);
  const open = rows.find(({ step }) => step === opened);
  return (
    <div className={classes.itemTable}>
      {rows.length > 0 && (
        <ScrollingTable label={label}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('parts.item')}</Table.Th>
              {columns.map(({ header }) => (
                <Table.Th key={header} scope="col" className={classes.numberColumn ?? ''}>
                  {header}
                </Table.Th>
              ))}
              <Table.Td />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Row
                key={row.step}
                row={row}
                path={path}
                columns={columns}
                schema={schema}
                items={items}
                onOpen={() => setOpened(row.step)}
              />
            ))}
          </Table.Tbody>
        </ScrollingTable>
      )}
      {!isReadOnly && (
        <div className={classes.picker}>
          <ItemPicker items={items} label={t('parts.addItemTo', { name: label })} onPick={onAdd} />
        </div>
      )}
      {open !== undefined && (
        <Dialog isOpen size="wide" title={nameOfItem(open.shortname, items)} onClose={() => setOpened(null)}>
          <Group
            path={[...path, open.step]}
            schema={schema}
            value={open.value}
            filter={{ generation: null, search: '', isSetOnly: false }}
          />
        </Dialog>
      )}
    </div>
  );
}

interface RowProps {
  row: ItemRow;
  path: Path;
  columns: readonly ItemColumn[];
  schema: Schema;
  items: ReadonlyMap<string, Item>;
  onOpen: () => void;
}

function Row({ row, path, columns, schema, items, onOpen }: RowProps) {
  const t = useTexts('plugin-configs');
  const { set, isReadOnly } = useEditing();
  const { step, shortname, value } = row;
  const name = nameOfItem(shortname, items);
  return (
    <Table.Tr>
      <Table.Th scope="row">
        <ItemName shortname={shortname} items={items} />
      </Table.Th>
      {columns.map(({ header, at, unit }) => (
        <Table.Td key={header}>
          <Cell
            path={[...path, step, ...at]}
            schema={schemaAt(schema, at)}
            value={valueAt(value, at)}
            label={t('parts.of', { name: header, item: name })}
            isRequired={isRequiredAt(schema, at)}
            {...(unit !== undefined && { unit })}
          />
        </Table.Td>
      ))}
      <Table.Td>
        <span className={classes.rowActions}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('parts.details', { name })}
            title={t('parts.details', { name })}
            onClick={onOpen}
          >
            <Ellipsis size={16} aria-hidden="true" />
          </ActionIcon>
          {!isReadOnly && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('field.remove', { name })}
              title={t('field.remove', { name })}
              onClick={() => set([...path, step], undefined)}
            >
              <Trash2 size={15} aria-hidden="true" />
            </ActionIcon>
          )}
        </span>
      </Table.Td>
    </Table.Tr>
  );
}

const schemaAt = (schema: Schema, at: readonly string[]): Schema | undefined =>
  at.reduce<Schema | undefined>((part, step) => part?.properties?.[step], schema);

function isRequiredAt(schema: Schema, at: readonly string[]): boolean {
  const parent = schemaAt(schema, at.slice(0, -1));
  return parent?.required?.includes(at.at(-1) ?? '') === true;
}
