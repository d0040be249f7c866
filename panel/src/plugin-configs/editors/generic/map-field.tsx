// The entries of a map: a table if their values are plain, else a card each.
import { ActionIcon, Button, Table, TextInput } from '@mantine/core';
import { ScrollingTable } from '@gantry/ui/scrolling-table.tsx';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTexts } from '../../../texts/texts.ts';
import { useEditing, useFinding } from '../editing.ts';
import { entriesOf, isObject, renamed, type Json, type Path } from '../../schema/data.ts';
import { settingName } from '../../schema/names.ts';
import { initialOf, isScalar, type Schema } from '../../schema/schema.ts';
import { EntryCard } from './entry-card.tsx';
import classes from './generic.module.css';
import type { RenderEntry } from './list-field.tsx';
import { ScalarInput } from './scalar-input.tsx';

interface MapFieldProps {
  path: Path;
  field: string;
  schema: Schema;
  value: Json;
  renderEntry: RenderEntry;
}

export function MapField({ path, field, schema, value, renderEntry }: MapFieldProps) {
  const { set, isReadOnly } = useEditing();
  const values = schema.additionalProperties ?? {};
  const entries = entriesOf(value);
  return (
    <div className={classes.entries}>
      {isScalar(values)
        ? entries.length > 0 && <PlainEntries path={path} field={field} values={values} value={value} />
        : entries.map(([name, entry]) => (
            <EntryCard
              key={name}
              path={[...path, name]}
              title={name}
              onRemove={() => set([...path, name], undefined)}
            >
              {renderEntry([...path, name], values, entry)}
            </EntryCard>
          ))}
      {!isReadOnly && (
        <NewEntry
          names={entries.map(([name]) => name)}
          rule={schema.propertyNames}
          onAdd={(name) => set([...path, name], initialOf(values))}
        />
      )}
    </div>
  );
}

interface PlainEntriesProps {
  path: Path;
  field: string;
  values: Schema;
  value: Json;
}

function PlainEntries({ path, field, values, value }: PlainEntriesProps) {
  const t = useTexts('plugin-configs');
  const { unit } = settingName(field);
  return (
    <ScrollingTable label={settingName(field).name}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{t('field.entryName')}</Table.Th>
          <Table.Th scope="col">{t('field.entryValue')}</Table.Th>
          <Table.Td />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {entriesOf(value).map(([name, entry], index) => (
          <PlainEntry
            key={index}
            path={path}
            name={name}
            map={value}
            values={values}
            entry={entry}
            {...(unit !== null && { unit: t(`units.${unit}`) })}
          />
        ))}
      </Table.Tbody>
    </ScrollingTable>
  );
}

interface PlainEntryProps {
  path: Path;
  name: string;
  map: Json;
  values: Schema;
  entry: Json;
  unit?: string;
}

function PlainEntry({ path, name, map, values, entry, unit }: PlainEntryProps) {
  const t = useTexts('plugin-configs');
  const { set, isReadOnly } = useEditing();
  const finding = useFinding([...path, name]);
  const [typed, setTyped] = useState<string | null>(null);
  const takeName = () => {
    if (typed !== null && typed !== '' && isObject(map) && !Object.hasOwn(map, typed))
      set(path, renamed(map, name, typed));
    setTyped(null);
  };
  return (
    <Table.Tr>
      <Table.Td>
        <TextInput
          aria-label={t('field.nameOf', { name })}
          value={typed ?? name}
          disabled={isReadOnly}
          spellCheck={false}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onBlur={takeName}
        />
      </Table.Td>
      <Table.Td>
        <ScalarInput
          label={t('field.valueOf', { name })}
          schema={values}
          value={entry}
          isRequired
          isReadOnly={isReadOnly}
          error={finding?.detail}
          {...(unit !== undefined && { unit })}
          onChange={(next) => set([...path, name], next ?? initialOf(values))}
        />
      </Table.Td>
      <Table.Td width={44}>
        {!isReadOnly && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('field.remove', { name })}
            title={t('field.remove', { name })}
            onClick={() => set([...path, name], undefined)}
          >
            <Trash2 size={15} aria-hidden="true" />
          </ActionIcon>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

interface NewEntryProps {
  names: readonly string[];
  rule: Schema | undefined;
  onAdd: (name: string) => void;
}

/** Asks for the name of the next entry. */
function NewEntry({ names, rule, onAdd }: NewEntryProps) {
  const t = useTexts('plugin-configs');
  const [name, setName] = useState('');
  const fault = faultOf(name, names, rule, t);
  const add = () => {
    if (name === '' || fault !== undefined) return;
    onAdd(name);
    setName('');
  };
  return (
    <div className={classes.newEntry}>
      <TextInput
        className="grow"
        aria-label={t('field.newName')}
        placeholder={t('field.newName')}
        value={name}
        spellCheck={false}
        error={fault}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          add();
        }}
      />
      <Button
        variant="default"
        disabled={name === '' || fault !== undefined}
        leftSection={<Plus size={15} aria-hidden="true" />}
        onClick={add}
      >
        {t('field.addEntry')}
      </Button>
    </div>
  );
}

function faultOf(
  name: string,
  names: readonly string[],
  { pattern, form, maxLength }: Schema = {},
  t: ReturnType<typeof useTexts<'plugin-configs'>>,
): string | undefined {
  if (name === '') return undefined;
  if (names.includes(name)) return t('field.nameTaken');
  if (pattern !== undefined && !new RegExp(pattern).test(name)) return form ?? t('field.badName');
  if (maxLength !== undefined && name.length > maxLength) return t('field.tooLong', { max: maxLength });
  return undefined;
}
