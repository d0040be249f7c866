// Generated from the contract; edit the contract instead.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @example {
         *       "steam_id": "76561197960287930",
         *       "reason": "Idle"
         *     }
         */
        KickPlayerArgs: {
            steam_id: components["schemas"]["SteamId"];
            reason?: components["schemas"]["PlainLine"];
        };
        /**
         * @description The ban has no end of its own in the game; the platform lifts it.
         * @example {
         *       "steam_id": "76561197960287930",
         *       "reason": "Cheating"
         *     }
         */
        BanPlayerArgs: {
            steam_id: components["schemas"]["SteamId"];
            reason: components["schemas"]["PlainLine"];
            /** @description Fails with `already_banned` when the player is banned already: somebody else did that, and a ban for a time would end theirs with it. */
            only_if_free?: boolean;
        };
        /**
         * @example {
         *       "steam_id": "76561197960287930"
         *     }
         */
        UnbanPlayerArgs: {
            steam_id: components["schemas"]["SteamId"];
        };
        /**
         * @example {
         *       "steam_id": "76561197960287930",
         *       "text": "The server restarts at noon"
         *     }
         */
        MessagePlayerArgs: {
            steam_id: components["schemas"]["SteamId"];
            text: components["schemas"]["PlainLine"];
        };
        /**
         * @description Lines about a player, typed one after another once the agent has filled them in; none of them when one can't be.
         * @example {
         *       "lines": [
         *         "say Welcome {player_name}"
         *       ],
         *       "steam_id": "76561197960287930",
         *       "player_name": "Aster",
         *       "by": "Timed commands"
         *     }
         */
        TypeLinesArguments: {
            /** @description In this order. */
            lines: components["schemas"]["PlayerLineTemplate"][];
            steam_id: components["schemas"]["SteamId"];
            /** @description What the player is called. It may be anything. */
            player_name: string;
            by: components["schemas"]["TypedBy"];
        };
        /**
         * @description Arguments of the command `deliver`. The agent carries a delivery out once, whichever commands bring it. It leaves a mark in the game server's console, notes on disk that it begins, and then sends all of the commands between two more marks in one go; where one can't be typed, none is. Of one that it had begun and not ended it looks for the marks. The last is there: it has arrived. Only the first is: it was never taken, and is sent now. Otherwise, as after a start of the game server or once its console has forgotten, the command fails with `delivery_uncertain` and nothing is typed again.
         * @example {
         *       "delivery_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8d01",
         *       "commands": [
         *         "oxide.usergroup add {steam_id} vip",
         *         "say {player_name} is a VIP now"
         *       ],
         *       "steam_id": "76561197960287930",
         *       "player_name": "Aster",
         *       "item_name": "VIP",
         *       "quantity": 1,
         *       "transaction_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8c01",
         *       "needs_online_player": false
         *     }
         */
        DeliverArgs: {
            /**
             * Format: uuid
             * @description What it is known by, whichever command brings it.
             */
            delivery_id: string;
            /** @description To be typed in this order. */
            commands: components["schemas"]["DeliveryTemplate"][];
            steam_id: components["schemas"]["SteamId"];
            /** @description What the player is called, for as long as the game server does not know better. It may be anything. */
            player_name: string;
            /** @description What was bought. It may be anything. */
            item_name: string;
            /** @description How many units it brings. */
            quantity: number;
            /**
             * Format: uuid
             * @description What it was bought with.
             */
            transaction_id: string;
            /** @description Whether it fails with `player_not_found`, and nothing is typed, while the player is not on the server. */
            needs_online_player: boolean;
        };
        /**
         * @description Arguments of the command `deploy_map`.
         * @example {
         *       "map": {
         *         "map_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6c01",
         *         "url": "https://panel.example.com/api/agent/maps/0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6c01",
         *         "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
         *         "bytes": 31457280,
         *         "file_name": "five-islands-9f86d081884c.map"
         *       }
         *     }
         */
        DeployMapArgs: {
            map: components["schemas"]["MapSource"];
        };
        /**
         * @description Arguments of the command `remove_map`. What is not there counts as removed.
         * @example {
         *       "file_name": "five-islands-9f86d081884c.map"
         *     }
         */
        RemoveMapArgs: {
            file_name: components["schemas"]["MapFileName"];
        };
        /**
         * @description What all players are told: one line that begins with something visible. Control characters are refused, and semicolons, which end a command on some servers, so that it can never become a second command.
         * @example The server restarts in ten minutes.
         */
        AnnouncementText: string;
        /**
         * @description Who has it typed, shown in the console.
         * @example Nightly warning
         */
        TypedBy: string;
        /**
         * @description The command that the agent's configuration gives for the instance is typed, or the one that the agent knows for the game. Fails with `not_supported` when there is neither: nothing is guessed for a game that the agent does not know. Fails with `expired` when its turn comes after it has expired.
         * @example {
         *       "message": "The server restarts in ten minutes.",
         *       "by": "Nightly warning"
         *     }
         */
        AnnounceArguments: {
            message: components["schemas"]["AnnouncementText"];
            by: components["schemas"]["TypedBy"];
        };
        /**
         * @description Name of a plugin of Oxide or Carbon, as its file has it without `.cs`; not a name that Windows keeps for a device.
         * @example Kits
         */
        PluginName: string;
        /**
         * @description Sent as `c.reload` to a server with Carbon, else as `oxide.reload`, and confirmed by the server. Where the agent has no RCON for the instance it is typed, as its configuration says for the instance, and the result is `sent`.
         * @example {
         *       "plugin": "Kits",
         *       "by": "Hourly kits"
         *     }
         */
        ReloadPluginArguments: {
            plugin: components["schemas"]["PluginName"];
            by: components["schemas"]["TypedBy"];
        };
        /**
         * @description Arguments of `load_plugin`, `unload_plugin` and `uninstall_plugin`.
         * @example {
         *       "plugin": "Kits",
         *       "by": "owner@example.com"
         *     }
         */
        PluginArguments: {
            plugin: components["schemas"]["PluginName"];
            by: components["schemas"]["TypedBy"];
        };
        /**
         * @description A file of a plugin, below the folder of its framework: `config/` stands for `oxide/config/` or `carbon/configs/`, `data/` for `oxide/data/` or `carbon/data/`.
         * @example config/GatherManager.json
         */
        PluginFilePath: string;
        /**
         * Format: uuid
         * @description Names one upload or download at the agent that has begun it.
         */
        TransferId: string;
        /** @description SHA-256 in lower-case hexadecimal. */
        Sha256: string;
        /**
         * @example {
         *       "file": "config/GatherManager.json",
         *       "upload": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a07",
         *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
         *       "present": null
         *     }
         */
        AppliedPluginFile: {
            file: components["schemas"]["PluginFilePath"];
            upload: components["schemas"]["TransferId"];
            sha256: components["schemas"]["Sha256"];
            /** @description What the SHA-256 of the present content must be; null when there must be none. */
            present: string | null;
        };
        /**
         * @description Arguments of `apply_plugin_files`. The new contents were uploaded before, by `file-upload-plugin-file`. Nothing is written unless every file is still what it was. A plugin that then fails to load gets its former files back.
         * @example {
         *       "files": [
         *         {
         *           "file": "config/GatherManager.json",
         *           "upload": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a07",
         *           "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
         *           "present": null
         *         }
         *       ],
         *       "plugins": [
         *         "GatherManager"
         *       ],
         *       "is_unloaded_first": false,
         *       "by": "owner@example.com"
         *     }
         */
        ApplyPluginFilesArguments: {
            /** @description None at all has the plugins read what is there. */
            files: components["schemas"]["AppliedPluginFile"][];
            /** @description Those that read the files, in the order in which they are loaded. One that is not loaded stays so. */
            plugins: components["schemas"]["PluginName"][];
            /** @description Whether they are unloaded before the files are written, because they write them themselves then. */
            is_unloaded_first: boolean;
            by: components["schemas"]["TypedBy"];
        };
        /**
         * @description Arguments of `install_module`: the plugin of a module, which the agent fetches from that address and nowhere else. Redirects are not followed, and nothing is placed that has another size or checksum.
         * @example {
         *       "plugin": "GantryEvents",
         *       "url": "https://panel.example.com/api/plugin/download",
         *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
         *       "bytes": 4321,
         *       "by": "owner@example.com"
         *     }
         */
        InstallModuleArguments: {
            plugin: components["schemas"]["PluginName"];
            url: string;
            sha256: components["schemas"]["Sha256"];
            bytes: number;
            by: components["schemas"]["TypedBy"];
        };
        /**
         * @description Arguments of `install_plugin`. The source was uploaded before, by `file-upload-plugin`.
         * @example {
         *       "plugin": "Kits",
         *       "upload": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a07",
         *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
         *       "overwrite": false,
         *       "by": "owner@example.com"
         *     }
         */
        InstallPluginArguments: {
            plugin: components["schemas"]["PluginName"];
            upload: components["schemas"]["TransferId"];
            sha256: components["schemas"]["Sha256"];
            overwrite: boolean;
            by: components["schemas"]["TypedBy"];
        };
        /**
         * @description Arguments of `restore_plugin`.
         * @example {
         *       "copy": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b11",
         *       "by": "owner@example.com"
         *     }
         */
        RestorePluginArguments: {
            /**
             * Format: uuid
             * @description The id of the copy.
             */
            copy: string;
            by: components["schemas"]["TypedBy"];
        };
        /**
         * @description One console command, with something visible in it. Control characters are refused, so that one line can never become two.
         * @example say hello
         */
        ConsoleInputLine: string;
        /**
         * @description Typed as it is. With `wants_output` it does not wait for other commands of the instance, and `detail` repeats neither the line nor what the game server printed.
         * @example {
         *       "line": "server.save",
         *       "by": "Hourly save"
         *     }
         */
        TypeArguments: {
            line: components["schemas"]["ConsoleInputLine"];
            by: components["schemas"]["TypedBy"];
            /** @description Whether the result has `output`. Sent only to agents that report the capability `console_output`; others refuse it as invalid. */
            wants_output?: boolean;
        };
        /**
         * @description A console command with `{steam_id}` and `{player_name}` for what they say. The agent fills it in: a name becomes one argument, whatever is in it.
         * @example say Welcome {player_name}
         */
        PlayerLineTemplate: string;
        /**
         * @description SteamID64 of a player, as text.
         * @example 76561197960287930
         */
        SteamId: string;
        /**
         * @description A console command with `{steam_id}`, `{player_name}`, `{item_name}`, `{quantity}` and `{transaction_id}` for what they say. The agent fills it in: a name becomes one argument, whatever is in it.
         * @example oxide.usergroup add {steam_id} vip
         */
        DeliveryTemplate: string;
        /**
         * @description What is deleted. `map`: the map, the world and everything that players have in it. `blueprints`: what players have learned. `full`: both, and the relations between players. Settings, administrators, bans and paired phones are always kept.
         * @example map
         * @enum {string}
         */
        WipeKind: "map" | "blueprints" | "full";
        /**
         * Format: int32
         * @description Seed that the map is generated from.
         * @example 1337
         */
        MapSeed: number;
        /**
         * Format: int32
         * @description Length of the map's edge in metres.
         * @example 3500
         */
        WorldSize: number;
        /**
         * @description Where the server downloads its map from.
         * @example https://maps.example.com/islands.map
         */
        LevelUrl: string;
        /**
         * Format: int32
         * @description Seconds until the server is stopped, counted from when the agent accepts the wipe. Announcements are made immediately, and 60, 30, 15, 10, 5 and 1 minutes and 30 and 10 seconds before the stop.
         * @example 900
         */
        WipeCountdown: number;
        /**
         * @description Text of the announcements during the countdown: one line without semicolons or control characters, so that it cannot become a second command. `{time}` is replaced by the remaining time; without it the time is appended.
         * @example Fresh map in {time}, see you there!
         */
        WipeMessage: string;
        /**
         * @description What is to be wiped, and how. `level_url` leaves out seed and size at the start, and either of these leaves out `level_url`.
         * @example {
         *       "kind": "map",
         *       "seed": 1337,
         *       "countdown_seconds": 900,
         *       "backup": true,
         *       "start": false
         *     }
         */
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
        /**
         * @description The command succeeds once the wipe is safely in the agent's state directory; from then on `wipe-status` tells of it.
         * @example {
         *       "wipe_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01",
         *       "request": {
         *         "kind": "map",
         *         "seed": 1337,
         *         "countdown_seconds": 900,
         *         "backup": true,
         *         "start": false
         *       }
         *     }
         */
        WipeArguments: {
            /**
             * Format: uuid
             * @description The wipe, in everything that is told of it.
             */
            wipe_id: string;
            request: components["schemas"]["WipeRequest"];
        };
        /**
         * @example {
         *       "wipe_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01"
         *     }
         */
        CancelWipeArguments: {
            /** Format: uuid */
            wipe_id: string;
        };
        /**
         * @description Name of a template, as the agent's configuration file has it.
         * @example rust
         */
        TemplateName: string;
        /**
         * @description A value as text; integers and ports in decimal digits.
         * @example 28015
         */
        ParameterValue: string;
        /**
         * @description Values by the names of their parameters.
         * @example {
         *       "port": "28015",
         *       "title": "Rusty Islands"
         *     }
         */
        ParameterValues: {
            [key: string]: components["schemas"]["ParameterValue"];
        };
        /**
         * @description Makes an instance of the envelope's name from a template. Fails with `name_taken` where the host has one of that name, with `limit_reached` where it has as many as its file allows, with `invalid` where the file has no such template or a value is none that it allows.
         * @example {
         *       "template": "rust",
         *       "parameters": {
         *         "title": "Rusty Islands"
         *       }
         *     }
         */
        CreateInstanceArguments: {
            template: components["schemas"]["TemplateName"];
            parameters: components["schemas"]["ParameterValues"];
        };
        /**
         * @description Changes the values that are given; the next start uses them. Fails with `version_conflict` where `if_version` is another version than the instance has, and with `not_supported` where it was not made from a template.
         * @example {
         *       "parameters": {
         *         "title": "Rusty Islands 2x"
         *       },
         *       "if_version": 1
         *     }
         */
        ChangeInstanceArguments: {
            parameters: components["schemas"]["ParameterValues"];
            /**
             * Format: int64
             * @description Which version is to be changed.
             */
            if_version?: number;
        };
        /**
         * @description Removes an instance that was made from a template and does not run. Its directory stays unless `delete_files` is true; its backups stay in any case.
         * @example {
         *       "delete_files": false
         *     }
         */
        DeleteInstanceArguments: {
            delete_files: boolean;
        };
        /**
         * Format: uuid
         * @description Issued by the platform when the agent enrols; the second token of every subject of that host.
         * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a01
         */
        HostId: string;
        /**
         * @description Name of a game instance, unique on its host. It comes from the agent's configuration file, or from whoever asked for an instance of one of its templates.
         * @example main
         */
        InstanceName: string;
        /**
         * @description What a command asks the agent to do. It is also the last token of the command's subject. `announce` and `type` become one line that is typed at the instance's console, `type_lines` several.
         * @example start
         * @enum {string}
         */
        CommandVerb: "announce" | "apply_plugin_files" | "ban_player" | "cancel_wipe" | "change_instance" | "create_backup" | "create_instance" | "delete_backup" | "delete_instance" | "deliver" | "deploy_map" | "install_module" | "install_plugin" | "kick_player" | "load_plugin" | "message_player" | "reload_plugin" | "remove_map" | "restart" | "restore_backup" | "restore_plugin" | "start" | "stop" | "type" | "type_lines" | "unban_player" | "uninstall_plugin" | "unload_plugin" | "unzip_file" | "wipe" | "zip_files";
        /**
         * @description A command, sent as a request to `{prefix}.{host_id}.cmd.{verb}`.
         * @example {
         *       "v": 1,
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a03",
         *       "host_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a01",
         *       "instance": "main",
         *       "verb": "start",
         *       "args": {},
         *       "issued_at": "2026-11-21T10:00:00.000Z",
         *       "expires_at": "2026-11-21T11:00:00.000Z"
         *     }
         */
        CommandEnvelope: {
            /** @constant */
            v: 1;
            /**
             * Format: uuid
             * @description The command's id; the agent carries out each id at most once.
             */
            id: string;
            host_id: components["schemas"]["HostId"];
            instance: components["schemas"]["InstanceName"];
            verb: components["schemas"]["CommandVerb"];
            /** @description Arguments of the verb: none of `start`, `stop` and `restart`, `KickPlayerArgs` of `kick_player`, and so on. */
            args: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            issued_at: string;
            /**
             * Format: date-time
             * @description An agent refuses a command it first hears of after this.
             */
            expires_at: string;
        } & (unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown);
        /**
         * @description The agent's answer to a command, given once the command is safely in its journal.
         * @example {
         *       "v": 1,
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a03",
         *       "accepted": true
         *     }
         */
        CommandReply: {
            /** @constant */
            v: 1;
            /**
             * Format: uuid
             * @description The id of the command, unless it could not be read.
             */
            id?: string;
            accepted: boolean;
            /**
             * @description Present when the command was not accepted. `disk_full` means that the agent has no room to remember it.
             * @enum {string}
             */
            reason?: "unknown_instance" | "expired" | "invalid" | "not_supported" | "shutting_down" | "disk_full";
            detail?: string;
        };
        /**
         * Format: uuid
         * @description Changes whenever the numbering that it goes with starts again.
         * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a02
         */
        BootId: string;
        /**
         * @description Asks for the newest console lines; sent to `{prefix}.{host_id}.ask.console-tail`.
         * @example {
         *       "v": 1,
         *       "host_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a01",
         *       "instance": "main",
         *       "limit": 200
         *     }
         */
        ConsoleTailQuestion: {
            /** @constant */
            v: 1;
            host_id: components["schemas"]["HostId"];
            instance: components["schemas"]["InstanceName"];
            limit: number;
            /** @description Only lines after this one of the boot named. */
            after_seq?: number;
            boot?: components["schemas"]["BootId"];
        };
        /**
         * @example {
         *       "code": "not_running",
         *       "detail": "The instance is stopped."
         *     }
         */
        AnswerError: {
            /**
             * @description `game_unreachable` means that the game server gave no answer, `not_supported` that the agent has no way to talk to this one.
             * @enum {string}
             */
            code: "unknown_instance" | "not_running" | "expired" | "invalid" | "failed" | "game_unreachable" | "not_supported";
            detail: string;
        };
        /**
         * @description What the agent sees of a game instance. `crashed` means that the process ended without being asked to and either waits for its automatic restart or has used up its attempts.
         * @example running
         * @enum {string}
         */
        InstanceState: "stopped" | "starting" | "running" | "stopping" | "crashed";
        ConsoleLine: {
            /**
             * @description Position within this boot; gaps show lost lines.
             * @example 42
             */
            seq: number;
            /**
             * Format: date-time
             * @example 2026-11-21T10:00:00.000Z
             */
            at: string;
            /**
             * @description `input` is a line somebody typed, `system` a remark of the agent.
             * @example stdout
             * @enum {string}
             */
            stream: "stdout" | "stderr" | "input" | "system";
            /**
             * @description One line without its line end. Longer lines are cut.
             * @example Server startup complete
             */
            text: string;
            /** @description Who typed it, of the stream `input`. */
            by?: string;
        };
        /**
         * @example {
         *       "v": 1,
         *       "ok": true,
         *       "boot": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a02",
         *       "state": "running",
         *       "lines": []
         *     }
         */
        ConsoleTailAnswer: {
            /** @constant */
            v: 1;
            ok: boolean;
            error?: components["schemas"]["AnswerError"];
            boot?: components["schemas"]["BootId"];
            state?: components["schemas"]["InstanceState"];
            lines?: components["schemas"]["ConsoleLine"][];
            /** @description Whether the oldest of the lines asked for were left out, because the answer had become too large. */
            truncated?: boolean;
        };
        /**
         * @description One line typed at the console; sent to `{prefix}.{host_id}.ask.console-input`, never repeated.
         * @example {
         *       "v": 1,
         *       "host_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a01",
         *       "instance": "main",
         *       "line": "say hello",
         *       "by": "owner@example.com",
         *       "expires_at": "2026-11-21T10:00:05.000Z"
         *     }
         */
        ConsoleInputQuestion: {
            /** @constant */
            v: 1;
            host_id: components["schemas"]["HostId"];
            instance: components["schemas"]["InstanceName"];
            line: components["schemas"]["ConsoleInputLine"];
            /** @description Who typed it, shown in the console. */
            by: string;
            /** Format: date-time */
            expires_at: string;
        };
        /**
         * @example {
         *       "v": 1,
         *       "ok": true
         *     }
         */
        ConsoleInputAnswer: {
            /** @constant */
            v: 1;
            ok: boolean;
            error?: components["schemas"]["AnswerError"];
        };
        /**
         * @description Asks who plays right now; sent to `{prefix}.{host_id}.ask.players`.
         * @example {
         *       "v": 1,
         *       "host_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a01",
         *       "instance": "main"
         *     }
         */
        PlayersQuestion: {
            /** @constant */
            v: 1;
            host_id: components["schemas"]["HostId"];
            instance: components["schemas"]["InstanceName"];
        };
        /**
         * @example {
         *       "steam_id": "76561197960287930",
         *       "name": "Aster",
         *       "ping_ms": 42,
         *       "connected_seconds": 900
         *     }
         */
        OnlinePlayer: {
            steam_id: components["schemas"]["SteamId"];
            /** @description What the player calls themself; chosen by them. */
            name: string;
            ping_ms: number;
            connected_seconds: number;
        };
        /**
         * @example {
         *       "v": 1,
         *       "ok": true,
         *       "at": "2026-11-21T10:00:00.000Z",
         *       "players": [
         *         {
         *           "steam_id": "76561197960287930",
         *           "name": "Aster",
         *           "ping_ms": 42,
         *           "connected_seconds": 900
         *         }
         *       ]
         *     }
         */
        PlayersAnswer: {
            /** @constant */
            v: 1;
            ok: boolean;
            error?: components["schemas"]["AnswerError"];
            /**
             * Format: date-time
             * @description When the game server said so.
             */
            at?: string;
            players?: components["schemas"]["OnlinePlayer"][];
        };
        /**
         * @description Asks for an instance's plugins, sent to `{prefix}.{host_id}.ask.plugins`, or for the copies that are kept of plugins that were uninstalled or replaced, sent to `{prefix}.{host_id}.ask.plugin-copies`.
         * @example {
         *       "v": 1,
         *       "host_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a01",
         *       "instance": "main"
         *     }
         */
        PluginsQuestion: {
            /** @constant */
            v: 1;
            host_id: components["schemas"]["HostId"];
            instance: components["schemas"]["InstanceName"];
        };
        /**
         * @example {
         *       "name": "Kits",
         *       "title": "Rust Kits",
         *       "version": "4.4.1",
         *       "author": "k1lly0u",
         *       "file": "Kits.cs",
         *       "state": "loaded"
         *     }
         */
        InstalledPlugin: {
            /** @description Its file without `.cs`. */
            name: string;
            title?: string;
            version?: string;
            author?: string;
            file?: string;
            /** @enum {string} */
            state: "loaded" | "unloaded" | "failed";
            /** @description Why it failed. */
            error?: string;
        };
        /**
         * @example {
         *       "v": 1,
         *       "ok": true,
         *       "at": "2026-11-21T10:00:00.000Z",
         *       "framework": "oxide",
         *       "framework_version": "2.0.6512",
         *       "plugins": [
         *         {
         *           "name": "Kits",
         *           "title": "Rust Kits",
         *           "version": "4.4.1",
         *           "author": "k1lly0u",
         *           "file": "Kits.cs",
         *           "state": "loaded"
         *         }
         *       ]
         *     }
         */
        PluginsAnswer: {
            /** @constant */
            v: 1;
            ok: boolean;
            error?: components["schemas"]["AnswerError"];
            /**
             * Format: date-time
             * @description When the game server said so.
             */
            at?: string;
            /** @enum {string} */
            framework?: "oxide" | "carbon";
            framework_version?: string;
            plugins?: components["schemas"]["InstalledPlugin"][];
        };
        /**
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b11",
         *       "plugin": "Kits",
         *       "size": 81920,
         *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
         *       "kept_at": "2026-11-21T10:00:00.000Z",
         *       "expires_at": "2026-12-21T10:00:00.000Z"
         *     }
         */
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
        /**
         * @example {
         *       "v": 1,
         *       "ok": true,
         *       "copies": []
         *     }
         */
        PluginCopiesAnswer: {
            /** @constant */
            v: 1;
            ok: boolean;
            error?: components["schemas"]["AnswerError"];
            copies?: components["schemas"]["KeptPlugin"][];
        };
        /**
         * @description Path of a directory; empty for the root directory.
         * @default
         */
        FolderPath: string;
        /**
         * @description A path below the instance's root directory, with `/` between its segments. Refused on every host: `.` and `..`, absolute paths, backslashes, drive letters, control characters, names that Windows reserves (`CON`, `aux.txt`), names that end with a dot or a space, names of more than 255 bytes, and paths of more than 200 segments. Symbolic links within the path are never followed.
         * @example oxide/config/Kits.json
         */
        FilePath: string;
        /**
         * Format: uuid
         * @description Names a backup; one that was asked for has the id of the command that asked.
         * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a08
         */
        BackupId: string;
        /**
         * @description Asks for one thing about files; sent to `{prefix}.{host_id}.ask.file-…`. The verb says what, and which of the fields are needed: `file-list` (`path`, `limit`, `after`), `file-stat`, `file-read` (`path`), `file-download` (`path`, or `backup_id` for a backup's archive, or `plugin_file`), `file-write` (`path`, `data`, `if_match`), `file-make-directory` (`path`), `file-rename` (`path`, `new_path`, `overwrite`), `file-delete` (`path`, `recursive`), `file-upload` (`path`, `overwrite`), `file-upload-plugin` (`plugin`, `overwrite`), `file-upload-plugin-file` (nothing), `file-finish` (`transfer`, `size`, `sha256`), `file-end` (`transfer`). What `file-upload-plugin` and `file-upload-plugin-file` bring is kept for an hour, for `install_plugin` and `apply_plugin_files`.
         * @example {
         *       "v": 1,
         *       "host_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a01",
         *       "instance": "main",
         *       "path": "oxide/config/Kits.json"
         *     }
         */
        FileQuestion: {
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
            /** @description The whole content in base64. */
            data?: string;
            /** @description What the SHA-256 of the present content must be. */
            if_match?: components["schemas"]["Sha256"];
            overwrite?: boolean;
            recursive?: boolean;
            transfer?: components["schemas"]["TransferId"];
            /** Format: int64 */
            size?: number;
            sha256?: components["schemas"]["Sha256"];
        };
        /**
         * @example {
         *       "code": "not_found",
         *       "detail": "There is no oxide/config/Kits.json."
         *     }
         */
        FileError: {
            /**
             * @description `refused` is a path that leads through a symbolic link or to what is the agent's own; `busy` means that too many transfers run already; `not_plugin` is a source that declares no plugin of the name, `not_supported` an instance without Oxide and Carbon.
             * @enum {string}
             */
            code: "unknown_instance" | "invalid" | "not_found" | "exists" | "wrong_type" | "not_empty" | "refused" | "too_large" | "changed" | "checksum" | "disk_full" | "busy" | "unknown_transfer" | "not_plugin" | "not_supported" | "failed";
            detail: string;
        };
        /**
         * @example {
         *       "name": "Kits.json",
         *       "kind": "file",
         *       "size": 2048,
         *       "modified_at": "2026-11-21T10:00:00.000Z"
         *     }
         */
        FileEntry: {
            name: string;
            /** @enum {string} */
            kind: "file" | "directory" | "symlink" | "other";
            /** Format: int64 */
            size?: number;
            /** Format: date-time */
            modified_at: string;
        };
        /**
         * @example {
         *       "v": 1,
         *       "ok": true,
         *       "entry": {
         *         "name": "Kits.json",
         *         "kind": "file",
         *         "size": 2048,
         *         "modified_at": "2026-11-21T10:00:00.000Z"
         *       }
         *     }
         */
        FileAnswer: {
            /** @constant */
            v: 1;
            ok: boolean;
            error?: components["schemas"]["FileError"];
            entries?: components["schemas"]["FileEntry"][];
            /** @description Whether there are entries after these. */
            more?: boolean;
            entry?: components["schemas"]["FileEntry"];
            /** @description The whole content in base64. */
            data?: string;
            sha256?: components["schemas"]["Sha256"];
            transfer?: components["schemas"]["TransferId"];
            /** Format: int64 */
            size?: number;
            /** @description Where a file of a plugin is. */
            path?: components["schemas"]["FilePath"];
        };
        /**
         * @description One part of a transfer: this in one line of JSON, a line feed and, where it carries content, the bytes. The platform sends it to `{prefix}.{host_id}.ask.file-chunk`: of an upload with at most 262144 bytes, which are acknowledged once they are written; of a download without, to be given those bytes. Up to eight wait for their answers. An agent ends a transfer of which it has heard nothing for a minute.
         * @example {
         *       "v": 1,
         *       "host_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a01",
         *       "transfer": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a07",
         *       "seq": 0
         *     }
         */
        FileChunk: {
            /** @constant */
            v: 1;
            host_id: components["schemas"]["HostId"];
            transfer: components["schemas"]["TransferId"];
            /** @description From 0; each is 262144 bytes further. */
            seq: number;
        };
        /**
         * @description The answer to a chunk in the same form, with the bytes of a download.
         * @example {
         *       "v": 1,
         *       "ok": true,
         *       "seq": 0
         *     }
         */
        FileChunkAnswer: {
            /** @constant */
            v: 1;
            ok: boolean;
            error?: components["schemas"]["FileError"];
            seq?: number;
            /** @description Of all that was read, with the last part. */
            sha256?: components["schemas"]["Sha256"];
        };
        /**
         * @description Asks whether an agent is there; sent to `{prefix}.{host_id}.ask.presence` when heartbeats of the host may have been lost. A host that leaves two in a row unanswered goes offline. Any answer will do, also that of an agent that does not know the question.
         * @example {
         *       "v": 1,
         *       "host_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a01"
         *     }
         */
        PresenceQuestion: {
            /** @constant */
            v: 1;
            host_id: components["schemas"]["HostId"];
        };
        /**
         * @example {
         *       "v": 1,
         *       "ok": true
         *     }
         */
        PresenceAnswer: {
            /** @constant */
            v: 1;
            ok: boolean;
            error?: components["schemas"]["AnswerError"];
        };
        /**
         * @description Asks what a wipe would do now; sent to `{prefix}.{host_id}.ask.wipe-plan`.
         * @example {
         *       "v": 1,
         *       "host_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a01",
         *       "instance": "main",
         *       "request": {
         *         "kind": "map",
         *         "countdown_seconds": 0,
         *         "backup": false,
         *         "start": false
         *       }
         *     }
         */
        WipePlanQuestion: {
            /** @constant */
            v: 1;
            host_id: components["schemas"]["HostId"];
            instance: components["schemas"]["InstanceName"];
            request: components["schemas"]["WipeRequest"];
        };
        /**
         * @example {
         *       "path": "server/main/proceduralmap.3500.1337.262.map",
         *       "size": 62914560
         *     }
         */
        WipeFile: {
            /** @description Path of the file, relative to the instance's root directory. */
            path: string;
            /**
             * Format: int64
             * @description Size in bytes.
             */
            size: number;
        };
        /**
         * @example {
         *       "seed": 1337,
         *       "world_size": 3500,
         *       "level_url": null
         *     }
         */
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
        /**
         * @example {
         *       "before_seconds": 900,
         *       "text": "The map is wiped in 15 minutes."
         *     }
         */
        WipeAnnouncement: {
            /**
             * Format: int32
             * @description Seconds before the stop.
             */
            before_seconds: number;
            /** @description Message that players get. */
            text: string;
        };
        /**
         * @example {
         *       "files": [
         *         {
         *           "path": "server/main/proceduralmap.3500.42.262.map",
         *           "size": 62914560
         *         }
         *       ],
         *       "total_bytes": 62914560,
         *       "stops": true,
         *       "starts": true,
         *       "launch_before": {
         *         "seed": 42,
         *         "world_size": 3500,
         *         "level_url": null
         *       },
         *       "launch_after": {
         *         "seed": 1337,
         *         "world_size": 3500,
         *         "level_url": null
         *       },
         *       "announcements": [
         *         {
         *           "before_seconds": 900,
         *           "text": "The map is wiped in 15 minutes."
         *         }
         *       ]
         *     }
         */
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
        /**
         * @example {
         *       "v": 1,
         *       "ok": false,
         *       "error": {
         *         "code": "not_supported",
         *         "detail": "Only Rust servers can be wiped."
         *       }
         *     }
         */
        WipePlanAnswer: {
            /** @constant */
            v: 1;
            ok: boolean;
            error?: components["schemas"]["AnswerError"];
            plan?: components["schemas"]["WipePlan"];
        };
        /**
         * @description A request on `{prefix}.{host_id}.up.hello`, made after every connect; queued commands follow it. Instances of the host that it does not name are shown as offline. A later start of the agent has another `boot` and replaces the earlier one, by `sent_at`: what the earlier one sent changes nothing any more when it comes late.
         * @example {
         *       "v": 1,
         *       "sent_at": "2026-11-21T10:00:00.000Z",
         *       "agent_version": "0.1.0",
         *       "boot": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a02",
         *       "platform": "linux-x64",
         *       "instances": [
         *         "main"
         *       ]
         *     }
         */
        Hello: {
            /** @constant */
            v: 1;
            /** Format: date-time */
            sent_at: string;
            /** @example 0.1.0 */
            agent_version: string;
            boot: components["schemas"]["BootId"];
            /** @example linux-x64 */
            platform: string;
            instances: components["schemas"]["InstanceName"][];
        };
        /**
         * @example {
         *       "v": 1,
         *       "ok": true,
         *       "server_time": "2026-11-21T10:00:00.000Z"
         *     }
         */
        HelloReply: {
            /** @constant */
            v: 1;
            ok: boolean;
            /**
             * Format: date-time
             * @description The platform’s time, by which the agent judges times.
             */
            server_time: string;
        };
        /** @example 8589934592 */
        Bytes: number;
        /**
         * @example {
         *       "cpu_percent": 31.5,
         *       "memory_used_bytes": 8589934592,
         *       "memory_total_bytes": 34359738368,
         *       "disk_used_bytes": 107374182400,
         *       "disk_total_bytes": 512110190592
         *     }
         */
        HostMetrics: {
            /** @description Of all cores together. */
            cpu_percent: number;
            memory_used_bytes: components["schemas"]["Bytes"];
            memory_total_bytes: components["schemas"]["Bytes"];
            disk_used_bytes: components["schemas"]["Bytes"];
            disk_total_bytes: components["schemas"]["Bytes"];
        };
        /**
         * @description `announcements` can be sent to all players; `console_input` means that the server reads console commands, `console_output` that its agent reports what it prints for one, and `console_replies` that it replies to them, as with RCON; `deliveries` of the web store can be confirmed; `players` can be listed, kicked, banned and addressed; `plugin_reloads` can be asked for by a console command; `plugins` of Oxide or Carbon can be installed and configured; `saves` means that the game can be told to save its world; `wipes` can be run.
         * @example announcements
         * @enum {string}
         */
        InstanceCapability: "announcements" | "console_input" | "console_output" | "console_replies" | "deliveries" | "players" | "plugin_reloads" | "plugins" | "saves" | "wipes";
        /**
         * @example {
         *       "name": "main",
         *       "game": "rust",
         *       "state": "running",
         *       "uptime_seconds": 3600,
         *       "players": 41,
         *       "max_players": 100,
         *       "queued": 0,
         *       "fps": 58.9,
         *       "map": "Procedural Map",
         *       "seed": 1337,
         *       "world_size": 3500
         *     }
         */
        InstanceReport: {
            name: components["schemas"]["InstanceName"];
            /**
             * @description Kind of game; absent when unknown.
             * @example rust
             */
            game?: string;
            state: components["schemas"]["InstanceState"];
            /** @description 0 when the process does not run. */
            uptime_seconds: number;
            players?: number;
            max_players?: number;
            /** @description Players who wait to be let onto the full server. */
            queued?: number;
            /** @description Frames per second of the game server. */
            fps?: number;
            entities?: number;
            /** @description What the game calls it; most maps have the same name. */
            map?: string;
            /** @description What the map was made from, unless it was downloaded. */
            seed?: number;
            /** @description In metres. */
            world_size?: number;
            /** @description Where the map was downloaded from, if it was. */
            level_url?: string;
            /** @description Of one core. */
            cpu_percent?: number;
            memory_bytes?: components["schemas"]["Bytes"];
            /** @description What can be asked of the instance beyond its process and files. Absent from agents that do not report it; nothing is refused for their instances beforehand. */
            capabilities?: components["schemas"]["InstanceCapability"][];
        };
        /**
         * @description Published on `{prefix}.{host_id}.up.heartbeat` every heartbeat interval. It may be lost; the next one carries everything again.
         * @example {
         *       "v": 1,
         *       "sent_at": "2026-11-21T10:00:00.000Z",
         *       "boot": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a02",
         *       "seq": 17,
         *       "agent_version": "0.1.0",
         *       "host": {
         *         "cpu_percent": 31.5,
         *         "memory_used_bytes": 8589934592,
         *         "memory_total_bytes": 34359738368,
         *         "disk_used_bytes": 107374182400,
         *         "disk_total_bytes": 512110190592
         *       },
         *       "instances": [
         *         {
         *           "name": "main",
         *           "game": "rust",
         *           "state": "running",
         *           "uptime_seconds": 3600,
         *           "players": 41,
         *           "max_players": 100,
         *           "queued": 0,
         *           "fps": 58.9,
         *           "map": "Procedural Map"
         *         }
         *       ]
         *     }
         */
        Heartbeat: {
            /** @constant */
            v: 1;
            /**
             * Format: date-time
             * @description By the platform’s clock, as the agent knows it. One that is more than 300 s off is taken as sent when it arrives.
             */
            sent_at: string;
            boot: components["schemas"]["BootId"];
            /** @description Rises by one within a boot; an older one than the last seen is dropped. */
            seq: number;
            agent_version: string;
            host: components["schemas"]["HostMetrics"];
            instances: components["schemas"]["InstanceReport"][];
        };
        /**
         * @description A request on `{prefix}.{host_id}.up.instance-state`, repeated from the agent's outbox until it is answered.
         * @example {
         *       "v": 1,
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a04",
         *       "boot": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a02",
         *       "seq": 3,
         *       "instance": "main",
         *       "state": "running",
         *       "at": "2026-11-21T10:00:00.000Z"
         *     }
         */
        InstanceStateChange: {
            /** @constant */
            v: 1;
            /**
             * Format: uuid
             * @description Id of this change; the platform takes it once.
             */
            id: string;
            boot: components["schemas"]["BootId"];
            /** @description Order of the changes of one instance within a boot of the agent. */
            seq: number;
            instance: components["schemas"]["InstanceName"];
            state: components["schemas"]["InstanceState"];
            /** Format: date-time */
            at: string;
            exit_code?: number | null;
            signal?: string | null;
            reason?: string;
        };
        /**
         * @description What the game server printed for one console command.
         * @example {
         *       "text": "hostname: Main\nplayers : 12 (100 max)",
         *       "is_truncated": false,
         *       "source": "reply"
         *     }
         */
        CommandOutput: {
            /** @description Lines separated by line feeds, at most 16 KiB in UTF-8, without colours and other control characters but tabs. Empty when nothing was printed. */
            text: string;
            /** @description Whether lines were left out, because there were more than that or they came too fast. */
            is_truncated: boolean;
            /**
             * @description `reply` is what the game server replied over RCON. `console` is what it printed until 300 milliseconds after its last line, within 2 seconds at most: later lines are missing, and lines that have nothing to do with the command may be among them.
             * @enum {string}
             */
            source: "reply" | "console";
        };
        /**
         * @description A request on `{prefix}.{host_id}.up.command-result`, repeated from the agent's outbox until it is answered.
         * @example {
         *       "v": 1,
         *       "command_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a03",
         *       "status": "succeeded",
         *       "finished_at": "2026-11-21T10:00:02.000Z",
         *       "detail": "The process runs with pid 4242."
         *     }
         */
        CommandResult: {
            /** @constant */
            v: 1;
            /** Format: uuid */
            command_id: string;
            /**
             * @description `sent` means that the game server was sent what was asked for and does not confirm it, as a line that is typed at a console without replies. Only `announce`, `type`, `type_lines` and `reload_plugin` may end so.
             * @enum {string}
             */
            status: "succeeded" | "sent" | "failed";
            /** Format: date-time */
            finished_at: string;
            /** @description What happened, for a person. */
            detail?: string;
            output?: components["schemas"]["CommandOutput"];
            /** @description For `apply_plugin_files`: whether every plugin that reads the files has loaded them since. Left out by agents that do not know. */
            is_loaded?: boolean;
            /**
             * @description Present when the command failed. `not_running` and `input_failed` mean that nothing was typed, `invalid` that what was to be typed is no command once it is filled in, and nothing was; `interrupted` means that the agent itself ended meanwhile, `expired` that the command waited for others, or for the agent to come back, until it had expired and was not begun, `game_unreachable` that the game server gave no answer, `game_refused` that it said no, `not_supported` that the agent has no way to talk to it, `player_not_found` that the player is not on it, `already_banned` that somebody else has banned the player, `files_changed` that files are not what they were when they were read, `plugin_failed` that the game server could not load the plugin, `plugin_not_found` that there is none, `still_running` that the instance would have to be stopped, `no_backup` that the host has no such backup, `backup_damaged` that it is not what it was, `map_not_fetched` that the file of a map could not be got whole, `module_not_fetched` that of a module, `wipe_under_way` that the instance is being wiped, `wipe_begun` that a wipe can't be cancelled any more, `delivery_uncertain` that nobody can tell whether the game server has taken a delivery, `name_taken` that the host has an instance of that name, `limit_reached` that it has as many as its file allows, `version_conflict` that an instance was changed meanwhile. Of `create_instance` and `change_instance`, `invalid` means that the file has no such template or a value is none that it allows.
             * @enum {string}
             */
            error_code?: "start_failed" | "stop_failed" | "files_changed" | "files_refused" | "map_not_fetched" | "module_not_fetched" | "not_running" | "input_failed" | "interrupted" | "invalid" | "expired" | "internal" | "game_unreachable" | "game_refused" | "not_supported" | "already_banned" | "player_not_found" | "plugin_failed" | "plugin_not_found" | "still_running" | "no_backup" | "backup_damaged" | "disk_full" | "wipe_under_way" | "wipe_begun" | "delivery_uncertain" | "name_taken" | "limit_reached" | "version_conflict";
        };
        /**
         * @description Status of the wipe. `rolled_back`: a step failed and everything was restored. `failed`: the wipe could not be started, or could not be undone either; deleted files are then in a folder that `detail` names.
         * @enum {string}
         */
        WipeStatus: "planned" | "announcing" | "stopping" | "backing_up" | "deleting" | "starting" | "completed" | "failed" | "rolled_back" | "cancelled";
        /**
         * @description A request on `{prefix}.{host_id}.up.wipe-status`, repeated from the agent's outbox until it is answered.
         * @example {
         *       "v": 1,
         *       "wipe_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01",
         *       "seq": 2,
         *       "status": "announcing",
         *       "at": "2026-11-21T10:00:00.100Z",
         *       "due_at": "2026-11-21T10:15:00.100Z"
         *     }
         */
        WipeReport: {
            /** @constant */
            v: 1;
            /** Format: uuid */
            wipe_id: string;
            /** @description Order of the reports of one wipe. */
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
            /** @description What happened, for a person. */
            detail?: string;
            /**
             * @description Present of `failed` and `rolled_back`. `expired` says that the agent was away when the countdown ended, for longer than anybody still expects a wipe after it.
             * @enum {string}
             */
            error_code?: "stop_failed" | "backup_failed" | "files_refused" | "start_failed" | "start_timeout" | "expired" | "internal";
        };
        /**
         * @description The platform's answer to a request on `up`. On `ok false` the agent drops the message; it will never be taken.
         * @example {
         *       "v": 1,
         *       "ok": true
         *     }
         */
        Acknowledgement: {
            /** @constant */
            v: 1;
            ok: boolean;
            detail?: string;
        };
        /**
         * @description What it was made for: because somebody asked, because it was due, before a wipe, or before another backup was restored.
         * @enum {string}
         */
        BackupKind: "manual" | "scheduled" | "wipe" | "before_restore";
        /**
         * @description What it is of, below the instance's root; of a directory, all that is in it.
         * @example [
         *       "server/main",
         *       "oxide"
         *     ]
         */
        BackupPaths: components["schemas"]["FilePath"][];
        /**
         * @description What somebody wrote down about it.
         * @example Before the new map
         */
        BackupNote: string;
        /**
         * @description A backup that is whole and was read back once.
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a08",
         *       "kind": "manual",
         *       "created_at": "2026-11-21T10:00:00.000Z",
         *       "size": 52428800,
         *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
         *       "content_size": 209715200,
         *       "files": 312,
         *       "changed": 0,
         *       "left_out": 0,
         *       "is_partial": false
         *     }
         */
        BackupRecord: {
            id: components["schemas"]["BackupId"];
            kind: components["schemas"]["BackupKind"];
            /** Format: date-time */
            created_at: string;
            /** @description Of the archive. */
            size: components["schemas"]["Bytes"];
            /** @description Of the archive. */
            sha256: components["schemas"]["Sha256"];
            /** @description Of what is in it. */
            content_size: components["schemas"]["Bytes"];
            files: number;
            /** @description Files that changed while they were read. */
            changed: number;
            /** @description What is no file or directory, or has a name that is none on every host. */
            left_out: number;
            /** @description Whether it is of some paths only. */
            is_partial: boolean;
            /** @description Absent of a backup of everything. */
            paths?: components["schemas"]["BackupPaths"];
            note?: components["schemas"]["BackupNote"];
        };
        /**
         * @description Every backup of an instance that its host has; a request on `{prefix}.{host_id}.up.backups`, made after every connect and after each change, and repeated until it is answered. Where the list would be too long for a message, `paths` are left out.
         * @example {
         *       "v": 1,
         *       "boot": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a02",
         *       "seq": 3,
         *       "instance": "main",
         *       "backups": [
         *         {
         *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a08",
         *           "kind": "manual",
         *           "created_at": "2026-11-21T10:00:00.000Z",
         *           "size": 52428800,
         *           "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
         *           "content_size": 209715200,
         *           "files": 312,
         *           "changed": 0,
         *           "left_out": 0,
         *           "is_partial": false
         *         }
         *       ]
         *     }
         */
        BackupReport: {
            /** @constant */
            v: 1;
            boot: components["schemas"]["BootId"];
            /** @description Rises with each report of a boot; an older one changes nothing. */
            seq: number;
            instance: components["schemas"]["InstanceName"];
            backups: components["schemas"]["BackupRecord"][];
        };
        /**
         * @description Name of a template's parameter.
         * @example port
         */
        ParameterName: string;
        /**
         * @description `integer` lies within `minimum` and `maximum`. `port` does as well, and no other instance that was made from a template of this host has the same; without a value the agent takes the lowest free one. `choice` is one of `choices`. `text` is one line for display of at most `max_length` characters, without slashes and backslashes, that begins with none of `-`, `+`, `@`, `.` and `=`.
         * @enum {string}
         */
        TemplateParameterType: "integer" | "port" | "choice" | "text";
        /**
         * @example {
         *       "name": "port",
         *       "type": "port",
         *       "minimum": 28015,
         *       "maximum": 28115
         *     }
         */
        TemplateParameter: {
            /** @description What `parameters` of a request calls it. */
            name: components["schemas"]["ParameterName"];
            type: components["schemas"]["TemplateParameterType"];
            /** @description What it is for. */
            description?: string;
            /**
             * Format: int64
             * @description Of an integer or a port.
             */
            minimum?: number;
            /**
             * Format: int64
             * @description Of an integer or a port.
             */
            maximum?: number;
            /** @description What a choice may be. */
            choices?: components["schemas"]["ParameterValue"][];
            /** @description Of a text, in characters. */
            max_length?: number;
            /** @description Taken where no value is given. Without it a value is required, except for a port. */
            default?: components["schemas"]["ParameterValue"];
        };
        /**
         * @description What the agent may run when it is asked for an instance of this name.
         * @example {
         *       "name": "rust",
         *       "description": "Vanilla Rust server",
         *       "game": "rust",
         *       "parameters": [
         *         {
         *           "name": "port",
         *           "type": "port",
         *           "minimum": 28015,
         *           "maximum": 28115
         *         },
         *         {
         *           "name": "title",
         *           "type": "text",
         *           "max_length": 60,
         *           "default": "A Rust server"
         *         }
         *       ]
         *     }
         */
        InstanceTemplate: {
            name: components["schemas"]["TemplateName"];
            /** @description What it is for. */
            description?: string;
            /** @description Kind of game of its instances; absent when unknown. */
            game?: string;
            /** @description What a request can give values for. */
            parameters: components["schemas"]["TemplateParameter"][];
        };
        /**
         * @description An instance that was made from a template, as the agent has it in its state directory.
         * @example {
         *       "name": "event",
         *       "template": "rust",
         *       "parameters": {
         *         "port": "28016"
         *       },
         *       "version": 1
         *     }
         */
        ManagedInstance: {
            name: components["schemas"]["InstanceName"];
            template: components["schemas"]["TemplateName"];
            parameters: components["schemas"]["ParameterValues"];
            /**
             * Format: int64
             * @description Rises by one with each change.
             */
            version: number;
            /** @description Why it can't be started, for people; absent when it can. */
            problem?: string;
        };
        /**
         * @description A request on `{prefix}.{host_id}.up.managed-instances`, made after every connect and after each change, and repeated until it is answered. It has all templates and all instances that were made from them. An agent whose file allows none reports none.
         * @example {
         *       "v": 1,
         *       "boot": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a02",
         *       "seq": 2,
         *       "maximum": 20,
         *       "templates": [
         *         {
         *           "name": "rust",
         *           "parameters": [
         *             {
         *               "name": "port",
         *               "type": "port",
         *               "minimum": 28015,
         *               "maximum": 28115
         *             }
         *           ]
         *         }
         *       ],
         *       "instances": [
         *         {
         *           "name": "event",
         *           "template": "rust",
         *           "parameters": {
         *             "port": "28016"
         *           },
         *           "version": 1
         *         }
         *       ]
         *     }
         */
        ManagedInstancesReport: {
            /** @constant */
            v: 1;
            boot: components["schemas"]["BootId"];
            /** @description Order of these reports within a boot of the agent. */
            seq: number;
            /** @description How many such instances there may be. */
            maximum: number;
            templates: components["schemas"]["InstanceTemplate"][];
            instances: components["schemas"]["ManagedInstance"][];
        };
        /**
         * @description Published on `{prefix}.{host_id}.up.console.{instance}` while the instance prints.
         * @example {
         *       "v": 1,
         *       "instance": "main",
         *       "boot": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a02",
         *       "lines": [
         *         {
         *           "seq": 42,
         *           "at": "2026-11-21T10:00:00.000Z",
         *           "stream": "stdout",
         *           "text": "Server startup complete"
         *         }
         *       ]
         *     }
         */
        ConsoleBatch: {
            /** @constant */
            v: 1;
            instance: components["schemas"]["InstanceName"];
            boot: components["schemas"]["BootId"];
            lines: components["schemas"]["ConsoleLine"][];
        };
        /**
         * @description The offline beacon, published on `{prefix}.{host_id}.up.bye` when the agent ends in good order. It is the last word of its boot: heartbeats and greetings of the same boot that come after it change nothing.
         * @example {
         *       "v": 1,
         *       "sent_at": "2026-11-21T10:00:00.000Z",
         *       "boot": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a02",
         *       "reason": "shutdown"
         *     }
         */
        Bye: {
            /** @constant */
            v: 1;
            /** Format: date-time */
            sent_at: string;
            boot: components["schemas"]["BootId"];
            reason: string;
        };
        /**
         * @description Arguments of the command `zip_files`.
         * @example {
         *       "paths": [
         *         "oxide/config"
         *       ],
         *       "archive_path": "oxide.zip"
         *     }
         */
        ZipFilesArgs: {
            paths: components["schemas"]["FilePath"][];
            archive_path: components["schemas"]["FilePath"];
        };
        /**
         * @description Arguments of the command `unzip_file`.
         * @example {
         *       "archive_path": "oxide.zip",
         *       "path": "restored",
         *       "overwrite": false
         *     }
         */
        UnzipFileArgs: {
            archive_path: components["schemas"]["FilePath"];
            path: components["schemas"]["FolderPath"];
            overwrite: boolean;
        };
        /**
         * @description Arguments of the command `create_backup`. The backup gets the id of the command.
         * @example {
         *       "kind": "manual",
         *       "paths": [
         *         "server/main"
         *       ]
         *     }
         */
        CreateBackupArgs: {
            kind: components["schemas"]["BackupKind"];
            paths?: components["schemas"]["BackupPaths"];
            note?: components["schemas"]["BackupNote"];
        };
        /**
         * @description Arguments of the command `restore_backup`. With `keep_present` what is there now is backed up first, under the id of the command; with `remove_later` what the backup could have had and has not is removed; with `stop` an instance that runs is stopped and started again, else it is left alone.
         * @example {
         *       "backup_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a08",
         *       "keep_present": true,
         *       "remove_later": false,
         *       "stop": true
         *     }
         */
        RestoreBackupArgs: {
            backup_id: components["schemas"]["BackupId"];
            keep_present: boolean;
            remove_later: boolean;
            stop: boolean;
        };
        /**
         * @description Arguments of the command `delete_backup`. What is not there any more is deleted already.
         * @example {
         *       "backup_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a08"
         *     }
         */
        DeleteBackupArgs: {
            backup_id: components["schemas"]["BackupId"];
        };
        /**
         * @description One line of text without control characters, so that it can never become a second command.
         * @example Cheating
         */
        PlainLine: string;
        /**
         * @description Name of the file within the directory `maps` below the instance's root.
         * @example five-islands-9f86d081884c.map
         */
        MapFileName: string;
        /**
         * @description A map and where to fetch it. Every command whose arguments have one under the name `map` gets its `url` at the moment it is sent: it is good for that instance only, and for two hours. Redirects are not followed.
         * @example {
         *       "map_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6c01",
         *       "url": "https://panel.example.com/api/agent/maps/0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6c01",
         *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
         *       "bytes": 31457280,
         *       "file_name": "five-islands-9f86d081884c.map"
         *     }
         */
        MapSource: {
            /** Format: uuid */
            map_id: string;
            url: string;
            sha256: components["schemas"]["Sha256"];
            bytes: number;
            file_name: components["schemas"]["MapFileName"];
            /** @description Where players can download it, for `server.levelurl`; absent unless the map is public. */
            level_url?: string;
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
