// The steps until the store is open, with the next one first in line.
import { Button } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { Section } from '@gantry/ui/section.tsx';
import { useMay } from '../../api/may.ts';
import type { Schemas } from '../../api/operations.ts';
import { useWrite } from '../../api/writing.ts';
import { tagOf } from '../../shared/draft.ts';
import { ProblemAlert } from '../../shared/problem-alert.tsx';
import { useTexts } from '../../texts/texts.ts';
import classes from './overview.module.css';

export interface ChecklistProps {
  settings: Schemas['StoreSettings'];
  providers: readonly Schemas['PaymentProvider'][];
  subscription: Schemas['StoreSubscription'] | null;
  items: readonly Schemas['StoreItem'][];
}

type StepName = 'subscribe' | 'payments' | 'items' | 'open';

const places: Record<Exclude<StepName, 'open'>, NonNullable<LinkProps['to']>> = {
  subscribe: '/webstore/settings',
  payments: '/webstore/settings',
  items: '/webstore/items/new',
};

export function Checklist({ settings, providers, subscription, items }: ChecklistProps) {
  const t = useTexts('store');
  const isProviderReady = providers.some(
    ({ provider, is_allowed, is_ready }) => provider === settings.provider && is_allowed && is_ready,
  );
  const steps: readonly (readonly [name: StepName, isDone: boolean])[] = [
    ['subscribe', subscription?.opens_store === true],
    ['payments', isProviderReady],
    ['items', items.some(({ is_enabled }) => is_enabled)],
    ['open', settings.is_enabled],
  ];
  const next = steps.find(([, isDone]) => !isDone)?.[0];
  return (
    <Section title={t('setup.title')} lead={t('setup.lead')}>
      <ol className={classes.steps}>
        {steps.map(([name, isDone], index) => (
          <li key={name} className={classes.step} data-done={isDone || undefined}>
            <span className={classes.mark} aria-hidden="true">
              {isDone ? <Check size={15} /> : index + 1}
            </span>
            <div className="grow">
              <div className={classes.stepName}>
                {t(`setup.${name}.name`)}
                {isDone && <span className="visuallyHidden"> · {t('setup.done')}</span>}
              </div>
              <p className="hint">{t(`setup.${name}.detail`)}</p>
            </div>
            {!isDone && <StepAction name={name} isNext={name === next} settings={settings} />}
          </li>
        ))}
      </ol>
    </Section>
  );
}

interface StepActionProps {
  name: StepName;
  isNext: boolean;
  settings: Schemas['StoreSettings'];
}

function StepAction({ name, isNext, settings }: StepActionProps) {
  const t = useTexts('store');
  const mayManage = useMay('PUT /api/webstore/config');
  if (!mayManage) return null;
  if (name === 'open') return isNext ? <OpenButton settings={settings} /> : null;
  return (
    <Button component={Link} to={places[name]} variant={isNext ? 'filled' : 'default'}>
      {t(`setup.${name}.action`)}
    </Button>
  );
}

function OpenButton({ settings }: { settings: Schemas['StoreSettings'] }) {
  const t = useTexts('store');
  const open = useWrite('PUT /api/webstore/config', { refreshes: ['/api/webstore/config'] });
  const { name, currency, theme, terms, provider, version } = settings;
  return (
    <div className={classes.openStore}>
      <Button
        loading={open.isPending}
        onClick={() =>
          open.mutate({
            params: { header: { 'If-Match': tagOf(version) } },
            body: { name, currency, theme, terms, provider, is_enabled: true },
          })
        }
      >
        {t('setup.open.action')}
      </Button>
      <ProblemAlert error={open.error} />
    </div>
  );
}
