// One API key: where it comes from, what it may do, what it still calls, and its revocation.
import { Button, Skeleton, Table } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Facts } from '@gantry/ui/facts.tsx';
import { ScrollingTable } from '@gantry/ui/scrolling-table.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { useMay } from '../api/may.ts';
import type { Schemas } from '../api/operations.ts';
import { useRead } from '../api/reading.ts';
import { useCatalog } from '../permissions/catalog.ts';
import { GrantedPermissions } from '../permissions/granted-permissions.tsx';
import { BackLink } from '../shared/back-link.tsx';
import { useFormats } from '../shared/formats.ts';
import { Loaded } from '../shared/loaded.tsx';
import { Page } from '../shared/page.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { KeyStatus } from './key-status.tsx';
import { RevokeKeyDialog } from './revoke-key-dialog.tsx';

type Key = Schemas['ApiKeyDetail'];

const route = getRouteApi('/frame/licensed/api-keys/$apiKeyId');

/** No event reports the use of a key. */
const usesMs = 30_000;

export function ApiKeyPage() {
  const t = useTexts('api-keys');
  const { apiKeyId } = route.useParams();
  const asked = useRead(
    '/api/api-keys/{api_key_id}',
    { params: { path: { api_key_id: apiKeyId } } },
    { every: usesMs },
  );
  return (
    <Loaded isPage asked={asked} waitingFor={t('columns.name')} skeleton={<Skeleton height={320} />}>
      {(key) => <OneKey apiKey={key} />}
    </Loaded>
  );
}

function OneKey({ apiKey }: { apiKey: Key }) {
  const t = useTexts('api-keys');
  const mayRevoke = useMay('DELETE /api/api-keys/{api_key_id}') && apiKey.status !== 'revoked';
  const [isAsking, setIsAsking] = useState(false);
  const catalog = useCatalog();
  return (
    <Page
      title={apiKey.name}
      status={<KeyStatus status={apiKey.status} />}
      above={<BackLink to="/api-keys">{t('back')}</BackLink>}
      {...(mayRevoke && {
        action: (
          <Button variant="default" onClick={() => setIsAsking(true)}>
            {t('revoke.action')}
          </Button>
        ),
      })}
    >
      <About apiKey={apiKey} />
      <DeprecatedUses uses={apiKey.deprecated_uses} />
      <Section title={t('detail.permissions')} lead={t('detail.permissionsLead')}>
        <Loaded asked={catalog} waitingFor={t('detail.permissions')}>
          {(groups) => <GrantedPermissions catalog={groups} permissions={apiKey.permissions} />}
        </Loaded>
      </Section>
      <RevokeKeyDialog apiKey={apiKey} isOpen={isAsking} onClose={() => setIsAsking(false)} />
    </Page>
  );
}

function About({ apiKey }: { apiKey: Key }) {
  const t = useTexts('api-keys');
  const formats = useFormats();
  const { identifier, created_by, created_at, expires_at, last_used_at, allowed_ips, revoked_at } = apiKey;
  return (
    <Section title={t('detail.title')}>
      <Facts
        facts={[
          [t('detail.lastUsed'), last_used_at === null ? t('never') : <Time key="used" at={last_used_at} />],
          [t('detail.expires'), expires_at === null ? t('never') : formats.dateTime(expires_at)],
          [t('detail.identifier'), <code key="identifier">gantry_{identifier}</code>],
          [t('detail.from'), allowed_ips === null ? t('detail.anywhere') : allowed_ips.join(', ')],
          [t('detail.by'), created_by],
          [t('detail.created'), formats.dateTime(created_at)],
          ...(revoked_at === null ? [] : [[t('detail.revoked'), formats.dateTime(revoked_at)] as const]),
        ]}
      />
    </Section>
  );
}

function DeprecatedUses({ uses }: { uses: Key['deprecated_uses'] }) {
  const t = useTexts('api-keys');
  const formats = useFormats();
  if (uses.length === 0)
    return (
      <Section title={t('detail.deprecated')}>
        <p className="hint">{t('detail.noDeprecated')}</p>
      </Section>
    );
  return (
    <Section title={t('detail.deprecated')} lead={t('detail.deprecatedLead')} tone="warning">
      <ScrollingTable label={t('detail.deprecated')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('detail.operation')}</Table.Th>
            <Table.Th scope="col">{t('detail.calls')}</Table.Th>
            <Table.Th scope="col">{t('detail.lastCall')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {uses.map(({ operation, count, last_used_at }) => (
            <Table.Tr key={operation}>
              <Table.Th scope="row">
                <code>{operation}</code>
              </Table.Th>
              <Table.Td className="number">{formats.number(count)}</Table.Td>
              <Table.Td>
                <Time at={last_used_at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ScrollingTable>
    </Section>
  );
}
