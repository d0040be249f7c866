// Starts, stops and restarts a server.
import { ActionIcon, Button, Group, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ChevronDown, OctagonX, Play, RotateCw, Square } from 'lucide-react';
import { useId, useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { serverNow } from '@gantry/ui/server-clock.ts';
import { useMay } from '../api/may.ts';
import type { ReadPath, Schemas } from '../api/operations.ts';
import { useRead } from '../api/reading.ts';
import { useWrite } from '../api/writing.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useFormats } from '../shared/formats.ts';
import { useTexts } from '../texts/texts.ts';
import classes from './power-buttons.module.css';

const refreshes: readonly ReadPath[] = ['/api/commands', '/api/fleet/instances/{instance_id}'];

export function PowerButtons({ instance }: { instance: Schemas['GameInstance'] }) {
  const t = useTexts('instance');
  const [asking, setAsking] = useState<'start' | 'stop' | 'restart' | 'kill' | null>(null);
  const close = () => setAsking(null);
  const start = useWrite('POST /api/instances/{instance_id}/start', { refreshes, onDone: close });
  const stop = useWrite('POST /api/instances/{instance_id}/stop', { refreshes, onDone: close });
  const restart = useWrite('POST /api/instances/{instance_id}/restart', { refreshes, onDone: close });
  const kill = useWrite('POST /api/instances/{instance_id}/stop', { refreshes, onDone: close });
  const mayStart = useMay('POST /api/instances/{instance_id}/start');
  const mayStop = useMay('POST /api/instances/{instance_id}/stop');
  const mayRestart = useMay('POST /api/instances/{instance_id}/restart');
  const mayReadWipes = useMay('GET /api/wipes');
  const wipes = useRead(
    '/api/wipes',
    { params: { query: { instance_id: instance.id, limit: 1 } } },
    { enabled: mayReadWipes },
  ).data;
  const wipe = wipes?.data.find(({ finished_at }) => finished_at === null);
  const reasonId = useId();
  const barred = wipe !== undefined && { disabled: true, 'aria-describedby': reasonId };
  const init = { params: { path: { instance_id: instance.id } } };
  const forced = { params: { ...init.params, query: { force: true } } };
  const isUp = instance.state === 'running' || instance.state === 'starting';
  // What an unreachable server does is not known; its agent carries out what is requested once it is back.
  const isDown = instance.state === 'stopped' || instance.state === 'crashed';
  const isAway = instance.state === 'offline';
  const asked = { start, stop, restart, kill }[asking ?? 'stop'];
  const players = instance.players ?? 0;
  return (
    <div>
      <Group gap="xs" className={classes.buttons ?? ''} role="group" aria-label={t('power.group')}>
        {mayStart && isDown && (
          <Button
            leftSection={<Play size={15} aria-hidden="true" />}
            loading={start.isPending}
            {...barred}
            onClick={() => start.mutate(init)}
          >
            {t('power.start')}
          </Button>
        )}
        {mayRestart && isUp && (
          <Button
            variant="default"
            leftSection={<RotateCw size={15} aria-hidden="true" />}
            {...barred}
            onClick={() => setAsking('restart')}
          >
            {t('power.restart')}
          </Button>
        )}
        {mayStop && isUp && (
          <Button
            variant="default"
            leftSection={<Square size={15} aria-hidden="true" />}
            {...barred}
            onClick={() => setAsking('stop')}
          >
            {t('power.stop')}
          </Button>
        )}
        {mayStop && instance.state === 'stopping' && (
          <Button
            color="red"
            variant="light"
            leftSection={<OctagonX size={15} aria-hidden="true" />}
            {...barred}
            onClick={() => setAsking('kill')}
          >
            {t('power.kill')}
          </Button>
        )}
        {mayStop && isUp && (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="default" size={36} aria-label={t('power.more')} {...barred}>
                <ChevronDown size={15} aria-hidden="true" />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item
                color="red"
                leftSection={<OctagonX size={15} aria-hidden="true" />}
                onClick={() => setAsking('kill')}
              >
                {t('power.kill')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
        {isAway && (mayStart || mayStop || mayRestart) && (
          <Menu position="bottom-end">
            <Menu.Target>
              <Button
                variant="default"
                rightSection={<ChevronDown size={15} aria-hidden="true" />}
                {...barred}
              >
                {t('power.later')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {mayStart && (
                <Menu.Item
                  leftSection={<Play size={15} aria-hidden="true" />}
                  onClick={() => setAsking('start')}
                >
                  {t('power.start')}
                </Menu.Item>
              )}
              {mayRestart && (
                <Menu.Item
                  leftSection={<RotateCw size={15} aria-hidden="true" />}
                  onClick={() => setAsking('restart')}
                >
                  {t('power.restart')}
                </Menu.Item>
              )}
              {mayStop && (
                <Menu.Item
                  leftSection={<Square size={15} aria-hidden="true" />}
                  onClick={() => setAsking('stop')}
                >
                  {t('power.stop')}
                </Menu.Item>
              )}
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
      {wipe !== undefined && (mayStart || mayStop || mayRestart) && (
        <p id={reasonId} className={classes.reason}>
          {t('power.wipeRuns')}{' '}
          <Link to="/servers/$instanceId/wipes/$wipeId" params={{ instanceId: instance.id, wipeId: wipe.id }}>
            {t('power.seeWipe')}
          </Link>
        </p>
      )}
      {asking === null && <ProblemAlert error={start.error} />}
      <ConfirmDialog
        isOpen={asking !== null && wipe === undefined}
        title={t(`power.${asking ?? 'stop'}Title`, { name: instance.name })}
        action={t(`power.${asking ?? 'stop'}`)}
        isDangerous={asking !== 'start'}
        isPending={asked.isPending}
        problem={<ProblemAlert error={asked.error} />}
        onConfirm={() => asked.mutate(asking === 'kill' ? forced : init)}
        onClose={close}
      >
        <p>{t(`power.${asking ?? 'stop'}Lead`)}</p>
        {isAway && <Later />}
        {asking !== 'start' && !isAway && (
          <p>{players === 0 ? t('power.noPlayersHit') : t('power.playersHit', { count: players })}</p>
        )}
      </ConfirmDialog>
    </div>
  );
}

/** How long the platform keeps a power command for its agent. */
const lifetimeMs = 3_600_000;

function Later() {
  const t = useTexts('instance');
  const formats = useFormats();
  const [openedAt] = useState(() => serverNow());
  return <p>{t('power.laterLead', { until: formats.time(openedAt + lifetimeMs) })}</p>;
}
