// Generated from the contract; edit the contract instead.

export interface paths {
    "/auth/bootstrap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create the first user
         * @description Creates the first user of an empty installation, as super admin, and signs them in. It needs the one-time setup token from the link that the server printed when it started. Once a user exists it answers `already_set_up`.
         *
         *     **Problem codes of its own:** `invalid_setup_token` (401), `already_set_up` (409).
         */
        post: operations["createFirstUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in
         * @description Signs a user in with e-mail and password. A wrong password, an unknown address and a disabled account answer alike, and take the same time.
         *
         *     **Problem codes of its own:** `invalid_credentials` (401), `not_found` (404).
         */
        post: operations["createSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refresh a session
         * @description Exchanges a refresh token for a new access token and a new refresh token. Each refresh token works once. Using one a second time means that it was stolen or lost: the whole session is ended.
         *
         *     **Problem codes of its own:** `invalid_refresh_token` (401).
         */
        post: operations["refreshSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out
         * @description Ends the session that the refresh token belongs to: its access tokens stop working and its open consoles close. An unknown or used token is answered the same way.
         */
        post: operations["deleteSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/switch-license": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switch to another license
         * @description Moves the session to another license that the user belongs to. The refresh token used so far counts as used, so keep the new one: sending a used one ends the session. Access tokens of the former license end with their lifetime.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        post: operations["switchLicense"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the signed-in user
         * @description Answers who is calling, in which license, with which permissions, and which licenses there are to switch to.
         */
        get: operations["getCurrentUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List changes of all licenses
         * @description Lists what was changed in every license and in the platform itself, newest first, users and their sessions included. As CSV (`Accept: text/csv` or `format=csv`) it goes on to the end of the filter, up to 100,000 entries; `limit` then counts for nothing.
         */
        get: operations["listPlatformAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/early-access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List early access signups
         * @description Lists who has signed up for early access, newest first.
         */
        get: operations["listEarlyAccessSignups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the platform's health
         * @description Answers how the database, the message bus and the job queue fare, as the replica that answers sees them, and about how many rows each table has.
         */
        get: operations["getPlatformHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/licenses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List licenses
         * @description Lists every license of the platform, newest first.
         */
        get: operations["listLicenses"];
        put?: never;
        /**
         * Create a license
         * @description Creates a license with its key, its companion token and its four system roles (Owner, Head Admin, Moderator, Viewer). Every field is optional. Keep the companion token: it is shown this once.
         *
         *     **Problem codes of its own:** `subdomain_taken` (409).
         */
        post: operations["createLicense"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/licenses/{license_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The license's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01
                 */
                license_id: components["parameters"]["LicenseId"];
            };
            cookie?: never;
        };
        /**
         * Get a license
         * @description Answers one license.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        get: operations["getLicense"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Revoke or activate a license
         * @description Revoking cuts off the license's users, open consoles and agents within seconds; everything stored stays. Activating lets them back in. Setting the state that it already has changes nothing.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        patch: operations["updateLicense"];
        trace?: never;
    };
    "/api/admin/servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List servers of all licenses
         * @description Lists the agent hosts of all licenses, oldest first, each with its instances by state, and figures of all hosts that match the filter, whatever the page.
         */
        get: operations["listServers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the platform's key figures
         * @description Answers how many licenses, users, servers and signups there are, and the monthly recurring revenue in each currency.
         */
        get: operations["getPlatformStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List subscriptions
         * @description Lists subscriptions of all licenses, newest first, and what those that match the filter bring in a month, whatever the page. Those that are active or past due count; a yearly one counts a twelfth.
         */
        get: operations["listSubscriptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * @description Lists every user of the platform, newest first.
         */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a user
         * @description Makes a user a super admin or takes that away, and disables or enables an account. Disabling ends the user's sessions, open consoles and API keys at once; enabling brings back the keys, while the user signs in anew. One enabled super admin always stays.
         *
         *     **Problem codes of its own:** `not_found` (404), `last_super_admin` (409).
         */
        patch: operations["updateUser"];
        trace?: never;
    };
    "/api/agent/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open an agent session
         * @description Enrols the host on first sight (one per license and hostname) and answers short-lived credentials for the message bus, bound to the nkey named and limited to that host's subjects. Call it again before they expire; credentials of another nkey of the same host are revoked. A key belongs to one host: with that of another, also after the host was renamed or its disk was copied, make a new one.
         *
         *     **Problem codes of its own:** `public_key_taken` (409), `limit_reached` (409).
         */
        post: operations["createAgentSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description Lists the license's keys, oldest first. None of them can be read again; those that were revoked stay in the list.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description Creates a key for programs that work in this license and answers it in plain text, this once. You can give it what you may do yourself, and at any time it may do only what both of you may: when your role loses a permission, so does the key; it is refused while you are disabled or no member of the license. Keys never create or revoke keys, whatever they are given.
         *
         *     **Problem codes of its own:** `beyond_own_permissions` (403), `limit_reached` (409).
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api-keys/{api_key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The API key's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5001
                 */
                api_key_id: components["parameters"]["ApiKeyIdParameter"];
            };
            cookie?: never;
        };
        /**
         * Get an API key
         * @description Answers what is known of one key, which is everything but the key itself.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description Revokes the key for good; it is refused from now on, by every replica. It stays in the list. Revoking one that is revoked changes nothing.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        delete: operations["deleteApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List changes
         * @description Lists what was changed in the license, newest first: by users, keys, agents and jobs. Nobody can change or delete entries. As CSV (`Accept: text/csv` or `format=csv`) it goes on to the end of the filter, up to 100,000 entries; `limit` then counts for nothing.
         */
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/fleet/hosts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List agent hosts
         * @description Lists the machines that run this license's companion agents, oldest first, with their last metrics.
         */
        get: operations["listHosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/fleet/hosts/{host_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The agent host's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a01
                 */
                host_id: components["parameters"]["HostIdParameter"];
            };
            cookie?: never;
        };
        /**
         * Get an agent host
         * @description Answers one agent host.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        get: operations["getHost"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/fleet/instances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List game instances
         * @description Lists the license's game instances, oldest first, as their agents last reported them.
         */
        get: operations["listInstances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/fleet/instances/{instance_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The game instance's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id: components["parameters"]["InstanceIdParameter"];
            };
            cookie?: never;
        };
        /**
         * Get a game instance
         * @description Answers one game instance.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        get: operations["getInstance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update an instance
         * @description Changes the fields that are given. With `cluster_id` it puts the instance into a cluster of the license, or takes it out of its cluster.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        patch: operations["updateInstance"];
        trace?: never;
    };
    "/api/fleet/instances/{instance_id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The game instance's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id: components["parameters"]["InstanceIdParameter"];
            };
            cookie?: never;
        };
        /**
         * List an instance's stats
         * @description Lists what was recorded with each heartbeat, newest first. Give `from` and `to` to look at a span of time.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        get: operations["listInstanceStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/fleet/clusters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List clusters
         * @description Lists the license's groups of instances, oldest first.
         */
        get: operations["listClusters"];
        put?: never;
        /**
         * Create a cluster
         * @description Creates an empty group of instances. Put instances into it with `PATCH /api/fleet/instances/{instance_id}`.
         *
         *     **Problem codes of its own:** `name_taken` (409).
         */
        post: operations["createCluster"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/fleet/clusters/{cluster_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The cluster's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4e01
                 */
                cluster_id: components["parameters"]["ClusterIdParameter"];
            };
            cookie?: never;
        };
        /**
         * Get a cluster
         * @description Answers one cluster.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        get: operations["getCluster"];
        put?: never;
        post?: never;
        /**
         * Delete a cluster
         * @description Deletes the group. Its instances stay and belong to no cluster.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        delete: operations["deleteCluster"];
        options?: never;
        head?: never;
        /**
         * Update a cluster
         * @description Changes the fields that are given; the others stay as they are.
         *
         *     **Problem codes of its own:** `not_found` (404), `name_taken` (409).
         */
        patch: operations["updateCluster"];
        trace?: never;
    };
    "/api/instances/{instance_id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The game instance's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id: components["parameters"]["InstanceIdParameter"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a game instance
         * @description Asks the agent to start the instance. Starting one that runs succeeds and changes nothing. The answer is the command; an agent that is away gets it when it is back, unless it has expired by then.
         *
         *     **Problem codes of its own:** `not_found` (404), `limit_reached` (409).
         */
        post: operations["startInstance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{instance_id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The game instance's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id: components["parameters"]["InstanceIdParameter"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a game instance
         * @description Asks the agent to stop the instance: its stop command or signal first, and after its grace period it is killed. The answer is the command; an agent that is away gets it when it is back, unless it has expired by then.
         *
         *     **Problem codes of its own:** `not_found` (404), `limit_reached` (409).
         */
        post: operations["stopInstance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{instance_id}/restart": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The game instance's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id: components["parameters"]["InstanceIdParameter"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restart a game instance
         * @description Asks the agent to stop the instance, if it runs, and to start it again. The answer is the command; an agent that is away gets it when it is back, unless it has expired by then.
         *
         *     **Problem codes of its own:** `not_found` (404), `limit_reached` (409).
         */
        post: operations["restartInstance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{instance_id}/console-tickets": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The game instance's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id: components["parameters"]["InstanceIdParameter"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a console ticket
         * @description Answers a ticket that opens the instance's console, a WebSocket at
         *     `/api/instances/{instance_id}/console?ticket=…`, once and within 30 seconds. The platform relays; you never
         *     connect to a game host.
         *
         *     **Frames from the server** are JSON texts with a `type`:
         *
         *     | type | fields | meaning |
         *     |---|---|---|
         *     | `hello` | `instance_id`, `may_input` | first frame |
         *     | `lines` | `boot`, `lines: [{ seq, at, stream, text }]` | up to 200 earlier lines at first, then live ones. `seq` rises within a `boot` (one run of the process); `stream` is `stdout`, `stderr`, `input` or `system` |
         *     | `gap` | `boot`, `after_seq`, `before_seq` | lines between these two numbers were lost |
         *     | `unavailable` | `code`, `detail` | the agent can't be asked for earlier lines now; live ones follow when it is back |
         *     | `input_result` | `id`, `ok`, `code`, `detail` | how a typed line fared; `code` and `detail` only when not `ok` |
         *
         *     **Frames to the server**: `{ "type": "input", "id": "…", "line": "…" }` types one line (1 to 1,000 characters
         *     without control characters; `id`, up to 64 characters, comes back in `input_result`). It needs the permission
         *     `console.input` beside `console.view`. At most 10 lines a second are taken.
         *
         *     **Close codes**: 4401 the session, role or license no longer allows it; 4404 the instance is gone;
         *     4408 you read too slowly (more than 1 MiB waits for you); 1008 a frame that is none of the above;
         *     1009 a frame over 16 KiB; 1001 the server is going down, ask for a new ticket and reconnect.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        post: operations["createConsoleTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/commands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List commands
         * @description Lists what the license's agents were asked to do, newest first.
         */
        get: operations["listCommands"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/commands/{command_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The command's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a03
                 */
                command_id: components["parameters"]["CommandIdParameter"];
            };
            cookie?: never;
        };
        /**
         * Get a command
         * @description Answers one command; poll it to see how it ends.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        get: operations["getCommand"];
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
        /**
         * Format: email
         * @description An e-mail address. Upper and lower case are the same.
         * @example owner@example.com
         */
        Email: string;
        /**
         * Format: password
         * @description At least 12 characters.
         * @example correct-horse-battery
         */
        NewPassword: string;
        /**
         * @example {
         *       "setup_token": "4pVb0mQk3o1x8m2f0d7aTn5cWzR9uYqL",
         *       "email": "owner@example.com",
         *       "password": "correct-horse-battery"
         *     }
         */
        FirstUserCreate: {
            /** @description From the setup link that the server printed. */
            setup_token: string;
            email: components["schemas"]["Email"];
            password: components["schemas"]["NewPassword"];
        };
        /**
         * @example {
         *       "access_token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIwMTk5In0.c2lnbmF0dXJl",
         *       "token_type": "Bearer",
         *       "expires_in": 900,
         *       "refresh_token": "gantry_refresh_6fJm2yq8Q0mT3l9xw1B7c5Vn4ZsKpRdE",
         *       "refresh_expires_in": 2592000,
         *       "license_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01"
         *     }
         */
        Session: {
            /** @description A JWT with the claims `sub` (user id), `sid` (session id), `license_id`, `role`, `permissions` (the role's permission map) and `is_super_admin`. */
            access_token: string;
            /**
             * @description How to send the access token: `Authorization: Bearer …`.
             * @constant
             */
            token_type: "Bearer";
            /**
             * Format: int32
             * @description Seconds that the access token lives.
             */
            expires_in: number;
            /** @description Good for one refresh. Keep it secret. */
            refresh_token: string;
            /**
             * Format: int32
             * @description Seconds after which an unused refresh token ends.
             */
            refresh_expires_in: number;
            /**
             * Format: uuid
             * @description The license that the access token carries; `null` while the user belongs to none.
             */
            license_id: string | null;
        };
        /**
         * @example {
         *       "email": "owner@example.com",
         *       "password": "correct-horse-battery"
         *     }
         */
        Credentials: {
            email: components["schemas"]["Email"];
            /**
             * Format: password
             * @description Upper and lower case matter.
             */
            password: string;
            /**
             * Format: uuid
             * @description The license to work in. Without it, the one joined first among the active ones.
             */
            license_id?: string;
        };
        /**
         * @example {
         *       "refresh_token": "gantry_refresh_6fJm2yq8Q0mT3l9xw1B7c5Vn4ZsKpRdE"
         *     }
         */
        RefreshToken: {
            /** @description The one of the latest answer; each works once. */
            refresh_token: string;
        };
        /**
         * @example {
         *       "license_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01"
         *     }
         */
        LicenseChoice: {
            /**
             * Format: uuid
             * @description A license that you belong to.
             */
            license_id: string;
        };
        /**
         * @description What a role or key may do, as `resource.action`.
         * @example fleet.view
         * @enum {string}
         */
        Permission: "apikeys.manage" | "apikeys.view" | "audit.view" | "clusters.manage" | "commands.view" | "console.input" | "console.view" | "fleet.manage" | "fleet.view" | "instances.power";
        /**
         * @description Permission names to `true`. `*` allows everything, `resource.*` every action on that resource.
         * @example {
         *       "fleet.view": true,
         *       "console.*": true
         *     }
         */
        PermissionMap: {
            [key: string]: boolean;
        };
        /**
         * @description A revoked license refuses its users, agents and keys; nothing of it is lost.
         * @example active
         * @enum {string}
         */
        LicenseStatus: "active" | "revoked";
        /**
         * @example {
         *       "license_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01",
         *       "name": "Rusty Islands",
         *       "role": "Owner",
         *       "status": "active"
         *     }
         */
        LicenseMembership: {
            /**
             * Format: uuid
             * @description Work in it with `POST /auth/switch-license`.
             */
            license_id: string;
            /** @description What people call the license. */
            name: string;
            /** @description What the user's role there is called. */
            role: string;
            status: components["schemas"]["LicenseStatus"];
        };
        /**
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4c01",
         *       "email": "owner@example.com",
         *       "is_super_admin": true,
         *       "license_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01",
         *       "role": "Owner",
         *       "permissions": {
         *         "*": true
         *       },
         *       "licenses": [
         *         {
         *           "license_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01",
         *           "name": "Rusty Islands",
         *           "role": "Owner",
         *           "status": "active"
         *         }
         *       ]
         *     }
         */
        CurrentUser: {
            /**
             * Format: uuid
             * @description The `sub` of the access token.
             */
            id: string;
            email: components["schemas"]["Email"];
            /** @description Whether they administer the platform, in whichever license they work. */
            is_super_admin: boolean;
            /**
             * Format: uuid
             * @description The license that this access token carries; `null` when it carries none.
             */
            license_id: string | null;
            /** @description What their role in that license is called; `null` without a license. */
            role: string | null;
            permissions: components["schemas"]["PermissionMap"];
            /** @description Every license that the user belongs to, oldest first. */
            licenses: components["schemas"]["LicenseMembership"][];
        };
        /**
         * @description The kind of resource that was changed.
         * @example cluster
         * @enum {string}
         */
        AuditTargetType: "api_key" | "cluster" | "command" | "host" | "instance" | "license" | "member" | "recovery_code" | "role" | "second_factor" | "session" | "subscription" | "user";
        /**
         * @description What became of the resource.
         * @example updated
         * @enum {string}
         */
        AuditAction: "created" | "updated" | "deleted";
        /**
         * @example {
         *       "kind": "user",
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4c01",
         *       "label": "owner@example.com"
         *     }
         */
        AuditActor: {
            /** @description `user`, `api_key`, `companion` (an agent), `job`, `anonymous` (before signing in) or `system` (the platform itself). */
            kind: string;
            /** @description Which one of that kind; `null` where there is only one. */
            id: string | null;
            /** @description For people to read, an e-mail address for one; `null` without a name. */
            label: string | null;
        };
        /**
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5101",
         *       "recorded_at": "2026-11-21T10:00:00.000Z",
         *       "license_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01",
         *       "actor": {
         *         "kind": "user",
         *         "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4c01",
         *         "label": "owner@example.com"
         *       },
         *       "operation": "updateCluster",
         *       "action": "updated",
         *       "target_type": "cluster",
         *       "target_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4e01",
         *       "before": {
         *         "name": "EU islands"
         *       },
         *       "after": {
         *         "name": "US islands"
         *       },
         *       "request_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a09",
         *       "source": "203.0.113.7"
         *     }
         */
        AuditEntry: {
            /**
             * Format: uuid
             * @description Names the entry; later ones have larger ids.
             */
            id: string;
            /**
             * Format: date-time
             * @description When the change was made.
             */
            recorded_at: string;
            /**
             * Format: uuid
             * @description The license that was changed; `null` for what belongs to none.
             */
            license_id: string | null;
            /** @description Who made the change. */
            actor: components["schemas"]["AuditActor"];
            /** @description The operationId, or the name of the job; `null` for what the platform did by itself. */
            operation: string | null;
            action: components["schemas"]["AuditAction"];
            target_type: components["schemas"]["AuditTargetType"];
            /** @description Which resource of that kind was changed. */
            target_id: string;
            /** @description Fields as they were, of an update only the changed ones; `null` for what was created. Secrets are `[secret]`. */
            before: {
                [key: string]: unknown;
            } | null;
            /** @description Fields as they became, of an update only the changed ones; `null` for what was deleted. Secrets are `[secret]`. */
            after: {
                [key: string]: unknown;
            } | null;
            /** @description The request's `X-Request-Id`; `null` without a request. */
            request_id: string | null;
            /** @description Address that the request came from; `null` without a request. */
            source: string | null;
        };
        /**
         * @description Pass it as `cursor` to get the next page; `null` on the last one.
         * @example MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0ZDAx
         */
        NextCursor: string | null;
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5101",
         *           "recorded_at": "2026-11-21T10:00:00.000Z",
         *           "license_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01",
         *           "actor": {
         *             "kind": "user",
         *             "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4c01",
         *             "label": "owner@example.com"
         *           },
         *           "operation": "updateCluster",
         *           "action": "updated",
         *           "target_type": "cluster",
         *           "target_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4e01",
         *           "before": {
         *             "name": "EU islands"
         *           },
         *           "after": {
         *             "name": "US islands"
         *           },
         *           "request_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a09",
         *           "source": "203.0.113.7"
         *         }
         *       ],
         *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY1MTAx"
         *     }
         */
        AuditEntryPage: {
            /** @description Newest first. */
            data: components["schemas"]["AuditEntry"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5301",
         *       "email": "somebody@example.com",
         *       "server_count": 4,
         *       "created_at": "2026-11-21T10:00:00.000Z"
         *     }
         */
        EarlyAccessSignup: {
            /**
             * Format: uuid
             * @description Names the signup.
             */
            id: string;
            email: components["schemas"]["Email"];
            /**
             * Format: int32
             * @description How many game servers they say they run.
             */
            server_count: number;
            /**
             * Format: date-time
             * @description When they signed up.
             */
            created_at: string;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5301",
         *           "email": "somebody@example.com",
         *           "server_count": 4,
         *           "created_at": "2026-11-21T10:00:00.000Z"
         *         }
         *       ],
         *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY1MzAx"
         *     }
         */
        EarlyAccessSignupPage: {
            /** @description Newest first. */
            data: components["schemas"]["EarlyAccessSignup"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @description Connections that requests share.
         * @example {
         *       "total": 4,
         *       "idle": 3,
         *       "waiting": 0,
         *       "most": 10
         *     }
         */
        ConnectionPool: {
            /**
             * Format: int32
             * @description How many are open.
             */
            total: number;
            /**
             * Format: int32
             * @description How many of these nobody uses.
             */
            idle: number;
            /**
             * Format: int32
             * @description How many requests wait for one.
             */
            waiting: number;
            /**
             * Format: int32
             * @description How many there may be at once.
             */
            most: number;
        };
        /**
         * @description The database, and this replica's connections for reading.
         * @example {
         *       "version": "18.4",
         *       "size_bytes": 48234496,
         *       "pool": {
         *         "total": 4,
         *         "idle": 3,
         *         "waiting": 0,
         *         "most": 10
         *       }
         *     }
         */
        DatabaseHealth: {
            /** @description PostgreSQL's own version. */
            version: string;
            /**
             * Format: int64
             * @description What it takes on disk.
             */
            size_bytes: number;
            pool: components["schemas"]["ConnectionPool"];
        };
        /**
         * @description This replica's connection to the message bus.
         * @example {
         *       "is_connected": true,
         *       "connected_since": "2026-11-21T10:00:00.000Z",
         *       "is_guarded": true
         *     }
         */
        BusHealth: {
            /** @description Whether it holds now. */
            is_connected: boolean;
            /**
             * Format: date-time
             * @description When it was last made.
             */
            connected_since: string;
            /** @description Whether the server checks credentials. */
            is_guarded: boolean;
        };
        /**
         * @description The queue of background jobs, which all replicas share.
         * @example {
         *       "waiting": 0,
         *       "scheduled": 2,
         *       "running": 1,
         *       "failed": 0
         *     }
         */
        JobQueueHealth: {
            /**
             * Format: int64
             * @description Due and not taken yet.
             */
            waiting: number;
            /**
             * Format: int64
             * @description To be done later, retries included.
             */
            scheduled: number;
            /**
             * Format: int64
             * @description Being done.
             */
            running: number;
            /**
             * Format: int64
             * @description Failed so often that they are not tried again.
             */
            failed: number;
        };
        /**
         * @example {
         *       "name": "game_instance",
         *       "rows": 142
         *     }
         */
        TableSize: {
            /** @description What the database calls it. */
            name: string;
            /**
             * Format: int64
             * @description About how many rows it has, from statistics; `null` while there are none of it.
             */
            rows: number | null;
        };
        /**
         * @example {
         *       "database": {
         *         "version": "18.4",
         *         "size_bytes": 48234496,
         *         "pool": {
         *           "total": 4,
         *           "idle": 3,
         *           "waiting": 0,
         *           "most": 10
         *         }
         *       },
         *       "bus": {
         *         "is_connected": true,
         *         "connected_since": "2026-11-21T10:00:00.000Z",
         *         "is_guarded": true
         *       },
         *       "jobs": {
         *         "waiting": 0,
         *         "scheduled": 2,
         *         "running": 1,
         *         "failed": 0
         *       },
         *       "tables": [
         *         {
         *           "name": "game_instance",
         *           "rows": 142
         *         }
         *       ]
         *     }
         */
        PlatformHealth: {
            database: components["schemas"]["DatabaseHealth"];
            bus: components["schemas"]["BusHealth"];
            jobs: components["schemas"]["JobQueueHealth"];
            /** @description Every table of the platform by its name. */
            tables: components["schemas"]["TableSize"][];
        };
        /**
         * @description Slug of the license, unique on the installation; part of its public addresses.
         * @example rusty-islands
         */
        Subdomain: string;
        /**
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01",
         *       "key": "GNTRY-7QK2M-9ZD4T-XW83P-5HVCB-R6N1J",
         *       "name": "Rusty Islands",
         *       "subdomain": "rusty-islands",
         *       "status": "active",
         *       "owner_email": "owner@example.com",
         *       "created_at": "2026-11-21T10:00:00.000Z",
         *       "revoked_at": null
         *     }
         */
        License: {
            /**
             * Format: uuid
             * @description What `license_id` refers to elsewhere.
             */
            id: string;
            /**
             * @description The license key, which game plugins authenticate with.
             * @example GNTRY-7QK2M-9ZD4T-XW83P-5HVCB-R6N1J
             */
            key: string;
            /** @description What people call it; several licenses may share it. */
            name: string;
            subdomain: components["schemas"]["Subdomain"];
            status: components["schemas"]["LicenseStatus"];
            /** @description E-mail address of its first owner; `null` when it has none. */
            owner_email: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was revoked; `null` while it is active.
             */
            revoked_at: string | null;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01",
         *           "key": "GNTRY-7QK2M-9ZD4T-XW83P-5HVCB-R6N1J",
         *           "name": "Rusty Islands",
         *           "subdomain": "rusty-islands",
         *           "status": "active",
         *           "owner_email": "owner@example.com",
         *           "created_at": "2026-11-21T10:00:00.000Z",
         *           "revoked_at": null
         *         }
         *       ],
         *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0YjAx"
         *     }
         */
        LicensePage: {
            /** @description Newest first. */
            data: components["schemas"]["License"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @example {
         *       "name": "Rusty Islands",
         *       "subdomain": "rusty-islands"
         *     }
         */
        LicenseCreate: {
            /**
             * @description Without it, "License" and the start of its key.
             * @example Rusty Islands
             */
            name?: string;
            subdomain?: components["schemas"]["Subdomain"];
            /** @description Who owns the license. Without it, you do. Somebody unknown gets an account, and by mail a link to choose its password with. */
            owner_email?: components["schemas"]["Email"];
        };
        /**
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01",
         *       "key": "GNTRY-7QK2M-9ZD4T-XW83P-5HVCB-R6N1J",
         *       "name": "Rusty Islands",
         *       "subdomain": "rusty-islands",
         *       "status": "active",
         *       "owner_email": "owner@example.com",
         *       "created_at": "2026-11-21T10:00:00.000Z",
         *       "revoked_at": null,
         *       "companion_token": "gantry_companion_Jx2v0m9QkT4c7bWzR8uYqLpVb3o1x5nD"
         *     }
         */
        CreatedLicense: {
            /**
             * Format: uuid
             * @description What `license_id` refers to elsewhere.
             */
            id: string;
            /**
             * @description The license key, which game plugins authenticate with.
             * @example GNTRY-7QK2M-9ZD4T-XW83P-5HVCB-R6N1J
             */
            key: string;
            /** @description What people call it; several licenses may share it. */
            name: string;
            subdomain: components["schemas"]["Subdomain"];
            status: components["schemas"]["LicenseStatus"];
            /** @description E-mail address of its first owner; `null` when it has none. */
            owner_email: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was revoked; `null` while it is active.
             */
            revoked_at: string | null;
            /**
             * @description What this license's agents sign in with. It is shown this once; only its hash is kept.
             * @example gantry_companion_Jx2v0m9QkT4c7bWzR8uYqLpVb3o1x5nD
             */
            companion_token: string;
        };
        /**
         * @example {
         *       "status": "revoked"
         *     }
         */
        LicenseUpdate: {
            status: components["schemas"]["LicenseStatus"];
        };
        /**
         * @description `offline` once the agent said goodbye or three heartbeats are missing.
         * @example online
         * @enum {string}
         */
        HostStatus: "online" | "offline";
        /**
         * @description How many game instances are in each state.
         * @example {
         *       "offline": 0,
         *       "stopped": 1,
         *       "starting": 0,
         *       "running": 2,
         *       "stopping": 0,
         *       "crashed": 0
         *     }
         */
        InstancesByState: {
            /**
             * Format: int64
             * @description On hosts that do not report.
             */
            offline: number;
            /**
             * Format: int64
             * @description Not running and not asked to.
             */
            stopped: number;
            /**
             * Format: int64
             * @description On their way up.
             */
            starting: number;
            /**
             * Format: int64
             * @description Up and reporting.
             */
            running: number;
            /**
             * Format: int64
             * @description On their way down.
             */
            stopping: number;
            /**
             * Format: int64
             * @description Ended without being asked.
             */
            crashed: number;
        };
        /**
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a01",
         *       "license_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01",
         *       "license_name": "Rusty Islands",
         *       "hostname": "rust-01",
         *       "status": "online",
         *       "agent_version": "0.1.0",
         *       "platform": "linux-x64",
         *       "last_heartbeat_at": "2026-11-21T10:00:00.000Z",
         *       "instances": {
         *         "offline": 0,
         *         "stopped": 1,
         *         "starting": 0,
         *         "running": 2,
         *         "stopping": 0,
         *         "crashed": 0
         *       }
         *     }
         */
        Server: {
            /**
             * Format: uuid
             * @description The id of the agent host.
             */
            id: string;
            /**
             * Format: uuid
             * @description The license that it works for.
             */
            license_id: string;
            /** @description What people call that license. */
            license_name: string;
            /** @description The name that the agent gave itself. */
            hostname: string;
            status: components["schemas"]["HostStatus"];
            /** @description Release of the agent's software. */
            agent_version: string;
            /** @description Operating system and processor, as the agent tells it. */
            platform: string;
            /**
             * Format: date-time
             * @description When it last reported; `null` before it has.
             */
            last_heartbeat_at: string | null;
            instances: components["schemas"]["InstancesByState"];
        };
        /**
         * @example {
         *       "agent_version": "0.1.0",
         *       "hosts": 1
         *     }
         */
        AgentVersionShare: {
            /** @description A release of the agent's software. */
            agent_version: string;
            /**
             * Format: int64
             * @description How many run it.
             */
            hosts: number;
        };
        /**
         * @example {
         *       "hosts": 1,
         *       "online_hosts": 1,
         *       "instances": {
         *         "offline": 0,
         *         "stopped": 1,
         *         "starting": 0,
         *         "running": 2,
         *         "stopping": 0,
         *         "crashed": 0
         *       },
         *       "agent_versions": [
         *         {
         *           "agent_version": "0.1.0",
         *           "hosts": 1
         *         }
         *       ]
         *     }
         */
        ServerTotals: {
            /**
             * Format: int64
             * @description How many there are, whatever their state.
             */
            hosts: number;
            /**
             * Format: int64
             * @description How many report now.
             */
            online_hosts: number;
            instances: components["schemas"]["InstancesByState"];
            /** @description The 50 most common releases of the agent, the most common first. */
            agent_versions: components["schemas"]["AgentVersionShare"][];
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a01",
         *           "license_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01",
         *           "license_name": "Rusty Islands",
         *           "hostname": "rust-01",
         *           "status": "online",
         *           "agent_version": "0.1.0",
         *           "platform": "linux-x64",
         *           "last_heartbeat_at": "2026-11-21T10:00:00.000Z",
         *           "instances": {
         *             "offline": 0,
         *             "stopped": 1,
         *             "starting": 0,
         *             "running": 2,
         *             "stopping": 0,
         *             "crashed": 0
         *           }
         *         }
         *       ],
         *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0YTAx",
         *       "totals": {
         *         "hosts": 1,
         *         "online_hosts": 1,
         *         "instances": {
         *           "offline": 0,
         *           "stopped": 1,
         *           "starting": 0,
         *           "running": 2,
         *           "stopping": 0,
         *           "crashed": 0
         *         },
         *         "agent_versions": [
         *           {
         *             "agent_version": "0.1.0",
         *             "hosts": 1
         *           }
         *         ]
         *       }
         *     }
         */
        ServerPage: {
            /** @description Oldest first. */
            data: components["schemas"]["Server"][];
            next_cursor: components["schemas"]["NextCursor"];
            /** @description Figures of all hosts that match the filter. */
            totals: components["schemas"]["ServerTotals"];
        };
        /**
         * @description Licenses by their state.
         * @example {
         *       "active": 40,
         *       "revoked": 2
         *     }
         */
        LicenseFigures: {
            /**
             * Format: int64
             * @description How many may be used.
             */
            active: number;
            /**
             * Format: int64
             * @description How many are refused.
             */
            revoked: number;
        };
        /**
         * @description Users of all licenses, and of none.
         * @example {
         *       "total": 51,
         *       "disabled": 1,
         *       "super_admins": 2
         *     }
         */
        UserFigures: {
            /**
             * Format: int64
             * @description How many there are, disabled ones too.
             */
            total: number;
            /**
             * Format: int64
             * @description How many can't sign in.
             */
            disabled: number;
            /**
             * Format: int64
             * @description How many administer the platform, disabled ones too.
             */
            super_admins: number;
        };
        /**
         * @description An amount of money, exactly.
         * @example {
         *       "amount": "9.99",
         *       "currency": "USD"
         *     }
         */
        Money: {
            /** @description A decimal number with two places, as text. */
            amount: string;
            /** @description The code of ISO 4217. */
            currency: string;
        };
        /**
         * @description Agent hosts and the game instances on them, of all licenses.
         * @example {
         *       "hosts": 60,
         *       "online_hosts": 58,
         *       "instances": 142,
         *       "running_instances": 120
         *     }
         */
        ServerFigures: {
            /**
             * Format: int64
             * @description How many were ever enrolled.
             */
            hosts: number;
            /**
             * Format: int64
             * @description How many report now.
             */
            online_hosts: number;
            /**
             * Format: int64
             * @description How many game instances the hosts have.
             */
            instances: number;
            /**
             * Format: int64
             * @description How many of these are in the state `running`.
             */
            running_instances: number;
        };
        /**
         * @example {
         *       "licenses": {
         *         "active": 40,
         *         "revoked": 2
         *       },
         *       "users": {
         *         "total": 51,
         *         "disabled": 1,
         *         "super_admins": 2
         *       },
         *       "monthly_recurring_revenue": [
         *         {
         *           "amount": "399.60",
         *           "currency": "USD"
         *         }
         *       ],
         *       "servers": {
         *         "hosts": 60,
         *         "online_hosts": 58,
         *         "instances": 142,
         *         "running_instances": 120
         *       },
         *       "early_access_signups": 230
         *     }
         */
        PlatformStats: {
            licenses: components["schemas"]["LicenseFigures"];
            users: components["schemas"]["UserFigures"];
            /** @description What subscriptions that are active or past due bring in a month, one amount for each currency. A yearly one counts a twelfth. */
            monthly_recurring_revenue: components["schemas"]["Money"][];
            servers: components["schemas"]["ServerFigures"];
            /**
             * Format: int64
             * @description How many people have signed up for early access.
             */
            early_access_signups: number;
        };
        /**
         * @description What is paid for.
         * @example module
         * @enum {string}
         */
        SubscriptionKind: "module" | "webstore";
        /**
         * @description `trialing` is not paid yet, `past_due` has a payment that failed, `cancelled` was ended by the customer, `expired` by the calendar.
         * @example active
         * @enum {string}
         */
        SubscriptionStatus: "trialing" | "active" | "past_due" | "cancelled" | "expired";
        /**
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5201",
         *       "license_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01",
         *       "license_name": "Rusty Islands",
         *       "kind": "module",
         *       "reference": "loot-manager",
         *       "status": "active",
         *       "price": {
         *         "amount": "9.99",
         *         "currency": "USD"
         *       },
         *       "period": "month",
         *       "started_at": "2026-11-21T10:00:00.000Z",
         *       "ends_at": null,
         *       "cancelled_at": null,
         *       "created_at": "2026-11-21T10:00:00.000Z"
         *     }
         */
        Subscription: {
            /**
             * Format: uuid
             * @description Names the subscription.
             */
            id: string;
            /**
             * Format: uuid
             * @description The license that pays.
             */
            license_id: string;
            /** @description What people call that license. */
            license_name: string;
            kind: components["schemas"]["SubscriptionKind"];
            /** @description What of that kind it is for: a module's name, for one. */
            reference: string;
            status: components["schemas"]["SubscriptionStatus"];
            /** @description What each period costs. */
            price: components["schemas"]["Money"];
            /**
             * @description How often the price is due.
             * @enum {string}
             */
            period: "month" | "year";
            /**
             * Format: date-time
             * @description When it began.
             */
            started_at: string;
            /**
             * Format: date-time
             * @description When it ends; `null` while it renews itself.
             */
            ends_at: string | null;
            /**
             * Format: date-time
             * @description When it was cancelled; `null` unless it was.
             */
            cancelled_at: string | null;
            /**
             * Format: date-time
             * @description When it was written down.
             */
            created_at: string;
        };
        /**
         * @example {
         *       "kind": "module",
         *       "reference": "loot-manager",
         *       "subscriptions": 1,
         *       "monthly": {
         *         "amount": "9.99",
         *         "currency": "USD"
         *       }
         *     }
         */
        RevenueShare: {
            kind: components["schemas"]["SubscriptionKind"];
            /** @description What of that kind is paid for: a module's name, for one. */
            reference: string;
            /**
             * Format: int64
             * @description How many pay for it in that currency.
             */
            subscriptions: number;
            /** @description What they bring in a month. */
            monthly: components["schemas"]["Money"];
        };
        /**
         * @example {
         *       "total": [
         *         {
         *           "amount": "9.99",
         *           "currency": "USD"
         *         }
         *       ],
         *       "breakdown": [
         *         {
         *           "kind": "module",
         *           "reference": "loot-manager",
         *           "subscriptions": 1,
         *           "monthly": {
         *             "amount": "9.99",
         *             "currency": "USD"
         *           }
         *         }
         *       ]
         *     }
         */
        RecurringRevenue: {
            /** @description One amount for each currency. */
            total: components["schemas"]["Money"][];
            /** @description The same by what is paid for, the largest amounts first within a currency. */
            breakdown: components["schemas"]["RevenueShare"][];
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5201",
         *           "license_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01",
         *           "license_name": "Rusty Islands",
         *           "kind": "module",
         *           "reference": "loot-manager",
         *           "status": "active",
         *           "price": {
         *             "amount": "9.99",
         *             "currency": "USD"
         *           },
         *           "period": "month",
         *           "started_at": "2026-11-21T10:00:00.000Z",
         *           "ends_at": null,
         *           "cancelled_at": null,
         *           "created_at": "2026-11-21T10:00:00.000Z"
         *         }
         *       ],
         *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY1MjAx",
         *       "monthly_recurring_revenue": {
         *         "total": [
         *           {
         *             "amount": "9.99",
         *             "currency": "USD"
         *           }
         *         ],
         *         "breakdown": [
         *           {
         *             "kind": "module",
         *             "reference": "loot-manager",
         *             "subscriptions": 1,
         *             "monthly": {
         *               "amount": "9.99",
         *               "currency": "USD"
         *             }
         *           }
         *         ]
         *       }
         *     }
         */
        SubscriptionPage: {
            /** @description Newest first. */
            data: components["schemas"]["Subscription"][];
            next_cursor: components["schemas"]["NextCursor"];
            /** @description What all subscriptions that match the filter bring in. */
            monthly_recurring_revenue: components["schemas"]["RecurringRevenue"];
        };
        /**
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4c01",
         *       "email": "owner@example.com",
         *       "is_super_admin": false,
         *       "is_disabled": false,
         *       "license_count": 1,
         *       "created_at": "2026-11-21T10:00:00.000Z"
         *     }
         */
        User: {
            /**
             * Format: uuid
             * @description What `user_id` refers to elsewhere.
             */
            id: string;
            email: components["schemas"]["Email"];
            /** @description Whether they administer the platform. */
            is_super_admin: boolean;
            /** @description Whether they are kept from signing in. */
            is_disabled: boolean;
            /**
             * Format: int32
             * @description How many licenses they belong to.
             */
            license_count: number;
            /**
             * Format: date-time
             * @description When the account was created.
             */
            created_at: string;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4c01",
         *           "email": "owner@example.com",
         *           "is_super_admin": false,
         *           "is_disabled": false,
         *           "license_count": 1,
         *           "created_at": "2026-11-21T10:00:00.000Z"
         *         }
         *       ],
         *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0YzAx"
         *     }
         */
        UserPage: {
            /** @description Newest first. */
            data: components["schemas"]["User"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @description What is left out stays as it is.
         * @example {
         *       "user_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4c01",
         *       "is_disabled": true
         *     }
         */
        UserUpdate: {
            /**
             * Format: uuid
             * @description The user to change.
             */
            user_id: string;
            /** @description Whether they shall administer the platform. */
            is_super_admin?: boolean;
            /** @description Whether they shall be kept from signing in. */
            is_disabled?: boolean;
        };
        /**
         * @example {
         *       "hostname": "rust-01",
         *       "public_key": "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4",
         *       "agent_version": "0.1.0",
         *       "platform": "linux-x64"
         *     }
         */
        AgentSessionCreate: {
            /** @description Names the host within the license. */
            hostname: string;
            /** @description Public nkey (user) that the agent made; its seed never leaves the agent. */
            public_key: string;
            /** @description Version of the agent's own software. */
            agent_version: string;
            /** @description Operating system and processor of the host, for people to read. */
            platform: string;
        };
        /**
         * @description What the agent signs in to the message bus with.
         * @example {
         *       "urls": [
         *         "nats://127.0.0.1:4223"
         *       ],
         *       "jwt": "eyJ0eXAiOiJKV1QiLCJhbGciOiJlZDI1NTE5LW5rZXkifQ.e30.c2lnbmF0dXJl",
         *       "expires_at": "2026-11-21T10:15:00.000Z",
         *       "prefix": "gantry"
         *     }
         */
        BusCredentials: {
            /** @description Addresses of the bus; any of them will do. */
            urls: string[];
            /** @description Lets the holder of the nkey's seed use its own host's subjects and nothing else. */
            jwt: string;
            /**
             * Format: date-time
             * @description Ask for a new session well before.
             */
            expires_at: string;
            /** @description First token of every subject. */
            prefix: string;
        };
        /**
         * @example {
         *       "host_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a01",
         *       "heartbeat_interval_seconds": 10,
         *       "server_time": "2026-11-21T10:00:00.000Z",
         *       "bus": {
         *         "urls": [
         *           "nats://127.0.0.1:4223"
         *         ],
         *         "jwt": "eyJ0eXAiOiJKV1QiLCJhbGciOiJlZDI1NTE5LW5rZXkifQ.e30.c2lnbmF0dXJl",
         *         "expires_at": "2026-11-21T10:15:00.000Z",
         *         "prefix": "gantry"
         *       }
         *     }
         */
        AgentSession: {
            /**
             * Format: uuid
             * @description The same for the same license and hostname.
             */
            host_id: string;
            /** @description Seconds from one heartbeat to the next; after three without one the host counts as offline. */
            heartbeat_interval_seconds: number;
            /**
             * Format: date-time
             * @description The platform's clock; heartbeats that are over 300 seconds away from it are refused.
             */
            server_time: string;
            bus: components["schemas"]["BusCredentials"];
        };
        /**
         * @description Only `active` keys are taken.
         * @example active
         * @enum {string}
         */
        ApiKeyStatus: "active" | "expired" | "revoked";
        /**
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5001",
         *       "identifier": "mz4qk7c2ayw3hd5n",
         *       "name": "Deploy bot",
         *       "status": "active",
         *       "permissions": {
         *         "fleet.view": true,
         *         "instances.power": true
         *       },
         *       "allowed_ips": [
         *         "203.0.113.0/24"
         *       ],
         *       "created_by": "owner@example.com",
         *       "created_at": "2026-11-21T10:00:00.000Z",
         *       "expires_at": "2027-11-21T10:00:00.000Z",
         *       "last_used_at": null,
         *       "revoked_at": null
         *     }
         */
        ApiKey: {
            /**
             * Format: uuid
             * @description What `api_key_id` refers to elsewhere.
             */
            id: string;
            /** @description The middle part of the key, by which logs and people can tell it. */
            identifier: string;
            /** @description What people recognise it by. */
            name: string;
            status: components["schemas"]["ApiKeyStatus"];
            /** @description What it was given. It may do as much of that as its creator may now. */
            permissions: components["schemas"]["PermissionMap"];
            /** @description Networks that it may be used from; `null` for any. */
            allowed_ips: string[] | null;
            /** @description E-mail address of the user who created it, as it was at the time. */
            created_by: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it ends; `null` for never.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When it was last taken, to the minute; `null` before its first use.
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When it was revoked; `null` unless it was.
             */
            revoked_at: string | null;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5001",
         *           "identifier": "mz4qk7c2ayw3hd5n",
         *           "name": "Deploy bot",
         *           "status": "active",
         *           "permissions": {
         *             "fleet.view": true,
         *             "instances.power": true
         *           },
         *           "allowed_ips": [
         *             "203.0.113.0/24"
         *           ],
         *           "created_by": "owner@example.com",
         *           "created_at": "2026-11-21T10:00:00.000Z",
         *           "expires_at": "2027-11-21T10:00:00.000Z",
         *           "last_used_at": null,
         *           "revoked_at": null
         *         }
         *       ],
         *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY1MDAx"
         *     }
         */
        ApiKeyPage: {
            /** @description Oldest first. */
            data: components["schemas"]["ApiKey"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @example {
         *       "name": "Deploy bot",
         *       "permissions": {
         *         "fleet.view": true
         *       },
         *       "allowed_ips": [
         *         "203.0.113.0/24",
         *         "2001:db8::/32"
         *       ]
         *     }
         */
        ApiKeyCreate: {
            /**
             * @description What people recognise it by; several keys may share it.
             * @example Deploy bot
             */
            name: string;
            /** @description Permission names to `true`: what the key may do, all of which you may do yourself. `apikeys.manage` can't be given to keys. */
            permissions: components["schemas"]["PermissionMap"];
            /**
             * Format: date-time
             * @description When it ends, in the future. Without it, never.
             */
            expires_at?: string;
            /** @description Addresses that the key may be used from. Without it, any. */
            allowed_ips?: string[];
        };
        /**
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5001",
         *       "identifier": "mz4qk7c2ayw3hd5n",
         *       "name": "Deploy bot",
         *       "status": "active",
         *       "permissions": {
         *         "fleet.view": true,
         *         "instances.power": true
         *       },
         *       "allowed_ips": [
         *         "203.0.113.0/24"
         *       ],
         *       "created_by": "owner@example.com",
         *       "created_at": "2026-11-21T10:00:00.000Z",
         *       "expires_at": "2027-11-21T10:00:00.000Z",
         *       "last_used_at": null,
         *       "revoked_at": null,
         *       "key": "gantry_mz4qk7c2ayw3hd5n_4hx6tq2mvb7kz3cnra5wyd2jfe6up4s7lgxo3i5bqtwmr6yh2a7a"
         *     }
         */
        CreatedApiKey: {
            /**
             * Format: uuid
             * @description What `api_key_id` refers to elsewhere.
             */
            id: string;
            /** @description The middle part of the key, by which logs and people can tell it. */
            identifier: string;
            /** @description What people recognise it by. */
            name: string;
            status: components["schemas"]["ApiKeyStatus"];
            /** @description What it was given. It may do as much of that as its creator may now. */
            permissions: components["schemas"]["PermissionMap"];
            /** @description Networks that it may be used from; `null` for any. */
            allowed_ips: string[] | null;
            /** @description E-mail address of the user who created it, as it was at the time. */
            created_by: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it ends; `null` for never.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When it was last taken, to the minute; `null` before its first use.
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When it was revoked; `null` unless it was.
             */
            revoked_at: string | null;
            /** @description What programs send as `X-Api-Key` or `Authorization: Bearer`. It is shown this once; only its hash is kept. */
            key: string;
        };
        /**
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a01",
         *       "hostname": "rust-01",
         *       "status": "online",
         *       "agent_version": "0.1.0",
         *       "platform": "linux-x64",
         *       "cpu_percent": 31.5,
         *       "memory_used_bytes": 8589934592,
         *       "memory_total_bytes": 34359738368,
         *       "disk_used_bytes": 107374182400,
         *       "disk_total_bytes": 512110190592,
         *       "last_heartbeat_at": "2026-11-21T10:00:00.000Z",
         *       "created_at": "2026-11-20T09:00:00.000Z"
         *     }
         */
        AgentHost: {
            /**
             * Format: uuid
             * @description What `host_id` refers to elsewhere.
             */
            id: string;
            /** @description Unique within the license; the agent chose it. */
            hostname: string;
            status: components["schemas"]["HostStatus"];
            /** @description Version of the agent's own software. */
            agent_version: string;
            /** @description Operating system and processor, as the agent tells it. */
            platform: string;
            /** @description Load of all cores together, 100 when none is idle; `null` before the first heartbeat. */
            cpu_percent: number | null;
            /**
             * Format: int64
             * @description Memory in use, without what the system could free at once; `null` before the first heartbeat.
             */
            memory_used_bytes: number | null;
            /**
             * Format: int64
             * @description Memory that the machine has; `null` before the first heartbeat.
             */
            memory_total_bytes: number | null;
            /**
             * Format: int64
             * @description Taken on the disk that the agent keeps its state on; `null` before the first heartbeat.
             */
            disk_used_bytes: number | null;
            /**
             * Format: int64
             * @description Size of that disk; `null` before the first heartbeat.
             */
            disk_total_bytes: number | null;
            /**
             * Format: date-time
             * @description When the platform last heard a heartbeat; `null` before the first.
             */
            last_heartbeat_at: string | null;
            /**
             * Format: date-time
             * @description When its agent signed in first.
             */
            created_at: string;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a01",
         *           "hostname": "rust-01",
         *           "status": "online",
         *           "agent_version": "0.1.0",
         *           "platform": "linux-x64",
         *           "cpu_percent": 31.5,
         *           "memory_used_bytes": 8589934592,
         *           "memory_total_bytes": 34359738368,
         *           "disk_used_bytes": 107374182400,
         *           "disk_total_bytes": 512110190592,
         *           "last_heartbeat_at": "2026-11-21T10:00:00.000Z",
         *           "created_at": "2026-11-20T09:00:00.000Z"
         *         }
         *       ],
         *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0YTAx"
         *     }
         */
        AgentHostPage: {
            /** @description Oldest first. */
            data: components["schemas"]["AgentHost"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @description What the agent reported last; `offline` while its host is offline or the agent no longer names the instance.
         * @example running
         * @enum {string}
         */
        GameInstanceState: "offline" | "stopped" | "starting" | "running" | "stopping" | "crashed";
        /**
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
         *       "host_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a01",
         *       "name": "main",
         *       "game": "rust",
         *       "state": "running",
         *       "uptime_seconds": 3600,
         *       "players": 41,
         *       "max_players": 100,
         *       "fps": 58.9,
         *       "entities": 120345,
         *       "map": "Procedural Map",
         *       "cpu_percent": 88.4,
         *       "memory_bytes": 9126805504,
         *       "cluster_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4e01",
         *       "last_seen_at": "2026-11-21T10:00:00.000Z",
         *       "created_at": "2026-11-20T09:00:00.000Z"
         *     }
         */
        GameInstance: {
            /**
             * Format: uuid
             * @description What `instance_id` refers to elsewhere.
             */
            id: string;
            /**
             * Format: uuid
             * @description The agent host that it runs on.
             */
            host_id: string;
            /** @description From the agent's configuration; unique on its host. */
            name: string;
            /** @description Kind of game, such as `rust`; `null` when the agent was not told. */
            game: string | null;
            state: components["schemas"]["GameInstanceState"];
            /**
             * Format: int64
             * @description Seconds that the process had run when it was reported; 0 when it does not run.
             */
            uptime_seconds: number;
            /** @description Players who are on it; `null` when the agent can't tell. */
            players: number | null;
            /** @description Players who may be on it at once; `null` when the agent can't tell. */
            max_players: number | null;
            /** @description Frames per second of the game server; `null` when the agent can't tell. */
            fps: number | null;
            /** @description Things that exist in its world; `null` when the agent can't tell. */
            entities: number | null;
            /** @description The world that is played, as the game calls it; `null` when the agent can't tell. */
            map: string | null;
            /** @description Of one core, so two busy cores are 200; `null` when it does not run or is not measured yet. */
            cpu_percent: number | null;
            /**
             * Format: int64
             * @description Memory that its processes hold; `null` when it does not run or is not measured yet.
             */
            memory_bytes: number | null;
            /**
             * Format: uuid
             * @description The cluster that it belongs to; `null` when it is in none.
             */
            cluster_id: string | null;
            /**
             * Format: date-time
             * @description When a heartbeat of its agent last named it.
             */
            last_seen_at: string;
            /**
             * Format: date-time
             * @description When its agent named it first.
             */
            created_at: string;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
         *           "host_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a01",
         *           "name": "main",
         *           "game": "rust",
         *           "state": "running",
         *           "uptime_seconds": 3600,
         *           "players": 41,
         *           "max_players": 100,
         *           "fps": 58.9,
         *           "entities": 120345,
         *           "map": "Procedural Map",
         *           "cpu_percent": 88.4,
         *           "memory_bytes": 9126805504,
         *           "cluster_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4e01",
         *           "last_seen_at": "2026-11-21T10:00:00.000Z",
         *           "created_at": "2026-11-20T09:00:00.000Z"
         *         }
         *       ],
         *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0ZDAx"
         *     }
         */
        GameInstancePage: {
            /** @description Oldest first. */
            data: components["schemas"]["GameInstance"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @description What is left out stays as it is.
         * @example {
         *       "cluster_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4e01"
         *     }
         */
        GameInstanceUpdate: {
            /**
             * Format: uuid
             * @description The cluster it belongs to; `null` takes it out.
             */
            cluster_id?: string | null;
        };
        /**
         * @example {
         *       "recorded_at": "2026-11-21T10:00:00.000Z",
         *       "state": "running",
         *       "uptime_seconds": 3600,
         *       "players": 41,
         *       "max_players": 100,
         *       "fps": 58.9,
         *       "entities": 120345,
         *       "map": "Procedural Map",
         *       "cpu_percent": 88.4,
         *       "memory_bytes": 9126805504
         *     }
         */
        InstanceStatsPoint: {
            /**
             * Format: date-time
             * @description When the platform took the heartbeat.
             */
            recorded_at: string;
            state: components["schemas"]["GameInstanceState"];
            /**
             * Format: int64
             * @description Seconds that the process had run when it was reported; 0 when it does not run.
             */
            uptime_seconds: number;
            /** @description Players who are on it; `null` when the agent can't tell. */
            players: number | null;
            /** @description Players who may be on it at once; `null` when the agent can't tell. */
            max_players: number | null;
            /** @description Frames per second of the game server; `null` when the agent can't tell. */
            fps: number | null;
            /** @description Things that exist in its world; `null` when the agent can't tell. */
            entities: number | null;
            /** @description The world that is played, as the game calls it; `null` when the agent can't tell. */
            map: string | null;
            /** @description Of one core, so two busy cores are 200; `null` when it does not run or is not measured yet. */
            cpu_percent: number | null;
            /**
             * Format: int64
             * @description Memory that its processes hold; `null` when it does not run or is not measured yet.
             */
            memory_bytes: number | null;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "recorded_at": "2026-11-21T10:00:00.000Z",
         *           "state": "running",
         *           "uptime_seconds": 3600,
         *           "players": 41,
         *           "max_players": 100,
         *           "fps": 58.9,
         *           "entities": 120345,
         *           "map": "Procedural Map",
         *           "cpu_percent": 88.4,
         *           "memory_bytes": 9126805504
         *         }
         *       ],
         *       "next_cursor": "MjAyNi0xMS0yMVQxMDowMDowMC4wMDBa"
         *     }
         */
        InstanceStatsPage: {
            /** @description Newest first. */
            data: components["schemas"]["InstanceStatsPoint"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @description Unique within the license.
         * @example EU islands
         */
        ClusterName: string;
        /**
         * @description A note for the people who run it; `null` for none.
         * @example Everything hosted in Frankfurt
         */
        ClusterDescription: string | null;
        /**
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4e01",
         *       "name": "EU islands",
         *       "description": "Everything hosted in Frankfurt",
         *       "instance_count": 3,
         *       "created_at": "2026-11-21T10:00:00.000Z"
         *     }
         */
        InstanceCluster: {
            /**
             * Format: uuid
             * @description What `cluster_id` refers to elsewhere.
             */
            id: string;
            name: components["schemas"]["ClusterName"];
            description: components["schemas"]["ClusterDescription"];
            /**
             * Format: int32
             * @description How many instances are in it now.
             */
            instance_count: number;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4e01",
         *           "name": "EU islands",
         *           "description": "Everything hosted in Frankfurt",
         *           "instance_count": 3,
         *           "created_at": "2026-11-21T10:00:00.000Z"
         *         }
         *       ],
         *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0ZTAx"
         *     }
         */
        InstanceClusterPage: {
            /** @description Oldest first. */
            data: components["schemas"]["InstanceCluster"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @example {
         *       "name": "EU islands",
         *       "description": "Everything hosted in Frankfurt"
         *     }
         */
        ClusterCreate: {
            name: components["schemas"]["ClusterName"];
            description?: components["schemas"]["ClusterDescription"];
        };
        /**
         * @description What is left out stays as it is.
         * @example {
         *       "description": null
         *     }
         */
        ClusterUpdate: {
            name?: components["schemas"]["ClusterName"];
            description?: components["schemas"]["ClusterDescription"];
        };
        /**
         * @description What the agent was asked to do.
         * @example start
         * @enum {string}
         */
        CommandKind: "start" | "stop" | "restart";
        /**
         * @description `queued` waits for the agent, also while it is away; `sent` is on its way; `acknowledged` means that the agent has it safely and will report its end; `expired` means that the agent did not take it, or did not report, in time. A result that still arrives after that replaces `expired`.
         * @example acknowledged
         * @enum {string}
         */
        CommandStatus: "queued" | "sent" | "acknowledged" | "succeeded" | "failed" | "expired";
        /**
         * @example {
         *       "code": "start_failed",
         *       "detail": "The process ended at once with exit code 1: missing map file"
         *     }
         */
        CommandError: {
            /** @description Why it failed, for programs: `start_failed`, `stop_failed`, `interrupted`, `expired`, `internal`, or why the agent refused it: `unknown_instance`, `expired`, `invalid`, `not_supported`. */
            code: string;
            /** @description Why it failed, for people. */
            detail: string;
        };
        /**
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a03",
         *       "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
         *       "kind": "start",
         *       "status": "succeeded",
         *       "detail": "The process runs with pid 4242.",
         *       "error": null,
         *       "requested_by": "owner@example.com",
         *       "created_at": "2026-11-21T10:00:00.000Z",
         *       "sent_at": "2026-11-21T10:00:00.020Z",
         *       "acknowledged_at": "2026-11-21T10:00:00.030Z",
         *       "finished_at": "2026-11-21T10:00:02.000Z",
         *       "expires_at": "2026-11-21T11:00:00.000Z"
         *     }
         */
        Command: {
            /**
             * Format: uuid
             * @description What `command_id` refers to elsewhere.
             */
            id: string;
            /**
             * Format: uuid
             * @description The game instance that it is about.
             */
            instance_id: string;
            kind: components["schemas"]["CommandKind"];
            status: components["schemas"]["CommandStatus"];
            /** @description What the agent said about its success; `null` before that, or when it said nothing. */
            detail: string | null;
            /** @description Why it failed; `null` unless it did. */
            error: components["schemas"]["CommandError"] | null;
            /** @description E-mail address of who asked for it; `null` when nobody in particular did. */
            requested_by: string | null;
            /**
             * Format: date-time
             * @description When it was asked for.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last on its way to the agent; `null` while it never was.
             */
            sent_at: string | null;
            /**
             * Format: date-time
             * @description When the agent had it safely; `null` until then.
             */
            acknowledged_at: string | null;
            /**
             * Format: date-time
             * @description When it succeeded, failed or expired; `null` until then.
             */
            finished_at: string | null;
            /**
             * Format: date-time
             * @description An agent that first hears of it after this refuses it.
             */
            expires_at: string;
        };
        /**
         * @example {
         *       "ticket": "3mVb0mQk3o1x8m2f0d7aTn5cWzR9uYqL",
         *       "url": "/api/instances/0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01/console?ticket=3mVb0mQk3o1x8m2f0d7aTn5cWzR9uYqL",
         *       "expires_at": "2026-11-21T10:00:30.000Z",
         *       "may_input": true
         *     }
         */
        ConsoleTicket: {
            /** @description Opens one socket, once. */
            ticket: string;
            /**
             * Format: uri-reference
             * @description Path to open the WebSocket at, the ticket included.
             */
            url: string;
            /**
             * Format: date-time
             * @description Open the socket before this.
             */
            expires_at: string;
            /** @description Whether lines may be typed on that socket. */
            may_input: boolean;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a03",
         *           "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
         *           "kind": "start",
         *           "status": "succeeded",
         *           "detail": "The process runs with pid 4242.",
         *           "error": null,
         *           "requested_by": "owner@example.com",
         *           "created_at": "2026-11-21T10:00:00.000Z",
         *           "sent_at": "2026-11-21T10:00:00.020Z",
         *           "acknowledged_at": "2026-11-21T10:00:00.030Z",
         *           "finished_at": "2026-11-21T10:00:02.000Z",
         *           "expires_at": "2026-11-21T11:00:00.000Z"
         *         }
         *       ],
         *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0YTAz"
         *     }
         */
        CommandPage: {
            /** @description Newest first. */
            data: components["schemas"]["Command"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @description The kind of a problem. New codes may appear; treat an unknown one by its status.
         * @example validation_failed
         * @enum {string}
         */
        ProblemCode: "validation_failed" | "malformed_body" | "unauthorized" | "invalid_credentials" | "invalid_refresh_token" | "invalid_setup_token" | "forbidden" | "beyond_own_permissions" | "license_required" | "license_revoked" | "user_required" | "address_not_allowed" | "not_found" | "method_not_allowed" | "not_acceptable" | "already_set_up" | "name_taken" | "subdomain_taken" | "public_key_taken" | "last_super_admin" | "limit_reached" | "idempotency_in_flight" | "idempotency_key_reused" | "payload_too_large" | "unsupported_media_type" | "agent_offline" | "agent_timeout" | "unavailable" | "internal";
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
    };
    responses: {
        /** @description The command, as far as it has come. */
        AcceptedCommand: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a03",
                 *       "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
                 *       "kind": "start",
                 *       "status": "queued",
                 *       "detail": null,
                 *       "error": null,
                 *       "requested_by": "owner@example.com",
                 *       "created_at": "2026-11-21T10:00:00.000Z",
                 *       "sent_at": null,
                 *       "acknowledged_at": null,
                 *       "finished_at": null,
                 *       "expires_at": "2026-11-21T11:00:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["Command"];
            };
        };
        /**
         * @description `validation_failed`: The request does not match the contract.
         *     `malformed_body`: The body can not be read.
         */
        Problem400: {
            headers: {
                /** @description Name it when you ask for help. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/validation_failed",
                 *       "title": "The request does not match the contract",
                 *       "status": 400,
                 *       "detail": "The request does not match the contract.",
                 *       "instance": "/api/fleet/instances",
                 *       "code": "validation_failed",
                 *       "request_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a09"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `unauthorized`: Not signed in.
         *     `invalid_credentials`: Wrong e-mail address or password.
         *     `invalid_refresh_token`: The refresh token is not valid.
         *     `invalid_setup_token`: The setup token is not valid.
         */
        Problem401: {
            headers: {
                /** @description Name it when you ask for help. */
                "X-Request-Id"?: string;
                /** @description The scheme to sign in with. */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/unauthorized",
                 *       "title": "Not signed in",
                 *       "status": 401,
                 *       "detail": "Not signed in.",
                 *       "instance": "/api/fleet/instances",
                 *       "code": "unauthorized",
                 *       "request_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a09"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `forbidden`: Not allowed.
         *     `beyond_own_permissions`: Nobody grants what they lack.
         *     `license_required`: No license chosen.
         *     `license_revoked`: The license is revoked.
         *     `user_required`: Only for signed-in users.
         *     `address_not_allowed`: Not allowed from this address.
         */
        Problem403: {
            headers: {
                /** @description Name it when you ask for help. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/forbidden",
                 *       "title": "Not allowed",
                 *       "status": 403,
                 *       "detail": "Not allowed.",
                 *       "instance": "/api/fleet/instances",
                 *       "code": "forbidden",
                 *       "request_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a09"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `not_found`: Not found. */
        Problem404: {
            headers: {
                /** @description Name it when you ask for help. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/not_found",
                 *       "title": "Not found",
                 *       "status": 404,
                 *       "detail": "Not found.",
                 *       "instance": "/api/fleet/instances",
                 *       "code": "not_found",
                 *       "request_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a09"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `already_set_up`: The installation is set up already.
         *     `name_taken`: The name is taken.
         *     `subdomain_taken`: The subdomain is taken.
         *     `public_key_taken`: The key is another host’s.
         *     `last_super_admin`: The last super admin stays.
         *     `limit_reached`: A limit is reached.
         *     `idempotency_in_flight`: The first request with this key still runs.
         */
        Problem409: {
            headers: {
                /** @description Name it when you ask for help. */
                "X-Request-Id"?: string;
                /** @description Seconds after which it makes sense to try again; absent where it makes none. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/already_set_up",
                 *       "title": "The installation is set up already",
                 *       "status": 409,
                 *       "detail": "The installation is set up already.",
                 *       "instance": "/api/fleet/instances",
                 *       "code": "already_set_up",
                 *       "request_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a09"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `payload_too_large`: The body is too large. */
        Problem413: {
            headers: {
                /** @description Name it when you ask for help. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/payload_too_large",
                 *       "title": "The body is too large",
                 *       "status": 413,
                 *       "detail": "The body is too large.",
                 *       "instance": "/api/fleet/instances",
                 *       "code": "payload_too_large",
                 *       "request_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a09"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `unsupported_media_type`: Unsupported media type. */
        Problem415: {
            headers: {
                /** @description Name it when you ask for help. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/unsupported_media_type",
                 *       "title": "Unsupported media type",
                 *       "status": 415,
                 *       "detail": "Unsupported media type.",
                 *       "instance": "/api/fleet/instances",
                 *       "code": "unsupported_media_type",
                 *       "request_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a09"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_reused`: The key was used for another request. */
        Problem422: {
            headers: {
                /** @description Name it when you ask for help. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/idempotency_key_reused",
                 *       "title": "The key was used for another request",
                 *       "status": 422,
                 *       "detail": "The key was used for another request.",
                 *       "instance": "/api/fleet/instances",
                 *       "code": "idempotency_key_reused",
                 *       "request_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a09"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `internal`: Internal error. */
        Problem500: {
            headers: {
                /** @description Name it when you ask for help. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/internal",
                 *       "title": "Internal error",
                 *       "status": 500,
                 *       "detail": "Internal error.",
                 *       "instance": "/api/fleet/instances",
                 *       "code": "internal",
                 *       "request_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a09"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `unavailable`: Temporarily unavailable.
         *     `agent_offline`: The agent is offline.
         */
        Problem503: {
            headers: {
                /** @description Name it when you ask for help. */
                "X-Request-Id"?: string;
                /** @description Seconds after which it makes sense to try again; absent where it makes none. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/unavailable",
                 *       "title": "Temporarily unavailable",
                 *       "status": 503,
                 *       "detail": "Temporarily unavailable.",
                 *       "instance": "/api/fleet/instances",
                 *       "code": "unavailable",
                 *       "request_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a09"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /**
         * @description Only changes within this license.
         * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01
         */
        LicenseFilter: string;
        /**
         * @description Only changes by the actor with this id: a user or key by its id, a job by its name.
         * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4c01
         */
        ActorFilter: string;
        /** @description Only changes of this kind of resource. */
        TargetTypeFilter: components["schemas"]["AuditTargetType"];
        /**
         * @description Only changes of the resource with this id.
         * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4e01
         */
        TargetIdFilter: string;
        /**
         * @description Only changes by this operation of the API, named by its operationId, or by this job.
         * @example updateCluster
         */
        OperationFilter: string;
        /** @description Only changes of this kind. */
        ActionFilter: components["schemas"]["AuditAction"];
        /** @description Only changes at or after this time. */
        FromFilter: string;
        /** @description Only changes before this time. */
        ToFilter: string;
        /**
         * @description The form of the answer, whatever `Accept` says.
         * @example json
         */
        Format: "json" | "csv";
        /**
         * @description How many entries a page holds at most.
         * @example 25
         */
        Limit: number;
        /**
         * @description The `next_cursor` of the page before.
         * @example MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0ZDAx
         */
        Cursor: string;
        /** @description Only what was created at or after this time. */
        CreatedFrom: string;
        /** @description Only what was created before this time. */
        CreatedTo: string;
        /**
         * @description A value of your choice, new for each intent (a UUID is best). Repeating the request with it, after a time-out for instance, gives the first answer again instead of doing it twice.
         * @example 2f7c7f3e-6a2e-4d0b-9a55-0f2f0f3f6a11
         */
        IdempotencyKey: string;
        /**
         * @description The license's id.
         * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01
         */
        LicenseId: string;
        /**
         * @description The API key's id.
         * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5001
         */
        ApiKeyIdParameter: string;
        /**
         * @description The agent host's id.
         * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a01
         */
        HostIdParameter: string;
        /**
         * @description The game instance's id.
         * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
         */
        InstanceIdParameter: string;
        /**
         * @description The cluster's id.
         * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4e01
         */
        ClusterIdParameter: string;
        /**
         * @description `wait=N` waits up to N seconds, 10 at most, for the command to end before it answers. Other preferences are ignored (RFC 7240).
         * @example wait=5
         */
        Prefer: string;
        /**
         * @description The command's id.
         * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a03
         */
        CommandIdParameter: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The next page, as `<…>; rel="next"`; absent on the last one.
         * @example </api/commands?cursor=MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0YTAz>; rel="next"
         */
        Link: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createFirstUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "setup_token": "4pVb0mQk3o1x8m2f0d7aTn5cWzR9uYqL",
                 *       "email": "owner@example.com",
                 *       "password": "correct-horse-battery"
                 *     }
                 */
                "application/json": components["schemas"]["FirstUserCreate"];
            };
        };
        responses: {
            /** @description The user exists and is signed in. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIwMTk5In0.c2lnbmF0dXJl",
                     *       "token_type": "Bearer",
                     *       "expires_in": 900,
                     *       "refresh_token": "gantry_refresh_6fJm2yq8Q0mT3l9xw1B7c5Vn4ZsKpRdE",
                     *       "refresh_expires_in": 2592000,
                     *       "license_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01"
                     *     }
                     */
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "owner@example.com",
                 *       "password": "correct-horse-battery"
                 *     }
                 */
                "application/json": components["schemas"]["Credentials"];
            };
        };
        responses: {
            /** @description The user is signed in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIwMTk5In0.c2lnbmF0dXJl",
                     *       "token_type": "Bearer",
                     *       "expires_in": 900,
                     *       "refresh_token": "gantry_refresh_6fJm2yq8Q0mT3l9xw1B7c5Vn4ZsKpRdE",
                     *       "refresh_expires_in": 2592000,
                     *       "license_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01"
                     *     }
                     */
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            404: components["responses"]["Problem404"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    refreshSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "refresh_token": "gantry_refresh_6fJm2yq8Q0mT3l9xw1B7c5Vn4ZsKpRdE"
                 *     }
                 */
                "application/json": components["schemas"]["RefreshToken"];
            };
        };
        responses: {
            /** @description New tokens; the old refresh token is used up. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIwMTk5In0.c2lnbmF0dXJl",
                     *       "token_type": "Bearer",
                     *       "expires_in": 900,
                     *       "refresh_token": "gantry_refresh_6fJm2yq8Q0mT3l9xw1B7c5Vn4ZsKpRdE",
                     *       "refresh_expires_in": 2592000,
                     *       "license_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01"
                     *     }
                     */
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "refresh_token": "gantry_refresh_6fJm2yq8Q0mT3l9xw1B7c5Vn4ZsKpRdE"
                 *     }
                 */
                "application/json": components["schemas"]["RefreshToken"];
            };
        };
        responses: {
            /** @description The session has ended. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    switchLicense: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "license_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01"
                 *     }
                 */
                "application/json": components["schemas"]["LicenseChoice"];
            };
        };
        responses: {
            /** @description New tokens that carry the chosen license. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIwMTk5In0.c2lnbmF0dXJl",
                     *       "token_type": "Bearer",
                     *       "expires_in": 900,
                     *       "refresh_token": "gantry_refresh_6fJm2yq8Q0mT3l9xw1B7c5Vn4ZsKpRdE",
                     *       "refresh_expires_in": 2592000,
                     *       "license_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01"
                     *     }
                     */
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getCurrentUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4c01",
                     *       "email": "owner@example.com",
                     *       "is_super_admin": true,
                     *       "license_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01",
                     *       "role": "Owner",
                     *       "permissions": {
                     *         "*": true
                     *       },
                     *       "licenses": [
                     *         {
                     *           "license_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01",
                     *           "name": "Rusty Islands",
                     *           "role": "Owner",
                     *           "status": "active"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CurrentUser"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listPlatformAuditEntries: {
        parameters: {
            query?: {
                /**
                 * @description Only changes within this license.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01
                 */
                license_id?: components["parameters"]["LicenseFilter"];
                /**
                 * @description Only changes by the actor with this id: a user or key by its id, a job by its name.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4c01
                 */
                actor?: components["parameters"]["ActorFilter"];
                /** @description Only changes of this kind of resource. */
                target_type?: components["parameters"]["TargetTypeFilter"];
                /**
                 * @description Only changes of the resource with this id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4e01
                 */
                target_id?: components["parameters"]["TargetIdFilter"];
                /**
                 * @description Only changes by this operation of the API, named by its operationId, or by this job.
                 * @example updateCluster
                 */
                operation?: components["parameters"]["OperationFilter"];
                /** @description Only changes of this kind. */
                action?: components["parameters"]["ActionFilter"];
                /** @description Only changes at or after this time. */
                from?: components["parameters"]["FromFilter"];
                /** @description Only changes before this time. */
                to?: components["parameters"]["ToFilter"];
                /**
                 * @description The form of the answer, whatever `Accept` says.
                 * @example json
                 */
                format?: components["parameters"]["Format"];
                /**
                 * @description How many entries a page holds at most.
                 * @example 25
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the page before.
                 * @example MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0ZDAx
                 */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries, or all of them as CSV. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5101",
                     *           "recorded_at": "2026-11-21T10:00:00.000Z",
                     *           "license_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01",
                     *           "actor": {
                     *             "kind": "user",
                     *             "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4c01",
                     *             "label": "owner@example.com"
                     *           },
                     *           "operation": "updateCluster",
                     *           "action": "updated",
                     *           "target_type": "cluster",
                     *           "target_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4e01",
                     *           "before": {
                     *             "name": "EU islands"
                     *           },
                     *           "after": {
                     *             "name": "US islands"
                     *           },
                     *           "request_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a09",
                     *           "source": "203.0.113.7"
                     *         }
                     *       ],
                     *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY1MTAx"
                     *     }
                     */
                    "application/json": components["schemas"]["AuditEntryPage"];
                    /**
                     * @example id,recorded_at,license_id,actor_kind,actor_id,actor_label,operation,action,target_type,target_id,before,after,request_id,source
                     *     0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5101,2026-11-21T10:00:00.000Z,0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01,user,0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4c01,owner@example.com,updateCluster,updated,cluster,0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4e01,"{""name"":""EU islands""}","{""name"":""US islands""}",0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a09,203.0.113.7
                     */
                    "text/csv": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listEarlyAccessSignups: {
        parameters: {
            query?: {
                /**
                 * @description Only signups whose e-mail address contains this text.
                 * @example example.com
                 */
                q?: string;
                /** @description Only what was created at or after this time. */
                created_from?: components["parameters"]["CreatedFrom"];
                /** @description Only what was created before this time. */
                created_to?: components["parameters"]["CreatedTo"];
                /**
                 * @description How many entries a page holds at most.
                 * @example 25
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the page before.
                 * @example MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0ZDAx
                 */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of signups. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5301",
                     *           "email": "somebody@example.com",
                     *           "server_count": 4,
                     *           "created_at": "2026-11-21T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY1MzAx"
                     *     }
                     */
                    "application/json": components["schemas"]["EarlyAccessSignupPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getPlatformHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state of things. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "database": {
                     *         "version": "18.4",
                     *         "size_bytes": 48234496,
                     *         "pool": {
                     *           "total": 4,
                     *           "idle": 3,
                     *           "waiting": 0,
                     *           "most": 10
                     *         }
                     *       },
                     *       "bus": {
                     *         "is_connected": true,
                     *         "connected_since": "2026-11-21T10:00:00.000Z",
                     *         "is_guarded": true
                     *       },
                     *       "jobs": {
                     *         "waiting": 0,
                     *         "scheduled": 2,
                     *         "running": 1,
                     *         "failed": 0
                     *       },
                     *       "tables": [
                     *         {
                     *           "name": "game_instance",
                     *           "rows": 142
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformHealth"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listLicenses: {
        parameters: {
            query?: {
                /** @description Only licenses in this state. */
                status?: components["schemas"]["LicenseStatus"];
                /**
                 * @description Only licenses whose name, subdomain, key or owner's e-mail contains this text.
                 * @example rusty
                 */
                q?: string;
                /** @description Only what was created at or after this time. */
                created_from?: components["parameters"]["CreatedFrom"];
                /** @description Only what was created before this time. */
                created_to?: components["parameters"]["CreatedTo"];
                /**
                 * @description How many entries a page holds at most.
                 * @example 25
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the page before.
                 * @example MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0ZDAx
                 */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of licenses. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01",
                     *           "key": "GNTRY-7QK2M-9ZD4T-XW83P-5HVCB-R6N1J",
                     *           "name": "Rusty Islands",
                     *           "subdomain": "rusty-islands",
                     *           "status": "active",
                     *           "owner_email": "owner@example.com",
                     *           "created_at": "2026-11-21T10:00:00.000Z",
                     *           "revoked_at": null
                     *         }
                     *       ],
                     *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0YjAx"
                     *     }
                     */
                    "application/json": components["schemas"]["LicensePage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createLicense: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value of your choice, new for each intent (a UUID is best). Repeating the request with it, after a time-out for instance, gives the first answer again instead of doing it twice.
                 * @example 2f7c7f3e-6a2e-4d0b-9a55-0f2f0f3f6a11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Rusty Islands",
                 *       "subdomain": "rusty-islands"
                 *     }
                 */
                "application/json": components["schemas"]["LicenseCreate"];
            };
        };
        responses: {
            /** @description The license, with its companion token. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01",
                     *       "key": "GNTRY-7QK2M-9ZD4T-XW83P-5HVCB-R6N1J",
                     *       "name": "Rusty Islands",
                     *       "subdomain": "rusty-islands",
                     *       "status": "active",
                     *       "owner_email": "owner@example.com",
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "revoked_at": null,
                     *       "companion_token": "gantry_companion_Jx2v0m9QkT4c7bWzR8uYqLpVb3o1x5nD"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedLicense"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getLicense: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The license's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01
                 */
                license_id: components["parameters"]["LicenseId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The license. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01",
                     *       "key": "GNTRY-7QK2M-9ZD4T-XW83P-5HVCB-R6N1J",
                     *       "name": "Rusty Islands",
                     *       "subdomain": "rusty-islands",
                     *       "status": "active",
                     *       "owner_email": "owner@example.com",
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "revoked_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["License"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateLicense: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The license's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01
                 */
                license_id: components["parameters"]["LicenseId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "revoked"
                 *     }
                 */
                "application/json": components["schemas"]["LicenseUpdate"];
            };
        };
        responses: {
            /** @description The license as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01",
                     *       "key": "GNTRY-7QK2M-9ZD4T-XW83P-5HVCB-R6N1J",
                     *       "name": "Rusty Islands",
                     *       "subdomain": "rusty-islands",
                     *       "status": "active",
                     *       "owner_email": "owner@example.com",
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "revoked_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["License"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listServers: {
        parameters: {
            query?: {
                /**
                 * @description Only hosts of this license.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01
                 */
                license_id?: string;
                /** @description Only hosts in this state. */
                status?: components["schemas"]["HostStatus"];
                /**
                 * @description Only hosts whose agent has this version.
                 * @example 0.1.0
                 */
                agent_version?: string;
                /**
                 * @description How many entries a page holds at most.
                 * @example 25
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the page before.
                 * @example MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0ZDAx
                 */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of hosts, with figures of all. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a01",
                     *           "license_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01",
                     *           "license_name": "Rusty Islands",
                     *           "hostname": "rust-01",
                     *           "status": "online",
                     *           "agent_version": "0.1.0",
                     *           "platform": "linux-x64",
                     *           "last_heartbeat_at": "2026-11-21T10:00:00.000Z",
                     *           "instances": {
                     *             "offline": 0,
                     *             "stopped": 1,
                     *             "starting": 0,
                     *             "running": 2,
                     *             "stopping": 0,
                     *             "crashed": 0
                     *           }
                     *         }
                     *       ],
                     *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0YTAx",
                     *       "totals": {
                     *         "hosts": 1,
                     *         "online_hosts": 1,
                     *         "instances": {
                     *           "offline": 0,
                     *           "stopped": 1,
                     *           "starting": 0,
                     *           "running": 2,
                     *           "stopping": 0,
                     *           "crashed": 0
                     *         },
                     *         "agent_versions": [
                     *           {
                     *             "agent_version": "0.1.0",
                     *             "hosts": 1
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ServerPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getPlatformStats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key figures as of now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "licenses": {
                     *         "active": 40,
                     *         "revoked": 2
                     *       },
                     *       "users": {
                     *         "total": 51,
                     *         "disabled": 1,
                     *         "super_admins": 2
                     *       },
                     *       "monthly_recurring_revenue": [
                     *         {
                     *           "amount": "399.60",
                     *           "currency": "USD"
                     *         }
                     *       ],
                     *       "servers": {
                     *         "hosts": 60,
                     *         "online_hosts": 58,
                     *         "instances": 142,
                     *         "running_instances": 120
                     *       },
                     *       "early_access_signups": 230
                     *     }
                     */
                    "application/json": components["schemas"]["PlatformStats"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listSubscriptions: {
        parameters: {
            query?: {
                /**
                 * @description Only subscriptions of this license.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01
                 */
                license_id?: string;
                /** @description Only subscriptions to this. */
                kind?: components["schemas"]["SubscriptionKind"];
                /** @description Only subscriptions in this state. */
                status?: components["schemas"]["SubscriptionStatus"];
                /**
                 * @description How many entries a page holds at most.
                 * @example 25
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the page before.
                 * @example MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0ZDAx
                 */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of subscriptions, with the monthly recurring revenue. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5201",
                     *           "license_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01",
                     *           "license_name": "Rusty Islands",
                     *           "kind": "module",
                     *           "reference": "loot-manager",
                     *           "status": "active",
                     *           "price": {
                     *             "amount": "9.99",
                     *             "currency": "USD"
                     *           },
                     *           "period": "month",
                     *           "started_at": "2026-11-21T10:00:00.000Z",
                     *           "ends_at": null,
                     *           "cancelled_at": null,
                     *           "created_at": "2026-11-21T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY1MjAx",
                     *       "monthly_recurring_revenue": {
                     *         "total": [
                     *           {
                     *             "amount": "9.99",
                     *             "currency": "USD"
                     *           }
                     *         ],
                     *         "breakdown": [
                     *           {
                     *             "kind": "module",
                     *             "reference": "loot-manager",
                     *             "subscriptions": 1,
                     *             "monthly": {
                     *               "amount": "9.99",
                     *               "currency": "USD"
                     *             }
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SubscriptionPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /**
                 * @description Only users whose e-mail address contains this text.
                 * @example example.com
                 */
                q?: string;
                /**
                 * @description Only users who administer the platform, or only others.
                 * @example true
                 */
                is_super_admin?: boolean;
                /**
                 * @description Only users who can't sign in, or only others.
                 * @example false
                 */
                is_disabled?: boolean;
                /**
                 * @description Only members of this license.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01
                 */
                license_id?: string;
                /** @description Only what was created at or after this time. */
                created_from?: components["parameters"]["CreatedFrom"];
                /** @description Only what was created before this time. */
                created_to?: components["parameters"]["CreatedTo"];
                /**
                 * @description How many entries a page holds at most.
                 * @example 25
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the page before.
                 * @example MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0ZDAx
                 */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of users. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4c01",
                     *           "email": "owner@example.com",
                     *           "is_super_admin": false,
                     *           "is_disabled": false,
                     *           "license_count": 1,
                     *           "created_at": "2026-11-21T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0YzAx"
                     *     }
                     */
                    "application/json": components["schemas"]["UserPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "user_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4c01",
                 *       "is_disabled": true
                 *     }
                 */
                "application/json": components["schemas"]["UserUpdate"];
            };
        };
        responses: {
            /** @description The user as they are now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4c01",
                     *       "email": "owner@example.com",
                     *       "is_super_admin": false,
                     *       "is_disabled": true,
                     *       "license_count": 1,
                     *       "created_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createAgentSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "hostname": "rust-01",
                 *       "public_key": "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4",
                 *       "agent_version": "0.1.0",
                 *       "platform": "linux-x64"
                 *     }
                 */
                "application/json": components["schemas"]["AgentSessionCreate"];
            };
        };
        responses: {
            /** @description The host's id and its credentials. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "host_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a01",
                     *       "heartbeat_interval_seconds": 10,
                     *       "server_time": "2026-11-21T10:00:00.000Z",
                     *       "bus": {
                     *         "urls": [
                     *           "nats://127.0.0.1:4223"
                     *         ],
                     *         "jwt": "eyJ0eXAiOiJKV1QiLCJhbGciOiJlZDI1NTE5LW5rZXkifQ.e30.c2lnbmF0dXJl",
                     *         "expires_at": "2026-11-21T10:15:00.000Z",
                     *         "prefix": "gantry"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AgentSession"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description Only keys in this state. */
                status?: components["schemas"]["ApiKeyStatus"];
                /**
                 * @description How many entries a page holds at most.
                 * @example 25
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the page before.
                 * @example MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0ZDAx
                 */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5001",
                     *           "identifier": "mz4qk7c2ayw3hd5n",
                     *           "name": "Deploy bot",
                     *           "status": "active",
                     *           "permissions": {
                     *             "fleet.view": true,
                     *             "instances.power": true
                     *           },
                     *           "allowed_ips": [
                     *             "203.0.113.0/24"
                     *           ],
                     *           "created_by": "owner@example.com",
                     *           "created_at": "2026-11-21T10:00:00.000Z",
                     *           "expires_at": "2027-11-21T10:00:00.000Z",
                     *           "last_used_at": null,
                     *           "revoked_at": null
                     *         }
                     *       ],
                     *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY1MDAx"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKeyPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value of your choice, new for each intent (a UUID is best). Repeating the request with it, after a time-out for instance, gives the first answer again instead of doing it twice.
                 * @example 2f7c7f3e-6a2e-4d0b-9a55-0f2f0f3f6a11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Deploy bot",
                 *       "permissions": {
                 *         "fleet.view": true
                 *       },
                 *       "allowed_ips": [
                 *         "203.0.113.0/24",
                 *         "2001:db8::/32"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ApiKeyCreate"];
            };
        };
        responses: {
            /** @description The key. Keep it; only its hash is kept here. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5001",
                     *       "identifier": "mz4qk7c2ayw3hd5n",
                     *       "name": "Deploy bot",
                     *       "status": "active",
                     *       "permissions": {
                     *         "fleet.view": true,
                     *         "instances.power": true
                     *       },
                     *       "allowed_ips": [
                     *         "203.0.113.0/24"
                     *       ],
                     *       "created_by": "owner@example.com",
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "expires_at": "2027-11-21T10:00:00.000Z",
                     *       "last_used_at": null,
                     *       "revoked_at": null,
                     *       "key": "gantry_mz4qk7c2ayw3hd5n_4hx6tq2mvb7kz3cnra5wyd2jfe6up4s7lgxo3i5bqtwmr6yh2a7a"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The API key's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5001
                 */
                api_key_id: components["parameters"]["ApiKeyIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key's description. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5001",
                     *       "identifier": "mz4qk7c2ayw3hd5n",
                     *       "name": "Deploy bot",
                     *       "status": "active",
                     *       "permissions": {
                     *         "fleet.view": true,
                     *         "instances.power": true
                     *       },
                     *       "allowed_ips": [
                     *         "203.0.113.0/24"
                     *       ],
                     *       "created_by": "owner@example.com",
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "expires_at": "2027-11-21T10:00:00.000Z",
                     *       "last_used_at": null,
                     *       "revoked_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The API key's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5001
                 */
                api_key_id: components["parameters"]["ApiKeyIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key is revoked. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                /**
                 * @description Only changes by the actor with this id: a user or key by its id, a job by its name.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4c01
                 */
                actor?: components["parameters"]["ActorFilter"];
                /** @description Only changes of this kind of resource. */
                target_type?: components["parameters"]["TargetTypeFilter"];
                /**
                 * @description Only changes of the resource with this id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4e01
                 */
                target_id?: components["parameters"]["TargetIdFilter"];
                /**
                 * @description Only changes by this operation of the API, named by its operationId, or by this job.
                 * @example updateCluster
                 */
                operation?: components["parameters"]["OperationFilter"];
                /** @description Only changes of this kind. */
                action?: components["parameters"]["ActionFilter"];
                /** @description Only changes at or after this time. */
                from?: components["parameters"]["FromFilter"];
                /** @description Only changes before this time. */
                to?: components["parameters"]["ToFilter"];
                /**
                 * @description The form of the answer, whatever `Accept` says.
                 * @example json
                 */
                format?: components["parameters"]["Format"];
                /**
                 * @description How many entries a page holds at most.
                 * @example 25
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the page before.
                 * @example MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0ZDAx
                 */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries, or all of them as CSV. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5101",
                     *           "recorded_at": "2026-11-21T10:00:00.000Z",
                     *           "license_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01",
                     *           "actor": {
                     *             "kind": "user",
                     *             "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4c01",
                     *             "label": "owner@example.com"
                     *           },
                     *           "operation": "updateCluster",
                     *           "action": "updated",
                     *           "target_type": "cluster",
                     *           "target_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4e01",
                     *           "before": {
                     *             "name": "EU islands"
                     *           },
                     *           "after": {
                     *             "name": "US islands"
                     *           },
                     *           "request_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a09",
                     *           "source": "203.0.113.7"
                     *         }
                     *       ],
                     *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY1MTAx"
                     *     }
                     */
                    "application/json": components["schemas"]["AuditEntryPage"];
                    /**
                     * @example id,recorded_at,license_id,actor_kind,actor_id,actor_label,operation,action,target_type,target_id,before,after,request_id,source
                     *     0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5101,2026-11-21T10:00:00.000Z,0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01,user,0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4c01,owner@example.com,updateCluster,updated,cluster,0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4e01,"{""name"":""EU islands""}","{""name"":""US islands""}",0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a09,203.0.113.7
                     */
                    "text/csv": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listHosts: {
        parameters: {
            query?: {
                /** @description Only hosts in this state. */
                status?: components["schemas"]["HostStatus"];
                /**
                 * @description How many entries a page holds at most.
                 * @example 25
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the page before.
                 * @example MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0ZDAx
                 */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of hosts. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a01",
                     *           "hostname": "rust-01",
                     *           "status": "online",
                     *           "agent_version": "0.1.0",
                     *           "platform": "linux-x64",
                     *           "cpu_percent": 31.5,
                     *           "memory_used_bytes": 8589934592,
                     *           "memory_total_bytes": 34359738368,
                     *           "disk_used_bytes": 107374182400,
                     *           "disk_total_bytes": 512110190592,
                     *           "last_heartbeat_at": "2026-11-21T10:00:00.000Z",
                     *           "created_at": "2026-11-20T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0YTAx"
                     *     }
                     */
                    "application/json": components["schemas"]["AgentHostPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getHost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The agent host's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a01
                 */
                host_id: components["parameters"]["HostIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The host. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a01",
                     *       "hostname": "rust-01",
                     *       "status": "online",
                     *       "agent_version": "0.1.0",
                     *       "platform": "linux-x64",
                     *       "cpu_percent": 31.5,
                     *       "memory_used_bytes": 8589934592,
                     *       "memory_total_bytes": 34359738368,
                     *       "disk_used_bytes": 107374182400,
                     *       "disk_total_bytes": 512110190592,
                     *       "last_heartbeat_at": "2026-11-21T10:00:00.000Z",
                     *       "created_at": "2026-11-20T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["AgentHost"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listInstances: {
        parameters: {
            query?: {
                /** @description Only instances on this host. */
                host_id?: string;
                /** @description Only instances of this cluster. */
                cluster_id?: string;
                /** @description Only instances in this state. */
                state?: components["schemas"]["GameInstanceState"];
                /**
                 * @description How many entries a page holds at most.
                 * @example 25
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the page before.
                 * @example MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0ZDAx
                 */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of instances. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
                     *           "host_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a01",
                     *           "name": "main",
                     *           "game": "rust",
                     *           "state": "running",
                     *           "uptime_seconds": 3600,
                     *           "players": 41,
                     *           "max_players": 100,
                     *           "fps": 58.9,
                     *           "entities": 120345,
                     *           "map": "Procedural Map",
                     *           "cpu_percent": 88.4,
                     *           "memory_bytes": 9126805504,
                     *           "cluster_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4e01",
                     *           "last_seen_at": "2026-11-21T10:00:00.000Z",
                     *           "created_at": "2026-11-20T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0ZDAx"
                     *     }
                     */
                    "application/json": components["schemas"]["GameInstancePage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getInstance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The game instance's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id: components["parameters"]["InstanceIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The instance. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
                     *       "host_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a01",
                     *       "name": "main",
                     *       "game": "rust",
                     *       "state": "running",
                     *       "uptime_seconds": 3600,
                     *       "players": 41,
                     *       "max_players": 100,
                     *       "fps": 58.9,
                     *       "entities": 120345,
                     *       "map": "Procedural Map",
                     *       "cpu_percent": 88.4,
                     *       "memory_bytes": 9126805504,
                     *       "cluster_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4e01",
                     *       "last_seen_at": "2026-11-21T10:00:00.000Z",
                     *       "created_at": "2026-11-20T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["GameInstance"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateInstance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The game instance's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id: components["parameters"]["InstanceIdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "cluster_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4e01"
                 *     }
                 */
                "application/json": components["schemas"]["GameInstanceUpdate"];
            };
        };
        responses: {
            /** @description The instance as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
                     *       "host_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a01",
                     *       "name": "main",
                     *       "game": "rust",
                     *       "state": "running",
                     *       "uptime_seconds": 3600,
                     *       "players": 41,
                     *       "max_players": 100,
                     *       "fps": 58.9,
                     *       "entities": 120345,
                     *       "map": "Procedural Map",
                     *       "cpu_percent": 88.4,
                     *       "memory_bytes": 9126805504,
                     *       "cluster_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4e01",
                     *       "last_seen_at": "2026-11-21T10:00:00.000Z",
                     *       "created_at": "2026-11-20T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["GameInstance"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listInstanceStats: {
        parameters: {
            query?: {
                /** @description Only points at or after this time. Without it, the last 24 hours. */
                from?: string;
                /** @description Only points before this time. */
                to?: string;
                /**
                 * @description How many entries a page holds at most.
                 * @example 25
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the page before.
                 * @example MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0ZDAx
                 */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path: {
                /**
                 * @description The game instance's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id: components["parameters"]["InstanceIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of points. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "recorded_at": "2026-11-21T10:00:00.000Z",
                     *           "state": "running",
                     *           "uptime_seconds": 3600,
                     *           "players": 41,
                     *           "max_players": 100,
                     *           "fps": 58.9,
                     *           "entities": 120345,
                     *           "map": "Procedural Map",
                     *           "cpu_percent": 88.4,
                     *           "memory_bytes": 9126805504
                     *         }
                     *       ],
                     *       "next_cursor": "MjAyNi0xMS0yMVQxMDowMDowMC4wMDBa"
                     *     }
                     */
                    "application/json": components["schemas"]["InstanceStatsPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listClusters: {
        parameters: {
            query?: {
                /**
                 * @description How many entries a page holds at most.
                 * @example 25
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the page before.
                 * @example MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0ZDAx
                 */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of clusters. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4e01",
                     *           "name": "EU islands",
                     *           "description": "Everything hosted in Frankfurt",
                     *           "instance_count": 3,
                     *           "created_at": "2026-11-21T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0ZTAx"
                     *     }
                     */
                    "application/json": components["schemas"]["InstanceClusterPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createCluster: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "EU islands",
                 *       "description": "Everything hosted in Frankfurt"
                 *     }
                 */
                "application/json": components["schemas"]["ClusterCreate"];
            };
        };
        responses: {
            /** @description The cluster. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4e01",
                     *       "name": "EU islands",
                     *       "description": "Everything hosted in Frankfurt",
                     *       "instance_count": 3,
                     *       "created_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["InstanceCluster"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getCluster: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The cluster's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4e01
                 */
                cluster_id: components["parameters"]["ClusterIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cluster. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4e01",
                     *       "name": "EU islands",
                     *       "description": "Everything hosted in Frankfurt",
                     *       "instance_count": 3,
                     *       "created_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["InstanceCluster"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteCluster: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The cluster's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4e01
                 */
                cluster_id: components["parameters"]["ClusterIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cluster is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateCluster: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The cluster's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4e01
                 */
                cluster_id: components["parameters"]["ClusterIdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "US islands"
                 *     }
                 */
                "application/json": components["schemas"]["ClusterUpdate"];
            };
        };
        responses: {
            /** @description The cluster as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4e01",
                     *       "name": "EU islands",
                     *       "description": "Everything hosted in Frankfurt",
                     *       "instance_count": 3,
                     *       "created_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["InstanceCluster"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    startInstance: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value of your choice, new for each intent (a UUID is best). Repeating the request with it, after a time-out for instance, gives the first answer again instead of doing it twice.
                 * @example 2f7c7f3e-6a2e-4d0b-9a55-0f2f0f3f6a11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description `wait=N` waits up to N seconds, 10 at most, for the command to end before it answers. Other preferences are ignored (RFC 7240).
                 * @example wait=5
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The game instance's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id: components["parameters"]["InstanceIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: components["responses"]["AcceptedCommand"];
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            422: components["responses"]["Problem422"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    stopInstance: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value of your choice, new for each intent (a UUID is best). Repeating the request with it, after a time-out for instance, gives the first answer again instead of doing it twice.
                 * @example 2f7c7f3e-6a2e-4d0b-9a55-0f2f0f3f6a11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description `wait=N` waits up to N seconds, 10 at most, for the command to end before it answers. Other preferences are ignored (RFC 7240).
                 * @example wait=5
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The game instance's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id: components["parameters"]["InstanceIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: components["responses"]["AcceptedCommand"];
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            422: components["responses"]["Problem422"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    restartInstance: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value of your choice, new for each intent (a UUID is best). Repeating the request with it, after a time-out for instance, gives the first answer again instead of doing it twice.
                 * @example 2f7c7f3e-6a2e-4d0b-9a55-0f2f0f3f6a11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description `wait=N` waits up to N seconds, 10 at most, for the command to end before it answers. Other preferences are ignored (RFC 7240).
                 * @example wait=5
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The game instance's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id: components["parameters"]["InstanceIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: components["responses"]["AcceptedCommand"];
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            422: components["responses"]["Problem422"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createConsoleTicket: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The game instance's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id: components["parameters"]["InstanceIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ticket. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ticket": "3mVb0mQk3o1x8m2f0d7aTn5cWzR9uYqL",
                     *       "url": "/api/instances/0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01/console?ticket=3mVb0mQk3o1x8m2f0d7aTn5cWzR9uYqL",
                     *       "expires_at": "2026-11-21T10:00:30.000Z",
                     *       "may_input": true
                     *     }
                     */
                    "application/json": components["schemas"]["ConsoleTicket"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listCommands: {
        parameters: {
            query?: {
                /** @description Only commands to this instance. */
                instance_id?: string;
                /** @description Only commands in this state. */
                status?: components["schemas"]["CommandStatus"];
                /**
                 * @description How many entries a page holds at most.
                 * @example 25
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `next_cursor` of the page before.
                 * @example MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0ZDAx
                 */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of commands. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a03",
                     *           "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
                     *           "kind": "start",
                     *           "status": "succeeded",
                     *           "detail": "The process runs with pid 4242.",
                     *           "error": null,
                     *           "requested_by": "owner@example.com",
                     *           "created_at": "2026-11-21T10:00:00.000Z",
                     *           "sent_at": "2026-11-21T10:00:00.020Z",
                     *           "acknowledged_at": "2026-11-21T10:00:00.030Z",
                     *           "finished_at": "2026-11-21T10:00:02.000Z",
                     *           "expires_at": "2026-11-21T11:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0YTAz"
                     *     }
                     */
                    "application/json": components["schemas"]["CommandPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getCommand: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The command's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a03
                 */
                command_id: components["parameters"]["CommandIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The command. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a03",
                     *       "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
                     *       "kind": "start",
                     *       "status": "succeeded",
                     *       "detail": "The process runs with pid 4242.",
                     *       "error": null,
                     *       "requested_by": "owner@example.com",
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "sent_at": "2026-11-21T10:00:00.020Z",
                     *       "acknowledged_at": "2026-11-21T10:00:00.030Z",
                     *       "finished_at": "2026-11-21T10:00:02.000Z",
                     *       "expires_at": "2026-11-21T11:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Command"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
}
