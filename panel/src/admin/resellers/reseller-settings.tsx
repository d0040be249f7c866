// One reseller: its terms, its key, and whether the key is accepted.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Facts } from '@gantry/ui/facts.tsx';
import { Section } from '@gantry/ui/section.tsx';
import type { Schemas } from '../../api/operations.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { useFormats } from '../../shared/formats.ts';
import { Time } from '../../shared/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import { KeyOnce } from './key-once.tsx';
import { RotateKeyDialog, StatusDialog } from './reseller-dialogs.tsx';
import { Terms } from './reseller-words.tsx';
import { TermsForm } from './terms-form.tsx';
import { useReseller } from './use-reseller.ts';

type Reseller = Schemas['Reseller'];

export function ResellerSettings() {
  const t = useTexts('admin-resellers');
  return (
    <Loaded asked={useReseller()} waitingFor={t('tabs.settings')}>
      {(reseller) => <Shown reseller={reseller} />}
    </Loaded>
  );
}

function Shown({ reseller }: { reseller: Reseller }) {
  const t = useTexts('admin-resellers');
  const formats = useFormats();
  const [fresh, setFresh] = useState<Schemas['CreatedReseller'] | null>(null);
  const [asking, setAsking] = useState<'rotate' | 'status' | null>(null);
  const isActive = reseller.status === 'active';
  return (
    <>
      {fresh !== null && <KeyOnce reseller={fresh} onDone={() => setFresh(null)} />}
      <Section title={t('about')}>
        <Facts
          facts={[
            [t('columns.rate'), <Terms key="rate" reseller={reseller} />],
            [t('columns.licenses'), formats.number(reseller.license_count)],
            [
              t('columns.key'),
              <span key="key" className="mono">
                gantry_host_{reseller.key_identifier}_…
              </span>,
            ],
            [t('columns.created'), <Time key="created" at={reseller.created_at} />],
          ]}
        />
      </Section>
      <TermsForm reseller={reseller} />
      <Section title={t('access.title')} lead={t(isActive ? 'access.lead' : 'access.disabledLead')}>
        <div className="actions">
          <Button variant="default" disabled={fresh !== null} onClick={() => setAsking('rotate')}>
            {t('rotate.action')}
          </Button>
          <Button variant="default" onClick={() => setAsking('status')}>
            {t(isActive ? 'disable.action' : 'enable.action')}
          </Button>
        </div>
      </Section>
      <RotateKeyDialog
        reseller={reseller}
        isOpen={asking === 'rotate'}
        onRotated={setFresh}
        onClose={() => setAsking(null)}
      />
      <StatusDialog reseller={reseller} isOpen={asking === 'status'} onClose={() => setAsking(null)} />
    </>
  );
}
