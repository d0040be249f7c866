// Generated from the contract; edit the contract instead.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        StopArguments: {
            /** @description Whether to kill the process at once, without the stop command, signal and grace period. */
            force?: boolean;
        };
        /** @description Text for all players: one line that begins with a visible character. Control characters and semicolons, which separate commands on some servers, are refused, so that the text cannot become a second command. */
        AnnouncementText: string;
        /** @description Who types the line, shown in the console. */
        TypedBy: string;
        /** @description Types the announcement command that the agent's configuration has for the instance, or the one that the agent knows for the game. Fails with `not_supported` if there is neither, and with `expired` if it has expired before it could start. */
        AnnounceArguments: {
            message: components["schemas"]["AnnouncementText"];
            by: components["schemas"]["TypedBy"];
        };
        /** @description Name of an Oxide or Carbon plugin, which is its file name without `.cs`; not a device name that Windows reserves. */
        PluginName: string;
        /** @description Sent as `c.reload` to a server with Carbon, otherwise as `oxide.reload`, and confirmed by the server. Without RCON the agent types the command from the instance's configuration, and the result is `sent`. */
        ReloadPluginArguments: {
            plugin: components["schemas"]["PluginName"];
            by: components["schemas"]["TypedBy"];
        };
        /** @description Arguments of `load_plugin`, `unload_plugin` and `uninstall_plugin`. */
        PluginArguments: {
            plugin: components["schemas"]["PluginName"];
            by: components["schemas"]["TypedBy"];
        };
        /** @description File of a plugin, below the folder of its framework: `config/` stands for `oxide/config/` or `carbon/configs/`, `data/` for `oxide/data/` or `carbon/data/`. */
        PluginFilePath: string;
        /**
         * Format: uuid
         * @description ID of an upload or download at the agent that started it.
         */
        TransferId: string;
        /** @description SHA-256 in lower-case hexadecimal. */
        Sha256: string;
        AppliedPluginFile: {
            file: components["schemas"]["PluginFilePath"];
            upload: components["schemas"]["TransferId"];
            sha256: components["schemas"]["Sha256"];
            /** @description Expected SHA-256 of the present content; null if the file must not exist. */
            present: string | null;
        };
        /** @description Arguments of `apply_plugin_files`. The new contents were uploaded before with `file-upload-plugin-file`. Nothing is written unless all files are unchanged since they were read. A plugin that then fails to load gets its former files back. */
        ApplyPluginFilesArguments: {
            /** @description The files to write. If empty, the plugins load the present files. */
            files: components["schemas"]["AppliedPluginFile"][];
            /** @description The plugins that read the files, in load order. A plugin that is not loaded stays unloaded. */
            plugins: components["schemas"]["PluginName"][];
            /** @description Whether the plugins are unloaded before the files are written, because they write the files themselves when they unload. */
            is_unloaded_first: boolean;
            by: components["schemas"]["TypedBy"];
        };
        /** @description Arguments of `install_module`: the plugin of a module, which the agent downloads from that address only. Redirects are not followed, and a file with another size or checksum is not installed. */
        InstallModuleArguments: {
            plugin: components["schemas"]["PluginName"];
            url: string;
            sha256: components["schemas"]["Sha256"];
            bytes: number;
            by: components["schemas"]["TypedBy"];
        };
        /** @description Arguments of `install_plugin`. The source was uploaded before with `file-upload-plugin`. */
        InstallPluginArguments: {
            plugin: components["schemas"]["PluginName"];
            upload: components["schemas"]["TransferId"];
            sha256: components["schemas"]["Sha256"];
            overwrite: boolean;
            by: components["schemas"]["TypedBy"];
        };
        /** @description Arguments of `restore_plugin`. */
        RestorePluginArguments: {
            /**
             * Format: uuid
             * @description ID of the copy.
             */
            copy: string;
            by: components["schemas"]["TypedBy"];
        };
        /** @description One console command with at least one visible character. Control characters are refused, so that one line cannot become two. */
        ConsoleInputLine: string;
        /** @description Types the line unchanged. With `wants_output` it does not wait for other commands of the instance, and `detail` repeats neither the line nor the game server's output. */
        TypeArguments: {
            line: components["schemas"]["ConsoleInputLine"];
            by: components["schemas"]["TypedBy"];
            /** @description Whether the result has `output`. Sent only to agents that report the capability `console_output`; other agents refuse it as invalid. */
            wants_output?: boolean;
        };
        /** @description A console command with the placeholders `{steam_id}` and `{player_name}`. The agent replaces them; a name becomes a single argument, regardless of its characters. */
        PlayerLineTemplate: string;
        /** @description SteamID64 of a player, as a string. */
        SteamId: string;
        /** @description Lines about a player, typed one after another after the agent has filled in their placeholders. If one line is invalid, none is typed. */
        TypeLinesArguments: {
            /** @description The lines in order. */
            lines: components["schemas"]["PlayerLineTemplate"][];
            steam_id: components["schemas"]["SteamId"];
            /** @description Name of the player, which may contain any characters. */
            player_name: string;
            by: components["schemas"]["TypedBy"];
        };
        /** @description A console command with the placeholders `{steam_id}`, `{player_name}`, `{item_name}`, `{quantity}` and `{transaction_id}`. The agent replaces them; a name becomes a single argument, regardless of its characters. */
        DeliveryTemplate: string;
        /** @description Arguments of the command `deliver`. The agent carries out a delivery once, even if several commands carry it. It writes a mark to the game server's console, records on disk that it starts, and then sends all commands between two more marks at once; if one cannot be typed, none is. For a delivery that it started but did not finish, it looks for the marks. If the last mark is there, the delivery has arrived. If only the first is there, the delivery was never accepted, and it is sent now. Otherwise, for example after the game server restarted or its console has dropped the marks, the command fails with `delivery_uncertain` and nothing is typed again. */
        DeliverArguments: {
            /**
             * Format: uuid
             * @description ID of the delivery, the same in every command that carries it.
             */
            delivery_id: string;
            /** @description The commands to type, in order. */
            commands: components["schemas"]["DeliveryTemplate"][];
            steam_id: components["schemas"]["SteamId"];
            /** @description Name of the player until the game server reports another. It may contain any characters. */
            player_name: string;
            /** @description Name of the item. It may contain any characters. */
            item_name: string;
            /** @description Number of units to deliver. */
            quantity: number;
            /**
             * Format: uuid
             * @description ID of the order that paid for the delivery.
             */
            transaction_id: string;
            /** @description Whether the command fails with `player_not_found`, without typing anything, while the player is offline. */
            needs_online_player: boolean;
        };
        /**
         * @description What is deleted. `map`: the map, the world and everything that players have in it. `blueprints`: what players have learned. `full`: both, and the relations between players. Settings, administrators, bans and paired phones are always kept.
         * @enum {string}
         */
        WipeKind: "map" | "blueprints" | "full";
        /**
         * Format: int32
         * @description Seed that the map is generated from.
         */
        MapSeed: number;
        /**
         * Format: int32
         * @description Length of the map's edge in meters.
         */
        WorldSize: number;
        /** @description URL that the server downloads its map from. */
        LevelUrl: string;
        /**
         * Format: int32
         * @description Seconds until the server is stopped, counted from when the agent accepts the wipe. Announcements are made immediately, and 60, 30, 15, 10, 5 and 1 minutes and 30 and 10 seconds before the stop.
         */
        WipeCountdown: number;
        /** @description Text of the announcements during the countdown: one line without semicolons or control characters, so that it cannot become a second command. `{time}` is replaced by the remaining time; without it the time is appended. */
        WipeMessage: string;
        /** @description The wipe to carry out. `level_url` excludes seed and size from the start parameters, and either of these excludes `level_url`. */
        WipeRequest: {
            kind: components["schemas"]["WipeKind"];
            seed?: components["schemas"]["MapSeed"];
            world_size?: components["schemas"]["WorldSize"];
            level_url?: components["schemas"]["LevelUrl"];
            countdown_seconds: components["schemas"]["WipeCountdown"];
            message?: components["schemas"]["WipeMessage"];
            backup: boolean;
            /** @description Whether a stopped server is started afterwards. */
            start: boolean;
        };
        /** @description The command succeeds once the wipe is stored in the agent's state directory; from then on `wipe-status` reports its progress. */
        WipeArguments: {
            /**
             * Format: uuid
             * @description ID of the wipe in all reports about it.
             */
            wipe_id: string;
            request: components["schemas"]["WipeRequest"];
        };
        CancelWipeArguments: {
            /** Format: uuid */
            wipe_id: string;
        };
        /** @description Name of a template in the agent's configuration file. */
        TemplateName: string;
        /** @description A value as a string; integers and ports in decimal digits. */
        ParameterValue: string;
        /** @description Values by parameter name. */
        ParameterValues: {
            [key: string]: components["schemas"]["ParameterValue"];
        };
        /** @description Creates an instance with the envelope's name from a template. Fails with `name_taken` if the host has an instance with that name, with `limit_reached` if it has as many as its file allows, and with `invalid` if the file has no such template or does not allow a value. */
        CreateInstanceArguments: {
            template: components["schemas"]["TemplateName"];
            parameters: components["schemas"]["ParameterValues"];
        };
        /** @description Changes the given values; the next start uses them. Fails with `version_conflict` if the instance has another version than `if_version`, and with `not_supported` if it was not created from a template. */
        ChangeInstanceArguments: {
            parameters: components["schemas"]["ParameterValues"];
            /**
             * Format: int64
             * @description The version to change.
             */
            if_version?: number;
        };
        /** @description Removes an instance that was created from a template and is not running. Its directory stays unless `delete_files` is true; its backups always stay. */
        DeleteInstanceArguments: {
            delete_files: boolean;
        };
        /** @description One line of text without control characters, so that it cannot become a second command. */
        PlainLine: string;
        KickPlayerArguments: {
            steam_id: components["schemas"]["SteamId"];
            reason?: components["schemas"]["PlainLine"];
        };
        /** @description Bans a player. The ban has no end in the game; the platform lifts it. */
        BanPlayerArguments: {
            steam_id: components["schemas"]["SteamId"];
            reason: components["schemas"]["PlainLine"];
            /** @description Whether the command fails with `already_banned` if the player is already banned. The existing ban then stays, instead of ending together with this one. */
            only_if_free?: boolean;
        };
        UnbanPlayerArguments: {
            steam_id: components["schemas"]["SteamId"];
        };
        MessagePlayerArguments: {
            steam_id: components["schemas"]["SteamId"];
            text: components["schemas"]["PlainLine"];
        };
        /**
         * @description Why the backup was made: on request, by a schedule, before a wipe, or before another backup was restored.
         * @enum {string}
         */
        BackupKind: "manual" | "scheduled" | "wipe" | "before_restore";
        /** @description A path below the instance's root directory, with `/` between its segments. Refused on every host: `.` and `..`, absolute paths, backslashes, drive letters, control characters, names that Windows reserves (`CON`, `aux.txt`), names that end with a dot or a space, names of more than 255 bytes, and paths of more than 200 segments. Symbolic links within the path are never followed. */
        FilePath: string;
        /** @description The paths in the backup, below the instance's root; a directory includes all its contents. */
        BackupPaths: components["schemas"]["FilePath"][];
        /** @description Note about the backup. */
        BackupNote: string;
        /** @description Arguments of the command `create_backup`. The backup gets the ID of the command. */
        CreateBackupArguments: {
            kind: components["schemas"]["BackupKind"];
            paths?: components["schemas"]["BackupPaths"];
            note?: components["schemas"]["BackupNote"];
        };
        /**
         * Format: uuid
         * @description ID of a backup; for a requested backup, the ID of its command.
         */
        BackupId: string;
        /** @description Arguments of the command `restore_backup`. With `keep_present` the present files are backed up first, with the ID of the command; with `remove_later` files that the backup could contain but does not are removed; with `stop` a running instance is stopped and started again, otherwise it is left alone. */
        RestoreBackupArguments: {
            backup_id: components["schemas"]["BackupId"];
            keep_present: boolean;
            remove_later: boolean;
            stop: boolean;
        };
        /** @description Arguments of the command `delete_backup`. A backup that does not exist counts as deleted. */
        DeleteBackupArguments: {
            backup_id: components["schemas"]["BackupId"];
        };
        /** @description Arguments of the command `zip_files`. */
        ZipFilesArguments: {
            paths: components["schemas"]["FilePath"][];
            archive_path: components["schemas"]["FilePath"];
        };
        /**
         * @description Path of a directory; empty for the root directory.
         * @default
         */
        FolderPath: string;
        /** @description Arguments of the command `unzip_file`. */
        UnzipFileArguments: {
            archive_path: components["schemas"]["FilePath"];
            path: components["schemas"]["FolderPath"];
            overwrite: boolean;
        };
        /** @description Name of the file in the directory `maps` below the instance's root. */
        MapFileName: string;
        /** @description A map and its download URL. Every command whose arguments have one as `map` gets its `url` when it is sent; the URL is valid for that instance only, and for two hours. Redirects are not followed. */
        MapSource: {
            /** Format: uuid */
            map_id: string;
            url: string;
            sha256: components["schemas"]["Sha256"];
            bytes: number;
            file_name: components["schemas"]["MapFileName"];
            /** @description URL where players can download the map, for `server.levelurl`; absent unless the map is public. */
            level_url?: string;
        };
        /** @description Arguments of the command `deploy_map`. */
        DeployMapArguments: {
            map: components["schemas"]["MapSource"];
        };
        /** @description Arguments of the command `remove_map`. A file that does not exist counts as removed. */
        RemoveMapArguments: {
            file_name: components["schemas"]["MapFileName"];
        };
        /** @description Replaces the executable of the agent with the one of the platform's release and restarts the agent; game servers continue to run. The agent downloads it from its platform, and checks the signature of the release with the key that it was installed with. The new agent reports the result once the platform has replied to its `hello`. If that takes more than 60 seconds, or the new agent ends, the former one starts again and reports `update_failed`. An agent that `install.sh` did not install fails with `not_supported`. */
        UpdateAgentArguments: {
            /** @description The version that the platform offers. Another one fails with `update_failed`. */
            version: string;
            /** @description Whether the version may be older than the running one. Unless it is true, that is refused. */
            allow_older?: boolean;
        };
        /**
         * Format: uuid
         * @description ID of the host, which the platform assigns when the agent enrolls; the second token of every subject of that host.
         */
        HostId: string;
        /** @description Name of a game instance, unique on its host. It comes from the agent's configuration file, or from the request that created the instance from a template. */
        InstanceName: string;
        /**
         * @description The command that the agent carries out. It is also the last token of the command's subject. `announce` and `type` type one line at the instance's console, `type_lines` several.
         * @enum {string}
         */
        CommandVerb: "announce" | "apply_plugin_files" | "ban_player" | "cancel_wipe" | "change_instance" | "create_backup" | "create_instance" | "delete_backup" | "delete_instance" | "deliver" | "deploy_map" | "install_module" | "install_plugin" | "kick_player" | "load_plugin" | "message_player" | "reload_plugin" | "remove_map" | "restart" | "restore_backup" | "restore_plugin" | "start" | "stop" | "type" | "type_lines" | "unban_player" | "uninstall_plugin" | "unload_plugin" | "unzip_file" | "update_agent" | "wipe" | "zip_files";
        /** @description A command, sent as a request to `{prefix}.{host_id}.cmd.{verb}`. Each has an `instance`, except `update_agent`, which concerns the whole host. */
        CommandEnvelope: {
            /** @constant */
            v: 1;
            /**
             * Format: uuid
             * @description ID of the command. The agent carries out each ID at most once.
             */
            id: string;
            host_id: components["schemas"]["HostId"];
            instance?: components["schemas"]["InstanceName"];
            verb: components["schemas"]["CommandVerb"];
            /** @description Arguments of the verb. `start` and `restart` have none. */
            args: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            issued_at: string;
            /**
             * Format: date-time
             * @description When the command expires. An agent that receives it later refuses it.
             */
            expires_at: string;
        } & (unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown);
        /** @description The agent's reply to a command, sent once the command is stored in its journal. */
        CommandReply: {
            /** @constant */
            v: 1;
            /**
             * Format: uuid
             * @description ID of the command, unless it could not be read.
             */
            id?: string;
            accepted: boolean;
            /**
             * @description Why the command was not accepted; absent if it was. `disk_full` means that the agent has no space to store it.
             * @enum {string}
             */
            reason?: "unknown_instance" | "expired" | "invalid" | "not_supported" | "shutting_down" | "disk_full";
            detail?: string;
        };
        /**
         * Format: uuid
         * @description Identifies one start of the agent or process. It changes whenever the sequence numbers that belong to it start again.
         */
        BootId: string;
        /** @description Requests the latest console lines, or with `before` lines that the agent keeps on disk; sent to `{prefix}.{host_id}.ask.console-tail`. Older agents refuse `before` as `invalid`. */
        ConsoleTailRequest: {
            /** @constant */
            v: 1;
            host_id: components["schemas"]["HostId"];
            instance: components["schemas"]["InstanceName"];
            limit: number;
            /** @description Only lines after this one of the given boot. */
            after_seq?: number;
            boot?: components["schemas"]["BootId"];
            /** @description Only lines before this one, also of earlier runs; all lines of a reply are of one run. Without `boot` and `seq`, the newest lines are returned. */
            before?: {
                boot?: components["schemas"]["BootId"];
                seq?: number;
            };
        };
        ReplyError: {
            /**
             * @description `game_unreachable`: the game server did not reply. `not_supported`: the agent has no connection to this game server.
             * @enum {string}
             */
            code: "unknown_instance" | "not_running" | "expired" | "invalid" | "failed" | "game_unreachable" | "not_supported";
            detail: string;
        };
        /**
         * @description State of a game instance as the agent sees it. `crashed` means that the process ended unexpectedly and either waits for its automatic restart or has used up its attempts.
         * @enum {string}
         */
        InstanceState: "stopped" | "starting" | "running" | "stopping" | "crashed";
        ConsoleLine: {
            /** @description Sequence number within this boot; gaps show lost lines. */
            seq: number;
            /** Format: date-time */
            at: string;
            /**
             * @description `input` is a line that a user typed, `system` a message of the agent.
             * @enum {string}
             */
            stream: "stdout" | "stderr" | "input" | "system";
            /** @description One line without its line end. Longer lines are truncated. */
            text: string;
            /** @description Who typed the line, for the stream `input`. */
            by?: string;
        };
        ConsoleTailReply: {
            /** @constant */
            v: 1;
            ok: boolean;
            error?: components["schemas"]["ReplyError"];
            boot?: components["schemas"]["BootId"];
            state?: components["schemas"]["InstanceState"];
            lines?: components["schemas"]["ConsoleLine"][];
            /** @description Whether the oldest requested lines were left out because the reply would have been too large. */
            truncated?: boolean;
            /** @description Whether the agent keeps lines before these; only in replies to requests with `before`. */
            has_earlier?: boolean;
        };
        /** @description One line for the console; sent to `{prefix}.{host_id}.ask.console-input`, never repeated. */
        ConsoleInputRequest: {
            /** @constant */
            v: 1;
            host_id: components["schemas"]["HostId"];
            instance: components["schemas"]["InstanceName"];
            line: components["schemas"]["ConsoleInputLine"];
            /** @description Who types the line, shown in the console. */
            by: string;
            /** Format: date-time */
            expires_at: string;
        };
        ConsoleInputReply: {
            /** @constant */
            v: 1;
            ok: boolean;
            error?: components["schemas"]["ReplyError"];
        };
        /** @description Requests the online players; sent to `{prefix}.{host_id}.ask.players`. */
        PlayersRequest: {
            /** @constant */
            v: 1;
            host_id: components["schemas"]["HostId"];
            instance: components["schemas"]["InstanceName"];
        };
        OnlinePlayer: {
            steam_id: components["schemas"]["SteamId"];
            /** @description Name that the player chose. */
            name: string;
            ping_ms: number;
            connected_seconds: number;
        };
        PlayersReply: {
            /** @constant */
            v: 1;
            ok: boolean;
            error?: components["schemas"]["ReplyError"];
            /**
             * Format: date-time
             * @description When the game server reported the players.
             */
            at?: string;
            players?: components["schemas"]["OnlinePlayer"][];
        };
        /** @description Requests an instance's plugins, sent to `{prefix}.{host_id}.ask.plugins`, or the stored copies of uninstalled or replaced plugins, sent to `{prefix}.{host_id}.ask.plugin-copies`. */
        PluginsRequest: {
            /** @constant */
            v: 1;
            host_id: components["schemas"]["HostId"];
            instance: components["schemas"]["InstanceName"];
        };
        InstalledPlugin: {
            /** @description File name without `.cs`. */
            name: string;
            title?: string;
            version?: string;
            author?: string;
            file?: string;
            /** @enum {string} */
            state: "loaded" | "unloaded" | "failed";
            /** @description Why the plugin failed. */
            error?: string;
        };
        PluginsReply: {
            /** @constant */
            v: 1;
            ok: boolean;
            error?: components["schemas"]["ReplyError"];
            /**
             * Format: date-time
             * @description When the game server reported the plugins.
             */
            at?: string;
            /** @enum {string} */
            framework?: "oxide" | "carbon";
            framework_version?: string;
            plugins?: components["schemas"]["InstalledPlugin"][];
        };
        KeptPlugin: {
            /** Format: uuid */
            id: string;
            plugin: components["schemas"]["PluginName"];
            size: number;
            sha256: components["schemas"]["Sha256"];
            /** Format: date-time */
            kept_at: string;
            /** Format: date-time */
            expires_at: string;
        };
        PluginCopiesReply: {
            /** @constant */
            v: 1;
            ok: boolean;
            error?: components["schemas"]["ReplyError"];
            copies?: components["schemas"]["KeptPlugin"][];
        };
        /** @description A request about files; sent to `{prefix}.{host_id}.ask.file-…`. The verb determines the operation and its fields: `file-list` (`path`, `limit`, `after`), `file-stat`, `file-read` (`path`), `file-download` (`path`, or `backup_id` for a backup's archive, or `plugin_file`), `file-write` (`path`, `data`, `if_match`), `file-make-directory` (`path`), `file-rename` (`path`, `new_path`, `overwrite`), `file-delete` (`path`, `recursive`), `file-upload` (`path`, `overwrite`), `file-upload-plugin` (`plugin`, `overwrite`), `file-upload-plugin-file` (nothing), `file-connect` (`transfer`, `ticket`), `file-finish` (`transfer`, `size`, `sha256`), `file-end` (`transfer`). Uploads of `file-upload-plugin` and `file-upload-plugin-file` are kept for an hour, for `install_plugin` and `apply_plugin_files`. */
        FileRequest: {
            /** @constant */
            v: 1;
            host_id: components["schemas"]["HostId"];
            instance: components["schemas"]["InstanceName"];
            path?: components["schemas"]["FolderPath"];
            new_path?: components["schemas"]["FilePath"];
            plugin?: components["schemas"]["PluginName"];
            plugin_file?: components["schemas"]["PluginFilePath"];
            backup_id?: components["schemas"]["BackupId"];
            /** @description Only names after this one. */
            after?: string;
            limit?: number;
            /** @description The complete content in base64. */
            data?: string;
            /** @description Expected SHA-256 of the present content. */
            if_match?: components["schemas"]["Sha256"];
            overwrite?: boolean;
            recursive?: boolean;
            transfer?: components["schemas"]["TransferId"];
            /** @description Opens one data connection for the transfer; see the description of this document. */
            ticket?: string;
            /** Format: int64 */
            size?: number;
            sha256?: components["schemas"]["Sha256"];
        };
        FileError: {
            /**
             * @description `refused`: the path leads through a symbolic link or to files of the agent. `busy`: too many transfers are running. `not_plugin`: the source declares no plugin with the name. `not_supported`: the instance has neither Oxide nor Carbon.
             * @enum {string}
             */
            code: "unknown_instance" | "invalid" | "not_found" | "exists" | "wrong_type" | "not_empty" | "refused" | "too_large" | "changed" | "checksum" | "disk_full" | "busy" | "unknown_transfer" | "not_plugin" | "not_supported" | "failed";
            detail: string;
        };
        FileEntry: {
            name: string;
            /** @enum {string} */
            kind: "file" | "directory" | "symlink" | "other";
            /** Format: int64 */
            size?: number;
            /** Format: date-time */
            modified_at: string;
        };
        FileReply: {
            /** @constant */
            v: 1;
            ok: boolean;
            error?: components["schemas"]["FileError"];
            entries?: components["schemas"]["FileEntry"][];
            /** @description Whether there are entries after these. */
            more?: boolean;
            entry?: components["schemas"]["FileEntry"];
            /** @description The complete content in base64. */
            data?: string;
            sha256?: components["schemas"]["Sha256"];
            transfer?: components["schemas"]["TransferId"];
            /** Format: int64 */
            size?: number;
            /** @description Path of a plugin's file. */
            path?: components["schemas"]["FilePath"];
        };
        /** @description One chunk of a transfer: this object in one line of JSON, a line feed and, for a chunk with content, the bytes. The platform sends it to `{prefix}.{host_id}.ask.file-chunk`: for an upload with at most 262144 bytes, which are acknowledged once they are written; for a download without bytes, to request them. At most eight chunks wait for their replies. An agent ends a transfer after a minute without a chunk. */
        FileChunk: {
            /** @constant */
            v: 1;
            host_id: components["schemas"]["HostId"];
            transfer: components["schemas"]["TransferId"];
            /** @description Sequence number from 0; each chunk is 262144 bytes further. */
            seq: number;
        };
        /** @description The reply to a chunk in the same form, with the bytes of a download. */
        FileChunkReply: {
            /** @constant */
            v: 1;
            ok: boolean;
            error?: components["schemas"]["FileError"];
            seq?: number;
            /** @description SHA-256 of everything that was read, in the last chunk. */
            sha256?: components["schemas"]["Sha256"];
        };
        /** @description Checks whether an agent is online; sent to `{prefix}.{host_id}.ask.presence` when heartbeats of the host may have been lost. A host that does not reply to two checks in a row goes offline. Any reply counts, including that of an agent that does not know this request. */
        PresenceRequest: {
            /** @constant */
            v: 1;
            host_id: components["schemas"]["HostId"];
        };
        PresenceReply: {
            /** @constant */
            v: 1;
            ok: boolean;
            error?: components["schemas"]["ReplyError"];
        };
        /** @description Requests what a wipe would do now; sent to `{prefix}.{host_id}.ask.wipe-plan`. */
        WipePlanRequest: {
            /** @constant */
            v: 1;
            host_id: components["schemas"]["HostId"];
            instance: components["schemas"]["InstanceName"];
            request: components["schemas"]["WipeRequest"];
        };
        WipeFile: {
            /** @description Path of the file, relative to the instance's root directory. */
            path: string;
            /**
             * Format: int64
             * @description Size in bytes.
             */
            size: number;
        };
        LaunchParameters: {
            /**
             * Format: int64
             * @description Seed of the map; `null` if the server chooses it.
             */
            seed: number | null;
            /**
             * Format: int64
             * @description Size of the map; `null` if the server chooses it.
             */
            world_size: number | null;
            /** @description URL that the map is downloaded from; `null` for a map that is generated from the seed. */
            level_url: string | null;
        };
        WipeAnnouncement: {
            /**
             * Format: int32
             * @description Seconds before the stop.
             */
            before_seconds: number;
            /** @description Message that players get. */
            text: string;
        };
        WipePlan: {
            /** @description The files that would be deleted now, sorted by name. */
            files: components["schemas"]["WipeFile"][];
            /**
             * Format: int64
             * @description Total size of these files.
             */
            total_bytes: number;
            /** @description Whether the server is running and would be stopped. */
            stops: boolean;
            /** @description Whether the server would be started afterwards. */
            starts: boolean;
            /** @description Launch parameters that the server has now. */
            launch_before: components["schemas"]["LaunchParameters"];
            /** @description Launch parameters that the server would have afterwards. */
            launch_after: components["schemas"]["LaunchParameters"];
            /** @description The announcements in order; empty without a countdown. */
            announcements: components["schemas"]["WipeAnnouncement"][];
        };
        WipePlanReply: {
            /** @constant */
            v: 1;
            ok: boolean;
            error?: components["schemas"]["ReplyError"];
            plan?: components["schemas"]["WipePlan"];
        };
        /** @description A request on `{prefix}.{host_id}.up.hello`, sent after every connect; queued commands follow it. Instances of the host that it does not list are shown as offline. A later start of the agent has another `boot` and replaces the earlier one, ordered by `sent_at`: late messages of the earlier boot have no effect. */
        Hello: {
            /** @constant */
            v: 1;
            /** Format: date-time */
            sent_at: string;
            agent_version: string;
            boot: components["schemas"]["BootId"];
            platform: string;
            instances: components["schemas"]["InstanceName"][];
        };
        HelloReply: {
            /** @constant */
            v: 1;
            ok: boolean;
            /**
             * Format: date-time
             * @description The platform's time, which the agent uses.
             */
            server_time: string;
        };
        Bytes: number;
        HostMetrics: {
            /** @description CPU load of all cores together. */
            cpu_percent: number;
            memory_used_bytes: components["schemas"]["Bytes"];
            memory_total_bytes: components["schemas"]["Bytes"];
            disk_used_bytes: components["schemas"]["Bytes"];
            disk_total_bytes: components["schemas"]["Bytes"];
        };
        /**
         * @description - `announcements`: messages to all players.
         *     - `console_input`: the server reads console commands.
         *     - `console_output`: the agent reports the output of a console command.
         *     - `console_replies`: the server replies to console commands, as with RCON.
         *     - `deliveries`: deliveries of the web store can be confirmed.
         *     - `players`: players can be listed, kicked, banned and messaged.
         *     - `plugin_reloads`: plugins can be reloaded by a console command.
         *     - `plugins`: Oxide or Carbon plugins can be installed and configured.
         *     - `saves`: the game can save its world on request.
         *     - `wipes`: the server can be wiped.
         * @enum {string}
         */
        InstanceCapability: "announcements" | "console_input" | "console_output" | "console_replies" | "deliveries" | "players" | "plugin_reloads" | "plugins" | "saves" | "wipes";
        InstanceReport: {
            name: components["schemas"]["InstanceName"];
            /** @description The game; absent if unknown. */
            game?: string;
            state: components["schemas"]["InstanceState"];
            /** @description Seconds that the process has been running; 0 if it is not running. */
            uptime_seconds: number;
            players?: number;
            max_players?: number;
            /** @description Number of players in the queue. */
            queued?: number;
            /** @description Frames per second of the game server. */
            fps?: number;
            entities?: number;
            /** @description Name of the map as the game reports it; most maps have the same name. */
            map?: string;
            /** @description Seed of the map, unless it was downloaded. */
            seed?: number;
            /** @description Size of the world in meters. */
            world_size?: number;
            /** @description URL that the map was downloaded from, if it was. */
            level_url?: string;
            /** @description CPU load in percent of one core. */
            cpu_percent?: number;
            memory_bytes?: components["schemas"]["Bytes"];
            /** @description What the instance supports besides process control and files. Absent for agents that do not report it; no request is refused in advance for their instances. */
            capabilities?: components["schemas"]["InstanceCapability"][];
        };
        /** @description Published on `{prefix}.{host_id}.up.heartbeat` every heartbeat interval. It may be lost, because the next one contains everything again. */
        Heartbeat: {
            /** @constant */
            v: 1;
            /**
             * Format: date-time
             * @description Time in the platform's clock, as the agent knows it. If it is more than 300 s off, the message counts as sent when it arrives.
             */
            sent_at: string;
            boot: components["schemas"]["BootId"];
            /** @description Sequence number within a boot. A heartbeat older than the last one is dropped. */
            seq: number;
            agent_version: string;
            host: components["schemas"]["HostMetrics"];
            instances: components["schemas"]["InstanceReport"][];
        };
        /** @description A request on `{prefix}.{host_id}.up.instance-state`, repeated from the agent's outbox until it gets a reply. */
        InstanceStateChange: {
            /** @constant */
            v: 1;
            /**
             * Format: uuid
             * @description ID of this change. The platform applies it once.
             */
            id: string;
            boot: components["schemas"]["BootId"];
            /** @description Order of the changes of an instance within a boot of the agent. */
            seq: number;
            instance: components["schemas"]["InstanceName"];
            state: components["schemas"]["InstanceState"];
            /** Format: date-time */
            at: string;
            exit_code?: number | null;
            signal?: string | null;
            reason?: string;
        };
        /** @description Output of the game server for one console command. */
        CommandOutput: {
            /** @description Lines separated by line feeds, at most 16 KiB in UTF-8, without colors and control characters other than tabs. Empty if nothing was printed. */
            text: string;
            /** @description Whether lines were left out because there were too many or they arrived too fast. */
            is_truncated: boolean;
            /**
             * @description `reply` is the game server's reply over RCON. `console` is everything it printed until 300 milliseconds passed without a line, for at most 2 seconds: later lines are missing, and unrelated lines may be included.
             * @enum {string}
             */
            source: "reply" | "console";
        };
        /** @description A request on `{prefix}.{host_id}.up.command-result`, repeated from the agent's outbox until it gets a reply. */
        CommandResult: {
            /** @constant */
            v: 1;
            /** Format: uuid */
            command_id: string;
            /**
             * @description `sent` means that the command was passed to the game server, which does not confirm it, such as a line at a console without replies. Only `announce`, `type`, `type_lines` and `reload_plugin` may end with it.
             * @enum {string}
             */
            status: "succeeded" | "sent" | "failed";
            /** Format: date-time */
            finished_at: string;
            /** @description What happened, for people. */
            detail?: string;
            output?: components["schemas"]["CommandOutput"];
            /** @description For `apply_plugin_files`: whether all plugins that read the files have loaded them since. Absent for agents that do not know. */
            is_loaded?: boolean;
            /**
             * @description Why the command failed; absent if it did not. `not_running`, `input_failed`: nothing was typed. `invalid`: the line is not a valid command after its placeholders were replaced, and nothing was typed; for `create_instance` and `change_instance`, the file has no such template or does not allow a value. `interrupted`: the agent stopped during the command. `expired`: the command expired before it started, because it waited for other commands or for the agent. `game_unreachable`: the game server did not reply. `game_refused`: the game server refused. `not_supported`: the agent has no connection to the game server. `player_not_found`: the player is not online. `already_banned`: the player has another ban. `files_changed`: files have changed since they were read. `plugin_failed`: the game server could not load the plugin. `plugin_not_found`: the plugin does not exist. `still_running`: the instance has to be stopped first. `no_backup`: the host does not have the backup. `backup_damaged`: the backup has changed. `map_not_fetched`, `module_not_fetched`: the file could not be downloaded completely. `wipe_under_way`: the instance is being wiped. `wipe_begun`: the wipe can no longer be cancelled. `delivery_uncertain`: it is unknown whether the game server accepted the delivery. `name_taken`: the host has an instance with that name. `limit_reached`: the host has as many instances as its file allows. `version_conflict`: the instance has changed in the meantime. `update_failed`: the former version of the agent runs; `detail` says why.
             * @enum {string}
             */
            error_code?: "start_failed" | "stop_failed" | "files_changed" | "files_refused" | "map_not_fetched" | "module_not_fetched" | "not_running" | "input_failed" | "interrupted" | "invalid" | "expired" | "internal" | "game_unreachable" | "game_refused" | "not_supported" | "already_banned" | "player_not_found" | "plugin_failed" | "plugin_not_found" | "still_running" | "no_backup" | "backup_damaged" | "disk_full" | "wipe_under_way" | "wipe_begun" | "delivery_uncertain" | "name_taken" | "limit_reached" | "version_conflict" | "update_failed";
        };
        /**
         * @description Status of the wipe. `rolled_back`: a step failed and everything was restored. `failed`: the wipe could not start, or could not be undone; deleted files are then in a folder that `detail` names.
         * @enum {string}
         */
        WipeStatus: "planned" | "announcing" | "stopping" | "backing_up" | "deleting" | "starting" | "completed" | "failed" | "rolled_back" | "cancelled";
        /** @description A request on `{prefix}.{host_id}.up.wipe-status`, repeated from the agent's outbox until it gets a reply. */
        WipeReport: {
            /** @constant */
            v: 1;
            /** Format: uuid */
            wipe_id: string;
            /** @description Sequence number of the reports of a wipe. */
            seq: number;
            status: components["schemas"]["WipeStatus"];
            /** Format: date-time */
            at: string;
            /**
             * Format: date-time
             * @description When the countdown ends.
             */
            due_at?: string;
            file_count?: number;
            /** Format: int64 */
            deleted_bytes?: number;
            /** @description What happened, for people. */
            detail?: string;
            /**
             * @description Why the wipe failed; present for `failed` and `rolled_back`. `expired`: the agent was offline when the countdown ended, for too long for the wipe to still be expected.
             * @enum {string}
             */
            error_code?: "stop_failed" | "backup_failed" | "files_refused" | "start_failed" | "start_timeout" | "expired" | "internal";
        };
        /** @description The platform's reply to a request on `up`. If `ok` is false, the agent drops the message, because it will never be accepted. */
        Acknowledgement: {
            /** @constant */
            v: 1;
            ok: boolean;
            detail?: string;
        };
        /** @description A complete backup that was verified by reading it. */
        BackupRecord: {
            id: components["schemas"]["BackupId"];
            kind: components["schemas"]["BackupKind"];
            /** Format: date-time */
            created_at: string;
            /** @description Size of the archive in bytes. */
            size: components["schemas"]["Bytes"];
            /** @description SHA-256 of the archive. */
            sha256: components["schemas"]["Sha256"];
            /** @description Size of the files in it, in bytes. */
            content_size: components["schemas"]["Bytes"];
            files: number;
            /** @description Number of files that changed while they were read. */
            changed: number;
            /** @description Number of entries that are neither files nor directories, or whose names are not valid on every host. */
            left_out: number;
            /** @description Whether the backup contains only some paths. */
            is_partial: boolean;
            /** @description The paths in the backup; absent for a backup of all files. */
            paths?: components["schemas"]["BackupPaths"];
            note?: components["schemas"]["BackupNote"];
        };
        /** @description All backups of an instance on its host; a request on `{prefix}.{host_id}.up.backups`, sent after every connect and after each change, and repeated until it gets a reply. If the list would be too long for a message, `paths` are omitted. */
        BackupReport: {
            /** @constant */
            v: 1;
            boot: components["schemas"]["BootId"];
            /** @description Sequence number of the reports of a boot; an older report has no effect. */
            seq: number;
            instance: components["schemas"]["InstanceName"];
            backups: components["schemas"]["BackupRecord"][];
        };
        /** @description Name of a template's parameter. */
        ParameterName: string;
        /**
         * @description `integer` lies within `minimum` and `maximum`. `port` does as well, and is unique among the instances of this host that were created from templates; without a value the agent uses the lowest free port. `choice` is one of `choices`. `text` is one line for display of at most `max_length` characters, without slashes and backslashes, that does not begin with `-`, `+`, `@`, `.` or `=`.
         * @enum {string}
         */
        TemplateParameterType: "integer" | "port" | "choice" | "text";
        TemplateParameter: {
            /** @description Name of the parameter in `parameters` of a request. */
            name: components["schemas"]["ParameterName"];
            type: components["schemas"]["TemplateParameterType"];
            /** @description Purpose of the parameter. */
            description?: string;
            /**
             * Format: int64
             * @description Lowest value of an integer or a port.
             */
            minimum?: number;
            /**
             * Format: int64
             * @description Highest value of an integer or a port.
             */
            maximum?: number;
            /** @description Allowed values of a choice. */
            choices?: components["schemas"]["ParameterValue"][];
            /** @description Maximum length of a text, in characters. */
            max_length?: number;
            /** @description Taken where no value is given. Without it a value is required, except for a port. */
            default?: components["schemas"]["ParameterValue"];
        };
        /** @description A template that the agent may create instances from. */
        InstanceTemplate: {
            name: components["schemas"]["TemplateName"];
            /** @description Purpose of the template. */
            description?: string;
            /** @description Game of its instances; absent if unknown. */
            game?: string;
            /** @description Parameters that a request can set. */
            parameters: components["schemas"]["TemplateParameter"][];
        };
        /** @description An instance that was created from a template, as the agent stores it in its state directory. */
        ManagedInstance: {
            name: components["schemas"]["InstanceName"];
            template: components["schemas"]["TemplateName"];
            parameters: components["schemas"]["ParameterValues"];
            /**
             * Format: int64
             * @description Version of the instance, which rises by one with each change.
             */
            version: number;
            /** @description Why the instance cannot be started, for people; absent if it can. */
            problem?: string;
        };
        /** @description A request on `{prefix}.{host_id}.up.managed-instances`, sent after every connect and after each change, and repeated until it gets a reply. It lists all templates and all instances that were created from them. An agent whose file allows none reports none. */
        ManagedInstancesReport: {
            /** @constant */
            v: 1;
            boot: components["schemas"]["BootId"];
            /** @description Order of these reports within a boot of the agent. */
            seq: number;
            /** @description Maximum number of such instances. */
            maximum: number;
            templates: components["schemas"]["InstanceTemplate"][];
            instances: components["schemas"]["ManagedInstance"][];
        };
        /** @description Published on `{prefix}.{host_id}.up.console.{instance}` while the instance prints lines. */
        ConsoleBatch: {
            /** @constant */
            v: 1;
            instance: components["schemas"]["InstanceName"];
            boot: components["schemas"]["BootId"];
            lines: components["schemas"]["ConsoleLine"][];
        };
        /** @description The offline beacon, published on `{prefix}.{host_id}.up.bye` when the agent shuts down. It is the last message of its boot: later heartbeats and `hello` messages of the same boot have no effect. */
        Bye: {
            /** @constant */
            v: 1;
            /** Format: date-time */
            sent_at: string;
            boot: components["schemas"]["BootId"];
            reason: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
