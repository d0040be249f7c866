// One host: its load, its servers, and what its agent may create.
import { Alert, Button, Group } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { KeyRound, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Facts } from '@gantry/ui/facts.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { StateText } from '@gantry/ui/state-text.tsx';
import { serverNow } from '@gantry/ui/server-clock.ts';
import { useMay } from '../api/may.ts';
import type { Schemas } from '../api/operations.ts';
import { usePages, useRead } from '../api/reading.ts';
import { BackLink } from '../shared/back-link.tsx';
import { useFormats } from '../shared/formats.ts';
import { InstanceState } from '../shared/instance-state.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { Meter } from '../shared/meter.tsx';
import { Page } from '../shared/page.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { AgentVersion, relevantUpdate } from './agent-version.tsx';
import { DeleteHostDialog, ResetKeyDialog } from './host-dialogs.tsx';
import classes from './host-page.module.css';
import { InstanceTemplates } from './instance-templates.tsx';
import { updatable, UpdateButton, useMayUpdateAgents } from './update-agents.tsx';

type Host = Schemas['AgentHost'];

const route = getRouteApi('/frame/licensed/hosts/$hostId');

/** Heartbeats bring new figures without an event. */
const figuresMs = 10_000;

export function HostPage() {
  const t = useTexts('hosts');
  const { hostId } = route.useParams();
  const asked = useRead(
    '/api/fleet/hosts/{host_id}',
    { params: { path: { host_id: hostId } } },
    { every: figuresMs },
  );
  return (
    <Loaded isPage asked={asked} waitingFor={t('columns.name')}>
      {(host) => <Shown host={host} />}
    </Loaded>
  );
}

function Shown({ host }: { host: Host }) {
  const t = useTexts('hosts');
  const formats = useFormats();
  const mayReset = useMay('POST /api/fleet/hosts/{host_id}/reset-key');
  const mayUpdate = useMayUpdateAgents();
  const mayDelete = useMay('DELETE /api/fleet/hosts/{host_id}');
  const [asking, setAsking] = useState<'reset' | 'delete' | null>(null);
  const servers = usePages(
    '/api/fleet/instances',
    { params: { query: { host_id: host.id } } },
    { all: true, every: figuresMs },
  );
  const failedUpdate = relevantUpdate(host);
  const resetEnds = host.key_reset_expires_at;
  return (
    <Page
      title={host.hostname}
      status={
        <StateText tone={host.status === 'online' ? 'good' : 'bad'}>{t(`status.${host.status}`)}</StateText>
      }
      lead={host.platform}
      above={<BackLink to="/hosts">{t('title')}</BackLink>}
      action={
        <Group gap="xs">
          {mayUpdate && updatable([host]).length > 0 && <UpdateButton hosts={[host]} />}
          {mayReset && (
            <Button variant="default" onClick={() => setAsking('reset')}>
              {t('detail.reset')}
            </Button>
          )}
          {mayDelete && host.status === 'offline' && (
            <Button variant="default" onClick={() => setAsking('delete')}>
              {t('detail.delete')}
            </Button>
          )}
        </Group>
      }
    >
      {resetEnds !== null && Date.parse(resetEnds) > serverNow() && (
        <Alert color="yellow" icon={<KeyRound size={18} />} title={t('detail.resetTitle')}>
          {t('detail.resetUntil', { date: formats.dateTime(resetEnds) })}
        </Alert>
      )}
      {failedUpdate !== null && failedUpdate.finished_at !== null && (
        <Alert
          color="red"
          icon={<TriangleAlert size={18} />}
          title={t('updates.failedTitle', { version: failedUpdate.version })}
        >
          {failedUpdate.error?.detail ?? ''}
        </Alert>
      )}
      <div className={classes.columns}>
        <div className={classes.column}>
          <Section title={t('columns.servers')}>
            <Loaded asked={{ ...servers, data: servers.items }} waitingFor={t('columns.servers')}>
              {(items) => <ServerLinks servers={items} />}
            </Loaded>
          </Section>
          <InstanceTemplates host={host} />
        </div>
        <Figures host={host} />
      </div>
      <ResetKeyDialog host={host} isOpen={asking === 'reset'} onClose={() => setAsking(null)} />
      <DeleteHostDialog
        host={host}
        servers={{ ...servers, data: servers.isComplete ? servers.items : undefined }}
        isOpen={asking === 'delete'}
        onClose={() => setAsking(null)}
      />
    </Page>
  );
}

function ServerLinks({ servers }: { servers: readonly Schemas['GameInstance'][] }) {
  const t = useTexts('hosts');
  if (servers.length === 0) return <p className="hint">{t('detail.noServers')}</p>;
  return (
    <ul className={classes.servers}>
      {servers.map(({ id, name, state }) => (
        <li key={id} className={classes.server}>
          <Link to="/servers/$instanceId" params={{ instanceId: id }}>
            {name}
          </Link>
          <InstanceState state={state} />
        </li>
      ))}
    </ul>
  );
}

/** A clock that is off by less changes nothing that people notice. */
const noticedDriftMs = 2_000;

function Figures({ host }: { host: Host }) {
  const t = useTexts('hosts');
  const formats = useFormats();
  const meter = (used: number | null, total: number | null) =>
    used === null || total === null || total === 0 ? null : (
      <Meter
        percent={(used / total) * 100}
        text={t('of', { used: formats.bytes(used), total: formats.bytes(total) })}
      />
    );
  const drift = host.clock_offset_ms;
  return (
    <Section title={t('detail.now')}>
      <Facts
        facts={[
          [
            t('columns.cpu'),
            host.cpu_percent === null ? null : (
              <Meter key="cpu" percent={host.cpu_percent} text={formats.percent(host.cpu_percent)} />
            ),
          ],
          [t('columns.memory'), meter(host.memory_used_bytes, host.memory_total_bytes)],
          [t('columns.disk'), meter(host.disk_used_bytes, host.disk_total_bytes)],
          [
            t('detail.clock'),
            drift === null
              ? null
              : Math.abs(drift) < noticedDriftMs
                ? t('detail.clockRight')
                : t('detail.clockOff', {
                    seconds: formats.number(drift / 1_000, {
                      maximumFractionDigits: 0,
                      signDisplay: 'always',
                    }),
                  }),
          ],
          [
            t('columns.seen'),
            host.last_heartbeat_at === null ? t('never') : <Time key="seen" at={host.last_heartbeat_at} />,
          ],
          [t('columns.agent'), <AgentVersion key="agent" host={host} />],
          [t('detail.created'), <Time key="created" at={host.created_at} />],
        ]}
      />
    </Section>
  );
}
