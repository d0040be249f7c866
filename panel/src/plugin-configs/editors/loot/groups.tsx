// Groups of items that several containers draw from.
import { Button, Switch } from '@mantine/core';
import { useState } from 'react';
import { useFormats } from '../../../shared/formats.ts';
import { useTexts } from '../../../texts/texts.ts';
import { useEditing, type EditorProps } from '../editing.ts';
import { entriesOf, valueAt, type Json } from '../../schema/data.ts';
import { NewName } from '../parts/new-name.tsx';
import parts from '../parts/parts.module.css';
import { SideList } from '../parts/side-list.tsx';
import { useItems } from '../parts/use-items.ts';
import { LootItems } from './loot-items.tsx';

const field = 'loot_groups';

export function Groups({ data, schema }: Pick<EditorProps, 'data' | 'schema'>) {
  const t = useTexts('plugin-configs');
  const formats = useFormats();
  const { set, isReadOnly } = useEditing();
  const items = useItems();
  const groups = entriesOf(data[field]);
  const [chosen, setChosen] = useState<string | null>(groups[0]?.[0] ?? null);
  const value = chosen === null ? undefined : valueAt(data[field], [chosen]);
  const group = schema.properties[field]?.additionalProperties ?? {};
  return (
    <SideList
      label={t('loot.groups')}
      entries={groups.map(([name, each]) => {
        const count = entriesOf(valueAt(each, ['items'])).length;
        return { key: name, name, aside: t('loot.items', { count, number: formats.number(count) }) };
      })}
      chosen={chosen}
      onChoose={setChosen}
      foot={
        !isReadOnly && (
          <NewName
            label={t('loot.newGroup')}
            names={groups.map(([name]) => name)}
            maxLength={200}
            onAdd={(name) => {
              set([field, name], { is_enabled: true, items: {} });
              setChosen(name);
            }}
          />
        )
      }
    >
      {chosen === null || value === undefined ? (
        <p className="hint">{t('loot.noGroup')}</p>
      ) : (
        <>
          <div className={parts.headRow}>
            <div>
              <h3 className={parts.subtitle}>{chosen}</h3>
              <p className="hint">{t('loot.usedBy', { count: usersOf(data['loot_table'], chosen) })}</p>
            </div>
            <div className={parts.headRow}>
              <Switch
                label={t('loot.enabled')}
                checked={valueAt(value, ['is_enabled']) !== false}
                disabled={isReadOnly}
                onChange={(event) => set([field, chosen, 'is_enabled'], event.currentTarget.checked)}
              />
              {!isReadOnly && (
                <Button variant="default" size="compact-sm" onClick={() => set([field, chosen], undefined)}>
                  {t('loot.removeGroup')}
                </Button>
              )}
            </div>
          </div>
          <p className="hint">{t('loot.probabilitySum', { sum: formats.number(sumOf(value)) })}</p>
          <LootItems
            path={[field, chosen]}
            field="items"
            schema={group}
            value={value}
            items={items}
            isOfGroup
          />
          <LootItems
            path={[field, chosen]}
            field="guaranteed_items"
            schema={group}
            value={value}
            items={items}
            isOfGroup
          />
        </>
      )}
    </SideList>
  );
}

/** How many containers draw from the group. */
const usersOf = (table: Json | undefined, group: string): number =>
  entriesOf(table).filter(([, container]) =>
    entriesOfList(valueAt(container, ['groups'])).some((each) => valueAt(each, ['group']) === group),
  ).length;

const entriesOfList = (list: Json | undefined): readonly Json[] =>
  Array.isArray(list) ? (list as Json[]) : [];

const sumOf = (group: Json): number =>
  entriesOf(valueAt(group, ['items'])).reduce((sum, [, item]) => {
    const probability = valueAt(item, ['probability']);
    return sum + (typeof probability === 'number' ? probability : 0);
  }, 0);
