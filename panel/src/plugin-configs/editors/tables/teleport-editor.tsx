// Teleportation at a glance: the waits, limits and prices of every way to teleport.
import { Section } from '@gantry/ui/section.tsx';
import { useTexts } from '../../../texts/texts.ts';
import type { EditorProps } from '../editing.ts';
import { entriesOf } from '../../schema/data.ts';
import { SettingsTable } from '../parts/settings-table.tsx';

export default function TeleportEditor({ data, schema }: EditorProps) {
  const t = useTexts('plugin-configs');
  const { home = {}, tpr = {}, dynamic_commands: commands } = schema.properties;
  const named = entriesOf(data['dynamic_commands']).map(([name]) => name);
  return (
    <Section title={t('teleport.title')} lead={t('teleport.lead')}>
      <SettingsTable
        label={t('teleport.title')}
        data={data}
        rows={[
          { name: t('teleport.home'), path: ['home'], schema: home },
          { name: t('teleport.request'), path: ['tpr'], schema: tpr },
          ...named.map((name) => ({
            name: t('teleport.command', { name }),
            path: ['dynamic_commands', name],
            schema: commands?.additionalProperties ?? {},
          })),
        ]}
        columns={[
          { field: 'homes_limit', header: t('teleport.homes') },
          { field: 'cooldown', header: t('teleport.cooldown'), unit: t('units.seconds') },
          { field: 'countdown', header: t('teleport.countdown'), unit: t('units.seconds') },
          { field: 'daily_limit', header: t('teleport.daily') },
          { field: 'pay', header: t('teleport.price') },
        ]}
      />
    </Section>
  );
}
