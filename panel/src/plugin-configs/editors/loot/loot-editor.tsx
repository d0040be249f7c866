// Loot: what each container holds, groups that containers draw from, and all amounts multiplied at once.
import { SegmentedControl } from '@mantine/core';
import { Section } from '@gantry/ui/section.tsx';
import { useState } from 'react';
import { useTexts } from '../../../texts/texts.ts';
import type { EditorProps } from '../editing.ts';
import { Containers } from './containers.tsx';
import { Groups } from './groups.tsx';
import { Multiply } from './multiply.tsx';

export default function LootEditor({ data, schema, generation }: EditorProps) {
  const t = useTexts('plugin-configs');
  const [part, setPart] = useState<'containers' | 'groups'>('containers');
  const isLegacy = generation === 'v3';
  return (
    <Section title={t('loot.title')} lead={t('loot.lead')} aside={!isLegacy && <Multiply data={data} />}>
      <div className="stack">
        {!isLegacy && (
          <SegmentedControl
            aria-label={t('loot.title')}
            value={part}
            data={[
              { value: 'containers', label: t('loot.containers') },
              { value: 'groups', label: t('loot.groups') },
            ]}
            onChange={(value) => setPart(value)}
          />
        )}
        {part === 'containers' || isLegacy ? (
          <Containers data={data} schema={schema} field={isLegacy ? 'legacy_loot_table' : 'loot_table'} />
        ) : (
          <Groups data={data} schema={schema} />
        )}
      </div>
    </Section>
  );
}
