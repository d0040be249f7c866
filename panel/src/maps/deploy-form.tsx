// Deploys a map to a server; the wipe that changes to it comes later.
import { Alert, NativeSelect } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { faultAt } from '../api/problem.ts';
import { usePages } from '../api/reading.ts';
import { useWrite } from '../api/writing.ts';
import { Form } from '../shared/form.tsx';
import { useFormats } from '../shared/formats.ts';
import { Loaded } from '../shared/loaded.tsx';
import { useTexts } from '../texts/texts.ts';
import { deploymentPaths, type GameMap } from './maps.ts';

interface ServerChoiceProps {
  map: GameMap;
  onClose: () => void;
}

/** From the library: the map is given, the server is chosen. */
export function DeployForm({ map, onClose }: ServerChoiceProps) {
  const t = useTexts('maps');
  const asked = usePages('/api/fleet/instances', {}, { all: true });
  return (
    <div className="dialogForm">
      <Loaded asked={{ ...asked, data: asked.items }} waitingFor={t('deploy.server')}>
        {(servers) => (
          <Choice
            label={t('deploy.server')}
            pointer="/instance_id"
            options={servers.map(({ id, name, hostname }) => ({ value: id, label: `${name} · ${hostname}` }))}
            idsOf={(instanceId) => ({ instanceId, map })}
            empty={t('deploy.noServer')}
            onClose={onClose}
          />
        )}
      </Loaded>
    </div>
  );
}

interface MapChoiceProps {
  instanceId: string;
  onClose: () => void;
}

/** From a server: the server is given, the map is chosen. */
export function DeployHereForm({ instanceId, onClose }: MapChoiceProps) {
  const t = useTexts('maps');
  const formats = useFormats();
  const asked = usePages('/api/maps', {}, { all: true });
  return (
    <div className="dialogForm">
      <Loaded asked={{ ...asked, data: asked.items }} waitingFor={t('deploy.map')}>
        {(maps) => (
          <Choice
            label={t('deploy.map')}
            pointer="/map_id"
            options={maps.map(({ id, name, world_size }) => ({
              value: id,
              label: `${name} · ${t('metres', { value: formats.number(world_size) })}`,
            }))}
            idsOf={(mapId) => ({ instanceId, map: maps.find(({ id }) => id === mapId) })}
            empty={t('deploy.noMap')}
            onClose={onClose}
          />
        )}
      </Loaded>
    </div>
  );
}

interface ChoiceProps {
  label: string;
  /** Where the platform objects to the choice. */
  pointer: string;
  options: { value: string; label: string }[];
  idsOf: (chosen: string) => { instanceId: string; map: GameMap | undefined };
  empty: string;
  onClose: () => void;
}

function Choice({ label, pointer, options, idsOf, empty, onClose }: ChoiceProps) {
  const t = useTexts('maps');
  const navigate = useNavigate();
  const [chosen, setChosen] = useState(options[0]?.value ?? '');
  const { instanceId, map } = idsOf(chosen);
  const deploy = useWrite('POST /api/instances/{instance_id}/map-deployments', {
    refreshes: deploymentPaths,
    onDone: () => {
      onClose();
      void navigate({ to: '/servers/$instanceId/maps', params: { instanceId } });
    },
  });
  if (options.length === 0) return <p className="hint">{empty}</p>;
  return (
    <Form
      submit={t('deploy.action')}
      isPending={deploy.isPending}
      error={deploy.error}
      fields={[pointer]}
      onSubmit={(event) => {
        event.preventDefault();
        if (map !== undefined)
          deploy.mutate({ params: { path: { instance_id: instanceId } }, body: { map_id: map.id } });
      }}
    >
      <NativeSelect
        label={label}
        data={options}
        value={chosen}
        data-autofocus
        error={faultAt(deploy.error, pointer)}
        onChange={(event) => setChosen(event.currentTarget.value)}
      />
      <p className="hint">{t('deploy.keeps')}</p>
      {map?.is_public === false && <Alert color="yellow">{t('deploy.private')}</Alert>}
    </Form>
  );
}
