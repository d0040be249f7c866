// Decides whether and when a crashed instance is started again.
import type { InstanceConfig } from '../config.ts';

const longestPauseMs = 60_000;
const goodRunMs = 10 * 60_000;

export type RestartDecision =
  { isRestarting: true; pauseMs: number; attempt: number } | { isRestarting: false; why: string };

export function decideRestart(
  policy: InstanceConfig['restart'],
  run: { origin: 'command' | 'automatic'; attempts: number; lastedMs: number; wasReady: boolean },
): RestartDecision {
  if (!policy.isOn) return { isRestarting: false, why: 'automatic restarts are off' };
  if (run.origin === 'command' && !run.wasReady)
    return { isRestarting: false, why: 'it never started properly' };
  const attempts = run.lastedMs >= goodRunMs ? 0 : run.attempts;
  if (attempts >= policy.maxAttempts)
    return { isRestarting: false, why: `all ${policy.maxAttempts} restarts are used up` };
  const pauseMs = Math.min(longestPauseMs, policy.backoffMs * 2 ** Math.min(attempts, 30));
  return { isRestarting: true, pauseMs, attempt: attempts + 1 };
}
