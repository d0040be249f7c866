// Gather rates: resources × sources, with whole columns and all rates set at once.
import { ActionIcon, Button, NativeSelect, Table } from '@mantine/core';
import { ScrollingTable } from '@gantry/ui/scrolling-table.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTexts } from '../../../texts/texts.ts';
import { useEditing, type EditorProps } from '../editing.ts';
import { entriesOf, valueAt, type Json, type JsonObject, type Path } from '../../schema/data.ts';
import { Cell } from '../parts/cell.tsx';
import { ItemPicker } from '../parts/item-picker.tsx';
import parts from '../parts/parts.module.css';
import { useItems } from '../parts/use-items.ts';
import classes from './gather.module.css';

const sources = ['gather', 'pickup', 'quarry', 'excavator', 'survey'] as const;
const resources = [
  'all',
  'wood',
  'stones',
  'metal_ore',
  'sulfur_ore',
  'high_quality_metal_ore',
  'cloth',
  'leather',
  'animal_fat',
  'bone_fragments',
] as const;
const factors = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const;
const quick = [1, 2, 3, 5, 10] as const;

type Source = (typeof sources)[number];

export default function GatherEditor({ data, schema }: EditorProps) {
  const t = useTexts('plugin-configs');
  const { set, isReadOnly } = useEditing();
  const items = useItems();
  const [added, setAdded] = useState<readonly string[]>([]);
  const rate = schema.properties['gather']?.properties?.['all'];
  const others = [
    ...new Set([
      ...sources.flatMap((source) => entriesOf(valueAt(data, [source, 'others'])).map(([name]) => name)),
      ...added,
    ]),
  ];
  const fill = (source: Source, factor: number) => set([source], filled(data[source], factor));
  const rows = [
    ...resources.map((name) => ({ name, path: [name] as Path, label: t(`gather.resources.${name}`) })),
    ...others.map((name) => ({ name, path: ['others', name] as Path, label: name })),
  ];
  return (
    <Section
      title={t('gather.title')}
      lead={t('gather.lead')}
      aside={
        !isReadOnly && (
          <div className={classes.quick} role="group" aria-label={t('gather.everything')}>
            {quick.map((factor) => (
              <Button
                key={factor}
                variant="default"
                size="compact-sm"
                aria-label={t('gather.setEverything', { factor })}
                onClick={() => sources.forEach((source) => fill(source, factor))}
              >
                {factor}x
              </Button>
            ))}
          </div>
        )
      }
    >
      <ScrollingTable label={t('gather.title')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('gather.resource')}</Table.Th>
            {sources.map((source) => (
              <Table.Th key={source} scope="col" className={parts.numberColumn ?? ''}>
                {t(`gather.sources.${source}`)}
                {!isReadOnly && (
                  <NativeSelect
                    size="xs"
                    mt={4}
                    aria-label={t('gather.setColumn', { source: t(`gather.sources.${source}`) })}
                    value=""
                    data={[
                      { value: '', label: t('gather.set') },
                      ...factors.map((factor) => ({ value: String(factor), label: `${factor}x` })),
                    ]}
                    onChange={(event) => {
                      const { value } = event.currentTarget;
                      if (value !== '') fill(source, Number(value));
                    }}
                  />
                )}
              </Table.Th>
            ))}
            <Table.Td />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ name, path, label }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" className={classes.resource ?? ''}>
                {label}
                {name === 'all' && <span className={classes.note}>{t('gather.allNote')}</span>}
              </Table.Th>
              {sources.map((source) => (
                <Table.Td key={source}>
                  <Cell
                    path={[source, ...path]}
                    schema={rate}
                    value={valueAt(data, [source, ...path])}
                    label={t('parts.of', { name: t(`gather.sources.${source}`), item: label })}
                    unit="x"
                  />
                </Table.Td>
              ))}
              <Table.Td>
                {path.length > 1 && !isReadOnly && (
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={t('field.remove', { name: label })}
                    onClick={() => {
                      setAdded(added.filter((each) => each !== name));
                      for (const source of sources)
                        if (valueAt(data, [source, ...path]) !== undefined) set([source, ...path], undefined);
                    }}
                  >
                    <Trash2 size={15} aria-hidden="true" />
                  </ActionIcon>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ScrollingTable>
      {!isReadOnly && (
        <div className={classes.add}>
          <ItemPicker
            items={items}
            label={t('gather.addResource')}
            // The plugin knows other resources by their names in the game.
            onPick={(shortname) => setAdded([...added, items.get(shortname)?.name ?? shortname])}
          />
          <p className="hint">{t('gather.othersNote')}</p>
        </div>
      )}
    </Section>
  );
}

/** The rate of everything; single rates would contradict it, so all of them get it. */
function filled(former: Json | undefined, factor: number): JsonObject {
  const named = Object.fromEntries(resources.map((name) => [name, factor]));
  const others = entriesOf(valueAt(former, ['others']));
  return others.length === 0
    ? named
    : { ...named, others: Object.fromEntries(others.map(([name]) => [name, factor])) };
}
