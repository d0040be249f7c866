// Problems of hosts, game servers, and their files, backups, wipes, maps and plugins.
import type { ProblemKind } from '../../contract/problem.ts';
import type { ProblemCode } from '../../errors.ts';

export const serverProblems = {
  file_exists: {
    status: 409,
    title: 'The path already exists',
    condition: 'A file or directory already exists at the target path.',
    cause: 'A file or directory already exists at the target path.',
    remedy:
      'Choose another path, delete the existing file, or request that it is overwritten if the operation offers that.',
  },
  wrong_file_type: {
    status: 409,
    title: 'The file has the wrong type',
    condition: 'The path is a directory instead of a file, a file instead of a directory, or neither.',
    cause:
      'The path is a directory where the operation needs a file, or a file where it needs a directory, or neither of them.',
    remedy: 'List the parent directory and use the operation for that type.',
  },
  directory_not_empty: {
    status: 409,
    title: 'The directory is not empty',
    condition: 'The directory contains files, and the request does not ask to delete them.',
    cause: 'The directory contains files, and the request does not ask to delete them.',
    remedy: 'Delete its content first, or request a recursive deletion.',
  },
  path_refused: {
    status: 422,
    title: 'The path is not allowed',
    condition:
      'The path is malformed or protected, or leads out of the directory of the instance or through a symbolic link.',
    cause:
      'The path leaves the directory of the instance, leads through a symbolic link, has a character or length that is not allowed, or is a file that the agent protects.',
    remedy: 'Use a relative path below the root directory of the instance.',
  },
  file_too_large: {
    status: 422,
    title: 'The file is too large',
    isStatedByOperations: true,
    cause: 'The file has more bytes than this way of reading or writing allows.',
    remedy: 'Use the download or upload operations for large files. `detail` names the limit.',
  },
  not_text: {
    status: 422,
    title: 'The file is not text',
    condition: 'The file is not UTF-8 text.',
    cause: 'The file is not UTF-8 text, so it cannot be returned in JSON.',
    remedy: 'Download the file instead.',
  },
  disk_full: {
    status: 507,
    title: 'The host’s disk is full',
    condition: 'The disk of the host, or the quota of its agent, is full.',
    cause:
      'The disk of the host, or the quota of the agent on it, has no space for the change. Nothing was changed.',
    remedy: 'Free space on the host, for example by deleting old backups, and repeat the request.',
  },
  map_in_use: {
    status: 409,
    title: 'The map is in use',
    condition:
      'An instance plays or will play the map, players download it, or its deployment is in progress.',
    cause:
      'An instance plays the map or is going to, players download it from its URL, or a command for its deployment is in progress.',
    remedy:
      'Wipe the instance to another map, remove the map from planned wipes, or wait until the command has ended.',
  },
  map_not_public: {
    status: 409,
    title: 'The map is not public',
    condition: 'The map has no public URL, which players need to download it.',
    cause: 'Players download a custom map from its public URL, and the map has none.',
    remedy: 'Publish the map first.',
  },
  invalid_map: {
    status: 422,
    title: 'The file is not a valid map',
    condition: 'The file is not a Rust map that a server can load.',
    cause: 'The file is not a Rust map that a server can load. `detail` says what is wrong with it.',
    remedy:
      'Export the map again from the map editor and upload the `.map` file itself, not an archive of it.',
  },
  infected_file: {
    status: 422,
    title: 'The virus scanner rejected the file',
    condition: 'The virus scanner found malware in the file.',
    cause: 'The virus scanner of the platform found malware in the file. The file was not stored.',
    remedy:
      'Do not use the file. If you are certain that the scanner is wrong, contact the operator of the platform.',
  },
  public_key_taken: {
    status: 409,
    title: 'The key belongs to another host',
    condition: 'Another host has enrolled with the same key.',
    cause:
      'Another host has enrolled with the same key, as happens when a machine is cloned together with the state directory of its agent.',
    remedy: 'Stop the agent, delete `agent.nk` in its state directory on the clone, and start it again.',
  },
  hostname_taken: {
    status: 409,
    title: 'The host name belongs to another machine',
    condition: 'Another machine of the license has enrolled with this host name.',
    cause: 'Another machine of the license has enrolled with this host name and another key.',
    remedy:
      'Give this machine another host name. If it is the same machine, rebuilt or replaced, reset the key of the host.',
  },
  host_key_revoked: {
    status: 409,
    title: 'The key of the host was revoked',
    cause: 'An operator has reset the key of this host, so its former key is no longer accepted.',
    remedy:
      'If this is still that host, stop the agent, delete `agent.nk` in its state directory and start it again. Otherwise give the machine another host name.',
  },
  still_online: {
    status: 409,
    title: 'The host or instance is still online',
    isStatedByOperations: true,
    cause: 'Only a host or an instance that is offline can be deleted.',
    remedy:
      'Stop the game server, or the agent of the host, and repeat the request once it is shown as offline.',
  },
  instance_not_running: {
    status: 409,
    title: 'The instance is not running',
    cause: 'The game server is not running, and the operation needs its console.',
    remedy: 'Start the instance and wait until its state is `running`.',
  },
  not_supported: {
    status: 409,
    title: 'Not supported by the instance or its host',
    isStatedByOperations: true,
    cause:
      'The game, the plugin loader, the agent or its configuration does not support the operation. `detail` says which.',
    remedy:
      'Update the agent, complete its configuration (for example RCON), or use an instance of a game that supports the operation.',
  },
  backup_pinned: {
    status: 409,
    title: 'The backup is pinned',
    cause: 'The backup is pinned, so it cannot be deleted.',
    remedy: 'Unpin the backup first.',
  },
  backup_being_deleted: {
    status: 409,
    title: 'The backup is being deleted',
    cause: 'The backup is being deleted and cannot be changed any more.',
    remedy: 'Use another backup.',
  },
  command_not_cancellable: {
    status: 409,
    title: 'The command can no longer be cancelled',
    condition: 'The command was sent to its agent, has ended, or belongs to a wipe or a delivery.',
    cause:
      'The command was sent to its agent, has ended, or belongs to a wipe or a delivery of the store, which are cancelled in another way.',
    remedy: 'Read the command: its status says whether it was sent, and its outcome says what happened.',
  },
  no_agent_release: {
    status: 409,
    title: 'The platform has no release of the agent',
    condition: 'The platform has no release of the agent, or none for the host.',
    cause: 'The platform offers no release of the agent, or the release has no executable for the host.',
    remedy:
      'The operator of the platform builds one with `npm run build:agent`, or sets `GANTRY_AGENT_RELEASE_DIR`.',
  },
  agent_newer: {
    status: 409,
    title: 'The agent is newer than the release',
    condition: 'The agent of a host is newer than the release, and `allow_older` is not set.',
    cause:
      'The agent of a host has a newer version than the release of the platform, so the update would be a step back.',
    remedy: 'Leave these hosts out, or send `allow_older` to install the older version.',
  },
  wipe_begun: {
    status: 409,
    title: 'The wipe can no longer be cancelled',
    condition: 'The wipe has started or has ended.',
    cause: 'The wipe has started or has ended, so it can no longer be cancelled.',
    remedy: 'Wait for its end. If the wipe failed, its record says what was restored.',
  },
  wipe_under_way: {
    status: 409,
    title: 'A wipe of the instance is in progress',
    cause: 'A wipe of the instance is in progress, and the operation would interfere with it.',
    remedy: 'Wait until the wipe has ended, or cancel it while that is possible.',
  },
  plugin_config_invalid: {
    status: 422,
    title: 'The configuration is invalid',
    condition: 'The configuration breaks a rule of its kind, or has a name that the plugin does not know.',
    cause:
      'The configuration breaks a rule of its kind, or contains a name that the plugin does not know. `errors` point at each fault.',
    remedy:
      'Correct the fields that `errors` name. The validation of the kind checks a configuration without storing it.',
  },
  plugin_file_unreadable: {
    status: 422,
    title: 'The plugin file cannot be read',
    condition: 'A file of the plugin is missing, is not valid JSON, or has an unknown form.',
    cause:
      'A file of the plugin is missing, is not valid JSON, or has a form that no known version of the plugin writes.',
    remedy:
      'Let the plugin write its files again (delete the damaged file and reload the plugin), or update the plugin.',
  },
  plugin_refused: {
    status: 422,
    title: 'The file is not a valid plugin',
    condition: 'The body is not the C# source of a plugin with that name.',
    cause:
      'The uploaded file is not a plugin: it is not C# source code, has no plugin class, or its class differs from the file name.',
    remedy: 'Upload the `.cs` file of the plugin unchanged, under its original name.',
  },
  agent_refused: {
    status: 502,
    title: 'The agent could not carry out the request',
    cause: 'The agent received the request and could not carry it out. `detail` holds its reason.',
    remedy:
      'Act on the reason in `detail`; the log of the agent on the host has more. Repeating the request unchanged usually fails again.',
  },
  game_unreachable: {
    status: 503,
    title: 'The game server does not respond',
    condition: 'The game server does not respond over RCON.',
    cause:
      'The agent is online, but the game server does not respond over RCON: it is starting, hanging, or has another RCON password or port.',
    remedy:
      'Wait until the server has started. If it runs, compare the RCON settings of the server with those of the agent.',
  },
  agent_offline: {
    status: 503,
    title: 'The agent is offline',
    condition: 'The agent of the host is not connected to the platform.',
    cause: 'The agent of the host is not connected to the platform, so nothing can be asked of it.',
    remedy:
      'Check that the host runs, that the agent is started, and that it can reach the platform. Repeat the request once the host is online.',
  },
  agent_timeout: {
    status: 504,
    title: 'The agent did not respond in time',
    cause: 'The agent is connected, but did not reply in time. What was asked may still be carried out.',
    remedy:
      'Read the current state before you repeat the request. If it happens often, check the load of the host and its connection.',
  },
} satisfies Partial<Record<ProblemCode, ProblemKind>>;
