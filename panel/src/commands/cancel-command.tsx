// Cancels a command that was not sent yet.
import { Button } from '@mantine/core';
import { hasCode } from '../api/problem.ts';
import { mayCall } from '../api/may.ts';
import { useMe } from '../api/me.ts';
import type { Operation, Schemas } from '../api/operations.ts';
import { useWrite } from '../api/writing.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useTexts } from '../texts/texts.ts';

type Command = Schemas['Command'];

const managesPlugins: Operation = 'POST /api/instances/{instance_id}/plugins/{plugin}/reload';

/** The operation that requests such a command; null for commands that are not cancelled by themselves. */
const requestedWith: Readonly<Record<Command['kind'], Operation | null>> = {
  announce: 'POST /api/instances/{instance_id}/console',
  apply_plugin_files: 'POST /api/plugin-configs/{kind}/{plugin_config_id}/apply',
  ban_player: 'POST /api/instances/{instance_id}/players/{steam_id}/ban',
  cancel_wipe: null,
  change_instance: 'PATCH /api/fleet/instances/{instance_id}',
  create_backup: 'POST /api/instances/{instance_id}/backups',
  create_instance: 'PATCH /api/fleet/instances/{instance_id}',
  delete_backup: 'POST /api/instances/{instance_id}/backups',
  delete_instance: 'PATCH /api/fleet/instances/{instance_id}',
  deliver: null,
  deploy_map: 'POST /api/maps',
  install_module: 'POST /api/modules/install',
  install_plugin: managesPlugins,
  kick_player: 'POST /api/instances/{instance_id}/players/{steam_id}/kick',
  load_plugin: managesPlugins,
  message_player: 'POST /api/instances/{instance_id}/players/{steam_id}/kick',
  reload_plugin: managesPlugins,
  remove_map: 'POST /api/maps',
  restart: 'POST /api/instances/{instance_id}/restart',
  restore_backup: 'POST /api/instances/{instance_id}/backups/{backup_id}/restore',
  restore_plugin: managesPlugins,
  start: 'POST /api/instances/{instance_id}/start',
  stop: 'POST /api/instances/{instance_id}/stop',
  type: 'POST /api/instances/{instance_id}/console',
  type_lines: 'POST /api/instances/{instance_id}/console',
  unban_player: 'POST /api/instances/{instance_id}/players/{steam_id}/kick',
  uninstall_plugin: managesPlugins,
  unload_plugin: managesPlugins,
  unzip_file: 'POST /api/instances/{instance_id}/files/archives',
  update_agent: 'POST /api/fleet/agent-updates',
  wipe: null,
  zip_files: 'POST /api/instances/{instance_id}/files/archives',
};

export function CancelCommand({ command: { id, kind, status, sent_at } }: { command: Command }) {
  const t = useTexts('instance');
  const me = useMe();
  const operation = requestedWith[kind];
  const cancel = useWrite('POST /api/commands/{command_id}/cancel', {
    refreshes: ['/api/commands', '/api/commands/{command_id}'],
  });
  // The command was sent meanwhile: the next reading shows it.
  const isTooLate = hasCode(cancel.error, 'command_not_cancellable');
  if (status !== 'queued' || sent_at !== null || operation === null || !mayCall(me, operation)) return null;
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        loading={cancel.isPending}
        onClick={() => cancel.mutate({ params: { path: { command_id: id } } })}
      >
        {t('pending.cancel')}
      </Button>
      {!isTooLate && <ProblemAlert error={cancel.error} />}
    </>
  );
}
