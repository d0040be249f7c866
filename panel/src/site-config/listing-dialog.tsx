// How one server is shown to visitors.
import { Button, NativeSelect, Select, Textarea, TextInput } from '@mantine/core';
import { Dialog } from '@gantry/ui/dialog.tsx';
import type { Schemas } from '../api/operations.ts';
import { faultAt } from '../api/problem.ts';
import { useDocument } from '../api/reading.ts';
import { useWrite } from '../api/writing.ts';
import { Conflict } from '../shared/conflict.tsx';
import { useDraft } from '../shared/draft.ts';
import { Form } from '../shared/form.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { UnsavedGuard } from '../shared/unsaved-guard.tsx';
import { useTexts } from '../texts/texts.ts';

interface ListingDialogProps {
  /** Empty while none is open. */
  instanceId: string;
  isListedByDefault: boolean;
  onClose: () => void;
}

export function ListingDialog({ instanceId, isListedByDefault, onClose }: ListingDialogProps) {
  const t = useTexts('site-config');
  return (
    <Dialog isOpen={instanceId !== ''} title={t('listing.title')} onClose={onClose}>
      <div className="dialogForm">
        <Listing instanceId={instanceId} isListedByDefault={isListedByDefault} onClose={onClose} />
      </div>
    </Dialog>
  );
}

function Listing({ instanceId, isListedByDefault, onClose }: ListingDialogProps) {
  const t = useTexts('site-config');
  const asked = useDocument('/api/site-config/instances/{instance_id}', {
    params: { path: { instance_id: instanceId } },
  });
  return (
    <Loaded asked={asked} waitingFor={t('listing.title')}>
      {({ document, version }) => (
        <ListingForm
          listing={document}
          version={version}
          isListedByDefault={isListedByDefault}
          onClose={onClose}
        />
      )}
    </Loaded>
  );
}

const listedValues = ['default', 'yes', 'no'] as const;

interface Values {
  listed: (typeof listedValues)[number];
  display_name: string;
  description: string;
  cron: string;
  time_zone: string;
}

const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

const valuesOf = (listing: Schemas['PublicListing']): Values => ({
  listed: listing.is_listed === null ? 'default' : listing.is_listed ? 'yes' : 'no',
  display_name: listing.display_name ?? '',
  description: listing.description ?? '',
  cron: listing.wipe_schedule?.cron ?? '',
  time_zone: listing.wipe_schedule?.time_zone ?? ownZone,
});

const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

const bodyOf = ({ listed, display_name, description, cron, time_zone }: Values) => ({
  is_listed: listed === 'default' ? null : listed === 'yes',
  display_name: textOrNull(display_name),
  description: textOrNull(description),
  wipe_schedule: cron.trim() === '' ? null : { cron: cron.trim().replaceAll(/ +/g, ' '), time_zone },
});

interface ListingFormProps {
  listing: Schemas['PublicListing'];
  version: string;
  isListedByDefault: boolean;
  onClose: () => void;
}

function ListingForm({ listing, version, isListedByDefault, onClose }: ListingFormProps) {
  const t = useTexts('site-config');
  const common = useTexts('common');
  const draft = useDraft(valuesOf(listing), version);
  const { values, set } = draft;
  const save = useWrite('PATCH /api/site-config/instances/{instance_id}', {
    refreshes: [
      '/api/site-config/instances',
      '/api/site-config/instances/{instance_id}',
      '/api/public/status',
    ],
    onDone: onClose,
  });
  const listedName = (value: Values['listed']) =>
    value === 'default'
      ? t('listing.default', { what: isListedByDefault ? t('listings.isListed') : t('listings.isHidden') })
      : t(`listing.${value}`);
  return (
    <Form
      submit={common('actions.save')}
      isPending={save.isPending}
      isDisabled={!draft.isDirty}
      error={save.error}
      fields={['/display_name', '/description', '/wipe_schedule/cron', '/wipe_schedule/time_zone']}
      others={
        <Button variant="default" onClick={onClose}>
          {common('actions.cancel')}
        </Button>
      }
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({
          params: { path: { instance_id: listing.instance_id }, header: { 'If-Match': draft.version } },
          body: bodyOf(values),
        });
      }}
    >
      <UnsavedGuard isUnsaved={draft.isDirty} />
      <Conflict
        draft={draft}
        fields={[
          { key: 'listed', name: t('listing.listed'), show: ({ listed }) => listedName(listed) },
          { key: 'display_name', name: t('listing.name'), show: ({ display_name }) => display_name },
          { key: 'description', name: t('listing.description'), show: ({ description }) => description },
          { key: 'cron', name: t('listing.cron'), show: ({ cron }) => cron },
          { key: 'time_zone', name: t('listing.zone'), show: ({ time_zone }) => time_zone },
        ]}
      />
      <p className="hint">{t('listing.of', { name: listing.instance_name })}</p>
      <NativeSelect
        label={t('listing.listed')}
        value={values.listed}
        data={listedValues.map((value) => ({ value, label: listedName(value) }))}
        onChange={(event) => set({ listed: event.currentTarget.value as Values['listed'] })}
      />
      <TextInput
        label={t('listing.name')}
        description={t('listing.nameHint')}
        placeholder={listing.instance_name}
        maxLength={100}
        value={values.display_name}
        error={faultAt(save.error, '/display_name')}
        onChange={(event) => set({ display_name: event.currentTarget.value })}
      />
      <Textarea
        label={t('listing.description')}
        description={t('listing.descriptionHint')}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={1000}
        value={values.description}
        error={faultAt(save.error, '/description')}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
      <TextInput
        label={t('listing.cron')}
        description={t('listing.cronHint')}
        placeholder="0 19 * * THU"
        maxLength={120}
        spellCheck={false}
        value={values.cron}
        error={faultAt(save.error, '/wipe_schedule/cron')}
        onChange={(event) => set({ cron: event.currentTarget.value })}
      />
      {values.cron.trim() !== '' && (
        <Select
          label={t('listing.zone')}
          searchable
          allowDeselect={false}
          value={values.time_zone}
          data={[...new Set([values.time_zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]}
          error={faultAt(save.error, '/wipe_schedule/time_zone')}
          onChange={(zone) => set({ time_zone: zone ?? ownZone })}
        />
      )}
    </Form>
  );
}
