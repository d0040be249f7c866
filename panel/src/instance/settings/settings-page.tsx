// The settings of a server: what it was created from, and its removal.
import { Link } from '@tanstack/react-router';
import { CopyField } from '@gantry/ui/copy-field.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { useMay } from '../../api/may.ts';
import { useTexts } from '../../texts/texts.ts';
import { useInstance } from '../use-instance.ts';
import { Definition } from './definition.tsx';
import { Removal } from './removal.tsx';

/** Game servers outlive it. */
const restartCommand = 'sudo systemctl restart gantry-agent';

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
        <Section title={t('settings.definition')} lead={t('settings.fileLead')}>
          <div className="stack">
            <p className="hint">{t('settings.ofFile')}</p>
            <CopyField value={restartCommand} label={t('settings.restart')} action={t('settings.copy')} />
            <p className="hint">
              {t('settings.templates')}{' '}
              <Link to="/hosts/$hostId" params={{ hostId: instance.host_id }}>
                {t('settings.toHost', { name: instance.hostname })}
              </Link>
            </p>
          </div>
        </Section>
      )}
      {mayManage && <Removal instance={instance} />}
    </div>
  );
}
