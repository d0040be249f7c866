// The license: its name and address, its secrets, and everything that can be taken out of it or into it.
import { Alert, Badge, Skeleton } from '@mantine/core';
import { StateText } from '@gantry/ui/state-text.tsx';
import { useMay, useMayAny } from '../api/may.ts';
import type { Schemas } from '../api/operations.ts';
import { useRead } from '../api/reading.ts';
import { useFormats } from '../shared/formats.ts';
import { Loaded } from '../shared/loaded.tsx';
import { Page } from '../shared/page.tsx';
import { useTexts } from '../texts/texts.ts';
import { DataSection } from './data-section.tsx';
import { GeneralSection } from './general-section.tsx';
import { KeySection } from './key-section.tsx';
import { TokenSection } from './token-section.tsx';
import { TransferSection } from './transfer-section.tsx';

export function LicensePage() {
  const t = useTexts('license');
  const asked = useRead('/api/license');
  const license = asked.data;
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      width="narrow"
      {...(license !== undefined && { status: <Status license={license} /> })}
    >
      <Loaded asked={asked} waitingFor={t('title')} skeleton={<PageSkeleton />}>
        {(loaded) => <Sections license={loaded} />}
      </Loaded>
    </Page>
  );
}

function Status({ license: { status, is_sandbox } }: { license: Schemas['OwnLicense'] }) {
  const t = useTexts('license');
  return (
    <>
      <StateText tone={status === 'active' ? 'good' : 'bad'}>
        {status === 'active' ? t('status.active') : t('status.revoked')}
      </StateText>
      {is_sandbox && <Badge variant="light">{t('sandbox')}</Badge>}
    </>
  );
}

function Sections({ license }: { license: Schemas['OwnLicense'] }) {
  const t = useTexts('license');
  const formats = useFormats();
  const mayTransfer = useMayAny('GET /api/migration/export', 'POST /api/migration/import');
  const mayExport = useMay('GET /api/license/export');
  const mayRotate = useMay('POST /api/license/rotate-companion-token');
  return (
    <>
      {license.revoked_at !== null && (
        <Alert color="red" title={t('revoked.title')}>
          {t('revoked.detail', { date: formats.dateTime(license.revoked_at) })}
        </Alert>
      )}
      <GeneralSection license={license} />
      {license.key !== null && <KeySection license={license} licenseKey={license.key} />}
      {mayRotate && !license.is_sandbox && <TokenSection license={license} />}
      {mayTransfer && <TransferSection license={license} />}
      {mayExport && <DataSection license={license} />}
    </>
  );
}

function PageSkeleton() {
  return (
    <>
      <Skeleton height={280} mb={18} />
      <Skeleton height={150} mb={18} />
      <Skeleton height={150} />
    </>
  );
}
