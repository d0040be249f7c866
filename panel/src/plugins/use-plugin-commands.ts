// Loads, unloads, reloads and uninstalls plugins.
import type { ReadPath, Schemas } from '../api/operations.ts';
import { useWrite } from '../api/writing.ts';
import { useTexts } from '../texts/texts.ts';
import type { Verb } from './plugin-menu.tsx';

const refreshes: readonly ReadPath[] = ['/api/commands'];

export function usePluginCommands(
  instanceId: string,
  onRequested: (requested: { id: string; words: string }) => void,
) {
  const t = useTexts('plugins');
  const load = useWrite('POST /api/instances/{instance_id}/plugins/{plugin}/load', { refreshes });
  const unload = useWrite('POST /api/instances/{instance_id}/plugins/{plugin}/unload', { refreshes });
  const reload = useWrite('POST /api/instances/{instance_id}/plugins/{plugin}/reload', { refreshes });
  const uninstall = useWrite('POST /api/instances/{instance_id}/plugins/{plugin}/uninstall', { refreshes });
  const commands = { load, unload, reload, uninstall };
  return {
    errorOf: (verb: Verb) => commands[verb].error,
    isPending: Object.values(commands).some(({ isPending }) => isPending),
    run: (verb: Verb, plugin: string, onDone: () => void) => {
      for (const { reset } of Object.values(commands)) reset();
      commands[verb].mutate(
        { params: { path: { instance_id: instanceId, plugin } } },
        {
          onSuccess: ({ id }: Schemas['Command']) => {
            onRequested({ id, words: t(`requested.${verb}`, { name: plugin }) });
            onDone();
          },
        },
      );
    },
  };
}
