// The settings of the store: its subscription, its payments, and what buyers see.
import { Skeleton } from '@mantine/core';
import { useDocument } from '../../api/reading.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { useTexts } from '../../texts/texts.ts';
import { useProviders } from '../use-store.ts';
import classes from './settings.module.css';
import { SettingsSection } from './settings-section.tsx';
import { StripeSection } from './stripe-section.tsx';
import { SubscriptionSection } from './subscription-section.tsx';

export function SettingsPage() {
  const t = useTexts('store');
  const settings = useDocument('/api/webstore/config');
  const providers = useProviders();
  return (
    <div className={classes.page}>
      <SubscriptionSection />
      <Loaded asked={providers} waitingFor={t('stripe.title')} skeleton={<Skeleton height={180} />}>
        {({ data }) => (
          <>
            <StripeSection stripe={data.find(({ provider }) => provider === 'stripe')} />
            <Loaded asked={settings} waitingFor={t('settings.title')} skeleton={<Skeleton height={420} />}>
              {({ document, version }) => (
                <SettingsSection settings={document} version={version} providers={data} />
              )}
            </Loaded>
          </>
        )}
      </Loaded>
    </div>
  );
}
