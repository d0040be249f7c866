// What buyers see of the store, how they pay, and whether it is open to them.
import { Alert, Button, ColorInput, NativeSelect, Switch, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Facts } from '@gantry/ui/facts.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { useMay } from '../../api/may.ts';
import type { Schemas } from '../../api/operations.ts';
import { faultAt, hasCode, problemOf } from '../../api/problem.ts';
import { keyOf } from '../../api/reading.ts';
import { useWrite } from '../../api/writing.ts';
import { Conflict } from '../../shared/conflict.tsx';
import { tagOf, useDraft, type Draft } from '../../shared/draft.ts';
import { Form } from '../../shared/form.tsx';
import { UnsavedGuard } from '../../shared/unsaved-guard.tsx';
import { useTexts } from '../../texts/texts.ts';
import { currencies } from './currencies.ts';
import classes from './settings.module.css';
import { Storefront } from './storefront.tsx';

type Settings = Schemas['StoreSettings'];
type Values = Schemas['StoreSettingsReplace'];

interface SettingsSectionProps {
  settings: Settings;
  version: string;
  providers: readonly Schemas['PaymentProvider'][];
}

export function SettingsSection(props: SettingsSectionProps) {
  const t = useTexts('store');
  const mayChange = useMay('PUT /api/webstore/config');
  const { name, currency, provider, public_url, terms } = props.settings;
  return (
    <Section title={t('settings.title')}>
      {mayChange ? (
        <SettingsForm {...props} />
      ) : (
        <Facts
          facts={[
            [t('settings.name'), name],
            [t('settings.currency'), currency],
            [t('settings.provider'), provider === null ? null : t(`providers.${provider}`)],
            [t('settings.address'), public_url],
            [t('settings.terms'), terms],
          ]}
        />
      )}
    </Section>
  );
}

const valuesOf = ({ name, currency, theme, terms, provider, is_enabled }: Settings): Values => ({
  name,
  currency,
  theme: { accent: theme.accent, background: theme.background, text: theme.text },
  terms,
  provider,
  is_enabled,
});

const fields = ['/name', '/terms', '/theme/accent', '/theme/background', '/theme/text'];

function SettingsForm({ settings, version, providers }: SettingsSectionProps) {
  const common = useTexts('common');
  const queries = useQueryClient();
  const [isSaved, setIsSaved] = useState(false);
  const draft = useDraft(valuesOf(settings), version);
  const { values, isDirty } = draft;
  const save = useWrite('PUT /api/webstore/config', {
    refreshes: ['/api/webstore/config', '/api/webstore/items'],
    onDone: (stored) => {
      const tag = tagOf(stored.version);
      queries.setQueryData([...keyOf('/api/webstore/config', undefined), 'document'], {
        document: stored,
        version: tag,
      });
      draft.settle(valuesOf(stored), tag);
      setIsSaved(true);
    },
  });
  const set = (change: Partial<Values>) => {
    setIsSaved(false);
    draft.set(change);
  };
  const isAtField = hasCode(save.error, 'currency_in_use', 'provider_not_ready');
  return (
    <>
      <UnsavedGuard isUnsaved={isDirty} />
      <Form
        submit={common('actions.save')}
        isPending={save.isPending}
        isDisabled={!isDirty}
        error={isAtField ? null : save.error}
        fields={fields}
        others={
          <>
            {isDirty && (
              <Button variant="default" onClick={draft.reset}>
                {common('actions.discard')}
              </Button>
            )}
            {isSaved && !isDirty && <span role="status">{common('saved')}</span>}
          </>
        }
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate({
            params: { header: { 'If-Match': draft.version } },
            body: {
              ...values,
              name: values.name.trim(),
              terms: values.terms?.trim() === '' ? null : values.terms,
            },
          });
        }}
      >
        <SettingsConflict draft={draft} />
        <Business values={values} set={set} error={save.error} settings={settings} providers={providers} />
        <Look values={values} set={set} error={save.error} />
      </Form>
    </>
  );
}

interface PartProps {
  values: Values;
  set: (change: Partial<Values>) => void;
  error: Error | null;
}

interface BusinessProps extends PartProps {
  settings: Settings;
  providers: readonly Schemas['PaymentProvider'][];
}

function Business({ values, set, error, settings, providers }: BusinessProps) {
  const t = useTexts('store');
  const common = useTexts('common');
  const offered = providers.filter(({ provider, is_allowed }) => is_allowed || provider === values.provider);
  return (
    <>
      <Switch
        label={t('settings.enabled')}
        description={t('settings.enabledHint')}
        checked={values.is_enabled}
        onChange={(event) => set({ is_enabled: event.currentTarget.checked })}
      />
      {settings.is_open && !values.is_enabled && <Alert color="yellow">{t('settings.closes')}</Alert>}
      <div className="fields">
        <TextInput
          label={t('settings.name')}
          maxLength={100}
          value={values.name}
          error={faultAt(error, '/name')}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <NativeSelect
          label={t('settings.provider')}
          value={values.provider ?? ''}
          data={[
            { value: '', label: common('none') },
            ...offered.map(({ provider, is_ready }) => ({
              value: provider,
              label: is_ready
                ? t(`providers.${provider}`)
                : t('settings.notReady', { name: t(`providers.${provider}`) }),
            })),
          ]}
          error={hasCode(error, 'provider_not_ready') && problemOf(error)?.detail}
          onChange={({ currentTarget: { value } }) =>
            set({ provider: value === '' ? null : (value as NonNullable<Values['provider']>) })
          }
        />
        <NativeSelect
          label={t('settings.currency')}
          value={values.currency}
          data={currencies}
          error={hasCode(error, 'currency_in_use') && problemOf(error)?.detail}
          onChange={(event) => set({ currency: event.currentTarget.value as Values['currency'] })}
        />
      </div>
      {values.provider === 'sandbox' && <Alert color="yellow">{t('settings.sandbox')}</Alert>}
      <Textarea
        label={t('settings.terms')}
        description={t('settings.termsHint')}
        autosize
        minRows={3}
        maxRows={12}
        maxLength={20_000}
        value={values.terms ?? ''}
        error={faultAt(error, '/terms')}
        onChange={({ currentTarget: { value } }) => set({ terms: value === '' ? null : value })}
      />
    </>
  );
}

function Look({ values, set, error }: PartProps) {
  const t = useTexts('store');
  return (
    <div className={classes.look}>
      <div className={classes.colors}>
        {(['accent', 'background', 'text'] as const).map((part) => (
          <ColorInput
            key={part}
            label={t(`settings.colors.${part}`)}
            format="hex"
            eyeDropperButtonProps={{ 'aria-label': t('settings.pickColor') }}
            value={values.theme[part]}
            error={faultAt(error, `/theme/${part}`)}
            onChange={(color) => set({ theme: { ...values.theme, [part]: color.toLowerCase() } })}
          />
        ))}
      </div>
      <Storefront name={values.name} theme={values.theme} currency={values.currency} />
    </div>
  );
}

function SettingsConflict({ draft }: { draft: Draft<Values> }) {
  const t = useTexts('store');
  return (
    <Conflict
      draft={draft}
      fields={[
        {
          key: 'is_enabled',
          name: t('settings.enabled'),
          show: ({ is_enabled }) => (is_enabled ? t('yes') : t('no')),
        },
        { key: 'name', name: t('settings.name'), show: ({ name }) => name },
        {
          key: 'provider',
          name: t('settings.provider'),
          show: ({ provider }) => (provider === null ? '–' : t(`providers.${provider}`)),
        },
        { key: 'currency', name: t('settings.currency'), show: ({ currency }) => currency },
        { key: 'terms', name: t('settings.terms'), show: ({ terms }) => terms ?? '–' },
        {
          key: 'theme',
          name: t('settings.look'),
          show: ({ theme }) => [theme.accent, theme.background, theme.text].join(' '),
        },
      ]}
    />
  );
}
