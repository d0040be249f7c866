// Starts, stops and restarts an instance.
import type { Instance } from '../supervisor/instance.ts';
import { succeeded } from '../supervisor/outcome.ts';
import type { Outcome } from '../supervisor/outcome.ts';
import type { HandlersOf } from './command-handler.ts';

/** The outcome after an interruption follows from the current state of the instance; nothing runs again. */
export function powerCommands(
  instanceOf: (name: string) => Instance | undefined,
): HandlersOf<'start' | 'stop' | 'restart'> {
  const queueOf = ({ instance }: { instance: string }) => instance;
  const known = (outcome: Outcome | undefined) => Promise.resolve(outcome);
  return {
    start: {
      queueOf,
      run: (_command, instance, superseded) => instance.start(superseded),
      outcomeAfterInterruption: ({ instance }) => {
        const pid = instanceOf(instance)?.pid ?? null;
        return known(pid === null ? undefined : succeeded(`The process runs with pid ${pid}.`));
      },
    },
    stop: {
      // A forced stop does not wait for a stop whose process hangs.
      queueOf: ({ instance, args }) => (args.force === true ? `${instance} kill` : instance),
      supersedesWaits: true,
      run: ({ args }, instance) => (args.force === true ? instance.kill() : instance.stop()),
      outcomeAfterInterruption: ({ instance }) =>
        known(instanceOf(instance)?.pid === null ? succeeded('The process has ended.') : undefined),
    },
    restart: {
      queueOf,
      supersedesWaits: true,
      run: (_command, instance, superseded) => instance.restart(superseded),
      outcomeAfterInterruption: ({ instance: name }, startedAtMs) => {
        const instance = instanceOf(name);
        const isNewProcess =
          instance !== undefined &&
          instance.pid !== null &&
          instance.state !== 'stopping' &&
          (instance.startedAtMs ?? 0) >= startedAtMs;
        return known(
          isNewProcess ? succeeded(`The process was restarted with pid ${instance.pid}.`) : undefined,
        );
      },
    },
  };
}
