// One server, with figures that follow the heartbeats.
import { useParams } from '@tanstack/react-router';
import { useRead } from '../api/reading.ts';

const figuresMs = 5_000;

export function useInstance() {
  const { instanceId } = useParams({ from: '/frame/licensed/servers/$instanceId' });
  return useRead(
    '/api/fleet/instances/{instance_id}',
    { params: { path: { instance_id: instanceId } } },
    { every: figuresMs },
  );
}
