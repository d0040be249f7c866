// All settings of a kind, made from its schema: searched, section by section.
import { Checkbox } from '@mantine/core';
import { ChevronRight, SearchX } from 'lucide-react';
import { useCallback, useContext, useMemo, useState } from 'react';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { FilterBar } from '../../../shared/filter-bar.tsx';
import { useTexts } from '../../../texts/texts.ts';
import { TargetContext, useFindingCount, type EditorProps } from '../editing.ts';
import { pointerOf, type Json } from '../../schema/data.ts';
import { settingName } from '../../schema/names.ts';
import { formOf, isScalar, type Schema } from '../../schema/schema.ts';
import { Field, Group } from './field.tsx';
import { countsOf, isFiltering, isShown, matches, noFilter, type Filter } from './filter.ts';
import classes from './generic.module.css';
import { Hint } from './hint.tsx';

interface SettingsEditorProps extends EditorProps {
  /** Fields that the editor of the kind shows. */
  without?: readonly string[];
}

/** Lists of settings up to this length are open from the beginning. */
const maxOpen = 14;
const maxUnsearched = 12;

export function SettingsEditor({ data, schema, generation, without = [] }: SettingsEditorProps) {
  const t = useTexts('plugin-configs');
  const [search, setSearch] = useState('');
  const [isSetOnly, setIsSetOnly] = useState(false);
  const filter = useMemo((): Filter => ({ generation, search, isSetOnly }), [generation, search, isSetOnly]);
  const onSearch = useCallback((text: string) => setSearch(text), []);
  const fields = Object.entries(schema.properties).filter(([name]) => !without.includes(name));
  const shown = fields.filter(([name, part]) => isShown(name, part, data[name], filter));
  const parts = shown.filter(([, part]) => !isScalar(part));
  const total = fields.reduce((sum, [name, part]) => sum + countsOf(part, data[name], generation).total, 0);
  if (total === 0) return null;
  return (
    <div className="stack">
      {total > maxUnsearched && (
        <FilterBar search={search} onSearch={onSearch} placeholder={t('editor.search')}>
          <Checkbox
            label={t('editor.setOnly')}
            checked={isSetOnly}
            onChange={(event) => setIsSetOnly(event.currentTarget.checked)}
          />
        </FilterBar>
      )}
      {shown.length === 0 && (
        <EmptyState icon={SearchX} title={t('editor.noMatch')}>
          {t('editor.noMatchDetail')}
        </EmptyState>
      )}
      <div className={classes.sections}>
        {shown.length > parts.length && (
          <GeneralSection data={data} schema={schema} filter={filter} without={without} />
        )}
        {parts.map(([name, part]) => (
          <PartSection key={name} name={name} schema={part} value={data[name]} filter={filter} />
        ))}
      </div>
    </div>
  );
}

interface GeneralSectionProps {
  data: EditorProps['data'];
  schema: Schema;
  filter: Filter;
  without: readonly string[];
}

/** Plain settings that belong to no part. */
function GeneralSection({ data, schema, filter, without }: GeneralSectionProps) {
  const t = useTexts('plugin-configs');
  const parts = Object.entries(schema.properties ?? {})
    .filter(([, part]) => !isScalar(part))
    .map(([name]) => name);
  return (
    <details className={classes.card} open>
      <summary className={`${classes.cardHead} ${classes.sectionHead}`}>
        <ChevronRight size={16} aria-hidden="true" className={classes.chevron} />
        <span className={classes.sectionTitle}>{t('editor.general')}</span>
      </summary>
      <div className={classes.sectionBody}>
        <Group path={[]} schema={schema} value={data} filter={filter} without={[...without, ...parts]} />
      </div>
    </details>
  );
}

interface PartSectionProps {
  name: string;
  schema: Schema;
  value: Json | undefined;
  filter: Filter;
}

function PartSection({ name, schema, value, filter }: PartSectionProps) {
  const t = useTexts('plugin-configs');
  const { set, total } = countsOf(schema, value, filter.generation);
  const faults = useFindingCount([name]);
  const target = useContext(TargetContext);
  const [isOpen, setIsOpen] = useState(total <= maxOpen && set > 0);
  const pointer = pointerOf([name]);
  const isTargeted =
    target !== null && (target.pointer === pointer || target.pointer.startsWith(`${pointer}/`));
  const isExpanded = isOpen || isTargeted || isFiltering(filter);
  const inner = matches(name, schema, filter.search) ? { ...filter, search: '' } : filter;
  const isPart = formOf(schema) === 'object' && schema.required === undefined;
  return (
    <details
      className={classes.card}
      open={isExpanded}
      onToggle={(event) => {
        // A search opens parts for as long as it lasts.
        if (!isFiltering(filter)) setIsOpen(event.currentTarget.open);
      }}
    >
      <summary className={`${classes.cardHead} ${classes.sectionHead}`}>
        <ChevronRight size={16} aria-hidden="true" className={classes.chevron} />
        <span className={classes.sectionTitle}>{settingName(name).name}</span>
        {faults > 0 && <span className={classes.faults}>{t('field.faultsInside', { count: faults })}</span>}
        <span className={classes.counts} data-set={set > 0 || undefined}>
          {isPart
            ? t('editor.counts', { set, total })
            : set > 0
              ? t('editor.isSet', { count: sizeOf(value) })
              : t('editor.isUnset')}
        </span>
      </summary>
      {isExpanded && (
        <div className={classes.sectionBody}>
          {isPart ? (
            <>
              {schema.description !== undefined && (
                <Hint className={classes.hint} text={schema.description} />
              )}
              <Group path={[name]} schema={schema} value={value} filter={inner} />
            </>
          ) : (
            <Field
              path={[name]}
              field={name}
              schema={schema}
              value={value}
              isRequired={false}
              filter={noFilter(filter)}
            />
          )}
        </div>
      )}
    </details>
  );
}

/** How many entries a list or a map has. */
const sizeOf = (value: Json | undefined): number =>
  typeof value === 'object' && value !== null ? Object.keys(value).length : 1;
