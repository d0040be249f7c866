// What a new API key is called, when it ends, where it may be used from, and what it may do.
import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Section } from '@gantry/ui/section.tsx';
import { serverNow } from '@gantry/ui/server-clock.ts';
import type { Schemas } from '../api/operations.ts';
import { faultText } from '../api/fault-text.ts';
import { faultAt, problemOf } from '../api/problem.ts';
import { useCatalog } from '../permissions/catalog.ts';
import { grantedEntries, type PermissionMap } from '../permissions/permission-map.ts';
import { PermissionPicker } from '../permissions/permission-picker.tsx';
import { Form } from '../shared/form.tsx';
import { useFormats } from '../shared/formats.ts';
import { Loaded } from '../shared/loaded.tsx';
import { UnsavedGuard } from '../shared/unsaved-guard.tsx';
import { useTexts } from '../texts/texts.ts';

interface KeyFormProps {
  isPending: boolean;
  error: Error | null;
  onSubmit: (body: Schemas['ApiKeyCreate']) => void;
}

/** Days, or another way to end. */
const expiries = ['30', '90', '365', 'date', 'never'] as const;
type Expiry = (typeof expiries)[number];

const dayMs = 24 * 60 * 60_000;

/** A key could otherwise create another one that outlives its revocation. */
const never = ['apikeys.manage'];

export function KeyForm({ isPending, error, onSubmit }: KeyFormProps) {
  const t = useTexts('api-keys');
  const common = useTexts('common');
  const formats = useFormats();
  const catalog = useCatalog();
  const [name, setName] = useState('');
  const [expiry, setExpiry] = useState<Expiry>('365');
  const [date, setDate] = useState('');
  const [addresses, setAddresses] = useState('');
  const [permissions, setPermissions] = useState<PermissionMap>({});
  const networks = addresses.split(/[\s,]+/).filter((each) => each !== '');
  const expiresAt = endOf(expiry, date);
  const isGranting = grantedEntries(permissions).length > 0;
  const isComplete = name.trim() !== '' && isGranting && (expiry !== 'date' || expiresAt !== null);
  const pointers = networks.map((_, index) => `/allowed_ips/${index}`);
  const addressFaults = (problemOf(error)?.errors ?? []).filter(({ pointer }) =>
    pointer.startsWith('/allowed_ips'),
  );
  return (
    <Form
      submit={t('create')}
      isLong
      isPending={isPending}
      isDisabled={!isComplete}
      error={error}
      fields={['/name', '/expires_at', '/allowed_ips', ...pointers]}
      others={
        <>
          <Button component={Link} to="/api-keys" variant="default">
            {common('actions.cancel')}
          </Button>
          {!isGranting && <span className="hint">{t('new.none')}</span>}
        </>
      }
      onSubmit={(event) => {
        event.preventDefault();
        if (!isComplete) return;
        onSubmit({
          name: name.trim(),
          permissions,
          ...(expiresAt !== null && { expires_at: expiresAt.toISOString() }),
          ...(networks.length > 0 && { allowed_ips: networks }),
        });
      }}
    >
      <UnsavedGuard isUnsaved={name !== '' || addresses !== '' || isGranting} />
      <Section title={t('new.about')}>
        <div className="fields">
          <TextInput
            label={t('new.name')}
            description={t('new.nameHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            maxLength={100}
            value={name}
            error={faultAt(error, '/name')}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <NativeSelect
            label={t('new.expiry')}
            description={
              expiry === 'never'
                ? t('new.neverHint')
                : expiresAt !== null && t('new.expiryHint', { date: formats.date(expiresAt.getTime()) })
            }
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={expiry}
            error={expiry === 'date' ? undefined : faultAt(error, '/expires_at')}
            data={expiries.map((value) => ({ value, label: t(`new.expiries.${value}`) }))}
            onChange={(event) => setExpiry(event.currentTarget.value as Expiry)}
          />
          {expiry === 'date' && (
            <TextInput
              type="date"
              label={t('new.date')}
              value={date}
              error={faultAt(error, '/expires_at')}
              onChange={(event) => setDate(event.currentTarget.value)}
            />
          )}
          <Textarea
            label={t('new.ips')}
            description={t('new.ipsHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            rows={3}
            spellCheck={false}
            value={addresses}
            error={
              addressFaults.length > 0 &&
              addressFaults
                .map((fault) => `${addressAt(networks, fault.pointer)} ${faultText(fault)}`.trim())
                .join(' ')
            }
            onChange={(event) => setAddresses(event.currentTarget.value)}
          />
        </div>
      </Section>
      <Section title={t('new.permissions')}>
        <Loaded asked={catalog} waitingFor={t('new.permissions')}>
          {(groups) => (
            <PermissionPicker catalog={groups} value={permissions} onChange={setPermissions} never={never} />
          )}
        </Loaded>
      </Section>
    </Form>
  );
}

/** When the key ends; the end of a chosen day, in the time of the user. */
function endOf(expiry: Expiry, date: string): Date | null {
  if (expiry === 'never') return null;
  if (expiry !== 'date') return new Date(serverNow() + Number(expiry) * dayMs);
  const end = new Date(`${date}T23:59:59`);
  return Number.isNaN(end.getTime()) ? null : end;
}

const addressAt = (networks: readonly string[], pointer: string): string =>
  networks[Number(pointer.split('/')[2])] ?? '';
