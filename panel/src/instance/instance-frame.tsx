// One server: its name and state, power, and the tabs.
import { Alert, Skeleton } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import { WifiOff } from 'lucide-react';
import type { Schemas } from '../api/operations.ts';
import { BackLink } from '../shared/back-link.tsx';
import { InstanceState } from '../shared/instance-state.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { Page } from '../shared/page.tsx';
import { Tabs } from '../shared/tabs.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { CommandProgress } from './command-progress.tsx';
import classes from './instance-frame.module.css';
import { PowerButtons } from './power-buttons.tsx';
import { tabs } from './tabs.ts';
import { useInstance } from './use-instance.ts';

export function InstanceFrame() {
  const t = useTexts('instance');
  const asked = useInstance();
  return (
    <Loaded isPage asked={asked} waitingFor={t('tabs.overview')} skeleton={<FrameSkeleton />}>
      {(instance) => <Framed instance={instance} />}
    </Loaded>
  );
}

function Framed({ instance }: { instance: Schemas['GameInstance'] }) {
  const t = useTexts('instance');
  return (
    <Page
      title={instance.name}
      status={<InstanceState state={instance.state} />}
      above={<BackLink to="/servers">{t('back')}</BackLink>}
      action={<PowerButtons instance={instance} />}
    >
      <CommandProgress instanceId={instance.id} />
      {instance.state === 'offline' && (
        <Alert color="yellow" icon={<WifiOff size={18} />} title={t('offline.title')}>
          <OfflineSince at={instance.last_seen_at} />
        </Alert>
      )}
      <InstanceTabs instanceId={instance.id} />
      <Outlet />
    </Page>
  );
}

/** The sentence with the time in its place. */
function OfflineSince({ at }: { at: string }) {
  const t = useTexts('instance');
  const [before = '', after = ''] = t('offline.detail', { time: '\n' }).split('\n');
  return (
    <>
      {before}
      <Time at={at} />
      {after}
    </>
  );
}

function InstanceTabs({ instanceId }: { instanceId: string }) {
  const t = useTexts('instance');
  const named = tabs.map(({ to, name, needs }) => ({
    to,
    name: t(`tabs.${name}`),
    needs,
    isExact: name === 'overview',
  }));
  return <Tabs label={t('tabs.label')} tabs={named} params={{ instanceId }} />;
}

function FrameSkeleton() {
  return (
    <div className={classes.skeleton}>
      <Skeleton height={18} width={80} />
      <Skeleton height={30} width={260} />
      <Skeleton height={38} />
      <Skeleton height={180} />
    </div>
  );
}
