// Generated from the contract; edit the contract instead.

export interface paths {
    "/api/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the manager's status
         * @description Answers the manager's version and since when it runs.
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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @example {
         *       "version": "0.1.0",
         *       "startedAt": "2026-11-21T10:00:00.000Z"
         *     }
         */
        Status: {
            /** @description Version of the manager. */
            version: string;
            /** Format: date-time */
            startedAt: string;
        };
        /**
         * @description The kind of a problem. New codes may appear; treat an unknown one by its status.
         * @example validation_failed
         * @enum {string}
         */
        ProblemCode: "validation_failed" | "malformed_body" | "unauthorized" | "invalid_credentials" | "invalid_refresh_token" | "invalid_setup_token" | "invalid_invitation" | "password_required" | "invalid_challenge" | "invalid_password_token" | "invalid_link" | "forbidden" | "beyond_own_permissions" | "license_required" | "license_revoked" | "user_required" | "address_not_allowed" | "not_found" | "method_not_allowed" | "not_acceptable" | "already_set_up" | "already_member" | "already_invited" | "last_owner" | "role_immutable" | "role_in_use" | "name_taken" | "file_exists" | "wrong_file_type" | "directory_not_empty" | "map_in_use" | "map_not_public" | "subdomain_taken" | "public_key_taken" | "time_taken" | "last_super_admin" | "limit_reached" | "still_online" | "instance_not_running" | "not_supported" | "backup_pinned" | "backup_being_deleted" | "wipe_begun" | "wipe_under_way" | "webhook_disabled" | "totp_already_on" | "totp_not_set_up" | "totp_not_on" | "idempotency_in_flight" | "idempotency_key_reused" | "stale_version" | "payload_too_large" | "unsupported_media_type" | "wrong_password" | "same_password" | "weak_password" | "export_too_large" | "invalid_code" | "path_refused" | "file_too_large" | "not_text" | "checksum_mismatch" | "import_refused" | "plugin_config_invalid" | "plugin_file_unreadable" | "plugin_refused" | "invalid_map" | "infected_file" | "rate_limited" | "agent_refused" | "disk_full" | "game_unreachable" | "agent_offline" | "agent_timeout" | "unavailable" | "internal";
        /**
         * @example {
         *       "in": "body",
         *       "pointer": "/email",
         *       "detail": "must match format \"email\""
         *     }
         */
        ProblemError: {
            /**
             * @description The part of the request.
             * @enum {string}
             */
            in: "body" | "query" | "path" | "headers";
            /** @description JSON pointer within that part. */
            pointer: string;
            /** @description What is wrong there. */
            detail: string;
        };
        /**
         * @description An error, as RFC 9457 describes. Decide on `code`.
         * @example {
         *       "type": "/problems/validation_failed",
         *       "title": "The request does not match the contract",
         *       "status": 400,
         *       "detail": "body /email: must match format \"email\"",
         *       "instance": "/auth/login",
         *       "code": "validation_failed",
         *       "request_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a09",
         *       "errors": [
         *         {
         *           "in": "body",
         *           "pointer": "/email",
         *           "detail": "must match format \"email\""
         *         }
         *       ]
         *     }
         */
        Problem: {
            /**
             * Format: uri-reference
             * @description Identifies the code.
             */
            type: string;
            /** @description The code in words; the same for every occurrence. */
            title: string;
            /** @description The HTTP status of this answer. */
            status: number;
            /** @description What went wrong this time. */
            detail: string;
            /**
             * Format: uri-reference
             * @description The path that was called.
             */
            instance: string;
            code: components["schemas"]["ProblemCode"];
            /** @description The answer's `X-Request-Id`. */
            request_id: string;
            /** @description Each fault of the request that was found. */
            errors?: components["schemas"]["ProblemError"][];
        };
    };
    responses: {
        /** @description The request can't be carried out as it is. */
        ClientProblem: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/not_found",
                 *       "title": "Not found",
                 *       "status": 404,
                 *       "detail": "No such instance.",
                 *       "instance": "/api/fleet/instances/0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a09",
                 *       "code": "not_found",
                 *       "request_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a09"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The platform, or an agent that it needs, can't answer now. */
        ServerProblem: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/unavailable",
                 *       "title": "Temporarily unavailable",
                 *       "status": 503,
                 *       "detail": "The database can't be reached.",
                 *       "instance": "/api/fleet/instances",
                 *       "code": "unavailable",
                 *       "request_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a09"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
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
                    /**
                     * @example {
                     *       "version": "0.1.0",
                     *       "startedAt": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Status"];
                };
            };
            "4XX": components["responses"]["ClientProblem"];
            "5XX": components["responses"]["ServerProblem"];
        };
    };
}
