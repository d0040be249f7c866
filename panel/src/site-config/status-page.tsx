// What the license shows on the public status page, with what visitors see beside it.
import { Button, Skeleton } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { ExternalLink } from 'lucide-react';
import { StateText } from '@gantry/ui/state-text.tsx';
import { useMay } from '../api/may.ts';
import { useDocument, usePages, useRead } from '../api/reading.ts';
import type { Schemas } from '../api/operations.ts';
import { useDraft } from '../shared/draft.ts';
import { Loaded } from '../shared/loaded.tsx';
import { Page } from '../shared/page.tsx';
import { useTexts } from '../texts/texts.ts';
import { ListingDialog } from './listing-dialog.tsx';
import { ListingsSection } from './listings-section.tsx';
import { Preview } from './preview.tsx';
import { SettingsSection, valuesOf } from './settings-section.tsx';
import classes from './site-config.module.css';

const route = getRouteApi('/frame/licensed/status-page');

export function StatusPage() {
  const t = useTexts('site-config');
  const settings = useDocument('/api/site-config');
  const license = useRead('/api/license', {}, { enabled: useMay('GET /api/license') }).data;
  const isPublic = settings.data?.document.is_public;
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      {...(isPublic !== undefined && {
        status: (
          <StateText tone={isPublic ? 'good' : 'idle'}>{isPublic ? t('public') : t('private')}</StateText>
        ),
      })}
      {...(isPublic === true &&
        license !== undefined && {
          action: (
            <Button
              component="a"
              variant="default"
              href={`/status/${license.subdomain}`}
              target="_blank"
              rel="noreferrer"
              leftSection={<ExternalLink size={16} aria-hidden="true" />}
            >
              {t('visit')}
            </Button>
          ),
        })}
    >
      <Loaded asked={settings} waitingFor={t('title')} skeleton={<Skeleton height={420} />}>
        {({ document, version }) => (
          <Settings settings={document} version={version} name={license?.name ?? ''} />
        )}
      </Loaded>
    </Page>
  );
}

interface SettingsProps {
  settings: Schemas['SiteSettings'];
  version: string;
  name: string;
}

function Settings({ settings, version, name }: SettingsProps) {
  const { server } = route.useSearch();
  const navigate = route.useNavigate();
  const draft = useDraft(valuesOf(settings), version);
  const listings = usePages('/api/site-config/instances', {}, { all: true });
  const open = (id: string) => void navigate({ search: { server: id }, replace: true });
  return (
    <div className={classes.columns}>
      <div className="stack">
        <SettingsSection settings={settings} draft={draft} />
        <ListingsSection listings={listings} settings={draft.values} onOpen={open} />
      </div>
      <Preview name={name} settings={draft.values} listings={listings.items ?? []} />
      <ListingDialog
        instanceId={server}
        isListedByDefault={draft.values.is_listed_by_default}
        onClose={() => open('')}
      />
    </div>
  );
}
