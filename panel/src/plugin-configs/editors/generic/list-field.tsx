// The elements of a list: one line each if they are plain, else a card each.
import { Button, Textarea } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTexts } from '../../../texts/texts.ts';
import { useEditing, useFindingCount } from '../editing.ts';
import { isList, isObject, textOf, type Json, type Path } from '../../schema/data.ts';
import { settingName } from '../../schema/names.ts';
import { formOf, initialOf, isScalar, type Schema } from '../../schema/schema.ts';
import { EntryCard } from './entry-card.tsx';
import classes from './generic.module.css';

interface ListFieldProps {
  path: Path;
  field: string;
  schema: Schema;
  value: Json;
  renderEntry: RenderEntry;
}

/** Renders what is inside of an entry. */
export type RenderEntry = (path: Path, schema: Schema, value: Json) => ReactNode;

export function ListField({ path, field, schema, value, renderEntry }: ListFieldProps) {
  const t = useTexts('plugin-configs');
  const { set, isReadOnly } = useEditing();
  const items = schema.items ?? {};
  const elements = isList(value) ? value : [];
  if (isScalar(items)) return <Lines path={path} field={field} items={items} elements={elements} />;
  return (
    <div className={classes.entries}>
      {elements.map((element, index) => (
        <EntryCard
          key={index}
          path={[...path, index]}
          title={titleOf(element, items) ?? t('field.element', { number: index + 1 })}
          onRemove={() => set([...path, index], undefined)}
        >
          {renderEntry([...path, index], items, element)}
        </EntryCard>
      ))}
      {!isReadOnly && elements.length < (schema.maxItems ?? Number.POSITIVE_INFINITY) && (
        <div>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<Plus size={14} aria-hidden="true" />}
            onClick={() => set([...path, elements.length], initialOf(items))}
          >
            {t('field.addElement')}
          </Button>
        </div>
      )}
    </div>
  );
}

/** An element is named by its first required text, else by its first text. */
export function titleOf(element: Json, { required = [], properties = {} }: Schema): string | undefined {
  if (!isObject(element)) return undefined;
  const names = [...required, ...Object.keys(properties)];
  const texts = names.map((name) => element[name]).filter((each) => typeof each === 'string' && each !== '');
  return texts[0] as string | undefined;
}

interface LinesProps {
  path: Path;
  field: string;
  items: Schema;
  elements: readonly Json[];
}

const maxRows = 14;

function Lines({ path, field, items, elements }: LinesProps) {
  const t = useTexts('plugin-configs');
  const { set, isReadOnly } = useEditing();
  const faults = useFindingCount(path);
  const isNumber = formOf(items) === 'number';
  // What is typed, as long as it means these elements: an empty line at the end is none.
  const [typed, setTyped] = useState(() => linesOf(elements));
  const isCurrent = JSON.stringify(parsed(typed, isNumber)) === JSON.stringify(elements);
  return (
    <Textarea
      aria-label={settingName(field).name}
      description={t('field.onePerLine')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      disabled={isReadOnly}
      autosize
      minRows={2}
      maxRows={maxRows}
      spellCheck={false}
      value={isCurrent ? typed : linesOf(elements)}
      error={faults > 0 ? t('field.faultsInside', { count: faults }) : undefined}
      onChange={(event) => {
        const { value: text } = event.currentTarget;
        setTyped(text);
        set(path, parsed(text, isNumber));
      }}
    />
  );
}

const linesOf = (elements: readonly Json[]): string => elements.map(textOf).join('\n');

function parsed(text: string, isNumber: boolean): Json[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (!isNumber) return lines;
  // What is not a number stays text, which the platform refuses at its place.
  return lines.map((line) => (Number.isNaN(Number(line)) ? line : Number(line)));
}
