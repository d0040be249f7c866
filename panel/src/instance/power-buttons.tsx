// Starts, stops and restarts a server.
import { Button, Group } from '@mantine/core';
import { Play, RotateCw, Square } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { useMay } from '../api/may.ts';
import type { ReadPath, Schemas } from '../api/operations.ts';
import { useWrite } from '../api/writing.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useTexts } from '../texts/texts.ts';

const refreshes: readonly ReadPath[] = ['/api/commands', '/api/fleet/instances/{instance_id}'];

export function PowerButtons({ instance }: { instance: Schemas['GameInstance'] }) {
  const t = useTexts('instance');
  const [asking, setAsking] = useState<'stop' | 'restart' | null>(null);
  const close = () => setAsking(null);
  const start = useWrite('POST /api/instances/{instance_id}/start', { refreshes });
  const stop = useWrite('POST /api/instances/{instance_id}/stop', { refreshes, onDone: close });
  const restart = useWrite('POST /api/instances/{instance_id}/restart', { refreshes, onDone: close });
  const mayStart = useMay('POST /api/instances/{instance_id}/start');
  const mayStop = useMay('POST /api/instances/{instance_id}/stop');
  const mayRestart = useMay('POST /api/instances/{instance_id}/restart');
  const init = { params: { path: { instance_id: instance.id } } };
  const isUp = instance.state === 'running' || instance.state === 'starting';
  const isUnknown = instance.state === 'offline';
  const asked = asking === 'stop' ? stop : restart;
  const players = instance.players ?? 0;
  return (
    <div>
      <Group gap="xs" role="group" aria-label={t('power.group')}>
        {mayStart && !isUp && instance.state !== 'stopping' && (
          <Button
            leftSection={<Play size={15} aria-hidden="true" />}
            loading={start.isPending}
            onClick={() => start.mutate(init)}
          >
            {t('power.start')}
          </Button>
        )}
        {mayRestart && (isUp || isUnknown) && (
          <Button
            variant="default"
            leftSection={<RotateCw size={15} aria-hidden="true" />}
            onClick={() => setAsking('restart')}
          >
            {t('power.restart')}
          </Button>
        )}
        {mayStop && (isUp || isUnknown) && (
          <Button
            variant="default"
            leftSection={<Square size={15} aria-hidden="true" />}
            onClick={() => setAsking('stop')}
          >
            {t('power.stop')}
          </Button>
        )}
      </Group>
      <ProblemAlert error={start.error} />
      <ConfirmDialog
        isOpen={asking !== null}
        title={t(`power.${asking ?? 'stop'}Title`, { name: instance.name })}
        action={t(`power.${asking ?? 'stop'}`)}
        isDangerous
        isPending={asked.isPending}
        problem={<ProblemAlert error={asked.error} />}
        onConfirm={() => asked.mutate(init)}
        onClose={close}
      >
        <p>{t(`power.${asking ?? 'stop'}Lead`)}</p>
        <p>{players === 0 ? t('power.noPlayersHit') : t('power.playersHit', { count: players })}</p>
      </ConfirmDialog>
    </div>
  );
}
