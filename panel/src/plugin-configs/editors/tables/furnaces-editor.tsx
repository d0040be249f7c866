// Furnace splitting: which sorts of furnaces split ore, and how.
import { useTexts } from '../../../texts/texts.ts';
import type { EditorProps } from '../editing.ts';
import { SortsTable } from './sorts-table.tsx';

export default function FurnacesEditor(props: EditorProps) {
  const t = useTexts('plugin-configs');
  // Versions before 2.5 have no settings for sorts of furnaces.
  if (props.generation === 'panel') return null;
  return (
    <SortsTable
      {...props}
      field="furnaces"
      columns={[
        { field: 'is_enabled', header: t('tables.splits') },
        { field: 'fuel_multiplier', header: t('tables.fuel'), unit: 'x' },
      ]}
    />
  );
}
