// A list, a map or a part that is set as a whole: what it replaces, and its content once it is set.
import { Button, Title } from '@mantine/core';
import { Plus, Undo2 } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { useTexts } from '../../../texts/texts.ts';
import { useEditing, useFinding } from '../editing.ts';
import type { Json, Path } from '../../schema/data.ts';
import { settingName } from '../../schema/names.ts';
import { initialOf, type Schema } from '../../schema/schema.ts';
import classes from './generic.module.css';
import { Hint } from './hint.tsx';

interface WholeFieldProps {
  path: Path;
  field: string;
  schema: Schema;
  value: Json | undefined;
  isRequired: boolean;
  /** What setting it means for the server. */
  replaces: string;
  children: (value: Json) => ReactNode;
}

export function WholeField({ path, field, schema, value, isRequired, replaces, children }: WholeFieldProps) {
  const t = useTexts('plugin-configs');
  const { set, isReadOnly } = useEditing();
  const titleId = useId();
  const finding = useFinding(path);
  const { name } = settingName(field);
  const isSet = value !== undefined && value !== null;
  return (
    <div role="group" aria-labelledby={titleId} className={classes.group} data-set={isSet || undefined}>
      <div className={classes.wholeHead}>
        <div className={classes.names}>
          <Title order={3} size="sm" id={titleId}>
            {name}
          </Title>
          {schema.description !== undefined && <Hint className={classes.hint} text={schema.description} />}
          <span className={classes.hint}>
            {isSet ? replaces : value === null ? t('field.none') : t('field.unchangedWhole')}
          </span>
          {finding !== undefined && (
            <span className={classes.remark} data-tone={finding.tone}>
              {finding.detail}
            </span>
          )}
        </div>
        {!isReadOnly &&
          (isSet ? (
            !isRequired && (
              <Button
                variant="subtle"
                color="gray"
                size="compact-sm"
                leftSection={<Undo2 size={14} aria-hidden="true" />}
                aria-label={t('field.unsetWhole', { name })}
                onClick={() => set(path, undefined)}
              >
                {t('field.unsetShort')}
              </Button>
            )
          ) : (
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<Plus size={14} aria-hidden="true" />}
              aria-label={t('field.setWhole', { name })}
              onClick={() => set(path, initialOf(schema))}
            >
              {t('field.setShort')}
            </Button>
          ))}
      </div>
      {isSet && children(value)}
    </div>
  );
}
