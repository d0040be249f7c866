// One plain setting: its name and what it does at the left, its control at the right.
import { ActionIcon } from '@mantine/core';
import { Undo2 } from 'lucide-react';
import { memo, useContext, useEffect, useId, useRef } from 'react';
import { useTexts } from '../../../texts/texts.ts';
import { TargetContext, useEditing, useFinding } from '../editing.ts';
import { pointerOf, type Json } from '../../schema/data.ts';
import { settingName } from '../../schema/names.ts';
import type { Schema } from '../../schema/schema.ts';
import classes from './generic.module.css';
import { Hint } from './hint.tsx';
import { ScalarInput } from './scalar-input.tsx';

interface FieldRowProps {
  /** The pointer's steps, joined: a text, so that rows with the same place are the same. */
  place: string;
  field: string;
  schema: Schema;
  value: Json | undefined;
  isRequired: boolean;
}

export const FieldRow = memo(function FieldRow({ place, field, schema, value, isRequired }: FieldRowProps) {
  const t = useTexts('plugin-configs');
  const { set, isReadOnly } = useEditing();
  const path = JSON.parse(place) as (string | number)[];
  const finding = useFinding(path);
  const id = useId();
  const row = useRef<HTMLDivElement>(null);
  useReveal(row, pointerOf(path));
  const { name, unit } = settingName(field);
  const isSet = value !== undefined;
  const hint = [schema.description, schema.kept === true ? t('field.kept') : undefined]
    .filter((text) => text !== undefined)
    .join(' ');
  return (
    <div ref={row} className={classes.row} data-set={isSet || undefined} data-tone={finding?.tone}>
      <div className={classes.names}>
        <label htmlFor={id} className={classes.name}>
          {name}
        </label>
        {hint !== '' && <Hint id={`${id}-hint`} className={classes.hint} text={hint} />}
      </div>
      <div className={classes.control}>
        <ScalarInput
          id={id}
          schema={schema}
          value={value}
          isRequired={isRequired}
          isReadOnly={isReadOnly}
          {...(hint !== '' && { describedBy: `${id}-hint` })}
          {...(unit !== null && { unit: t(`units.${unit}`) })}
          error={finding?.tone === 'fault' ? finding.detail : undefined}
          onChange={(next) => set(path, next)}
        />
        {finding !== undefined && finding.tone !== 'fault' && (
          <span className={classes.remark} data-tone={finding.tone}>
            {finding.detail}
          </span>
        )}
      </div>
      <div className={classes.undo}>
        {isSet && !isRequired && !isReadOnly && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('field.unset', { name })}
            title={t('field.unset', { name })}
            onClick={() => set(path, undefined)}
          >
            <Undo2 size={15} aria-hidden="true" />
          </ActionIcon>
        )}
      </div>
    </div>
  );
});

/** Scrolls to the row when its place is chosen among the findings. */
function useReveal(row: React.RefObject<HTMLElement | null>, pointer: string): void {
  const target = useContext(TargetContext);
  const chosen = target?.pointer === pointer ? target.at : null;
  useEffect(() => {
    if (chosen === null) return;
    row.current?.scrollIntoView({ block: 'center' });
    row.current?.querySelector<HTMLElement>('input, select')?.focus({ preventScroll: true });
  }, [row, chosen]);
}
