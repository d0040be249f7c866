// Generated from the contract; edit the contract instead.

/** Commands that an agent may receive. */
export const commandVerbs = [
  "announce",
  "apply_plugin_files",
  "ban_player",
  "cancel_wipe",
  "change_instance",
  "create_backup",
  "create_instance",
  "delete_backup",
  "delete_instance",
  "deliver",
  "deploy_map",
  "install_module",
  "install_plugin",
  "kick_player",
  "load_plugin",
  "message_player",
  "reload_plugin",
  "remove_map",
  "restart",
  "restore_backup",
  "restore_plugin",
  "start",
  "stop",
  "type",
  "type_lines",
  "unban_player",
  "uninstall_plugin",
  "unload_plugin",
  "unzip_file",
  "wipe",
  "zip_files"
] as const;
export type CommandVerb = (typeof commandVerbs)[number];

/** What an agent may be asked, with the schemas of the request and of its reply. */
export const requests = {
  "console-tail": {
    "message": "ConsoleTailQuestion",
    "reply": "ConsoleTailAnswer"
  },
  "console-input": {
    "message": "ConsoleInputQuestion",
    "reply": "ConsoleInputAnswer"
  },
  "players": {
    "message": "PlayersQuestion",
    "reply": "PlayersAnswer"
  },
  "plugins": {
    "message": "PluginsQuestion",
    "reply": "PluginsAnswer"
  },
  "plugin-copies": {
    "message": "PluginsQuestion",
    "reply": "PluginCopiesAnswer"
  },
  "file-list": {
    "message": "FileQuestion",
    "reply": "FileAnswer"
  },
  "file-stat": {
    "message": "FileQuestion",
    "reply": "FileAnswer"
  },
  "file-read": {
    "message": "FileQuestion",
    "reply": "FileAnswer"
  },
  "file-write": {
    "message": "FileQuestion",
    "reply": "FileAnswer"
  },
  "file-make-directory": {
    "message": "FileQuestion",
    "reply": "FileAnswer"
  },
  "file-rename": {
    "message": "FileQuestion",
    "reply": "FileAnswer"
  },
  "file-delete": {
    "message": "FileQuestion",
    "reply": "FileAnswer"
  },
  "file-download": {
    "message": "FileQuestion",
    "reply": "FileAnswer"
  },
  "file-upload": {
    "message": "FileQuestion",
    "reply": "FileAnswer"
  },
  "file-upload-plugin": {
    "message": "FileQuestion",
    "reply": "FileAnswer"
  },
  "file-upload-plugin-file": {
    "message": "FileQuestion",
    "reply": "FileAnswer"
  },
  "file-finish": {
    "message": "FileQuestion",
    "reply": "FileAnswer"
  },
  "file-end": {
    "message": "FileQuestion",
    "reply": "FileAnswer"
  },
  "file-chunk": {
    "message": "FileChunk",
    "reply": "FileChunkAnswer"
  },
  "wipe-plan": {
    "message": "WipePlanQuestion",
    "reply": "WipePlanAnswer"
  },
  "presence": {
    "message": "PresenceQuestion",
    "reply": "PresenceAnswer"
  }
} as const;
export type RequestVerb = keyof typeof requests;

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
