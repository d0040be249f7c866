// The settings of a server: what it was created from, and its removal.
import { Section } from '@gantry/ui/section.tsx';
import { useMay } from '../../api/may.ts';
import { useTexts } from '../../texts/texts.ts';
import { useInstance } from '../use-instance.ts';
import { Definition } from './definition.tsx';
import { Removal } from './removal.tsx';

export function SettingsPage() {
  const t = useTexts('instance');
  const mayManage = useMay('DELETE /api/fleet/instances/{instance_id}/definition');
  const { data: instance } = useInstance();
  if (instance === undefined) return null;
  return (
    <div className="stack">
      {instance.managed_by === 'platform' ? (
        <Definition instance={instance} />
      ) : (
        <Section title={t('settings.definition')}>
          <p className="hint">{t('settings.ofFile')}</p>
        </Section>
      )}
      {mayManage && <Removal instance={instance} />}
    </div>
  );
}
