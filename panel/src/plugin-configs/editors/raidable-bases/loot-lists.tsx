// The loot lists of raids, by difficulty, by base and by day of the week.
import { Button, NativeSelect } from '@mantine/core';
import { Section } from '@gantry/ui/section.tsx';
import { useState } from 'react';
import { useTexts } from '../../../texts/texts.ts';
import { useEditing, type EditorProps } from '../editing.ts';
import { isList, valueAt, type Json } from '../../schema/data.ts';
import { settingName } from '../../schema/names.ts';
import { isOf } from '../../schema/schema.ts';
import { ItemTable } from '../parts/item-table.tsx';
import { useItems } from '../parts/use-items.ts';
import classes from './raids.module.css';

export function LootLists({ data, schema, generation }: EditorProps) {
  const t = useTexts('plugin-configs');
  const { set, isReadOnly } = useEditing();
  const items = useItems();
  const fields = Object.keys(schema.properties).filter(
    (name) => name.endsWith('_loot') && isOf(schema.properties[name] ?? {}, generation),
  );
  const [chosen, setChosen] = useState(fields.find((name) => data[name] !== undefined) ?? fields[0] ?? '');
  const value = data[chosen];
  const list = isList(value) ? value : [];
  const label = settingName(chosen).name;
  return (
    <Section
      title={t('raids.loot')}
      lead={t('raids.lootLead')}
      aside={
        value !== undefined &&
        !isReadOnly && (
          <Button variant="subtle" color="gray" size="compact-sm" onClick={() => set([chosen], undefined)}>
            {t('field.unsetShort')}
          </Button>
        )
      }
    >
      <div className="stack">
        <NativeSelect
          className={classes.list ?? ''}
          label={t('raids.list')}
          value={chosen}
          data={fields.map((name) => ({ value: name, label: listName(name, data[name]) }))}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
        {value === undefined && <p className="hint">{t('field.unchangedWhole')}</p>}
        <ItemTable
          key={chosen}
          label={label}
          path={[chosen]}
          rows={list.map((item, index) => ({ step: index, shortname: shortnameOf(item), value: item }))}
          columns={[
            { header: t('raids.probability'), at: ['probability'] },
            { header: t('loot.min'), at: ['amount_min'] },
            { header: t('loot.max'), at: ['amount'] },
          ]}
          schema={schema.properties[chosen]?.items ?? {}}
          items={items}
          onAdd={(shortname) => set([chosen], [...list, { shortname, amount_min: 1, amount: 1 }])}
        />
      </div>
    </Section>
  );
}

const listName = (field: string, value: Json | undefined): string =>
  `${settingName(field).name}${isList(value) ? ` (${value.length})` : ''}`;

function shortnameOf(item: Json): string {
  const shortname = valueAt(item, ['shortname']);
  return typeof shortname === 'string' ? shortname : '';
}
