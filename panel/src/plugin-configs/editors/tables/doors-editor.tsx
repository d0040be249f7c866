// Automatic doors: which sorts close by themselves.
import { useTexts } from '../../../texts/texts.ts';
import type { EditorProps } from '../editing.ts';
import { SortsTable } from './sorts-table.tsx';

export default function DoorsEditor(props: EditorProps) {
  const t = useTexts('plugin-configs');
  return (
    <SortsTable
      {...props}
      field="doors"
      columns={[
        { field: 'is_enabled', header: t('tables.closes') },
        { field: 'display_name', header: t('tables.displayName') },
      ]}
    />
  );
}
