// Sorts of doors or furnaces: those that the plugin knows, and others by their names.
import { Section } from '@gantry/ui/section.tsx';
import { useTexts } from '../../../texts/texts.ts';
import { useEditing, type EditorProps } from '../editing.ts';
import { entriesOf, valueAt } from '../../schema/data.ts';
import { settingName } from '../../schema/names.ts';
import { NewName } from '../parts/new-name.tsx';
import parts from '../parts/parts.module.css';
import { SettingsTable, type SettingsRow } from '../parts/settings-table.tsx';

interface SortsTableProps extends EditorProps {
  field: 'doors' | 'furnaces';
  columns: readonly { field: string; header: string; unit?: string }[];
}

/** Sorts that have a name in every language; a plugin's next version may have more. */
const named = [
  'wooden_door',
  'metal_door',
  'armored_door',
  'wooden_double_door',
  'metal_double_door',
  'armored_double_door',
  'garage_door',
  'furnace',
  'large_furnace',
  'refinery',
  'barbeque',
  'campfire',
  'electric_furnace',
] as const;

const isNamed = (name: string): name is (typeof named)[number] => (named as readonly string[]).includes(name);

export function SortsTable({ data, schema, field, columns }: SortsTableProps) {
  const t = useTexts('plugin-configs');
  const { set, isReadOnly } = useEditing();
  const { others, ...known } = schema.properties[field]?.properties ?? {};
  const sort = others?.additionalProperties ?? {};
  const names = entriesOf(valueAt(data, [field, 'others'])).map(([name]) => name);
  const nameOf = (name: string) => {
    if (name === 'all') return t('tables.allOthers');
    return isNamed(name) ? t(`tables.sorts.${name}`) : settingName(name).name;
  };
  const rows: SettingsRow[] = [
    ...Object.entries(known).map(([name, part]) => ({
      name: nameOf(name),
      path: [field, name],
      schema: part,
    })),
    ...names.map((name) => ({ name, path: [field, 'others', name], schema: sort, isRemovable: true })),
  ];
  return (
    <Section title={t(`tables.${field}`)} lead={t(`tables.${field}Lead`)}>
      <div className="stack">
        <SettingsTable label={t(`tables.${field}`)} data={data} rows={rows} columns={columns} />
        {!isReadOnly && (
          <div className={parts.picker}>
            <NewName
              label={t('tables.newSort')}
              names={names}
              onAdd={(name) => set([field, 'others', name], { is_enabled: true })}
            />
            <p className="hint">{t('tables.othersNote')}</p>
          </div>
        )}
      </div>
    </Section>
  );
}
