// The audit log of the license.
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { serverNow } from '@gantry/ui/server-clock.ts';
import { client } from '../api/client.ts';
import { useMay } from '../api/may.ts';
import { usePages } from '../api/reading.ts';
import { DownloadButton } from '../shared/download-button.tsx';
import { Page } from '../shared/page.tsx';
import { useTexts } from '../texts/texts.ts';
import { AuditList, refreshMs } from './audit-list.tsx';
import { asFile, queryOf, type AuditSearch } from './audit-search.ts';
import type { ActorGroup } from './audit-filters.tsx';
import type { Names } from './words.ts';

const route = getRouteApi('/frame/licensed/audit');

export function AuditPage() {
  const t = useTexts('audit');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useMemo(() => queryOf(search, serverNow()), [search]);
  const entries = usePages('/api/audit', { params: { query } }, { every: refreshMs, keepsFormer: true });
  const set = useCallback(
    (change: Partial<AuditSearch>) =>
      void navigate({ search: (former) => ({ ...former, ...change }), replace: true }),
    [navigate],
  );
  const { actors, names } = useNames();
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      action={
        <DownloadButton
          file="audit-log.csv"
          fetch={async () =>
            asFile(
              await client.GET('/api/audit', {
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
      <AuditList entries={entries} search={search} set={set} actors={actors} names={names} />
    </Page>
  );
}

/** Those whose changes can be chosen, and the names of what entries mention by ID. */
function useNames(): { actors: readonly ActorGroup[]; names: Names } {
  const t = useTexts('audit');
  const maySeeMembers = useMay('GET /api/team/members');
  const maySeeKeys = useMay('GET /api/api-keys');
  const maySeeRoles = useMay('GET /api/roles');
  const { items: members } = usePages('/api/team/members', {}, { all: true, enabled: maySeeMembers });
  const { items: keys } = usePages('/api/api-keys', {}, { all: true, enabled: maySeeKeys });
  const { items: roles } = usePages('/api/roles', {}, { all: true, enabled: maySeeRoles });
  const maySeeServers = useMay('GET /api/fleet/instances');
  const { items: servers } = usePages('/api/fleet/instances', {}, { all: true, enabled: maySeeServers });
  return useMemo(() => {
    const users = (members ?? []).map(({ user_id, email }) => ({ value: user_id, label: email }));
    const programs = (keys ?? []).map(({ id, name }) => ({ value: id, label: name }));
    return {
      actors: [
        { group: t('filters.members'), items: users },
        { group: t('filters.keys'), items: programs },
      ],
      names: new Map([
        ...[...users, ...programs].map(({ value, label }) => [value, label] as const),
        ...[...(roles ?? []), ...(servers ?? [])].map(({ id, name }) => [id, name] as const),
      ]),
    };
  }, [t, members, keys, roles, servers]);
}
