// The items of a container or a group, which the plugin names by their short names.
import { useTexts } from '../../../texts/texts.ts';
import { useEditing } from '../editing.ts';
import { entriesOf, valueAt, type Json, type Path } from '../../schema/data.ts';
import type { Schema } from '../../schema/schema.ts';
import { ItemTable, type ItemColumn } from '../parts/item-table.tsx';
import parts from '../parts/parts.module.css';
import type { Item } from '../parts/use-items.ts';

interface LootItemsProps {
  path: Path;
  field: 'items' | 'guaranteed_items';
  /** The schema of the container or group. */
  schema: Schema;
  value: Json;
  items: ReadonlyMap<string, Item>;
  /** Items of groups have a probability each. */
  isOfGroup?: boolean;
}

export function LootItems({ path, field, schema, value, items, isOfGroup = false }: LootItemsProps) {
  const t = useTexts('plugin-configs');
  const { set } = useEditing();
  const map = valueAt(value, [field]);
  const at = [...path, field];
  const isNested = isOfGroup && field === 'items';
  const amount = (name: string) => (isNested ? ['amount', name] : [name]);
  const columns: ItemColumn[] = [
    ...(isNested ? [{ header: t('loot.probability'), at: ['probability'], unit: '%' }] : []),
    { header: t('loot.min'), at: amount('min') },
    { header: t('loot.max'), at: amount('max') },
  ];
  const label = t(`loot.lists.${field}`);
  return (
    <div>
      <h3 className={parts.subtitle}>{label}</h3>
      <ItemTable
        label={label}
        path={at}
        rows={entriesOf(map).map(([shortname, entry]) => ({ step: shortname, shortname, value: entry }))}
        columns={columns}
        schema={schema.properties?.[field]?.additionalProperties ?? {}}
        items={items}
        onAdd={(shortname) => {
          const taken = new Set(entriesOf(map).map(([name]) => name));
          const one = { min: 1, max: 1 };
          set([...at, freeName(shortname, taken)], isNested ? { probability: 10, amount: one } : one);
        }}
      />
    </div>
  );
}

/** The plugin takes a second entry of the same item under a name with a number. */
function freeName(shortname: string, taken: ReadonlySet<string>): string {
  if (!taken.has(shortname)) return shortname;
  let number = 1;
  while (taken.has(`${shortname}{${number}}`)) number += 1;
  return `${shortname}{${number}}`;
}
