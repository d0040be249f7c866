// One provisioned license, with what its customer needs to use it.
import { Button, Skeleton } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Facts } from '@gantry/ui/facts.tsx';
import { Section } from '@gantry/ui/section.tsx';
import type { Schemas } from '../api/operations.ts';
import { BackLink } from '../shared/back-link.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { Page } from '../shared/page.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { LicenseAccess } from './license-access.tsx';
import { LicenseState } from './license-state.tsx';
import { licenseOf } from './provision/provision-once.ts';
import { useLicense } from './reading.ts';
import { StatusDialog } from './status-dialog.tsx';

type License = Schemas['ResellerLicense'];

const route = getRouteApi('/reseller/licenses/$licenseId');

export function LicensePage() {
  const t = useTexts('reseller');
  const { licenseId } = route.useParams();
  return (
    <Loaded
      isPage
      asked={useLicense(licenseId)}
      waitingFor={t('columns.server')}
      skeleton={<Skeleton height={300} />}
    >
      {(license) => <Shown key={license.id} license={license} />}
    </Loaded>
  );
}

function Shown({ license }: { license: License }) {
  const t = useTexts('reseller');
  const [isAsking, setIsAsking] = useState(false);
  const isActive = license.status === 'active';
  return (
    <Page
      title={license.server_id}
      status={<LicenseState status={license.status} />}
      lead={license.hostname}
      above={<BackLink to="/reseller">{t('licenses.title')}</BackLink>}
      {...(license.status !== 'revoked' && {
        action: (
          <Button variant="default" onClick={() => setIsAsking(true)}>
            {t(isActive ? 'suspend.action' : 'resume.action')}
          </Button>
        ),
      })}
    >
      <Section title={t('license')}>
        <Facts
          facts={[
            [t('columns.customer'), license.customer_email],
            [t('access.subdomain'), license.subdomain],
            [t('columns.created'), <Time key="created" at={license.created_at} />],
            [t('columns.statusSince'), <Time key="since" at={license.status_changed_at} />],
            [
              t('columns.licenseId'),
              <span key="id" className="mono">
                {license.license_id}
              </span>,
            ],
          ]}
        />
      </Section>
      <Access license={license} />
      {isAsking && (
        <StatusDialog
          licenses={[license]}
          status={license.status === 'active' ? 'suspended' : 'active'}
          onClose={() => setIsAsking(false)}
        />
      )}
    </Page>
  );
}

/** Provisioning a server again returns its license with the secrets, and changes nothing. */
function Access({ license: { server_id, hostname, customer_email } }: { license: License }) {
  const t = useTexts('reseller');
  const show = useMutation({
    mutationFn: () => licenseOf({ server_id, hostname, customer_email }),
  });
  return (
    <Section title={t('access.title')} lead={t('access.lead')}>
      {show.data === undefined || show.data === null ? (
        <>
          <Button variant="default" loading={show.isPending} onClick={() => show.mutate()}>
            {t('access.show')}
          </Button>
          <ProblemAlert error={show.error} />
        </>
      ) : (
        <LicenseAccess license={show.data} />
      )}
    </Section>
  );
}
