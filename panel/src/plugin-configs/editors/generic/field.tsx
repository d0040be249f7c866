// One setting of any form, and the settings of one part, which may hold parts again.
import { Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import { useTexts } from '../../../texts/texts.ts';
import { valueAt, type Json, type Path } from '../../schema/data.ts';
import { settingName } from '../../schema/names.ts';
import { formOf, isNullable, isScalar, type Schema } from '../../schema/schema.ts';
import { FieldRow } from './field-row.tsx';
import { isShown, matches, noFilter, type Filter } from './filter.ts';
import classes from './generic.module.css';
import { Hint } from './hint.tsx';
import { ListField } from './list-field.tsx';
import { MapField } from './map-field.tsx';
import { WholeField } from './whole-field.tsx';

export interface FieldProps {
  path: Path;
  field: string;
  schema: Schema;
  value: Json | undefined;
  isRequired: boolean;
  filter: Filter;
}

export function Field(props: FieldProps) {
  const { path, field, schema, value, isRequired, filter } = props;
  const t = useTexts('plugin-configs');
  if (isScalar(schema))
    return (
      <FieldRow
        place={JSON.stringify(path)}
        field={field}
        schema={schema}
        value={value}
        isRequired={isRequired}
      />
    );
  const form = formOf(schema);
  // Parts with required fields are there as a whole or not at all.
  if (form === 'object' && schema.required === undefined && !isNullable(schema))
    return <Group path={path} schema={schema} value={value} filter={filter} field={field} />;
  const replaces =
    form === 'object' ? t('field.whole') : form === 'list' ? t('field.replacesList') : t('field.replacesMap');
  return (
    <WholeField {...props} replaces={replaces}>
      {(inner) => (
        <Content path={path} field={field} schema={schema} value={inner} filter={noFilter(filter)} />
      )}
    </WholeField>
  );
}

type ContentProps = Omit<FieldProps, 'isRequired' | 'value'> & { value: Json };

/** What is inside of a list, a map, or a part. */
function Content({ path, field, schema, value, filter }: ContentProps): ReactNode {
  const entry = (at: Path, part: Schema, inner: Json) => (
    <Content path={at} field={String(at.at(-1))} schema={part} value={inner} filter={filter} />
  );
  const form = formOf(schema);
  const props = { path, field, schema, value, renderEntry: entry };
  if (form === 'list') return <ListField {...props} />;
  if (form === 'map') return <MapField {...props} />;
  return <Group path={path} schema={schema} value={value} filter={filter} />;
}

interface GroupProps {
  path: Path;
  schema: Schema;
  value: Json | undefined;
  filter: Filter;
  /** The name of the part, whose heading is shown. */
  field?: string;
  /** Fields that are shown elsewhere. */
  without?: readonly string[];
}

export function Group({ path, schema, value, filter, field, without = [] }: GroupProps) {
  const titleId = useId();
  // Where the part itself was found, all of its settings are shown.
  const isFound = field !== undefined && matches(field, schema, filter.search);
  const inner = isFound ? { ...filter, search: '' } : filter;
  const shown = Object.entries(schema.properties ?? {})
    .filter(([name, part]) => !without.includes(name) && isShown(name, part, valueAt(value, [name]), inner))
    // Plain settings first, so that parts do not interrupt them.
    .toSorted(([, one], [, other]) => Number(isScalar(other)) - Number(isScalar(one)));
  if (shown.length === 0) return null;
  const fields = shown.map(([name, part]) => (
    <Field
      key={name}
      path={[...path, name]}
      field={name}
      schema={part}
      value={valueAt(value, [name])}
      isRequired={schema.required?.includes(name) === true}
      filter={inner}
    />
  ));
  if (field === undefined) return <div className={classes.rows}>{fields}</div>;
  return (
    <div role="group" aria-labelledby={titleId} className={classes.group}>
      <Title order={3} size="sm" id={titleId}>
        {settingName(field).name}
      </Title>
      {schema.description !== undefined && <Hint className={classes.hint} text={schema.description} />}
      <div className={classes.rows}>{fields}</div>
    </div>
  );
}
