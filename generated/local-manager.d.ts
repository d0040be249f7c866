// Generated from the contract; edit the contract instead.

export interface paths {
    "/api/automation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the automation
         * @description Returns the schedules, the watchdog and the notifications, with the next runs and the last events.
         */
        get: operations["getAutomation"];
        /**
         * Replace the automation
         * @description Replaces the schedules, the watchdog and the notifications as a whole, and returns them.
         */
        put: operations["updateAutomation"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/automation/test-notification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test notification
         * @description Sends a notification to every configured receiver, and returns whether each took it.
         */
        post: operations["sendTestNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List backups
         * @description Returns the backups on the host, newest first, with the folder that they are in.
         */
        get: operations["listBackups"];
        put?: never;
        /**
         * Create a backup
         * @description Dumps the game's database and copies it out of the virtual machine, also while players are online. The file is compared with its checksum; a cancelled or broken copy leaves nothing behind.
         */
        post: operations["createBackup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backups/{backupId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the backup. */
                backupId: components["parameters"]["BackupIdParameter"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a backup
         * @description Deletes the backup from the host. It cannot be brought back.
         */
        delete: operations["deleteBackup"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backups/{backupId}/file": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the backup. */
                backupId: components["parameters"]["BackupIdParameter"];
            };
            cookie?: never;
        };
        /**
         * Download a backup
         * @description Returns the file, in the custom format of pg_dump.
         */
        get: operations["downloadBackup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backups/{backupId}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the backup. */
                backupId: components["parameters"]["BackupIdParameter"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a backup
         * @description Stops the battlegroup, makes a backup of the present state, and replaces the game's database with the backup, all of it or nothing. The battlegroup stays stopped: start it when you are ready.
         */
        post: operations["restoreBackup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/battlegroup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the battlegroup
         * @description Returns the battlegroup as the virtual machine reports it now. Fails immediately, with the reason, if the virtual machine cannot be accessed.
         */
        get: operations["getBattlegroup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/battlegroup/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start the battlegroup
         * @description Starts the game servers and waits until the battlegroup is reachable. The gateway reads the advertised address only at this time. Fails immediately, with the reason, if the virtual machine cannot be accessed.
         */
        post: operations["startBattlegroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/battlegroup/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop the battlegroup
         * @description Stops the game servers and waits until they have stopped. Players are disconnected. Fails immediately, with the reason, if the virtual machine cannot be accessed.
         */
        post: operations["stopBattlegroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/battlegroup/restart": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restart the battlegroup
         * @description Stops the battlegroup completely and starts it again, which applies a new address. Players are disconnected. Fails immediately, with the reason, if the virtual machine cannot be accessed.
         */
        post: operations["restartBattlegroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/battlegroup/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Update the battlegroup
         * @description Downloads and installs the vendor's latest release in the virtual machine. This may reset the game settings to the vendor's; `GET /api/game-config` then reports the drift. Fails immediately, with the reason, if the virtual machine cannot be accessed.
         */
        post: operations["updateBattlegroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/battlegroup/announce": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message to players
         * @description Hands a message for all players to the game's message queue, with the token of `warnings` in the automation. The queue confirms that it took the message; whether the game shows it is not reported, for example with a wrong token.
         */
        post: operations["sendAnnouncement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/battlegroup/backup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Back up the battlegroup
         * @description Backs up the database in the virtual machine, where the backup stays. Fails immediately, with the reason, if the virtual machine cannot be accessed.
         */
        post: operations["createBattlegroupBackup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/characters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List characters
         * @description Returns the characters of the battlegroup's database, sorted by ID.
         */
        get: operations["listCharacters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/characters/{characterId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the character. */
                characterId: components["parameters"]["CharacterIdParameter"];
            };
            cookie?: never;
        };
        /**
         * Get a character
         * @description Returns a character with its items.
         */
        get: operations["getCharacter"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/characters/{characterId}/tech": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the character. */
                characterId: components["parameters"]["CharacterIdParameter"];
            };
            cookie?: never;
        };
        /**
         * Get a character's tech tree
         * @description Returns every node of the catalog and every entry of the save, with the character's state.
         */
        get: operations["getCharacterTech"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/characters/{characterId}/tech/unlock-all": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the character. */
                characterId: components["parameters"]["CharacterIdParameter"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unlock the whole tech tree
         * @description Adds every node of the catalog to the save as purchased, purchases all entries that are in it, sets the points to 99999, and returns the number of added nodes; a second call adds none. The former data is stored in a file of the manager's home. A character that may be in the game fails with `character_online`, because the game would overwrite the change.
         */
        post: operations["runTechUnlock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tech-catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the tech catalog
         * @description Returns the nodes of the tech tree that the manager knows.
         */
        get: operations["getTechCatalog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/diagnostics/bundle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the diagnostics bundle
         * @description Returns the self-test, the status, the latest operations with their lines and the audit log as a ZIP file, for support. It contains no tokens, passwords or keys.
         */
        get: operations["downloadDiagnostics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/diagnostics/selftest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Run the self-test
         * @description Tests everything on this machine that the manager depends on, and returns the results. Nothing is changed.
         */
        get: operations["getSelftest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/game-config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the game settings
         * @description Returns every known setting as it is saved in the virtual machine, and whether the game servers have the same value. The version in `ETag` is that of both files.
         */
        get: operations["getGameConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update game settings
         * @description Changes settings in the files and returns all settings. Every other line is kept, including comments and unknown settings; the previous files are kept with the suffix .bak. Nothing is restarted and players are not affected: `POST /api/game-config/deploy` copies the files to the game servers, which read them when they start.
         */
        patch: operations["updateGameConfig"];
        trace?: never;
    };
    "/api/game-config/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the settings files
         * @description Returns both files as they are saved in the virtual machine, with the password to join replaced by •••. The version in `ETag` is that of both files, the same as that of the settings.
         */
        get: operations["getGameConfigFiles"];
        /**
         * Replace the settings files
         * @description Replaces both files and returns them. A password that is still ••• is kept. Known settings have to have valid values; other lines are yours. The previous files are kept with the suffix .bak, and nothing is restarted. An existing configuration of another server is imported by sending its files.
         */
        put: operations["updateGameConfigFiles"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/game-config/deploy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deploy game settings
         * @description Copies the saved files to the game servers. They read them when they start, so nothing changes for players until the battlegroup is stopped and started.
         */
        post: operations["deployGameConfig"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/monitoring": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get recorded figures
         * @description Returns players, memory, CPU and disk over time, for the virtual machine and for each game server, with the starts, stops and crashes of that time. The manager records a sample at a fixed interval while it runs and keeps 30 days. Each point covers `stepSeconds`: players are the highest count of that time, the other figures are means. A time without a point was not recorded.
         */
        get: operations["getMonitoring"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List operations
         * @description Returns the stored operations, the running one first.
         */
        get: operations["listOperations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operations/{operationId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the operation. */
                operationId: components["parameters"]["OperationIdParameter"];
            };
            cookie?: never;
        };
        /**
         * Get an operation
         * @description Returns the progress and the result of an operation.
         */
        get: operations["getOperation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operations/{operationId}/lines": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the operation. */
                operationId: components["parameters"]["OperationIdParameter"];
            };
            cookie?: never;
        };
        /**
         * List an operation's lines
         * @description Returns the stored output of an operation, at most 2,000 lines.
         */
        get: operations["listOperationLines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operations/{operationId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the operation. */
                operationId: components["parameters"]["OperationIdParameter"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an operation
         * @description Cancels an operation at a point that leaves nothing incomplete; `isCancellable` says whether that is possible now. Completed steps are not undone. The operation ends shortly after the response.
         */
        post: operations["cancelOperation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/server-logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the sources of logs
         * @description Returns the programs of the battlegroup whose logs can be read: the game servers first, then the database, the gateway and the others.
         */
        get: operations["listLogSources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/server-logs/{sourceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search the log of a server
         * @description Returns the newest lines of a log, or of those that contain the search text, oldest first. The search covers the newest 50,000 lines that the virtual machine has kept. Known passwords, tokens and keys are removed.
         */
        get: operations["getServerLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/server-visibility": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the server's visibility
         * @description Returns the advertised address, whether it is in effect, and the ports to forward.
         */
        get: operations["getServerVisibility"];
        put?: never;
        /**
         * Update the advertised address
         * @description Writes line 4 of settings.conf and no other line, keeps the previous file as settings.conf.bak, and verifies the result by reading it. Nothing is restarted: the change takes effect when the battlegroup is stopped and started.
         */
        post: operations["updateServerVisibility"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/server-visibility/ports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check the ports from this host
         * @description Connects from this host to the TCP ports of the virtual machine, looks within it for programs that listen on the UDP ports, and tries the public address from here. None of this proves that players reach the server from the internet: only a connection from outside does. `proves` of each check says what it shows.
         */
        get: operations["checkPorts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the setup progress
         * @description Returns the completed steps of the setup and the next one, determined from the present state of the machine. An existing virtual machine with a battlegroup is adopted automatically.
         */
        get: operations["getSetupProgress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/setup/preflight": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check the host
         * @description Checks the host without changing anything, and returns the choices for the import.
         */
        get: operations["getPreflight"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/setup/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import the virtual machine
         * @description Copies the vendor's virtual machine to the drive, connects it, sets its memory, installs the key, starts it with the memory that fits, and waits for its address and for SSH. Completed steps are kept when a later one fails: another import continues with the missing steps, wherever the copy is; if only the start is missing, `POST /api/vm/start` continues. An incomplete copy is removed before the next one, and a key of an earlier machine is moved aside. A drive or an adapter that `GET /api/setup/preflight` rules out is refused before anything is copied.
         */
        post: operations["importVm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/setup/security": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Secure the virtual machine
         * @description Changes the password of its user, and replaces the vendor's key. The new key is tested before the old one is removed, so that access is never lost.
         */
        post: operations["updateSetupSecurity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/setup/key-recovery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Recover access to the machine
         * @description Makes a new key, has the virtual machine accept it, and puts it in place once it was tried; worlds and characters stay. Use it when the key is lost, or when the virtual machine no longer accepts it.
         */
        post: operations["recoverKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/setup/host-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept a new host key
         * @description Replaces the host key that the manager knows, if the virtual machine still shows the given one, and returns both fingerprints. Accept it only if you have replaced or re-imported the virtual machine: with another machine at its address, you would give that machine your commands.
         */
        post: operations["acceptHostKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/setup/network": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set up the network
         * @description Restarts the virtual machine's network with the address, which disconnects players, waits until it responds there, and saves the address; the previous file is kept as `/etc/network/interfaces.bak`. Then it writes the address that players join at. If the virtual machine does not respond within 90 seconds, it restores its previous address by itself.
         */
        post: operations["updateSetupNetwork"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/setup/bootstrap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Bootstrap the battlegroup
         * @description Uploads the vendor's setup, runs it and replies to its prompts. It takes from minutes to an hour, because it downloads the game. The battlegroup is created stopped.
         */
        post: operations["startBootstrap"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/setup/repair": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Repair an incomplete setup
         * @description Repairs a bootstrap that did not finish: deletes the namespaces without a battlegroup, waits until they are removed, and runs the bootstrap again. Fails with `battlegroup_exists` if there is a battlegroup.
         */
        post: operations["startRepair"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/setup/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview a reset
         * @description Returns everything that `POST` would remove, without removing it.
         */
        get: operations["getResetPlan"];
        put?: never;
        /**
         * Reset the setup
         * @description Deletes everything to start over: stops the battlegroup if it is reachable, removes the virtual machine, the install folders on all drives, the keys and the manager's data, and checks the host again. The result lists what was removed and what remains. Refused unless `confirm` is the word DELETE.
         */
        post: operations["startReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status
         * @description Returns the status of the host, the virtual machine, the access to it and the battlegroup. It always succeeds; parts that cannot be determined have the reason. It can be called as often as needed, because results are shared for a few seconds.
         */
        get: operations["getStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/updates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check for a newer version
         * @description Reads the file at `LOCAL_MANAGER_UPDATE_URL` and returns whether it names a newer version. Nothing is downloaded but this file, at most every twelve hours unless `refresh` asks for it, and nothing is installed. Without that setting nothing is asked.
         */
        get: operations["checkForUpdate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/vm/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start the virtual machine
         * @description Starts the virtual machine and returns once it runs, or once it is certain that it cannot be started: with 507 `out_of_memory` if the host has too little memory, otherwise with 502 `start_failed`. Both have `startFailed` and the memory that was tried. The configured memory stays unchanged, unless `keepMemory` is given and the start succeeds. The operation continues and waits for the address and for SSH.
         */
        post: operations["startVm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/vm/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop the virtual machine
         * @description Stops the battlegroup first if it is reachable and running, so that no progress of players is lost; then shuts the virtual machine down. The operation fails with `vm_on` if that takes longer than five minutes; only then turn it off.
         */
        post: operations["stopVm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/vm/memory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the configured memory
         * @description Changes the memory that later starts try first, and returns the memory as it is afterwards. Hyper-V takes it at once while the virtual machine is off; otherwise the next start does.
         */
        put: operations["updateVmMemory"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/vm/turn-off": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn the virtual machine off
         * @description Turns the virtual machine off immediately, like pulling its plug: the battlegroup is not stopped before, and unwritten data is lost. Use it for a virtual machine that does not shut down.
         */
        post: operations["switchVmOff"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description An error in the form of RFC 9457. Programs should decide on `code`. */
        Problem: {
            /**
             * Format: uri-reference
             * @description URI that identifies the code.
             */
            type: string;
            /** @description Short text for the code, the same for every occurrence. */
            title: string;
            /** @description HTTP status of this response. */
            status: number;
            /** @description What went wrong in this request, and what to do next. */
            detail: string;
            /**
             * Format: uri-reference
             * @description Path of the request.
             */
            instance: string;
            code: components["schemas"]["ProblemCode"];
            /** @description The `X-Request-Id` of this response. */
            requestId: string;
            /** @description Every fault that was found in the request. */
            errors?: components["schemas"]["ProblemError"][];
            /**
             * @description The virtual machine could not be started; with `out_of_memory` and `start_failed`.
             * @constant
             */
            startFailed?: true;
            /** @description Startup memory that was tried, in gigabytes and in that order; with `startFailed`. */
            attemptedGB?: number[];
            /** @description Startup memory that is configured again; with `startFailed`. */
            configuredGB?: number;
            operation?: components["schemas"]["OperationReference"];
        };
        /** @description An action at a time of day. */
        Schedule: {
            /** @description Its ID. */
            id: string;
            /**
             * @description `backup` copies the database to the host and keeps the newest ones; `restart` and `update` are left out while the battlegroup is stopped.
             * @enum {string}
             */
            action: "backup" | "restart" | "update";
            /** @description Time of day on the host, as HH:MM. */
            time: string;
            /** @description Days of the week, from 0 for Sunday. */
            days: number[];
            /** @description Whether it is carried out. */
            isEnabled: boolean;
        };
        /** @description Restarts a battlegroup that should run and is not reachable. */
        Watchdog: {
            /** @description Whether it restarts anything. */
            isEnabled: boolean;
            /** @description How long it must be unreachable before a restart. */
            afterMinutes: number;
            /** @description Restarts within an hour. After that it only notifies, until an hour has passed. */
            maxRestartsPerHour: number;
        };
        /** @description A mail server, and whom it sends notifications to. */
        MailSettings: {
            /** @description Its name or address. */
            host: string;
            /** @description Its port. */
            port: number;
            /**
             * @description `tls` encrypts from the beginning, usually at port 465; `starttls` requires encryption after a greeting, usually at port 587.
             * @enum {string}
             */
            security: "none" | "starttls" | "tls";
            /** @description User name; null to send without a login. */
            user: string | null;
            /** @description Password of the user. Responses have ••• instead of it, which keeps the stored one in a change. */
            password: string | null;
            /** @description Address of the sender. */
            from: string;
            /** @description Address of the receiver. */
            to: string;
        };
        /** @description Where failures and restarts are sent. */
        Notifications: {
            /** @description A chat webhook that takes `{"content":"…"}`, as Discord does. A login in it, `https://user:password@host/…`, is sent as Basic authentication. Responses have ••• instead of its password, which keeps the stored one in a change. */
            webhookUrl: string | null;
            /** @description A topic of ntfy; with a login as in `webhookUrl`. */
            ntfyUrl: string | null;
            /** @description Mail; left out of a change, it is switched off. */
            mail?: components["schemas"]["MailSettings"] | null;
        };
        /** @description Looks every ten minutes for the public address of the virtual machine, while the advertised address is a public one. Left out of a change, it is off. */
        AddressWatch: {
            /**
             * @description `warn` notifies when the public address is no longer the advertised one; `follow` also writes it as the advertised one, which takes effect with the next stop and start of the battlegroup.
             * @enum {string}
             */
            mode: "off" | "warn" | "follow";
        };
        /** @description Messages to all players before a scheduled restart or update, over the game's own message. Left out of a change, they are off. */
        PlayerWarnings: {
            /** @description Whether players are warned. */
            isEnabled: boolean;
            /** @description How many minutes before. */
            minutes: number[];
            /** @description The message; `{minutes}` stands for the minutes that are left. */
            text: string;
            /** @description Token that the game's servers require of such messages; without it they ignore them. Responses have ••• instead of it, which keeps the stored one in a change. */
            authToken: string | null;
        };
        /** @description What the manager does by itself, and whom it notifies. */
        Automation: {
            /** @description Actions at a time of day. */
            schedules: components["schemas"]["Schedule"][];
            /** @description How many scheduled backups are kept; a new one replaces the oldest above that. Other backups are never deleted by the manager. Left out of a change, it is 14. */
            keepBackups?: number;
            watchdog: components["schemas"]["Watchdog"];
            notifications: components["schemas"]["Notifications"];
            addressWatch?: components["schemas"]["AddressWatch"];
            warnings?: components["schemas"]["PlayerWarnings"];
        };
        /** @description The next time of a schedule. */
        NextRun: {
            /** @description ID of the schedule. */
            id: string;
            /**
             * Format: date-time
             * @description When it is carried out.
             */
            at: string;
        };
        /** @description Something that the manager did by itself, or left out. */
        AutomationEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /**
             * @description What happened.
             * @enum {string}
             */
            kind: "started" | "leftOut" | "restarted" | "gaveUp" | "failed" | "notified" | "notNotified" | "addressChanged" | "warned";
            /** @description What happened, for people. */
            text: string;
        };
        /** @description The automation with its next and last actions. */
        AutomationStatus: {
            automation: components["schemas"]["Automation"];
            /** @description The next time of each enabled schedule. */
            nextRuns: components["schemas"]["NextRun"][];
            /** @description At most the last 100 events, newest first. */
            events: components["schemas"]["AutomationEvent"][];
        };
        /**
         * @description Why the backup was made.
         * @enum {string}
         */
        BackupReason: "manual" | "scheduled" | "beforeReset" | "beforeRestore";
        /** @description A copy of the game's database on the host: worlds, bases and characters. It is kept in the manager's home, so it survives the virtual machine. */
        Backup: {
            /**
             * Format: uuid
             * @description ID of the backup.
             */
            id: string;
            /**
             * Format: date-time
             * @description When the database was dumped.
             */
            createdAt: string;
            reason: components["schemas"]["BackupReason"];
            /** @description Name of the battlegroup. */
            worldName: string;
            /** @description Title of the battlegroup. */
            worldTitle: string;
            /** @description Size of the file, in bytes. */
            sizeBytes: number;
            /** @description SHA-256 of the file, in lower-case hexadecimal. */
            sha256: string;
            /** @description Name that the file is downloaded under. */
            fileName: string;
        };
        /** @description The backups on the host. */
        BackupList: {
            /** @description The backups, newest first. */
            data: components["schemas"]["Backup"][];
            /** @description Folder that they are in. */
            folder: string;
            /** @description Free space of its drive, in bytes. */
            freeBytes: number | null;
            /** @description How many scheduled backups are kept; a further one replaces the oldest. */
            keepCount: number;
        };
        /**
         * @description What the operation does.
         * @enum {string}
         */
        OperationKind: "startVm" | "stopVm" | "changeMemory" | "startBattlegroup" | "stopBattlegroup" | "restartBattlegroup" | "updateBattlegroup" | "backUpBattlegroup" | "createBackup" | "restoreBackup" | "importVm" | "secureVm" | "recoverKey" | "acceptHostKey" | "setUpNetwork" | "bootstrap" | "repair" | "reset" | "changeVisibility" | "changeGameConfig" | "deployGameConfig" | "unlockTech";
        /**
         * @description State of the operation. `interrupted` means that the manager ended while the operation ran, so its progress is unknown; `problem` says what to do then.
         * @enum {string}
         */
        OperationState: "running" | "succeeded" | "failed" | "cancelled" | "interrupted";
        /** @description A step of an operation. */
        OperationStep: {
            /** @description What the step does, for people. */
            name: string;
            /**
             * @description State of the step.
             * @enum {string}
             */
            state: "waiting" | "running" | "succeeded" | "failed" | "skipped";
            /** @description Details of the step, for people. */
            detail: string | null;
            /** @description How much of the step is done; missing where that cannot be measured. */
            percent?: number;
            /**
             * Format: date-time
             * @description When it began.
             */
            startedAt: string | null;
            /**
             * Format: date-time
             * @description When it ended.
             */
            endedAt: string | null;
        };
        /** @description An item that a reset removes. */
        ResetItem: {
            /**
             * @description Kind of the item.
             * @enum {string}
             */
            kind: "battlegroup" | "vm" | "folder" | "key" | "cache";
            /** @description Name or path of the item. */
            name: string;
            /** @description Details of the item, for people. */
            detail: string | null;
        };
        /** @description A check of the host. */
        PreflightCheck: {
            /** @description Subject of the check, for people. */
            name: string;
            /**
             * @description Result of the check.
             * @enum {string}
             */
            state: "passed" | "warning" | "failed";
            /** @description What is wrong and how to fix it, for people. */
            detail: string | null;
        };
        /** @description A drive of the host. */
        Drive: {
            /** @description Letter of the drive. */
            name: string;
            /** @description Free space, in gigabytes. */
            freeGB: number;
            /** @description Whether it has more than 100 GB free. */
            isLargeEnough: boolean;
        };
        /** @description A network adapter of the host. */
        NetworkAdapter: {
            /** @description Name of the adapter in Windows. */
            name: string;
            /** @description Name that the manufacturer gave the adapter. */
            description: string;
        };
        /** @description Whether this host can run the virtual machine, and the choices for the import. */
        Preflight: {
            /** @description Whether no check has failed. */
            isReady: boolean;
            /** @description What was checked. */
            checks: components["schemas"]["PreflightCheck"][];
            /** @description Whether the virtual machine exists already: adopt it, or reset first. */
            vmExists: boolean;
            /** @description State of the existing virtual machine. */
            vmState: string | null;
            /** @description The vendor's package that was found. */
            vmcxPath: string | null;
            /** @description Drives of the host. */
            drives: components["schemas"]["Drive"][];
            /** @description Network adapters that a virtual switch can use. */
            nics: components["schemas"]["NetworkAdapter"][];
            /** @description Memory of the host, in gigabytes. */
            memoryTotalGB: number | null;
            /** @description Free memory of the host, in gigabytes. */
            memoryFreeGB: number | null;
            /** @description The largest choice that fits into the free memory; null if none does. */
            suggestedMemoryGB: number | null;
            /** @description Choices for the startup memory, in gigabytes, largest first. */
            memoryChoicesGB: number[];
        };
        /** @description Result of unlocking the tech tree. */
        TechUnlock: {
            /** @description Number of catalog nodes that were added to the save. */
            added: number;
            /** @description Number of existing entries that were purchased. */
            purchased: number;
            /** @description Number of entries in the save before. */
            previous: number;
            /** @description Number of entries in the save now. */
            total: number;
            /** @description Number of nodes in the catalog. */
            catalogTotal: number;
            /** @description Points to spend now. */
            points: number;
            /** @description File in the manager's home with the character's former data. */
            backupFile: string;
        };
        /** @description The written address. */
        VisibilityChange: {
            /** @description Line 4 as read back after the change. */
            advertisedIp: string | null;
            /** @description Line 4 before the change. */
            previousIp: string | null;
            /** @description Whether the advertised address differs from the virtual machine's own. */
            isWan: boolean;
            /** @description Whether the battlegroup has to be stopped and started to apply it. */
            requiresBattlegroupRestart: boolean;
            /** @description What to do next, for people. */
            message: string;
        };
        /** @description Result of an operation. Its fields depend on the kind. */
        OperationResult: {
            /** @description The result in words, for people. */
            summary?: string;
            /** @description Startup memory that the virtual machine was started with, in gigabytes. */
            memoryGB?: number;
            /** @description The virtual machine's address. */
            ip?: string | null;
            /** @description Whether stopping and starting the battlegroup is required to apply it. */
            requiresBattlegroupRestart?: boolean;
            /** @description What a reset has removed. */
            removed?: components["schemas"]["ResetItem"][];
            /** @description What a reset could not remove, with the reason. */
            remaining?: components["schemas"]["ResetItem"][];
            preflight?: components["schemas"]["Preflight"];
            unlock?: components["schemas"]["TechUnlock"];
            visibility?: components["schemas"]["VisibilityChange"];
        };
        /**
         * @description Identifies the kind of problem. New codes may be added; handle an unknown code by its status.
         * @enum {string}
         */
        ProblemCode: "validation_failed" | "malformed_request" | "malformed_body" | "unauthorized" | "origin_refused" | "not_found" | "method_not_allowed" | "not_acceptable" | "operation_running" | "operation_ended" | "not_cancellable" | "ssh_key_missing" | "ssh_key_rejected" | "ssh_key_permissions" | "ssh_key_passphrase" | "ssh_password_rejected" | "host_key_changed" | "guest_unreachable" | "guest_failed" | "host_permission" | "host_failed" | "hyperv_unavailable" | "out_of_memory" | "disk_full" | "start_failed" | "vm_missing" | "vm_exists" | "vm_off" | "vm_on" | "battlegroup_missing" | "battlegroup_exists" | "several_battlegroups" | "character_online" | "character_changed" | "no_tech_data" | "confirmation_needed" | "stale_version" | "request_timeout" | "payload_too_large" | "headers_too_large" | "unsupported_media_type" | "invalid_token" | "invalid_address" | "invalid_setting" | "unavailable" | "internal";
        /** @description Why an operation failed, or that it was interrupted. */
        OperationProblem: {
            code: components["schemas"]["ProblemCode"];
            /** @description What went wrong. */
            detail: string;
            /**
             * @description The virtual machine could not be started.
             * @constant
             */
            startFailed?: true;
            /** @description Startup memory that was tried, in gigabytes and in that order. */
            attemptedGB?: number[];
            /** @description Startup memory that is configured again. */
            configuredGB?: number;
        };
        /** @description A long-running operation. */
        Operation: {
            /**
             * Format: uuid
             * @description ID of the operation.
             */
            id: string;
            kind: components["schemas"]["OperationKind"];
            state: components["schemas"]["OperationState"];
            /** @description Steps of the operation in order; more steps may be added while it runs. */
            steps: components["schemas"]["OperationStep"][];
            /** @description Whether it can be cancelled now. It depends on the step. */
            isCancellable: boolean;
            /**
             * Format: date-time
             * @description When it began.
             */
            startedAt: string;
            /**
             * Format: date-time
             * @description When it ended; null while it runs.
             */
            endedAt: string | null;
            /** @description Result of the operation; null while it runs and after a failure. After a cancellation its `summary` says what to do. */
            result: components["schemas"]["OperationResult"] | null;
            /** @description Why it failed, or what to do after an interruption; null otherwise. */
            problem: components["schemas"]["OperationProblem"] | null;
        };
        /** @description The confirmation. */
        RestoreRequest: {
            /** @description The word RESTORE; any other value is refused. */
            confirm?: string;
        };
        /** @description A game server. */
        BattlegroupMap: {
            /** @description Name of the map. */
            map: string;
            /** @description Number of the partition that it serves; null if unknown. */
            partition: number | null;
            /** @description Name of the server: the map, with the partition if the map has several. */
            server: string;
            /** @description State as the virtual machine reports it. */
            phase: string;
            /** @description Whether the game server is up. */
            isReady: boolean;
            /** @description Number of players; null if unknown. */
            players: number | null;
        };
        /** @description The battlegroup. */
        Battlegroup: {
            /** @description ID in the virtual machine. */
            name: string;
            /** @description Name of the world. */
            title: string;
            /** @description Kubernetes namespace in the virtual machine. */
            namespace: string;
            /** @description State as the virtual machine reports it, verbatim: `Stopped`, `Starting`, `Reconciling`, `Healthy` and others. */
            phase: string;
            /** @description Whether the battlegroup is supposed to be stopped. */
            isStopped: boolean;
            /** @description Whether players can join, as far as the phase shows; `Reconciling` counts as reachable. */
            isReachable: boolean;
            /** @description State of the database as the virtual machine reports it. */
            databasePhase: string | null;
            /** @description TCP port of the director; null while it has none. */
            directorPort: number | null;
            /** @description The game servers. */
            maps: components["schemas"]["BattlegroupMap"][];
        };
        /** @description A message to all players. */
        Announcement: {
            /** @description The message. */
            text: string;
        };
        /** @description A character. */
        Character: {
            /** @description ID of the character. */
            id: string;
            /** @description Name of the character; null if it cannot be read. */
            name: string | null;
            /** @description Status as the game reports it, verbatim. */
            onlineStatus: string;
            /** @description Whether the game may still overwrite the character; such characters are not changed. */
            isOnline: boolean;
            /**
             * Format: date-time
             * @description When the character was last in the game.
             */
            lastLoginAt: string | null;
        };
        /** @description A page of characters. */
        CharacterPage: {
            /** @description The characters, sorted by ID. */
            data: components["schemas"]["Character"][];
            /** @description Send it as `cursor` to get the next page; null on the last one. */
            nextCursor: string | null;
        };
        /** @description Summary for the Tech Tree badge. */
        TechSummary: {
            /** @description Number of purchased entries in the save. */
            purchased: number;
            /** @description Number of entries in the save. */
            inSave: number;
            /** @description Number of nodes in the catalog. */
            inGame: number;
            /** @description Points to spend; null if the save has none. */
            points: number | null;
        };
        /** @description A character with its items. */
        CharacterDetail: {
            /** @description ID of the character. */
            id: string;
            /** @description Name of the character; null if it cannot be read. */
            name: string | null;
            /** @description Status as the game reports it, verbatim. */
            onlineStatus: string;
            /** @description Whether the game may still overwrite the character; such characters are not changed. */
            isOnline: boolean;
            /**
             * Format: date-time
             * @description When the character was last in the game.
             */
            lastLoginAt: string | null;
            /** @description Current map of the character. */
            map: string | null;
            /** @description Stacks of items that the character carries. */
            items: number;
            tech: components["schemas"]["TechSummary"];
        };
        /** @description A node of the tech tree, for one character. */
        TechNode: {
            /** @description Identifier in the game. */
            key: string;
            /**
             * @description Kind of the node.
             * @enum {string}
             */
            kind: "group" | "recipe" | "building" | "other";
            /**
             * @description Whether the character has it.
             * @enum {string}
             */
            state: "purchased" | "notPurchased" | "notInSave";
            /** @description Whether the catalog has the node. */
            isInCatalog: boolean;
        };
        /** @description Tech tree of a character. */
        CharacterTech: {
            summary: components["schemas"]["TechSummary"];
            /** @description Every node of the catalog and every entry of the save. */
            nodes: components["schemas"]["TechNode"][];
        };
        /** @description A node of the catalog. */
        TechCatalogNode: {
            /** @description Identifier in the game. */
            key: string;
            /**
             * @description Kind of the node.
             * @enum {string}
             */
            kind: "group" | "recipe";
        };
        /** @description All known nodes. */
        TechCatalog: {
            /** @description Number of nodes. */
            total: number;
            /** @description The nodes, sorted by key. */
            nodes: components["schemas"]["TechCatalogNode"][];
        };
        /** @description A check. */
        SelftestCheck: {
            /** @description Subject of the check. */
            name: string;
            /**
             * @description Result of the check.
             * @enum {string}
             */
            state: "passed" | "warning" | "failed" | "skipped";
            /** @description Details of the result. */
            detail: string | null;
            /** @description Duration in milliseconds. */
            ms: number;
        };
        /** @description Results of the self-test. */
        Selftest: {
            /** @description Version of the manager. */
            version: string;
            /** @description Operating system, its release and the version of Node.js. */
            platform: string;
            /** @description Results of the checks. */
            checks: components["schemas"]["SelftestCheck"][];
        };
        /**
         * @description The file that a setting is in.
         * @enum {string}
         */
        GameConfigFile: "UserEngine.ini" | "UserGame.ini";
        /** @description A setting. */
        GameSetting: {
            file: components["schemas"]["GameConfigFile"];
            /** @description The section, without its brackets. */
            section: string;
            /** @description The key. */
            key: string;
            /** @description Display name of the setting. */
            label: string;
            /** @description Explanation of the setting, for people. */
            hint: string | null;
            /**
             * @description Type of the value.
             * @enum {string}
             */
            type: "text" | "integer" | "decimal" | "boolean";
            /** @description The saved value: `true` or `false`, a number in decimal, or text; null if it is not set. A secret that is set is •••. */
            value: string | null;
            /** @description The value on the game servers; null if they have none, or if it is unknown. */
            serverValue: string | null;
            /** @description What the game takes when it is not set; null where that is not known. */
            default: string | null;
            /** @description Lowest allowed number. */
            minimum: number | null;
            /** @description Highest allowed number. */
            maximum: number | null;
            /** @description Whether the value is secret and never shown. */
            isSecret: boolean;
        };
        /** @description The known settings as they are saved, and whether the game servers have the saved files. */
        GameConfig: {
            /** @description Every known setting, set or not, grouped by file and section. */
            settings: components["schemas"]["GameSetting"][];
            /**
             * @description Whether the files of the game servers differ from the saved ones in a setting or any other line; `unknown` while their files cannot be read.
             * @enum {string}
             */
            drift: "none" | "differs" | "unknown";
            /** @description What differs, or why it is unknown, for people. */
            driftDetail: string | null;
        };
        /** @description A new value of a known setting. */
        GameSettingChange: {
            file: components["schemas"]["GameConfigFile"];
            /** @description The section, without its brackets. */
            section: string;
            /** @description The key. */
            key: string;
            /** @description The value in the form that `GET` returns; null removes the setting from the file, so that the game's default applies. */
            value: string | null;
        };
        /** @description Settings to change; the others stay unchanged. */
        GameConfigUpdate: {
            /** @description The changes, one for each setting. */
            changes: components["schemas"]["GameSettingChange"][];
        };
        /** @description The content of both files. */
        GameConfigFiles: {
            /** @description Content of UserEngine.ini. */
            engine: string;
            /** @description Content of UserGame.ini. */
            game: string;
        };
        /** @description Figures of the virtual machine at a time; null where they are unknown. */
        MachinePoint: {
            /**
             * Format: date-time
             * @description Start of the time that the point covers.
             */
            at: string;
            /** @description Highest number of players on all maps together. */
            players: number | null;
            /** @description Use of all its processors, from 0 to 100. */
            cpuPercent: number | null;
            /** @description Memory in use, in gigabytes. */
            memoryUsedGB: number | null;
            /** @description Memory of the machine, in gigabytes. */
            memoryTotalGB: number | null;
            /** @description Used part of its disk, in gigabytes. */
            diskUsedGB: number | null;
            /** @description Size of its disk, in gigabytes. */
            diskTotalGB: number | null;
        };
        /** @description Figures of a game server at a time; null where they are unknown. */
        ServerPoint: {
            /**
             * Format: date-time
             * @description Start of the time that the point covers.
             */
            at: string;
            /** @description Highest number of players. */
            players: number | null;
            /** @description Processors in use: 1.5 is one and a half. */
            cpuCores: number | null;
            /** @description Memory in use, in gigabytes. */
            memoryGB: number | null;
        };
        /** @description Points of a game server. */
        ServerSeries: {
            /** @description Its map, with the number of the partition if the map has several. */
            server: string;
            /** @description The points, oldest first. */
            points: components["schemas"]["ServerPoint"][];
        };
        /** @description A start, a stop or a crash. */
        MonitoringMark: {
            /**
             * Format: date-time
             * @description When it happened, or was noticed if that is unknown.
             */
            at: string;
            /**
             * @description What happened. `serverRestarted` is another start between two samples; `serverCrashed` is a start by Kubernetes after the program ended by itself.
             * @enum {string}
             */
            kind: "machineStarted" | "machineStopped" | "serverStarted" | "serverStopped" | "serverRestarted" | "serverCrashed";
            /** @description The game server; null for the virtual machine. */
            server: string | null;
            /** @description The reason that Kubernetes reports, such as `OOMKilled`. */
            detail: string | null;
        };
        /** @description Figures over time, with what explains their jumps. */
        Monitoring: {
            /**
             * Format: date-time
             * @description Start of the period.
             */
            from: string;
            /**
             * Format: date-time
             * @description End of the period.
             */
            to: string;
            /** @description Time that each point covers. */
            stepSeconds: number;
            /** @description Time between two samples. */
            intervalSeconds: number;
            /** @description Age in days at which samples are deleted. */
            retentionDays: number;
            /**
             * Format: date-time
             * @description Time of the last sample; null before the first.
             */
            lastSampleAt: string | null;
            /** @description Why the last sample lacks figures, for people; empty if it lacks none. */
            missing: string[];
            /** @description Points of the virtual machine, oldest first. */
            machine: components["schemas"]["MachinePoint"][];
            /** @description Game servers that were seen in the period. */
            servers: components["schemas"]["ServerSeries"][];
            /** @description Starts, stops and crashes in the period, newest first, at most 500. */
            marks: components["schemas"]["MonitoringMark"][];
        };
        /** @description The stored operations. */
        OperationList: {
            /** @description At most the last 50 operations, newest first. */
            data: components["schemas"]["Operation"][];
        };
        /** @description A line of the console. */
        OperationLine: {
            /** @description Sequence number, which rises by one with each line since the manager started. */
            seq: number;
            /**
             * Format: uuid
             * @description ID of the operation that printed the line.
             */
            operationId: string;
            /**
             * Format: date-time
             * @description When it was printed.
             */
            at: string;
            /**
             * @description Source of the line: the manager's own steps, the output of a command, or an error.
             * @enum {string}
             */
            stream: "step" | "output" | "error";
            /** @description The line; secrets are replaced by •••. */
            text: string;
        };
        /** @description Lines of an operation. */
        OperationLineList: {
            /** @description The lines, oldest first. */
            data: components["schemas"]["OperationLine"][];
            /** @description Whether earlier lines are no longer stored. */
            isTruncated: boolean;
        };
        /** @description A program of the battlegroup that writes a log. */
        LogSource: {
            /** @description Name of its pod. */
            id: string;
            /** @description The game server, as in the monitoring; null for other programs. */
            server: string | null;
            /** @description State of the pod. */
            phase: string;
            /** @description How often Kubernetes has started its program again. */
            restarts: number;
        };
        /** @description A line of a log. */
        LogLine: {
            /** @description When it was written, as RFC 3339; null if unknown. */
            at: string | null;
            /** @description Its text, at most 4,000 characters. */
            text: string;
        };
        /** @description Lines of a log. */
        ServerLog: {
            /** @description The lines, oldest first. */
            lines: components["schemas"]["LogLine"][];
            /** @description Whether there are earlier lines than these. */
            isTruncated: boolean;
        };
        /** @description A public address as seen from outside. */
        WatchedAddress: {
            /** @description The address. */
            publicIp: string;
            /**
             * Format: date-time
             * @description When it was seen for the first time.
             */
            since: string;
            /**
             * Format: date-time
             * @description When it was seen last.
             */
            observedAt: string;
        };
        /** @description A port or a range to be forwarded. */
        PortForward: {
            /** @description A port, or the first and the last of a range. */
            port: string;
            /**
             * @description The protocol.
             * @enum {string}
             */
            protocol: "TCP" | "UDP";
            /** @description Purpose of the port, for people. */
            purpose: string;
        };
        /** @description The address that players find the server at, and the ports that have to lead there. */
        ServerVisibility: {
            /** @description Line 4 of settings.conf, which the gateway reads when it starts; null if the line is empty, which stands for the private address. */
            advertisedIp: string | null;
            /** @description The virtual machine's own address. */
            vmIp: string;
            /** @description Public address as seen from outside; null unless `detectPublicIp` requested it and it was found. */
            publicIp: string | null;
            /** @description Address that the node registers now; null if unknown. */
            registeredIp: string | null;
            /** @description Whether the advertised address differs from the virtual machine's own. */
            isWan: boolean;
            /** @description Whether the advertised address is a private one that the virtual machine does not have, as in a VPN: players can join only if their network leads there. */
            isOtherPrivate: boolean;
            /** @description Whether the registered address is the advertised one; null if unknown. */
            isInEffect: boolean | null;
            /** @description Mode in battlegroup-ip.conf of newer packages: `public` detects the address again with each start and may replace line 4. */
            addressMode: string | null;
            /** @description Public address that the automation found last; null while it does not look. */
            watchedIp: components["schemas"]["WatchedAddress"] | null;
            /** @description TCP port of the director; null while it has none. */
            directorPort: number | null;
            /** @description Address that every port has to be forwarded to: the virtual machine, not the host. */
            portForwardTarget: string;
            /** @description Ports that a router has to forward for a public address. */
            portForward: components["schemas"]["PortForward"][];
            /** @description Further advice, for people. */
            hints: string[];
        };
        /** @description The address to advertise. */
        ServerVisibilityUpdate: {
            /** @description An IPv4 address, public or the virtual machine’s own; null leaves the line empty, which stands for the private address. */
            advertisedIp: string | null;
        };
        /** @description A check of one port. */
        PortCheck: {
            /** @description A port, or the first and the last of a range. */
            port: string;
            /**
             * @description The protocol.
             * @enum {string}
             */
            protocol: "TCP" | "UDP";
            /** @description Address that was tried. */
            address: string;
            /**
             * @description `open` if it was seen to be open, `closed` if it was seen not to be, and `unknown` if the check shows neither.
             * @enum {string}
             */
            state: "open" | "closed" | "unknown";
            /** @description What this shows, for people. */
            proves: string;
        };
        /** @description What this host can find out about the ports. */
        PortChecks: {
            /**
             * Format: date-time
             * @description When they were checked.
             */
            checkedAt: string;
            /** @description The checks. */
            checks: components["schemas"]["PortCheck"][];
            /** @description What these checks cannot show, for people. */
            limits: string[];
        };
        /**
         * @description A step of the setup.
         * @enum {string}
         */
        SetupStepName: "preflight" | "import" | "security" | "network" | "bootstrap";
        /** @description A step of the setup and its state. */
        SetupStep: {
            name: components["schemas"]["SetupStepName"];
            /**
             * @description State of the step; `unknown` while the virtual machine cannot be queried and no earlier state is stored.
             * @enum {string}
             */
            state: "todo" | "running" | "done" | "failed" | "unknown";
            /** @description Details of the step, for people. */
            detail: string | null;
        };
        /** @description Progress of the setup. It is determined from the present state each time, so that a wizard can continue after any interruption. */
        SetupProgress: {
            /** @description Whether there is a battlegroup, or was one at the last successful check of this virtual machine. */
            isComplete: boolean;
            /** @description The next step; null if the setup is complete, or if the step is unknown. */
            nextStep: components["schemas"]["SetupStepName"] | null;
            /** @description The steps in order. */
            steps: components["schemas"]["SetupStep"][];
            /** @description Whether a bootstrap has left a namespace without a battlegroup, which requires `POST /api/setup/repair`. */
            needsRepair: boolean;
        };
        /** @description Location and network connection of the virtual machine. */
        ImportRequest: {
            /** @description Letter of the drive. */
            drive: string;
            /** @description Startup memory in gigabytes; reduced in steps if the host has too little. */
            memoryGB: number;
            /**
             * @description `external`: a switch on a network adapter, so that players on the network and beyond can join. Otherwise the host's default switch, for trying out.
             * @enum {string}
             */
            networkMode: "external" | "default";
            /**
             * Format: display-name
             * @description The network adapter, one of those in the preflight; required with `external`. The host's network is interrupted briefly.
             */
            nicName?: string;
        };
        /** @description How to secure the virtual machine. */
        SecurityRequest: {
            /** @description Password of the virtual machine's user; never logged. */
            newPassword: string;
            /** @description Whether to replace the vendor's key with a new one that only this host has. */
            rotateKey: boolean;
        };
        /** @description How to get into a virtual machine whose key is lost. */
        KeyRecoveryRequest: {
            /**
             * @description `password` logs in with the password of the virtual machine's user, `bundledKey` with the key of the vendor's package. `console` waits until you have entered the command of the operation's step in the console of the virtual machine.
             * @enum {string}
             */
            method: "password" | "bundledKey" | "console";
            /** @description The password; required with `password`. Never logged and never stored. */
            password?: string;
        };
        /** @description The host key to accept. */
        HostKeyRequest: {
            /** @description Its fingerprint, as `hostKeys.shown` of the status has it. */
            fingerprint: string;
        };
        /** @description Fingerprints of the virtual machine's host key. */
        HostKeys: {
            /** @description Fingerprint that the manager knows, in the form of OpenSSH. */
            known: string | null;
            /** @description Fingerprint that the machine shows now. */
            shown: string | null;
        };
        /** @description The addresses of the virtual machine. */
        NetworkRequest: {
            /**
             * @description Whether its address comes from the network's router or is fixed.
             * @enum {string}
             */
            mode: "dhcp" | "static";
            /** @description The fixed IPv4 address; with `static`. */
            staticIp?: string;
            /** @description Length of the network's prefix, 24 for a mask of 255.255.255.0; with `static`. */
            staticPrefixLength?: number;
            /** @description IPv4 address of the router; with `static`. */
            staticGateway?: string;
            /** @description IPv4 addresses of the name servers; with `static`. Defaults to the router's. */
            staticDns?: string[];
            /** @description The address that players join at, see `POST /api/server-visibility`; unchanged if omitted. */
            playerIp?: string | null;
        };
        /**
         * @description Region in which players find the server.
         * @enum {string}
         */
        Region: "asia" | "europe" | "northAmerica" | "oceania" | "southAmerica";
        /** @description Inputs of the bootstrap. */
        BootstrapRequest: {
            /** @description The self-hosting token of account.duneawakening.com; never logged. */
            token: string;
            /**
             * Format: display-name
             * @description Name of the world, without characters that break the vendor's script.
             */
            worldName: string;
            region: components["schemas"]["Region"];
            /** @description The address that players join at, for packages that ask for it. Defaults to the private address. */
            playerIp?: string | null;
            /**
             * @description Whether to enable the vendor's experimental swap, for hosts with little memory.
             * @default false
             */
            enableSwap?: boolean;
        };
        /** @description What a reset would remove. */
        ResetPlan: {
            /** @description Everything that a reset would remove, and nothing else. */
            items: components["schemas"]["ResetItem"][];
        };
        /** @description The confirmation. */
        ResetRequest: {
            /** @description The word DELETE; any other value is refused. */
            confirm?: string;
            /**
             * @description Whether to back the game's database up to the host first. Nothing is deleted if that fails.
             * @default false
             */
            backup?: boolean;
        };
        /** @description The Windows host. */
        HostStatus: {
            /**
             * @description Whether Hyper-V can be queried: `noPermission` requires an elevated start, `noHyperV` the Windows feature, `serviceStopped` the service `vmms`. With `noResponse` Windows has not responded within some seconds; the figures are then those of `observedAt`.
             * @enum {string}
             */
            state: "ready" | "noPowerShell" | "noPermission" | "noHyperV" | "serviceStopped" | "noResponse" | "failed";
            /** @description What is wrong, for people. */
            detail: string | null;
            /** @description Memory of the host, in gigabytes. */
            memoryTotalGB: number | null;
            /** @description Free memory of the host, in gigabytes. */
            memoryFreeGB: number | null;
            /**
             * Format: date-time
             * @description When these figures were read; null if they never were.
             */
            observedAt: string | null;
        };
        /** @description The virtual machine. */
        VmStatus: {
            /** @description Name in Hyper-V. */
            name: string;
            /**
             * @description `missing` means that there is none, `unknown` that the host could not be queried; the other fields then have their last known values, those of `observedAt`.
             * @enum {string}
             */
            state: "missing" | "off" | "starting" | "running" | "stopping" | "saved" | "paused" | "other" | "unknown";
            /** @description IPv4 address of the virtual machine; null if it has none. */
            ip: string | null;
            /** @description Current memory of the virtual machine, in gigabytes; null while it is off. */
            memoryGB: number | null;
            /** @description Startup memory that is set in Hyper-V, in gigabytes. */
            startupMemoryGB: number | null;
            /** @description Memory that the next start tries first, in gigabytes. It differs from `startupMemoryGB` while the virtual machine runs with memory for one start only, or while a change waits for the next start. */
            configuredMemoryGB: number | null;
            /** @description Whether `startupMemoryGB` applies only until the virtual machine is off. */
            isMemoryTemporary: boolean;
            /** @description Seconds that the virtual machine has been running. */
            uptimeSeconds: number | null;
            /**
             * Format: date-time
             * @description When these figures were read; null if they never were.
             */
            observedAt: string | null;
        };
        /** @description SSH access to the virtual machine. */
        SshStatus: {
            /**
             * @description Whether access works, and if not, why. `notTried` while the virtual machine is not running.
             * @enum {string}
             */
            state: "ready" | "notTried" | "keyMissing" | "keyRejected" | "keyPermissions" | "passphrase" | "unreachable" | "hostKeyChanged" | "failed";
            /** @description What is wrong and how to fix it, for people. */
            detail: string | null;
            /** @description Whether the key file exists. */
            keyPresent: boolean;
            /** @description Path of the key file. */
            keyPath: string | null;
            /** @description Whether the manager runs in WSL and uses a copy of the key. */
            wsl: boolean;
            /** @description Both fingerprints with `hostKeyChanged`, else null. Accept the new one with `POST /api/setup/host-key`. */
            hostKeys: components["schemas"]["HostKeys"] | null;
            /**
             * Format: date-time
             * @description When these figures were read; null if they never were.
             */
            observedAt: string | null;
        };
        /** @description The cluster in the virtual machine that contains the battlegroup. */
        ClusterStatus: {
            /**
             * @description Contents of the cluster. `notAsked` while there is no access; `starting` and `failed` while the cluster does not respond, which says nothing about its contents; `empty` before a bootstrap and `incomplete` after one that did not finish; `several` if there is more than one battlegroup, in which case the manager manages none.
             * @enum {string}
             */
            state: "notAsked" | "starting" | "failed" | "empty" | "incomplete" | "ready" | "several";
            /** @description What is wrong and how to fix it, for people. */
            detail: string | null;
            /**
             * Format: date-time
             * @description When these figures were read; null if they never were.
             */
            observedAt: string | null;
        };
        /** @description Pages that the virtual machine serves to its own network. */
        Links: {
            /** @description The file browser. It has no password. */
            fileBrowser: string | null;
            /** @description Page of the director. */
            director: string | null;
        };
        /** @description Reference to an operation; with `operation_running`, to the running one. */
        OperationReference: {
            /**
             * Format: uuid
             * @description ID of the operation.
             */
            id: string;
            kind: components["schemas"]["OperationKind"];
        };
        /** @description Status of the host and the virtual machine. Parts that cannot be determined are null, with the reason in a field beside them. */
        Status: {
            /** @description Version of the manager. */
            version: string;
            /**
             * Format: date-time
             * @description When the manager started.
             */
            startedAt: string;
            /**
             * Format: date-time
             * @description When the status was determined; requests within a few seconds share one result.
             */
            observedAt: string;
            /** @description Whether the virtual machine is imported but its bootstrap has never finished: there is a namespace for servers, or none at all, and no battlegroup. False while the virtual machine cannot be queried. */
            needsBootstrap: boolean;
            host: components["schemas"]["HostStatus"];
            vm: components["schemas"]["VmStatus"];
            ssh: components["schemas"]["SshStatus"];
            cluster: components["schemas"]["ClusterStatus"];
            /** @description The battlegroup; null if there is none or it cannot be determined, for which `ssh` or `cluster` has the reason. */
            battlegroup: components["schemas"]["Battlegroup"] | null;
            links: components["schemas"]["Links"];
            /** @description The running operation; null if there is none. */
            operation: components["schemas"]["OperationReference"] | null;
        };
        /** @description A version of the manager. */
        Release: {
            /** @description Its version. */
            version: string;
            /** @description Page to download it from, over HTTPS. */
            url: string | null;
            /** @description What is new, as plain text of at most 2,000 characters. */
            notes: string | null;
        };
        /** @description Whether there is a newer version. */
        UpdateCheck: {
            /** @description Whether an address is set. */
            isConfigured: boolean;
            /** @description Version of this manager. */
            currentVersion: string;
            /** @description What the file names; null if it could not be read. */
            latest: components["schemas"]["Release"] | null;
            /** @description Whether it is newer than this manager. */
            isNewer: boolean;
            /**
             * Format: date-time
             * @description When the file was read last; null if never.
             */
            checkedAt: string | null;
            /** @description Why the file could not be read, for people. */
            fault: string | null;
        };
        /** @description How to start the virtual machine. */
        VmStartRequest: {
            /** @description Startup memory in gigabytes, tried alone. Without it the configured memory is tried first and then, while the host has too little, each of 40, 32, 30, 24, 20, 18, 16, 14 and 12 GB below it. */
            memoryGB?: number;
            /**
             * @description Whether the memory that the start succeeds with becomes the configured memory. Otherwise it applies to this start only: the next start tries the configured memory again.
             * @default false
             */
            keepMemory?: boolean;
        };
        /** @description The virtual machine is running. */
        VmStarted: {
            /**
             * @description Always true.
             * @constant
             */
            success: true;
            /** @description Startup memory that the virtual machine was started with, in gigabytes. */
            memoryGB: number;
            /** @description Startup memory that was tried, in gigabytes and in that order; the last one worked. */
            attemptedGB: number[];
            operation: components["schemas"]["Operation"];
        };
        /** @description The memory to configure. */
        VmMemoryUpdate: {
            /** @description Startup memory for later starts, in gigabytes. */
            memoryGB: number;
        };
        /** @description The startup memory of the virtual machine. */
        VmMemory: {
            /** @description Memory that the next start tries first, in gigabytes. */
            configuredMemoryGB: number | null;
            /** @description Memory that is set in Hyper-V now, in gigabytes. */
            startupMemoryGB: number | null;
            /** @description Whether the memory set in Hyper-V applies only until the virtual machine is off. */
            isMemoryTemporary: boolean;
        };
        /** @description One fault of a request. */
        ProblemError: {
            /**
             * @description The part of the request that the fault is in.
             * @enum {string}
             */
            in: "body" | "query" | "path" | "headers";
            /** @description JSON pointer within that part. */
            pointer: string;
            /** @description What is wrong at that place. */
            detail: string;
            /**
             * @description Keyword of the schema that the value violates, for texts of your own. Absent if the fault does not come from the schema.
             * @enum {string}
             */
            keyword?: "additionalProperties" | "const" | "enum" | "exclusiveMaximum" | "exclusiveMinimum" | "format" | "maxItems" | "maxLength" | "maxProperties" | "maximum" | "minItems" | "minLength" | "minProperties" | "minimum" | "multipleOf" | "pattern" | "required" | "type" | "uniqueItems";
            /** @description What the keyword requires, as text: `8` for `minLength`, `email` for `format`. Absent for keywords whose value is a list or an expression. */
            limit?: string;
        };
    };
    responses: {
        /**
         * @description `guest_failed`: A command within the virtual machine failed.
         *
         *     `host_failed`: A Windows command on the host failed.
         */
        BadGatewayGuestFailedHostFailed: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `host_failed`: A Windows command on the host failed. */
        BadGatewayHostFailed: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `validation_failed`: The request does not match the contract. */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `validation_failed`: The request does not match the contract.
         *
         *     `malformed_body`: The body cannot be parsed.
         */
        BadRequestBody: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `operation_running`: Another operation is running.
         *
         *     `battlegroup_exists`: The virtual machine already has a battlegroup.
         *
         *     `vm_missing`: Hyper-V has no virtual machine for the game server.
         *
         *     `vm_off`: The virtual machine is not running.
         *
         *     `ssh_key_missing`: The home of the manager has no SSH key for the virtual machine.
         *
         *     `ssh_key_rejected`: The virtual machine does not accept the SSH key.
         *
         *     `ssh_key_permissions`: Other users of the computer can read the SSH key.
         *
         *     `ssh_key_passphrase`: The SSH key has a passphrase.
         *
         *     `host_key_changed`: The virtual machine has another host key.
         */
        ConflictBattlegroupExistsHostKeyChangedOperationRunningSshKeyMissingSshKeyPassphraseSshKeyPermissionsSshKeyRejectedVmMissingVmOff: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `operation_running`: Another operation is running.
         *
         *     `battlegroup_missing`: The virtual machine has no battlegroup.
         *
         *     `several_battlegroups`: The virtual machine has more than one battlegroup.
         *
         *     `vm_missing`: Hyper-V has no virtual machine for the game server.
         *
         *     `vm_off`: The virtual machine is not running.
         *
         *     `ssh_key_missing`: The home of the manager has no SSH key for the virtual machine.
         *
         *     `ssh_key_rejected`: The virtual machine does not accept the SSH key.
         *
         *     `ssh_key_permissions`: Other users of the computer can read the SSH key.
         *
         *     `ssh_key_passphrase`: The SSH key has a passphrase.
         *
         *     `host_key_changed`: The virtual machine has another host key.
         */
        ConflictBattlegroupMissingHostKeyChangedOperationRunningSeveralBattlegroupsSshKeyMissingSshKeyPassphraseSshKeyPermissionsSshKeyRejectedVmMissingVmOff: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `vm_missing`: Hyper-V has no virtual machine for the game server.
         *
         *     `vm_off`: The virtual machine is not running.
         *
         *     `ssh_key_missing`: The home of the manager has no SSH key for the virtual machine.
         *
         *     `ssh_key_rejected`: The virtual machine does not accept the SSH key.
         *
         *     `ssh_key_permissions`: Other users of the computer can read the SSH key.
         *
         *     `ssh_key_passphrase`: The SSH key has a passphrase.
         *
         *     `host_key_changed`: The virtual machine has another host key.
         *
         *     `battlegroup_missing`: The virtual machine has no battlegroup.
         *
         *     `several_battlegroups`: The virtual machine has more than one battlegroup.
         */
        ConflictBattlegroupMissingHostKeyChangedSeveralBattlegroupsSshKeyMissingSshKeyPassphraseSshKeyPermissionsSshKeyRejectedVmMissingVmOff: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `operation_running`: Another operation is running.
         *
         *     `vm_missing`: Hyper-V has no virtual machine for the game server.
         *
         *     `vm_off`: The virtual machine is not running.
         *
         *     `ssh_key_missing`: The home of the manager has no SSH key for the virtual machine.
         *
         *     `ssh_key_rejected`: The virtual machine does not accept the SSH key.
         *
         *     `ssh_key_permissions`: Other users of the computer can read the SSH key.
         *
         *     `ssh_key_passphrase`: The SSH key has a passphrase.
         *
         *     `host_key_changed`: The virtual machine has another host key.
         */
        ConflictHostKeyChangedOperationRunningSshKeyMissingSshKeyPassphraseSshKeyPermissionsSshKeyRejectedVmMissingVmOff: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `vm_missing`: Hyper-V has no virtual machine for the game server.
         *
         *     `vm_off`: The virtual machine is not running.
         *
         *     `ssh_key_missing`: The home of the manager has no SSH key for the virtual machine.
         *
         *     `ssh_key_rejected`: The virtual machine does not accept the SSH key.
         *
         *     `ssh_key_permissions`: Other users of the computer can read the SSH key.
         *
         *     `ssh_key_passphrase`: The SSH key has a passphrase.
         *
         *     `host_key_changed`: The virtual machine has another host key.
         */
        ConflictHostKeyChangedSshKeyMissingSshKeyPassphraseSshKeyPermissionsSshKeyRejectedVmMissingVmOff: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `operation_running`: Another operation is running.
         *
         *     `vm_missing`: Hyper-V has no virtual machine for the game server.
         *
         *     `vm_off`: The virtual machine is not running.
         */
        ConflictOperationRunningVmMissingVmOff: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `disk_full`: The drive of the host is full. */
        InsufficientStorageDiskFull: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `internal`: The manager failed. */
        Internal: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `unsupported_media_type`: The body is not `application/json`, or it is compressed. */
        MediaType: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `not_found`: The request names an object that does not exist. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `stale_version`: The files have changed since you read them. */
        PreconditionFailed: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `payload_too_large`: The body is too large. */
        TooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `unauthorized`: The token is missing or belongs to another start of the manager. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `unavailable`: The manager is busy or stopping. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `guest_unreachable`: The virtual machine runs, but does not respond on the network.
         *
         *     `host_permission`: The manager runs without the rights that Hyper-V needs.
         *
         *     `hyperv_unavailable`: Hyper-V or Windows PowerShell cannot be used on this computer.
         *
         *     `unavailable`: The manager is busy or stopping.
         */
        UnavailableGuestUnreachableHostPermissionHypervUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `host_permission`: The manager runs without the rights that Hyper-V needs.
         *
         *     `hyperv_unavailable`: Hyper-V or Windows PowerShell cannot be used on this computer.
         *
         *     `unavailable`: The manager is busy or stopping.
         */
        UnavailableHostPermissionHypervUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `confirmation_needed`: The request does not have the word of confirmation. */
        UnprocessableConfirmationNeeded: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `invalid_address`: The network address is incomplete, or another machine uses it. */
        UnprocessableInvalidAddress: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `invalid_token`: The token is not a self-hosting token, is incomplete, or has expired.
         *
         *     `invalid_address`: The network address is incomplete, or another machine uses it.
         */
        UnprocessableInvalidAddressInvalidToken: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `invalid_setting`: The value of a setting has the wrong type or is out of range. */
        UnprocessableInvalidSetting: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /** @description ID of the backup. */
        BackupIdParameter: string;
        /** @description ID of the character. */
        CharacterIdParameter: string;
        /** @description ID of the operation. */
        OperationIdParameter: string;
    };
    requestBodies: never;
    headers: {
        /** @description Identifies the request; include it when you ask for help. */
        RequestId: string;
        /** @description The authentication scheme to use. */
        WwwAuthenticate: string;
        /** @description Seconds after which to try again; absent if trying again does not help. */
        RetryAfter: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getAutomation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The automation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationStatus"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateAutomation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Automation"];
            };
        };
        responses: {
            /** @description The automation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationStatus"];
                };
            };
            400: components["responses"]["BadRequestBody"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["MediaType"];
            422: components["responses"]["UnprocessableInvalidSetting"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorageDiskFull"];
        };
    };
    sendTestNotification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events of this test, one for each receiver. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description One event for each receiver. */
                        data: components["schemas"]["AutomationEvent"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listBackups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The backups. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackupList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createBackup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operation. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["ConflictBattlegroupMissingHostKeyChangedOperationRunningSeveralBattlegroupsSshKeyMissingSshKeyPassphraseSshKeyPermissionsSshKeyRejectedVmMissingVmOff"];
            500: components["responses"]["Internal"];
            502: components["responses"]["BadGatewayGuestFailedHostFailed"];
            503: components["responses"]["UnavailableGuestUnreachableHostPermissionHypervUnavailable"];
            507: components["responses"]["InsufficientStorageDiskFull"];
        };
    };
    deleteBackup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the backup. */
                backupId: components["parameters"]["BackupIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The backup is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            /** @description `operation_running`: Another operation is running. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    downloadBackup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the backup. */
                backupId: components["parameters"]["BackupIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    restoreBackup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the backup. */
                backupId: components["parameters"]["BackupIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RestoreRequest"];
            };
        };
        responses: {
            /** @description The operation. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            400: components["responses"]["BadRequestBody"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictBattlegroupMissingHostKeyChangedOperationRunningSeveralBattlegroupsSshKeyMissingSshKeyPassphraseSshKeyPermissionsSshKeyRejectedVmMissingVmOff"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["MediaType"];
            422: components["responses"]["UnprocessableConfirmationNeeded"];
            500: components["responses"]["Internal"];
            502: components["responses"]["BadGatewayGuestFailedHostFailed"];
            503: components["responses"]["UnavailableGuestUnreachableHostPermissionHypervUnavailable"];
            507: components["responses"]["InsufficientStorageDiskFull"];
        };
    };
    getBattlegroup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The battlegroup. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Battlegroup"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["ConflictBattlegroupMissingHostKeyChangedSeveralBattlegroupsSshKeyMissingSshKeyPassphraseSshKeyPermissionsSshKeyRejectedVmMissingVmOff"];
            500: components["responses"]["Internal"];
            502: components["responses"]["BadGatewayGuestFailedHostFailed"];
            503: components["responses"]["UnavailableGuestUnreachableHostPermissionHypervUnavailable"];
        };
    };
    startBattlegroup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operation. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["ConflictBattlegroupMissingHostKeyChangedOperationRunningSeveralBattlegroupsSshKeyMissingSshKeyPassphraseSshKeyPermissionsSshKeyRejectedVmMissingVmOff"];
            500: components["responses"]["Internal"];
            502: components["responses"]["BadGatewayGuestFailedHostFailed"];
            503: components["responses"]["UnavailableGuestUnreachableHostPermissionHypervUnavailable"];
        };
    };
    stopBattlegroup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operation. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["ConflictBattlegroupMissingHostKeyChangedOperationRunningSeveralBattlegroupsSshKeyMissingSshKeyPassphraseSshKeyPermissionsSshKeyRejectedVmMissingVmOff"];
            500: components["responses"]["Internal"];
            502: components["responses"]["BadGatewayGuestFailedHostFailed"];
            503: components["responses"]["UnavailableGuestUnreachableHostPermissionHypervUnavailable"];
        };
    };
    restartBattlegroup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operation. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["ConflictBattlegroupMissingHostKeyChangedOperationRunningSeveralBattlegroupsSshKeyMissingSshKeyPassphraseSshKeyPermissionsSshKeyRejectedVmMissingVmOff"];
            500: components["responses"]["Internal"];
            502: components["responses"]["BadGatewayGuestFailedHostFailed"];
            503: components["responses"]["UnavailableGuestUnreachableHostPermissionHypervUnavailable"];
        };
    };
    updateBattlegroup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operation. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["ConflictBattlegroupMissingHostKeyChangedOperationRunningSeveralBattlegroupsSshKeyMissingSshKeyPassphraseSshKeyPermissionsSshKeyRejectedVmMissingVmOff"];
            500: components["responses"]["Internal"];
            502: components["responses"]["BadGatewayGuestFailedHostFailed"];
            503: components["responses"]["UnavailableGuestUnreachableHostPermissionHypervUnavailable"];
        };
    };
    sendAnnouncement: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Announcement"];
            };
        };
        responses: {
            /** @description The message that the queue took. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Announcement"];
                };
            };
            400: components["responses"]["BadRequestBody"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["ConflictBattlegroupMissingHostKeyChangedSeveralBattlegroupsSshKeyMissingSshKeyPassphraseSshKeyPermissionsSshKeyRejectedVmMissingVmOff"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["MediaType"];
            422: components["responses"]["UnprocessableInvalidSetting"];
            500: components["responses"]["Internal"];
            502: components["responses"]["BadGatewayGuestFailedHostFailed"];
            503: components["responses"]["UnavailableGuestUnreachableHostPermissionHypervUnavailable"];
        };
    };
    createBattlegroupBackup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operation. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["ConflictBattlegroupMissingHostKeyChangedOperationRunningSeveralBattlegroupsSshKeyMissingSshKeyPassphraseSshKeyPermissionsSshKeyRejectedVmMissingVmOff"];
            500: components["responses"]["Internal"];
            502: components["responses"]["BadGatewayGuestFailedHostFailed"];
            503: components["responses"]["UnavailableGuestUnreachableHostPermissionHypervUnavailable"];
        };
    };
    listCharacters: {
        parameters: {
            query?: {
                /** @description Maximum number of characters in a page. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of characters. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CharacterPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["ConflictBattlegroupMissingHostKeyChangedSeveralBattlegroupsSshKeyMissingSshKeyPassphraseSshKeyPermissionsSshKeyRejectedVmMissingVmOff"];
            500: components["responses"]["Internal"];
            502: components["responses"]["BadGatewayGuestFailedHostFailed"];
            503: components["responses"]["UnavailableGuestUnreachableHostPermissionHypervUnavailable"];
        };
    };
    getCharacter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the character. */
                characterId: components["parameters"]["CharacterIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The character. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CharacterDetail"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictBattlegroupMissingHostKeyChangedSeveralBattlegroupsSshKeyMissingSshKeyPassphraseSshKeyPermissionsSshKeyRejectedVmMissingVmOff"];
            500: components["responses"]["Internal"];
            502: components["responses"]["BadGatewayGuestFailedHostFailed"];
            503: components["responses"]["UnavailableGuestUnreachableHostPermissionHypervUnavailable"];
        };
    };
    getCharacterTech: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the character. */
                characterId: components["parameters"]["CharacterIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tech tree. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CharacterTech"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictBattlegroupMissingHostKeyChangedSeveralBattlegroupsSshKeyMissingSshKeyPassphraseSshKeyPermissionsSshKeyRejectedVmMissingVmOff"];
            500: components["responses"]["Internal"];
            502: components["responses"]["BadGatewayGuestFailedHostFailed"];
            503: components["responses"]["UnavailableGuestUnreachableHostPermissionHypervUnavailable"];
        };
    };
    runTechUnlock: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the character. */
                characterId: components["parameters"]["CharacterIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result of the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TechUnlock"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            /**
             * @description `operation_running`: Another operation is running.
             *
             *     `character_online`: The character may be in the game.
             *
             *     `character_changed`: The character has changed since you read it.
             *
             *     `no_tech_data`: The character has never entered the game.
             *
             *     `battlegroup_missing`: The virtual machine has no battlegroup.
             *
             *     `several_battlegroups`: The virtual machine has more than one battlegroup.
             *
             *     `vm_missing`: Hyper-V has no virtual machine for the game server.
             *
             *     `vm_off`: The virtual machine is not running.
             *
             *     `ssh_key_missing`: The home of the manager has no SSH key for the virtual machine.
             *
             *     `ssh_key_rejected`: The virtual machine does not accept the SSH key.
             *
             *     `ssh_key_permissions`: Other users of the computer can read the SSH key.
             *
             *     `ssh_key_passphrase`: The SSH key has a passphrase.
             *
             *     `host_key_changed`: The virtual machine has another host key.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["Internal"];
            502: components["responses"]["BadGatewayGuestFailedHostFailed"];
            503: components["responses"]["UnavailableGuestUnreachableHostPermissionHypervUnavailable"];
            507: components["responses"]["InsufficientStorageDiskFull"];
        };
    };
    getTechCatalog: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The catalog. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TechCatalog"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    downloadDiagnostics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bundle. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSelftest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Selftest"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getGameConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings. */
            200: {
                headers: {
                    /** @description Version of the files, for `If-Match`. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GameConfig"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["ConflictHostKeyChangedSshKeyMissingSshKeyPassphraseSshKeyPermissionsSshKeyRejectedVmMissingVmOff"];
            500: components["responses"]["Internal"];
            502: components["responses"]["BadGatewayGuestFailedHostFailed"];
            503: components["responses"]["UnavailableGuestUnreachableHostPermissionHypervUnavailable"];
        };
    };
    updateGameConfig: {
        parameters: {
            query?: never;
            header: {
                /** @description The `ETag` of the settings that you read. */
                "If-Match": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GameConfigUpdate"];
            };
        };
        responses: {
            /** @description The saved settings. */
            200: {
                headers: {
                    /** @description Version of the files, for `If-Match`. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GameConfig"];
                };
            };
            400: components["responses"]["BadRequestBody"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["ConflictHostKeyChangedOperationRunningSshKeyMissingSshKeyPassphraseSshKeyPermissionsSshKeyRejectedVmMissingVmOff"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["MediaType"];
            422: components["responses"]["UnprocessableInvalidSetting"];
            500: components["responses"]["Internal"];
            502: components["responses"]["BadGatewayGuestFailedHostFailed"];
            503: components["responses"]["UnavailableGuestUnreachableHostPermissionHypervUnavailable"];
            507: components["responses"]["InsufficientStorageDiskFull"];
        };
    };
    getGameConfigFiles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The files. */
            200: {
                headers: {
                    /** @description Version of the files, for `If-Match`. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GameConfigFiles"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["ConflictHostKeyChangedSshKeyMissingSshKeyPassphraseSshKeyPermissionsSshKeyRejectedVmMissingVmOff"];
            500: components["responses"]["Internal"];
            502: components["responses"]["BadGatewayGuestFailedHostFailed"];
            503: components["responses"]["UnavailableGuestUnreachableHostPermissionHypervUnavailable"];
        };
    };
    updateGameConfigFiles: {
        parameters: {
            query?: never;
            header: {
                /** @description The `ETag` of the files that you read. */
                "If-Match": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GameConfigFiles"];
            };
        };
        responses: {
            /** @description The files as they are now. */
            200: {
                headers: {
                    /** @description Version of the files, for `If-Match`. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GameConfigFiles"];
                };
            };
            400: components["responses"]["BadRequestBody"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["ConflictHostKeyChangedOperationRunningSshKeyMissingSshKeyPassphraseSshKeyPermissionsSshKeyRejectedVmMissingVmOff"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["MediaType"];
            422: components["responses"]["UnprocessableInvalidSetting"];
            500: components["responses"]["Internal"];
            502: components["responses"]["BadGatewayGuestFailedHostFailed"];
            503: components["responses"]["UnavailableGuestUnreachableHostPermissionHypervUnavailable"];
            507: components["responses"]["InsufficientStorageDiskFull"];
        };
    };
    deployGameConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operation. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["ConflictBattlegroupMissingHostKeyChangedOperationRunningSeveralBattlegroupsSshKeyMissingSshKeyPassphraseSshKeyPermissionsSshKeyRejectedVmMissingVmOff"];
            500: components["responses"]["Internal"];
            502: components["responses"]["BadGatewayGuestFailedHostFailed"];
            503: components["responses"]["UnavailableGuestUnreachableHostPermissionHypervUnavailable"];
        };
    };
    getMonitoring: {
        parameters: {
            query?: {
                /** @description Length of the period, up to now. */
                hours?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Monitoring"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOperations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operations. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOperation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the operation. */
                operationId: components["parameters"]["OperationIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOperationLines: {
        parameters: {
            query?: {
                /** @description Only lines whose `seq` is greater. */
                after?: number;
            };
            header?: never;
            path: {
                /** @description ID of the operation. */
                operationId: components["parameters"]["OperationIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The lines. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationLineList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelOperation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the operation. */
                operationId: components["parameters"]["OperationIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operation in its current state. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            /**
             * @description `not_cancellable`: The operation is in a step that must not be interrupted.
             *
             *     `operation_ended`: The operation has ended.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listLogSources: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sources. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The sources. */
                        data: components["schemas"]["LogSource"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["ConflictBattlegroupMissingHostKeyChangedSeveralBattlegroupsSshKeyMissingSshKeyPassphraseSshKeyPermissionsSshKeyRejectedVmMissingVmOff"];
            500: components["responses"]["Internal"];
            502: components["responses"]["BadGatewayGuestFailedHostFailed"];
            503: components["responses"]["UnavailableGuestUnreachableHostPermissionHypervUnavailable"];
        };
    };
    getServerLog: {
        parameters: {
            query?: {
                /** @description Only lines that contain this text; upper and lower case are the same, and the time is part of the line. */
                search?: string;
                /** @description Maximum number of lines. */
                limit?: number;
                /** @description Whether to read the log of the program before its last restart, for example after a crash. */
                previous?: boolean;
            };
            header?: never;
            path: {
                /** @description ID of the source. */
                sourceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The lines. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerLog"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictBattlegroupMissingHostKeyChangedSeveralBattlegroupsSshKeyMissingSshKeyPassphraseSshKeyPermissionsSshKeyRejectedVmMissingVmOff"];
            500: components["responses"]["Internal"];
            502: components["responses"]["BadGatewayGuestFailedHostFailed"];
            503: components["responses"]["UnavailableGuestUnreachableHostPermissionHypervUnavailable"];
        };
    };
    getServerVisibility: {
        parameters: {
            query?: {
                /** @description Whether the virtual machine asks api.ipify.org for the public address, which takes up to 10 seconds. */
                detectPublicIp?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The visibility. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerVisibility"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["ConflictHostKeyChangedSshKeyMissingSshKeyPassphraseSshKeyPermissionsSshKeyRejectedVmMissingVmOff"];
            500: components["responses"]["Internal"];
            502: components["responses"]["BadGatewayGuestFailedHostFailed"];
            503: components["responses"]["UnavailableGuestUnreachableHostPermissionHypervUnavailable"];
        };
    };
    updateServerVisibility: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ServerVisibilityUpdate"];
            };
        };
        responses: {
            /** @description The written address. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VisibilityChange"];
                };
            };
            400: components["responses"]["BadRequestBody"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["ConflictHostKeyChangedOperationRunningSshKeyMissingSshKeyPassphraseSshKeyPermissionsSshKeyRejectedVmMissingVmOff"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["MediaType"];
            422: components["responses"]["UnprocessableInvalidAddress"];
            500: components["responses"]["Internal"];
            502: components["responses"]["BadGatewayGuestFailedHostFailed"];
            503: components["responses"]["UnavailableGuestUnreachableHostPermissionHypervUnavailable"];
        };
    };
    checkPorts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The checks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortChecks"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["ConflictBattlegroupMissingHostKeyChangedSeveralBattlegroupsSshKeyMissingSshKeyPassphraseSshKeyPermissionsSshKeyRejectedVmMissingVmOff"];
            500: components["responses"]["Internal"];
            502: components["responses"]["BadGatewayGuestFailedHostFailed"];
            503: components["responses"]["UnavailableGuestUnreachableHostPermissionHypervUnavailable"];
        };
    };
    getSetupProgress: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The progress. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetupProgress"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPreflight: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The results and choices. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Preflight"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    importVm: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportRequest"];
            };
        };
        responses: {
            /** @description The operation. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            400: components["responses"]["BadRequestBody"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `operation_running`: Another operation is running.
             *
             *     `vm_exists`: The virtual machine already exists.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["MediaType"];
            422: components["responses"]["UnprocessableInvalidSetting"];
            500: components["responses"]["Internal"];
            502: components["responses"]["BadGatewayHostFailed"];
            503: components["responses"]["UnavailableHostPermissionHypervUnavailable"];
        };
    };
    updateSetupSecurity: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecurityRequest"];
            };
        };
        responses: {
            /** @description The operation. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            400: components["responses"]["BadRequestBody"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["ConflictHostKeyChangedOperationRunningSshKeyMissingSshKeyPassphraseSshKeyPermissionsSshKeyRejectedVmMissingVmOff"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["MediaType"];
            500: components["responses"]["Internal"];
            502: components["responses"]["BadGatewayGuestFailedHostFailed"];
            503: components["responses"]["UnavailableGuestUnreachableHostPermissionHypervUnavailable"];
            507: components["responses"]["InsufficientStorageDiskFull"];
        };
    };
    recoverKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyRecoveryRequest"];
            };
        };
        responses: {
            /** @description The operation. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            400: components["responses"]["BadRequestBody"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `operation_running`: Another operation is running.
             *
             *     `vm_missing`: Hyper-V has no virtual machine for the game server.
             *
             *     `vm_off`: The virtual machine is not running.
             *
             *     `host_key_changed`: The virtual machine has another host key.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["MediaType"];
            /** @description `ssh_password_rejected`: The virtual machine does not accept the password, or takes no passwords. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["Internal"];
            502: components["responses"]["BadGatewayGuestFailedHostFailed"];
            503: components["responses"]["UnavailableGuestUnreachableHostPermissionHypervUnavailable"];
            507: components["responses"]["InsufficientStorageDiskFull"];
        };
    };
    acceptHostKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HostKeyRequest"];
            };
        };
        responses: {
            /** @description The accepted key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostKeys"];
                };
            };
            400: components["responses"]["BadRequestBody"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `operation_running`: Another operation is running.
             *
             *     `vm_missing`: Hyper-V has no virtual machine for the game server.
             *
             *     `vm_off`: The virtual machine is not running.
             *
             *     `ssh_key_missing`: The home of the manager has no SSH key for the virtual machine.
             *
             *     `host_key_changed`: The virtual machine has another host key.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["MediaType"];
            500: components["responses"]["Internal"];
            502: components["responses"]["BadGatewayGuestFailedHostFailed"];
            503: components["responses"]["UnavailableGuestUnreachableHostPermissionHypervUnavailable"];
            507: components["responses"]["InsufficientStorageDiskFull"];
        };
    };
    updateSetupNetwork: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NetworkRequest"];
            };
        };
        responses: {
            /** @description The operation. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            400: components["responses"]["BadRequestBody"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["ConflictHostKeyChangedOperationRunningSshKeyMissingSshKeyPassphraseSshKeyPermissionsSshKeyRejectedVmMissingVmOff"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["MediaType"];
            422: components["responses"]["UnprocessableInvalidAddress"];
            500: components["responses"]["Internal"];
            502: components["responses"]["BadGatewayGuestFailedHostFailed"];
            503: components["responses"]["UnavailableGuestUnreachableHostPermissionHypervUnavailable"];
        };
    };
    startBootstrap: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BootstrapRequest"];
            };
        };
        responses: {
            /** @description The operation. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            400: components["responses"]["BadRequestBody"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["ConflictBattlegroupExistsHostKeyChangedOperationRunningSshKeyMissingSshKeyPassphraseSshKeyPermissionsSshKeyRejectedVmMissingVmOff"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["MediaType"];
            422: components["responses"]["UnprocessableInvalidAddressInvalidToken"];
            500: components["responses"]["Internal"];
            502: components["responses"]["BadGatewayGuestFailedHostFailed"];
            503: components["responses"]["UnavailableGuestUnreachableHostPermissionHypervUnavailable"];
        };
    };
    startRepair: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BootstrapRequest"];
            };
        };
        responses: {
            /** @description The operation. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            400: components["responses"]["BadRequestBody"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["ConflictBattlegroupExistsHostKeyChangedOperationRunningSshKeyMissingSshKeyPassphraseSshKeyPermissionsSshKeyRejectedVmMissingVmOff"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["MediaType"];
            422: components["responses"]["UnprocessableInvalidAddressInvalidToken"];
            500: components["responses"]["Internal"];
            502: components["responses"]["BadGatewayGuestFailedHostFailed"];
            503: components["responses"]["UnavailableGuestUnreachableHostPermissionHypervUnavailable"];
        };
    };
    getResetPlan: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The plan. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResetPlan"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["Internal"];
            502: components["responses"]["BadGatewayHostFailed"];
            503: components["responses"]["UnavailableHostPermissionHypervUnavailable"];
        };
    };
    startReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ResetRequest"];
            };
        };
        responses: {
            /** @description The operation. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            400: components["responses"]["BadRequestBody"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["ConflictBattlegroupMissingHostKeyChangedOperationRunningSeveralBattlegroupsSshKeyMissingSshKeyPassphraseSshKeyPermissionsSshKeyRejectedVmMissingVmOff"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["MediaType"];
            422: components["responses"]["UnprocessableConfirmationNeeded"];
            500: components["responses"]["Internal"];
            502: components["responses"]["BadGatewayGuestFailedHostFailed"];
            503: components["responses"]["UnavailableGuestUnreachableHostPermissionHypervUnavailable"];
            507: components["responses"]["InsufficientStorageDiskFull"];
        };
    };
    getStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The status. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    checkForUpdate: {
        parameters: {
            query?: {
                /** @description Whether to read the file again now. */
                refresh?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateCheck"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    startVm: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["VmStartRequest"];
            };
        };
        responses: {
            /** @description The virtual machine is running. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VmStarted"];
                };
            };
            400: components["responses"]["BadRequestBody"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `operation_running`: Another operation is running.
             *
             *     `vm_missing`: Hyper-V has no virtual machine for the game server.
             *
             *     `vm_on`: The virtual machine is not off.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["MediaType"];
            500: components["responses"]["Internal"];
            /**
             * @description `start_failed`: Hyper-V could not start the virtual machine.
             *
             *     `host_failed`: A Windows command on the host failed.
             */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["UnavailableHostPermissionHypervUnavailable"];
            /**
             * @description `disk_full`: The drive of the host is full.
             *
             *     `out_of_memory`: The host has too little free memory for the virtual machine.
             */
            507: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    stopVm: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operation. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["ConflictOperationRunningVmMissingVmOff"];
            500: components["responses"]["Internal"];
            502: components["responses"]["BadGatewayHostFailed"];
            503: components["responses"]["UnavailableHostPermissionHypervUnavailable"];
        };
    };
    updateVmMemory: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VmMemoryUpdate"];
            };
        };
        responses: {
            /** @description The memory. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VmMemory"];
                };
            };
            400: components["responses"]["BadRequestBody"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description `operation_running`: Another operation is running.
             *
             *     `vm_missing`: Hyper-V has no virtual machine for the game server.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["MediaType"];
            500: components["responses"]["Internal"];
            502: components["responses"]["BadGatewayHostFailed"];
            503: components["responses"]["UnavailableHostPermissionHypervUnavailable"];
            507: components["responses"]["InsufficientStorageDiskFull"];
        };
    };
    switchVmOff: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operation. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["ConflictOperationRunningVmMissingVmOff"];
            500: components["responses"]["Internal"];
            502: components["responses"]["BadGatewayHostFailed"];
            503: components["responses"]["UnavailableHostPermissionHypervUnavailable"];
        };
    };
}
