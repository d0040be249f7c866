// The servers of a cluster: added, and removed.
import { Button, NativeSelect } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { Section } from '@gantry/ui/section.tsx';
import { useMay } from '../api/may.ts';
import type { Schemas } from '../api/operations.ts';
import { usePages } from '../api/reading.ts';
import { useWrite } from '../api/writing.ts';
import { InstanceState } from '../shared/instance-state.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useTexts } from '../texts/texts.ts';
import { clusterPaths } from './cluster-paths.ts';
import classes from './clusters.module.css';

type Server = Schemas['GameInstance'];

export function ClusterMembers({ cluster }: { cluster: Schemas['InstanceCluster'] }) {
  const t = useTexts('clusters');
  const mayChange = useMay('PATCH /api/fleet/instances/{instance_id}');
  const servers = usePages('/api/fleet/instances', {}, { all: true });
  const assign = useWrite('PATCH /api/fleet/instances/{instance_id}', { refreshes: clusterPaths });
  const set = (instanceId: string, clusterId: string | null) =>
    assign.mutate({ params: { path: { instance_id: instanceId } }, body: { cluster_id: clusterId } });
  return (
    <Section title={t('detail.members')}>
      <Loaded asked={{ ...servers, data: servers.items }} waitingFor={t('detail.members')}>
        {(items) => {
          const members = items.filter(({ cluster_id }) => cluster_id === cluster.id);
          return (
            <div className="stack">
              {members.length === 0 ? (
                <p className="hint">{t('detail.noMembers')}</p>
              ) : (
                <ul className={classes.members}>
                  {members.map((server) => (
                    <Member
                      key={server.id}
                      server={server}
                      {...(mayChange && { onRemove: () => set(server.id, null) })}
                    />
                  ))}
                </ul>
              )}
              {mayChange && (
                <AddServer
                  servers={items.filter(({ cluster_id }) => cluster_id !== cluster.id)}
                  isPending={assign.isPending}
                  onAdd={(instanceId) => set(instanceId, cluster.id)}
                />
              )}
              <ProblemAlert error={assign.error} />
            </div>
          );
        }}
      </Loaded>
    </Section>
  );
}

function Member({ server, onRemove }: { server: Server; onRemove?: () => void }) {
  const t = useTexts('clusters');
  return (
    <li className={classes.member}>
      <Link to="/servers/$instanceId" params={{ instanceId: server.id }} className={classes.name}>
        {server.name}
      </Link>
      <span className="dim">{server.hostname}</span>
      <span className={classes.state}>
        <InstanceState state={server.state} />
      </span>
      {onRemove !== undefined && (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={t('detail.removeNamed', { name: server.name })}
          onClick={onRemove}
        >
          {t('detail.remove')}
        </Button>
      )}
    </li>
  );
}

interface AddServerProps {
  servers: readonly Server[];
  isPending: boolean;
  onAdd: (instanceId: string) => void;
}

function AddServer({ servers, isPending, onAdd }: AddServerProps) {
  const t = useTexts('clusters');
  const { items: clusters } = usePages('/api/fleet/clusters', {}, { all: true });
  const names = useMemo(() => new Map((clusters ?? []).map(({ id, name }) => [id, name])), [clusters]);
  const [chosen, setChosen] = useState('');
  const isThere = servers.some(({ id }) => id === chosen);
  if (servers.length === 0) return null;
  return (
    <form
      className={classes.add}
      onSubmit={(event) => {
        event.preventDefault();
        if (isThere) onAdd(chosen);
      }}
    >
      <NativeSelect
        label={t('detail.add')}
        className={classes.choice ?? ''}
        value={isThere ? chosen : ''}
        data={[
          { value: '', label: t('detail.choose') },
          ...servers.map(({ id, name, hostname, cluster_id }) => {
            const cluster = names.get(cluster_id ?? '');
            return {
              value: id,
              label:
                cluster === undefined
                  ? t('detail.inNone', { name, host: hostname })
                  : t('detail.inOther', { name, host: hostname, cluster }),
            };
          }),
        ]}
        onChange={(event) => setChosen(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" disabled={!isThere} loading={isPending}>
        {t('detail.added')}
      </Button>
    </form>
  );
}
