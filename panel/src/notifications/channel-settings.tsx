// The settings of a channel, edited in place. Its target is secret, so it is replaced as a whole.
import { Button, Group, NativeSelect } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Facts } from '@gantry/ui/facts.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { useMay } from '../api/may.ts';
import { hasCode } from '../api/problem.ts';
import { useWrite } from '../api/writing.ts';
import { Conflict } from '../shared/conflict.tsx';
import { tagOf, useDraft } from '../shared/draft.ts';
import { Form } from '../shared/form.tsx';
import { Time } from '../shared/time.tsx';
import { UnsavedGuard } from '../shared/unsaved-guard.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useTexts } from '../texts/texts.ts';
import { channelPaths } from './channel-dialogs.tsx';
import {
  channelKinds,
  noTarget,
  pointers,
  targetOf,
  type Channel,
  type ChannelKind,
  type TargetFields as Fields,
} from './channel.ts';
import { GeneralFields, generalOf, type General } from './general-fields.tsx';
import { TargetFields } from './target-fields.tsx';

interface ChannelSettingsProps {
  channel: Channel;
  version: string;
  onAsk: (what: 'disable' | 'delete') => void;
}

export function ChannelSettings({ channel, version, onAsk }: ChannelSettingsProps) {
  const t = useTexts('notifications');
  const mayChange = useMay('PATCH /api/notifications/channels/{notification_channel_id}');
  const mayDelete = useMay('DELETE /api/notifications/channels/{notification_channel_id}');
  const enable = useWrite('PATCH /api/notifications/channels/{notification_channel_id}', {
    refreshes: channelPaths,
  });
  return (
    <Section title={t('detail.settings')}>
      <div className="stack">
        {mayChange ? (
          <SettingsForm channel={channel} version={version} />
        ) : (
          <Facts
            facts={[
              [t('fields.least'), t(`least.${channel.least_severity}`)],
              [t('detail.created'), <Time key="created" at={channel.created_at} />],
            ]}
          />
        )}
        <Group gap="xs">
          {mayChange && channel.is_enabled && (
            <Button variant="default" onClick={() => onAsk('disable')}>
              {t('detail.disable')}
            </Button>
          )}
          {mayChange && !channel.is_enabled && channel.destination !== null && (
            <Button
              variant="default"
              loading={enable.isPending}
              onClick={() =>
                enable.mutate({
                  params: { path: { notification_channel_id: channel.id } },
                  body: { is_enabled: true },
                })
              }
            >
              {t('detail.enable')}
            </Button>
          )}
          {mayDelete && (
            <Button variant="default" color="red" onClick={() => onAsk('delete')}>
              {t('detail.delete')}
            </Button>
          )}
        </Group>
        <ProblemAlert error={enable.error} />
      </div>
    </Section>
  );
}

const valuesOf = ({ name, least_severity, template }: Channel): General => ({
  name,
  least_severity,
  template,
});

function SettingsForm({ channel, version }: { channel: Channel; version: string }) {
  const t = useTexts('notifications');
  const common = useTexts('common');
  const queries = useQueryClient();
  const draft = useDraft(valuesOf(channel), version);
  const { values } = draft;
  /** The new target; null while the stored one stays. */
  const [target, setTarget] = useState<{ kind: ChannelKind; fields: Fields } | null>(null);
  const [isSaved, setIsSaved] = useState(false);
  const isDirty = draft.isDirty || target !== null;
  const save = useWrite('PATCH /api/notifications/channels/{notification_channel_id}', {
    refreshes: channelPaths,
    onDone: (stored) => {
      draft.settle(valuesOf(stored), tagOf(stored.version));
      setTarget(null);
      setIsSaved(true);
    },
  });
  const isOutdated = hasCode(save.error, 'stale_version');
  return (
    <>
      <UnsavedGuard isUnsaved={isDirty} />
      <Form
        submit={common('actions.save')}
        isPending={save.isPending}
        isDisabled={!isDirty || draft.theirs !== null}
        error={isOutdated || hasCode(save.error, 'name_taken') ? null : save.error}
        fields={pointers}
        others={
          <>
            {isDirty && (
              <Button
                variant="default"
                onClick={() => {
                  draft.reset();
                  setTarget(null);
                }}
              >
                {common('actions.discard')}
              </Button>
            )}
            {isSaved && !isDirty && <span role="status">{common('saved')}</span>}
          </>
        }
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(
            {
              params: {
                path: { notification_channel_id: channel.id },
                header: { 'If-Match': draft.version },
              },
              body: {
                ...(draft.isDirty && generalOf(values)),
                ...(target !== null && { target: targetOf(target.kind, target.fields) }),
              },
            },
            {
              onError: (error) => {
                if (hasCode(error, 'stale_version'))
                  void queries.invalidateQueries({
                    queryKey: ['/api/notifications/channels/{notification_channel_id}'],
                  });
              },
            },
          );
        }}
      >
        <Conflict
          draft={draft}
          fields={[
            { key: 'name', name: t('fields.name'), show: ({ name }) => name },
            {
              key: 'least_severity',
              name: t('fields.least'),
              show: ({ least_severity }) => t(`least.${least_severity}`),
            },
            { key: 'template', name: t('fields.template'), show: ({ template }) => template ?? '–' },
          ]}
        />
        <GeneralFields
          values={values}
          error={save.error}
          onChange={(change) => {
            setIsSaved(false);
            draft.set(change);
          }}
        />
        {target === null ? (
          <div>
            <p className="hint">
              {channel.destination === null
                ? t('detail.noTarget')
                : t('detail.targetHint', { destination: channel.destination })}
            </p>
            <Button
              variant="default"
              size="xs"
              mt={8}
              onClick={() => setTarget({ kind: channel.kind, fields: noTarget })}
            >
              {t('detail.replaceTarget')}
            </Button>
          </div>
        ) : (
          <>
            <NativeSelect
              label={t('detail.target')}
              value={target.kind}
              data={channelKinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
              onChange={(event) => setTarget({ ...target, kind: event.currentTarget.value as ChannelKind })}
            />
            <TargetFields
              kind={target.kind}
              values={target.fields}
              error={save.error}
              onChange={(change) => setTarget({ ...target, fields: { ...target.fields, ...change } })}
            />
            <Group>
              <Button variant="default" size="xs" onClick={() => setTarget(null)}>
                {t('detail.keepTarget')}
              </Button>
            </Group>
          </>
        )}
      </Form>
    </>
  );
}
