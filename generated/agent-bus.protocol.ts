// Generated from the contract; edit the contract instead.

/** The commands of an agent, with the schemas of their arguments. */
export const commandArguments = {
  "announce": "AnnounceArguments",
  "apply_plugin_files": "ApplyPluginFilesArguments",
  "ban_player": "BanPlayerArguments",
  "cancel_wipe": "CancelWipeArguments",
  "change_instance": "ChangeInstanceArguments",
  "create_backup": "CreateBackupArguments",
  "create_instance": "CreateInstanceArguments",
  "delete_backup": "DeleteBackupArguments",
  "delete_instance": "DeleteInstanceArguments",
  "deliver": "DeliverArguments",
  "deploy_map": "DeployMapArguments",
  "install_module": "InstallModuleArguments",
  "install_plugin": "InstallPluginArguments",
  "kick_player": "KickPlayerArguments",
  "load_plugin": "PluginArguments",
  "message_player": "MessagePlayerArguments",
  "reload_plugin": "ReloadPluginArguments",
  "remove_map": "RemoveMapArguments",
  "restart": null,
  "restore_backup": "RestoreBackupArguments",
  "restore_plugin": "RestorePluginArguments",
  "start": null,
  "stop": "StopArguments",
  "type": "TypeArguments",
  "type_lines": "TypeLinesArguments",
  "unban_player": "UnbanPlayerArguments",
  "uninstall_plugin": "PluginArguments",
  "unload_plugin": "PluginArguments",
  "unzip_file": "UnzipFileArguments",
  "update_agent": "UpdateAgentArguments",
  "wipe": "WipeArguments",
  "zip_files": "ZipFilesArguments"
} as const;
export type CommandVerb = keyof typeof commandArguments;

/** The requests to an agent, with the schemas of the request and of its reply. */
export const requests = {
  "console-tail": {
    "message": "ConsoleTailRequest",
    "reply": "ConsoleTailReply"
  },
  "console-input": {
    "message": "ConsoleInputRequest",
    "reply": "ConsoleInputReply"
  },
  "players": {
    "message": "PlayersRequest",
    "reply": "PlayersReply"
  },
  "plugins": {
    "message": "PluginsRequest",
    "reply": "PluginsReply"
  },
  "plugin-copies": {
    "message": "PluginsRequest",
    "reply": "PluginCopiesReply"
  },
  "file-list": {
    "message": "FileRequest",
    "reply": "FileReply"
  },
  "file-stat": {
    "message": "FileRequest",
    "reply": "FileReply"
  },
  "file-read": {
    "message": "FileRequest",
    "reply": "FileReply"
  },
  "file-write": {
    "message": "FileRequest",
    "reply": "FileReply"
  },
  "file-make-directory": {
    "message": "FileRequest",
    "reply": "FileReply"
  },
  "file-rename": {
    "message": "FileRequest",
    "reply": "FileReply"
  },
  "file-delete": {
    "message": "FileRequest",
    "reply": "FileReply"
  },
  "file-download": {
    "message": "FileRequest",
    "reply": "FileReply"
  },
  "file-upload": {
    "message": "FileRequest",
    "reply": "FileReply"
  },
  "file-upload-plugin": {
    "message": "FileRequest",
    "reply": "FileReply"
  },
  "file-upload-plugin-file": {
    "message": "FileRequest",
    "reply": "FileReply"
  },
  "file-connect": {
    "message": "FileRequest",
    "reply": "FileReply"
  },
  "file-finish": {
    "message": "FileRequest",
    "reply": "FileReply"
  },
  "file-end": {
    "message": "FileRequest",
    "reply": "FileReply"
  },
  "file-chunk": {
    "message": "FileChunk",
    "reply": "FileChunkReply"
  },
  "wipe-plan": {
    "message": "WipePlanRequest",
    "reply": "WipePlanReply"
  },
  "presence": {
    "message": "PresenceRequest",
    "reply": "PresenceReply"
  }
} as const;
export type RequestVerb = keyof typeof requests;

/** The requests about the files of an instance. */
export const fileVerbs = [
  "file-list",
  "file-stat",
  "file-read",
  "file-write",
  "file-make-directory",
  "file-rename",
  "file-delete",
  "file-download",
  "file-upload",
  "file-upload-plugin",
  "file-upload-plugin-file",
  "file-connect",
  "file-finish",
  "file-end",
  "file-chunk"
] as const;
export type FileVerb = (typeof fileVerbs)[number];
export const isFileVerb = (verb: RequestVerb): verb is FileVerb => fileVerbs.some((name) => name === verb);

/** What an agent sends, with the schemas of the message and of its reply. */
export const upMessages = {
  "hello": {
    "message": "Hello",
    "reply": "HelloReply"
  },
  "heartbeat": {
    "message": "Heartbeat",
    "reply": null
  },
  "instance-state": {
    "message": "InstanceStateChange",
    "reply": "Acknowledgement"
  },
  "command-result": {
    "message": "CommandResult",
    "reply": "Acknowledgement"
  },
  "backups": {
    "message": "BackupReport",
    "reply": "Acknowledgement"
  },
  "managed-instances": {
    "message": "ManagedInstancesReport",
    "reply": "Acknowledgement"
  },
  "wipe-status": {
    "message": "WipeReport",
    "reply": "Acknowledgement"
  },
  "bye": {
    "message": "Bye",
    "reply": null
  }
} as const;
export type UpKind = keyof typeof upMessages;
