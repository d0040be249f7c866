// The players who are online, read again while the page is open.
import { useRead } from '../api/reading.ts';
import { useIsRunning } from '../instance/asking-the-game.tsx';

/** Joins are announced only where the plugin for events is installed. */
const everyMs = 10_000;

export function useOnline(instanceId: string) {
  const isRunning = useIsRunning();
  return useRead(
    '/api/instances/{instance_id}/players',
    { params: { path: { instance_id: instanceId } } },
    { enabled: isRunning, every: everyMs },
  );
}
