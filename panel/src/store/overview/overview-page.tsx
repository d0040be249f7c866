// The first tab of the store: what is missing until it opens, and what it earns.
import { Skeleton } from '@mantine/core';
import { useMay } from '../../api/may.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { useTexts } from '../../texts/texts.ts';
import { useItems, useProviders, useSettings, useSubscription } from '../use-store.ts';
import { AttentionSection } from './attention-section.tsx';
import { Checklist, type ChecklistProps } from './checklist.tsx';
import { RevenueSection } from './revenue-section.tsx';

export function OverviewPage() {
  const t = useTexts('store');
  const settings = useSettings();
  const mayReadOrders = useMay('GET /api/webstore/transactions');
  return (
    <Loaded asked={settings} waitingFor={t('title')} skeleton={<Skeleton height={220} />}>
      {(loaded) => (
        <>
          {!loaded.is_open && <Setup />}
          {mayReadOrders && <AttentionSection />}
          {mayReadOrders && <RevenueSection currency={loaded.currency} />}
        </>
      )}
    </Loaded>
  );
}

function Setup() {
  const t = useTexts('store');
  const settings = useSettings();
  const providers = useProviders();
  const subscription = useSubscription();
  const items = useItems();
  const failed = [settings, providers, subscription, items].find(({ error }) => error !== null);
  const parts = partsOf(settings.data, providers.data?.data, subscription.data, items.items);
  return (
    <Loaded
      asked={{ ...(failed ?? settings), data: parts }}
      waitingFor={t('setup.title')}
      skeleton={<Skeleton height={300} />}
    >
      {(loaded) => <Checklist {...loaded} />}
    </Loaded>
  );
}

/** The checklist appears once everything on it is known. */
function partsOf(
  settings: ChecklistProps['settings'] | undefined,
  providers: ChecklistProps['providers'] | undefined,
  subscription: ChecklistProps['subscription'] | undefined,
  items: ChecklistProps['items'] | undefined,
): ChecklistProps | undefined {
  if (settings === undefined || providers === undefined) return undefined;
  if (subscription === undefined || items === undefined) return undefined;
  return { settings, providers, subscription, items };
}
