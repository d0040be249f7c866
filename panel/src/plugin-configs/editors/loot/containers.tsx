// Every container of the game, and what the chosen one holds.
import { Button, Switch } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useRead } from '../../../api/reading.ts';
import { useFormats } from '../../../shared/formats.ts';
import { useTexts } from '../../../texts/texts.ts';
import { useEditing, type EditorProps } from '../editing.ts';
import { Group } from '../generic/field.tsx';
import { entriesOf, valueAt, type JsonObject } from '../../schema/data.ts';
import { NewName } from '../parts/new-name.tsx';
import parts from '../parts/parts.module.css';
import { SideList, type SideEntry } from '../parts/side-list.tsx';
import { useItems } from '../parts/use-items.ts';
import { Amounts } from './amounts.tsx';
import { LootItems } from './loot-items.tsx';

interface ContainersProps extends Pick<EditorProps, 'data' | 'schema'> {
  /** The table of the plugin's version. */
  field: 'loot_table' | 'legacy_loot_table';
}

export function Containers({ data, schema, field }: ContainersProps) {
  const t = useTexts('plugin-configs');
  const formats = useFormats();
  const { isReadOnly, set } = useEditing();
  const catalog = useRead('/api/game-data/containers');
  const table = data[field];
  const names = useMemo(
    () =>
      new Map((catalog.data?.data ?? []).map(({ prefab, name, category }) => [prefab, { name, category }])),
    [catalog.data],
  );
  const configured = entriesOf(table).map(([prefab]) => prefab);
  const [chosen, setChosen] = useState<string | null>(configured[0] ?? null);
  const entries: SideEntry[] = [...new Set([...configured, ...names.keys()])].map((prefab) => {
    const count = countIn(valueAt(table, [prefab]));
    const isConfigured = configured.includes(prefab);
    return {
      key: prefab,
      name: names.get(prefab)?.name ?? nameOf(prefab),
      group: isConfigured ? t('loot.configured') : (names.get(prefab)?.category ?? t('loot.other')),
      isDim: !isConfigured,
      ...(isConfigured && { aside: t('loot.items', { count, number: formats.number(count) }) }),
    };
  });
  return (
    <SideList
      label={t('loot.containers')}
      entries={entries}
      chosen={chosen}
      onChoose={setChosen}
      foot={
        !isReadOnly && (
          <NewName
            label={t('loot.newContainer')}
            names={configured}
            maxLength={200}
            onAdd={(prefab) => {
              set([field, prefab], newContainer(field));
              setChosen(prefab);
            }}
          />
        )
      }
    >
      {chosen === null ? (
        <p className="hint">{t('loot.choose')}</p>
      ) : (
        <Container
          key={chosen}
          data={data}
          schema={schema}
          field={field}
          prefab={chosen}
          name={names.get(chosen)?.name ?? nameOf(chosen)}
        />
      )}
    </SideList>
  );
}

interface ContainerProps extends ContainersProps {
  prefab: string;
  name: string;
}

const covered = [
  'is_enabled',
  'items',
  'guaranteed_items',
  'min_items',
  'max_items',
  'min_scrap',
  'max_scrap',
  'scrap',
];

function Container({ data, schema, field, prefab, name }: ContainerProps) {
  const t = useTexts('plugin-configs');
  const { set, isReadOnly } = useEditing();
  const items = useItems();
  const path = [field, prefab];
  const value = valueAt(data, path);
  const container = schema.properties[field]?.additionalProperties ?? {};
  if (value === undefined)
    return (
      <>
        <ContainerHead name={name} prefab={prefab} />
        <p className="hint">{t('loot.notConfigured')}</p>
        {!isReadOnly && (
          <div>
            <Button
              leftSection={<Plus size={15} aria-hidden="true" />}
              onClick={() => set(path, newContainer(field))}
            >
              {t('loot.configure')}
            </Button>
          </div>
        )}
      </>
    );
  return (
    <>
      <div className={parts.headRow}>
        <ContainerHead name={name} prefab={prefab} />
        <div className={parts.headRow}>
          <Switch
            label={t('loot.enabled')}
            checked={valueAt(value, ['is_enabled']) === true}
            disabled={isReadOnly}
            onChange={(event) => set([...path, 'is_enabled'], event.currentTarget.checked)}
          />
          {!isReadOnly && (
            <Button variant="default" size="compact-sm" onClick={() => set(path, undefined)}>
              {t('loot.removeContainer')}
            </Button>
          )}
        </div>
      </div>
      <Amounts path={path} schema={container} value={value} />
      <LootItems path={path} field="items" schema={container} value={value} items={items} />
      {container.properties?.['guaranteed_items'] !== undefined && (
        <LootItems path={path} field="guaranteed_items" schema={container} value={value} items={items} />
      )}
      <details>
        <summary>{t('loot.more')}</summary>
        <Group
          path={path}
          schema={container}
          value={value}
          filter={{ generation: null, search: '', isSetOnly: false }}
          without={covered}
        />
      </details>
    </>
  );
}

function ContainerHead({ name, prefab }: { name: string; prefab: string }) {
  return (
    <div>
      <h3 className={parts.subtitle}>{name}</h3>
      <p className="hint path">{prefab}</p>
    </div>
  );
}

const newContainer = (field: ContainersProps['field']): JsonObject =>
  field === 'loot_table'
    ? { is_enabled: true, items: {}, min_items: 1, max_items: 3 }
    : { is_enabled: true, items: {} };

const nameOf = (prefab: string): string => prefab.slice(prefab.lastIndexOf('/') + 1).replace('.prefab', '');

const countIn = (container: Parameters<typeof valueAt>[0]): number =>
  entriesOf(valueAt(container, ['items'])).length +
  entriesOf(valueAt(container, ['guaranteed_items'])).length;
