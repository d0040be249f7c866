// Generated from the contract; edit the contract instead.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The first frame. */
        ConsoleHelloFrame: {
            /** @constant */
            type: "hello";
            /** Format: uuid */
            instance_id: string;
            /** @description Whether lines may be typed on this socket. */
            may_input: boolean;
        };
        /**
         * Format: uuid
         * @description Identifies one start of the agent or process. It changes whenever the sequence numbers that belong to it start again.
         */
        BootId: string;
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
        /** @description Up to 200 earlier lines at first, then live ones. No line is sent twice. */
        ConsoleLinesFrame: {
            /** @constant */
            type: "lines";
            boot: components["schemas"]["BootId"];
            lines: components["schemas"]["ConsoleLine"][];
            /** @description Whether earlier lines were left out of the first frame because the lines are too long for it. */
            truncated?: boolean;
        };
        /** @description The lines between these two numbers were lost. */
        ConsoleGapFrame: {
            /** @constant */
            type: "gap";
            boot: components["schemas"]["BootId"];
            after_seq: number;
            before_seq: number;
        };
        /** @description Earlier lines cannot be requested from the agent now; live lines follow when the agent is online again. */
        ConsoleUnavailableFrame: {
            /** @constant */
            type: "unavailable";
            code: string;
            detail: string;
        };
        /** @description Types one line. Requires the permission `console.input`. At most 10 lines a second are accepted. */
        ConsoleInputFrame: {
            /** @constant */
            type: "input";
            /** @description Identifier that the result repeats. */
            id?: string;
            /** @description One console command of 1 to 1,000 characters, at least one of them visible and none a control character. Any other value, including `null`, gets a result with the code `invalid`. */
            line: string | null;
        };
        /** @description The result of a typed line. */
        ConsoleInputResultFrame: {
            /** @constant */
            type: "input_result";
            id?: string;
            ok: boolean;
            /** @description Why the line was refused. */
            code?: string;
            detail?: string;
        };
        /** @description Requests up to 500 lines that the agent keeps on disk, before one line of a run or, without `boot` and `before_seq`, the newest. The reply is one `history` frame. One request is carried out at a time, and at most 20 a second. */
        ConsoleHistoryRequestFrame: {
            /** @constant */
            type: "history";
            /** @description Identifier that the reply repeats. */
            id?: string;
            boot?: components["schemas"]["BootId"];
            before_seq?: number;
        };
        /** @description Lines before the requested one, in their order. All of them are of one run, which may be an earlier one. */
        ConsoleHistoryFrame: {
            /** @constant */
            type: "history";
            id?: string;
            ok: boolean;
            boot?: components["schemas"]["BootId"];
            lines: components["schemas"]["ConsoleLine"][];
            /** @description Whether the agent keeps lines before these. */
            has_earlier: boolean;
            /** @description Why there are no lines: `not_supported` by an older agent, `agent_offline`, `agent_timeout`, `too_many` requests, or a code of the agent. */
            code?: string;
            detail?: string;
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
