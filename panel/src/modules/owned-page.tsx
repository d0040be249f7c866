// The modules that the license may use, and the servers that each is installed on.
import { Button, Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Blocks } from 'lucide-react';
import { useState } from 'react';
import { Section } from '@gantry/ui/section.tsx';
import { useMay } from '../api/may.ts';
import type { Schemas } from '../api/operations.ts';
import { usePages } from '../api/reading.ts';
import { EmptyState } from '../shared/empty-state.tsx';
import { useFormats } from '../shared/formats.ts';
import { Loaded } from '../shared/loaded.tsx';
import { useTexts } from '../texts/texts.ts';
import { InstallDialog } from './install-dialog.tsx';
import { InstallationItem } from './installation-item.tsx';
import classes from './modules.module.css';

type Purchase = Schemas['ModulePurchase'];
type Installation = Schemas['ModuleInstallation'];

export function OwnedPage() {
  const t = useTexts('modules');
  const owned = usePages('/api/modules/owned', {}, { all: true });
  const installations = usePages('/api/modules/installations', {}, { all: true });
  const failed = owned.error === null ? installations : owned;
  const data =
    owned.items === undefined || installations.items === undefined
      ? undefined
      : { modules: owned.items, installations: installations.items };
  return (
    <Loaded asked={{ ...failed, data }} waitingFor={t('tabs.owned')} skeleton={<Skeleton height={220} />}>
      {(loaded) => <OwnedList {...loaded} />}
    </Loaded>
  );
}

interface OwnedListProps {
  modules: readonly Purchase[];
  installations: readonly Installation[];
}

function OwnedList({ modules, installations }: OwnedListProps) {
  const t = useTexts('modules');
  const present = installations.filter(({ status }) => status !== 'removed');
  const slugs = new Set(modules.map(({ module }) => module));
  const others = [...new Set(present.map(({ module }) => module))].filter((slug) => !slugs.has(slug));
  if (modules.length + others.length === 0)
    return (
      <EmptyState
        icon={Blocks}
        title={t('owned.empty.title')}
        action={
          <Button component={Link} to="/modules">
            {t('owned.empty.action')}
          </Button>
        }
      >
        {t('owned.empty.detail')}
      </EmptyState>
    );
  return (
    <>
      {modules.map((purchase) => (
        <OwnedModule
          key={purchase.module}
          slug={purchase.module}
          purchase={purchase}
          installations={present.filter(({ module }) => module === purchase.module)}
        />
      ))}
      {others.map((slug) => (
        <OwnedModule
          key={slug}
          slug={slug}
          purchase={null}
          installations={present.filter(({ module }) => module === slug)}
        />
      ))}
    </>
  );
}

interface OwnedModuleProps {
  slug: string;
  /** `null` for a module whose subscription has ended, but which is still installed. */
  purchase: Purchase | null;
  installations: readonly Installation[];
}

function OwnedModule({ slug, purchase, installations }: OwnedModuleProps) {
  const t = useTexts('modules');
  const formats = useFormats();
  const mayInstall = useMay('POST /api/modules/install');
  const [isInstalling, setIsInstalling] = useState(false);
  const mayReadServers = useMay('GET /api/fleet/instances');
  const servers = usePages('/api/fleet/instances', {}, { all: true, enabled: mayReadServers }).items ?? [];
  const nameOf = (id: string) => servers.find((server) => server.id === id)?.name ?? id;
  const lead =
    purchase === null
      ? t('owned.ended')
      : purchase.period === null
        ? t('owned.bought', { date: formats.date(purchase.created_at), who: purchase.purchased_by })
        : t('owned.until', { date: formats.date(purchase.period.to) });
  return (
    <Section
      title={purchase?.name ?? slug}
      lead={lead}
      aside={
        mayInstall &&
        purchase !== null && <Button onClick={() => setIsInstalling(true)}>{t('owned.install')}</Button>
      }
    >
      {installations.length === 0 ? (
        <p className="hint">{t('owned.nowhere')}</p>
      ) : (
        <ul className={classes.installations}>
          {installations.map((installation) => (
            <InstallationItem
              key={installation.id}
              installation={installation}
              module={purchase?.name ?? slug}
              server={nameOf(installation.instance_id)}
            />
          ))}
        </ul>
      )}
      <InstallDialog
        slug={slug}
        name={purchase?.name ?? slug}
        servers={servers}
        isOpen={isInstalling}
        onClose={() => setIsInstalling(false)}
      />
    </Section>
  );
}
