// One timer of the plugin: whether it runs, and its commands with their times.
import { ActionIcon, Button, Switch, Table, TextInput } from '@mantine/core';
import { ScrollingTable } from '@gantry/ui/scrolling-table.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useFormats } from '../../../shared/formats.ts';
import { NumberField } from '../../../shared/number-field.tsx';
import { useTexts } from '../../../texts/texts.ts';
import { useEditing, useFinding } from '../editing.ts';
import { entriesOf, isObject, renamed, valueAt, type Json } from '../../schema/data.ts';
import type { Schema } from '../../schema/schema.ts';
import classes from './timed.module.css';

export type TimerName = 'timer_repeat' | 'timer_once' | 'real_time' | 'in_game_time';

interface TimerProps {
  name: TimerName;
  schema: Schema;
  value: Json | undefined;
}

/** Timers by intervals have commands as keys; timers by times of day have the times as keys. */
const isByInterval = (name: TimerName): boolean => name === 'timer_repeat' || name === 'timer_once';

export function Timer({ name, schema, value }: TimerProps) {
  const t = useTexts('plugin-configs');
  const { set, isReadOnly } = useEditing();
  const commands = valueAt(value, ['commands']);
  const change = (next: { is_enabled?: boolean; commands?: Json }) =>
    set([name], { is_enabled: true, commands: {}, ...(isObject(value) ? value : {}), ...next });
  return (
    <Section
      title={t(`timed.${name}`)}
      lead={value === undefined ? t('timed.unset') : t(`timed.${name}Lead`)}
      aside={
        <span className={classes.aside}>
          {value !== undefined && !isReadOnly && (
            <Button variant="subtle" color="gray" size="compact-sm" onClick={() => set([name], undefined)}>
              {t('field.unsetShort')}
            </Button>
          )}
          <Switch
            label={t('timed.runs')}
            checked={valueAt(value, ['is_enabled']) === true}
            disabled={isReadOnly}
            onChange={(event) => change({ is_enabled: event.currentTarget.checked })}
          />
        </span>
      }
    >
      <Commands name={name} commands={commands} />
      {!isReadOnly && (
        <NewCommand
          name={name}
          commands={commands}
          pattern={schema.properties?.['commands']?.propertyNames?.pattern}
          onAdd={(key, entry) =>
            change({ commands: { ...(isObject(commands) ? commands : {}), [key]: entry } })
          }
        />
      )}
    </Section>
  );
}

function Commands({ name, commands }: { name: TimerName; commands: Json | undefined }) {
  const t = useTexts('plugin-configs');
  const entries = entriesOf(commands);
  if (entries.length === 0 || !isObject(commands)) return null;
  return (
    <ScrollingTable label={t(`timed.${name}`)}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col" className={classes.when ?? ''}>
            {t(isByInterval(name) ? 'timed.interval' : 'timed.time')}
          </Table.Th>
          <Table.Th scope="col">{t('timed.command')}</Table.Th>
          <Table.Td />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {entries.map(([key, entry], index) => (
          <CommandRow key={index} name={name} commands={commands} entryKey={key} entry={entry} />
        ))}
      </Table.Tbody>
    </ScrollingTable>
  );
}

interface CommandRowProps {
  name: TimerName;
  commands: Readonly<Record<string, Json>>;
  entryKey: string;
  entry: Json;
}

function CommandRow({ name, commands, entryKey, entry }: CommandRowProps) {
  const t = useTexts('plugin-configs');
  const formats = useFormats();
  const { set, isReadOnly } = useEditing();
  const path = [name, 'commands'];
  const finding = useFinding([...path, entryKey]);
  const [typed, setTyped] = useState<string | null>(null);
  const command = isByInterval(name) ? entryKey : typeof entry === 'string' ? entry : '';
  const takeKey = () => {
    if (typed !== null && typed.trim() !== '' && !Object.hasOwn(commands, typed))
      set(path, renamed(commands, entryKey, typed));
    setTyped(null);
  };
  const key = {
    value: typed ?? entryKey,
    disabled: isReadOnly,
    spellCheck: false,
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => setTyped(event.currentTarget.value),
    onBlur: takeKey,
  };
  return (
    <Table.Tr>
      <Table.Td>
        {isByInterval(name) ? (
          <NumberField
            aria-label={t('timed.intervalOf', { command })}
            description={typeof entry === 'number' ? formats.duration(entry) : undefined}
            inputWrapperOrder={['input', 'description', 'error']}
            value={typeof entry === 'number' || typeof entry === 'string' ? entry : ''}
            unit={t('units.seconds')}
            min={1}
            disabled={isReadOnly}
            error={finding?.detail}
            onChange={(next) => set([...path, entryKey], next)}
          />
        ) : (
          <TextInput aria-label={t('timed.timeOf', { command })} error={finding?.detail} {...key} />
        )}
      </Table.Td>
      <Table.Td>
        {isByInterval(name) ? (
          <TextInput className="mono" aria-label={t('timed.commandOf', { command })} {...key} />
        ) : (
          <TextInput
            className="mono"
            aria-label={t('timed.commandOf', { command })}
            value={command}
            disabled={isReadOnly}
            spellCheck={false}
            onChange={(event) => set([...path, entryKey], event.currentTarget.value)}
          />
        )}
      </Table.Td>
      <Table.Td width={44}>
        {!isReadOnly && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('field.remove', { name: command })}
            title={t('field.remove', { name: command })}
            onClick={() => set([...path, entryKey], undefined)}
          >
            <Trash2 size={15} aria-hidden="true" />
          </ActionIcon>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

interface NewCommandProps {
  name: TimerName;
  commands: Json | undefined;
  pattern: string | undefined;
  onAdd: (key: string, entry: Json) => void;
}

const firstSeconds = 300;

function NewCommand({ name, commands, pattern, onAdd }: NewCommandProps) {
  const t = useTexts('plugin-configs');
  const [command, setCommand] = useState('');
  const [time, setTime] = useState('');
  const key = isByInterval(name) ? command.trim() : time.trim();
  const isTaken = isObject(commands) && key in commands;
  const isBadTime = !isByInterval(name) && time !== '' && !new RegExp(pattern ?? '').test(time.trim());
  const isReady = command.trim() !== '' && key !== '' && !isTaken && !isBadTime;
  const add = () => {
    if (!isReady) return;
    onAdd(key, isByInterval(name) ? firstSeconds : command.trim());
    setCommand('');
    setTime('');
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    add();
  };
  const form = name === 'real_time' ? '20:00:00' : '20:00';
  return (
    <div className={classes.newCommand}>
      {!isByInterval(name) && (
        <TextInput
          className={classes.newTime ?? ''}
          aria-label={t('timed.newTime')}
          placeholder={form}
          value={time}
          error={isBadTime ? t('timed.badTime', { form }) : isTaken ? t('field.nameTaken') : undefined}
          onChange={(event) => setTime(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      )}
      <TextInput
        className="grow"
        aria-label={t('timed.newCommand')}
        placeholder={t('timed.newCommand')}
        value={command}
        spellCheck={false}
        error={isByInterval(name) && isTaken ? t('field.nameTaken') : undefined}
        onChange={(event) => setCommand(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Button
        variant="default"
        disabled={!isReady}
        leftSection={<Plus size={15} aria-hidden="true" />}
        onClick={add}
      >
        {t('field.addEntry')}
      </Button>
    </div>
  );
}
