// The audit log of all licenses and of the platform itself.
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { serverNow } from '@gantry/ui/server-clock.ts';
import { client } from '../api/client.ts';
import { usePages } from '../api/reading.ts';
import { DownloadButton } from '../shared/download-button.tsx';
import { Page } from '../shared/page.tsx';
import { useTexts } from '../texts/texts.ts';
import { AuditList, refreshMs } from './audit-list.tsx';
import { useLicenseNames } from './use-license-names.ts';
import { asFile, queryOf, type AuditSearch } from './audit-search.ts';

const route = getRouteApi('/frame/platform/audit');

export function PlatformAuditPage() {
  const t = useTexts('audit');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useMemo(
    () => ({ ...queryOf(search, serverNow()), ...(search.license !== '' && { license_id: search.license }) }),
    [search],
  );
  const entries = usePages(
    '/api/admin/audit',
    { params: { query } },
    { every: refreshMs, keepsFormer: true },
  );
  const names = useLicenseNames(entries.items, search.license);
  const set = useCallback(
    (change: Partial<AuditSearch>) =>
      void navigate({ search: (former) => ({ ...former, ...change }), replace: true }),
    [navigate],
  );
  return (
    <Page
      title={t('platform.title')}
      lead={t('platform.lead')}
      action={
        <DownloadButton
          file="audit-log.csv"
          fetch={async () =>
            asFile(
              await client.GET('/api/admin/audit', {
                params: { query: { ...query, format: 'csv' } },
                parseAs: 'blob',
              }),
            )
          }
        >
          {t('export')}
        </DownloadButton>
      }
    >
      <AuditList entries={entries} search={search} set={set} names={names} showsLicense />
    </Page>
  );
}
