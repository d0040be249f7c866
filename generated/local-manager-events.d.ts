// Generated from the contract; edit the contract instead.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
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
        /** @description The first frame. */
        HelloFrame: {
            /**
             * @description The kind of the frame.
             * @constant
             */
            type: "hello";
            /**
             * Format: uuid
             * @description Identifies this start of the manager. With another value, `seq` starts again.
             */
            boot: string;
            /** @description The running operation, or otherwise the last one; null if there is none. */
            operation: components["schemas"]["Operation"] | null;
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
        /** @description Lines of the console. */
        LinesFrame: {
            /**
             * @description The kind of the frame.
             * @constant
             */
            type: "lines";
            /** @description The lines, oldest first. */
            lines: components["schemas"]["OperationLine"][];
            /** @description Whether lines between `after` and these are no longer stored. */
            isTruncated: boolean;
        };
        /** @description An operation in its current state. */
        OperationFrame: {
            /**
             * @description The kind of the frame.
             * @constant
             */
            type: "operation";
            operation: components["schemas"]["Operation"];
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
