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
         *     **Problem codes of its own:** `invalid_setup_token` (401), `already_set_up` (409), `weak_password` (422).
         *
         *     **Rate limits** (`bootstrap`): 20 requests in 15 minutes for each address.
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
         * @description Signs a user in with e-mail and password. A wrong password, an unknown address and a disabled account answer alike, and take the same time. Whoever has a second factor gets a challenge instead of a session and answers it with `POST /auth/login/totp`.
         *
         *     **Problem codes of its own:** `invalid_credentials` (401), `not_found` (404), `license_revoked` (403).
         *
         *     **Rate limits** (`sign-in`): 100 requests in 5 minutes for each address; 10 failures in 15 minutes for each account and address; 600 failures in 60 minutes for each account.
         */
        post: operations["createSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/login/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a second factor
         * @description Answers the challenge of `POST /auth/login` with a code of the authenticator app, or with one of the recovery codes. Every code works once. A challenge lives five minutes and takes five attempts; then sign in again.
         *
         *     **Problem codes of its own:** `invalid_challenge` (401), `invalid_code` (422), `not_found` (404), `license_revoked` (403).
         *
         *     **Rate limits** (`second-factor`): 60 requests in 5 minutes for each address; 10 failures in 15 minutes for each account and address; 60 failures in 60 minutes for each account.
         */
        post: operations["createTotpSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/change-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the password
         * @description Sets a new password. All other sessions of the user end at once, their consoles included; the one that calls stays. Links that were sent for choosing a password stop working.
         *
         *     **Problem codes of its own:** `wrong_password` (422), `same_password` (422), `weak_password` (422).
         *
         *     **Rate limits** (`password`): 10 failures in 15 minutes for each caller.
         */
        post: operations["updatePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/forgot-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a new password
         * @description Sends a link for choosing a new password to the address, if it is that of an account. The answer and its time are the same whether it is or not. The link works once and for an hour; an account gets at most five messages an hour, and all links that were sent work.
         *
         *     **Rate limits** (`password-reset`): 30 requests in 60 minutes for each address; 5 requests in 60 minutes for each account and address.
         */
        post: operations["startPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/reset-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Choose a new password
         * @description Sets the password of the account that the link was sent to, and ends all its sessions, their consoles included. A second factor stays in force.
         *
         *     **Problem codes of its own:** `invalid_password_token` (401), `weak_password` (422).
         *
         *     **Rate limits** (`password-token`): 30 requests in 15 minutes for each address.
         */
        post: operations["runPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/2fa/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set up a second factor
         * @description Makes a secret for an authenticator app and shows it this once. Nothing changes for the user until `POST /auth/2fa/verify` confirms that the app has it. Calling it again makes another secret.
         *
         *     **Problem codes of its own:** `totp_already_on` (409).
         */
        post: operations["createTotpSetup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/2fa/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn the second factor on
         * @description Takes a code of the authenticator app, after which signing in needs one. Answers recovery codes, this once: each stands in for the app once. All other sessions of the user end.
         *
         *     **Problem codes of its own:** `invalid_code` (422), `totp_already_on` (409), `totp_not_set_up` (409).
         *
         *     **Rate limits** (`second-factor-change`): 10 failures in 15 minutes for each caller.
         */
        post: operations["startTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/2fa/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn the second factor off
         * @description Takes a current code of the authenticator app, or a recovery code. Signing in then needs the password only. The recovery codes are gone, and all other sessions of the user end.
         *
         *     **Problem codes of its own:** `invalid_code` (422), `totp_not_on` (409).
         *
         *     **Rate limits** (`second-factor-change`): 10 failures in 15 minutes for each caller.
         */
        post: operations["stopTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your sessions
         * @description Lists where you are signed in, newest first.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /**
         * Sign out everywhere else
         * @description Ends all your sessions but the one that calls; `POST /auth/logout` ends that one. Access tokens, refresh tokens and consoles of ended sessions stop working at once.
         */
        delete: operations["cancelSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The session's id, the `sid` of its access tokens.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4f01
                 */
                session_id: components["parameters"]["SessionIdParameter"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session
         * @description Ends one of your sessions, also the one that calls: its access tokens, refresh tokens and consoles stop working at once.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        delete: operations["cancelSession"];
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
         * @description Exchanges a refresh token for a new access token and a new refresh token, in the same license; in none once the user has left that. Each refresh token works once. Using one a second time means that it was stolen or lost: the whole session is ended. Only when the answer may have been lost it may be sent again, within 30 seconds of its first use and before the new one was used; the answer then holds other tokens, and the refresh token of the answer before counts as used.
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
         * @description Moves the session to another license that the user belongs to. The refresh token used so far counts as used, so keep the new one: sending a used one ends the session, except as `POST /auth/refresh` takes one whose answer was lost. Access tokens of the former license end with their lifetime.
         *
         *     **Problem codes of its own:** `not_found` (404), `license_revoked` (403).
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
    "/auth/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation
         * @description Joins the license that the invitation is for. The token proves whose address it is. An account that has a password keeps it and signs in with it, second factor included; anybody else sets one here. Nobody is signed in by this: go on with `POST /auth/login`, or `POST /auth/switch-license` in a session that is open.
         *
         *     **Problem codes of its own:** `invalid_invitation` (401), `password_required` (400), `weak_password` (422), `already_member` (409), `license_revoked` (403).
         *
         *     **Rate limits** (`password-token`): 30 requests in 15 minutes for each address.
         */
        post: operations["createMembership"];
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
         * @description Lists what was changed in every license and in the platform itself, newest first, users and their sessions included. As CSV (`Accept: text/csv` or `format=csv`) it goes on to the end of the filter and `limit` counts for nothing; when that is more than 100,000 entries it answers `export_too_large`. An answer that breaks off, without the last chunk of its encoding, is not whole: your access has ended meanwhile, for one.
         *
         *     **Problem codes of its own:** `export_too_large` (422).
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
    "/api/admin/changelog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List changelog entries
         * @description Lists every entry of the changelog, drafts included, in the order in which they were written, newest first.
         */
        get: operations["listChangelogEntries"];
        put?: never;
        /**
         * Write a changelog entry
         * @description Adds an entry to the changelog. Without `published_at` it is a draft that nobody else sees.
         *
         *     **Problem codes of its own:** `time_taken` (409).
         */
        post: operations["createChangelogEntry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/changelog/{changelog_entry_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The entry's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6a01
                 */
                changelog_entry_id: components["parameters"]["ChangelogEntryIdParameter"];
            };
            cookie?: never;
        };
        /**
         * Get a changelog entry
         * @description Answers one entry, a draft too. Its `ETag` is what `If-Match` takes when it is changed.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        get: operations["getChangelogEntry"];
        put?: never;
        post?: never;
        /**
         * Delete a changelog entry
         * @description Takes the entry out of the changelog for good.
         *
         *     **Problem codes of its own:** `not_found` (404), `stale_version` (412).
         */
        delete: operations["deleteChangelogEntry"];
        options?: never;
        head?: never;
        /**
         * Update a changelog entry
         * @description Changes the fields that are given; the others stay as they are. Everybody sees the change at once.
         *
         *     **Problem codes of its own:** `not_found` (404), `time_taken` (409), `stale_version` (412).
         */
        patch: operations["updateChangelogEntry"];
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
         * @description Creates a license with its key, its companion token and its four system roles (Owner, Head Admin, Moderator, Viewer). Every field is optional; the name is "License" and the start of its key unless you give one. Keep the companion token: it is shown this once.
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
         *     **Problem codes of its own:** `public_key_taken` (409), `limit_reached` (409), `license_revoked` (403).
         */
        post: operations["createAgentSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agent/maps/{map_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The map's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6c01
                 */
                map_id: components["parameters"]["MapIdParameter"];
            };
            cookie?: never;
        };
        /**
         * Download a map to deploy
         * @description Streams a map to the agent that was given this link. The link's signature binds it to one license, one instance, one map and a time; nothing else is needed. Ranges are answered as for `downloadMap`.
         *
         *     **Problem codes of its own:** `invalid_link` (401).
         */
        get: operations["downloadDeployedMap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List alerts
         * @description Lists the alerts of the license, open and ended, newest first. They are kept for 90 days after they were raised, and for as long as they are open.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        get: operations["listAlerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/alerts/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get when alerts are raised
         * @description Answers when alerts are raised, by kind. Its `ETag` is what `If-Match` takes when it is changed; the version is 0 until it is changed for the first time.
         */
        get: operations["getAlertConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change when alerts are raised
         * @description Changes the fields that are given; the others stay as they are. It counts from the next time that the figures are looked at, which is every 20 seconds. docs/alerts.md says how each kind is told.
         *
         *     **Problem codes of its own:** `stale_version` (412).
         */
        patch: operations["updateAlertConfig"];
        trace?: never;
    };
    "/api/alerts/{alert_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The alert's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8a01
                 */
                alert_id: components["parameters"]["AlertIdParameter"];
            };
            cookie?: never;
        };
        /**
         * Get an alert
         * @description Answers one alert.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        get: operations["getAlert"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Acknowledge an alert
         * @description Says that somebody has seen to the alert, or takes that back. The first to acknowledge it stays named. It changes nothing else: the alert ends by itself.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        patch: operations["updateAlert"];
        trace?: never;
    };
    "/api/analytics/maps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare the maps
         * @description Tells for each map that game servers have named in heartbeats how it was played. Average and peak players are the mean and the maximum of what heartbeats counted while they named the map, of all instances alike. Hours are the five minutes in which a heartbeat of an instance named it. A session counts for the map that its instance had in the five minutes in which it began (for both, should that have changed within them), on the day of UTC on which it began; unique players are the different players of those sessions on the days that they lasted. Effectiveness is average / peak × 100, and the effectiveness of the rotation its mean over all maps, weighted by hours. Sessions are counted some seconds after they were told, one that lasts with the moment at which it began; heartbeats a few minutes after.
         */
        get: operations["getMapAnalytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analytics/peak-hours": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find the peak hours
         * @description Tells how many players played at a time in each hour of the week, by the clocks of a time zone: the time that sessions lasted within that hour, in all the weeks of the period up to now, divided by how long that hour was in all of them. Where clocks are put back an hour comes twice, and counts as two. A session counts once it has ended. Sessions are counted some seconds after they were told, also those that are told late.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        get: operations["getPeakHourAnalytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analytics/players": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count unique and new players
         * @description Counts different players: a player played on each day of UTC with which a session of theirs has a moment in common, and in the period if on one of its days. New are those who have never played before it, on this instance or, without `instance_id`, on any of the license's; the others are returning. Of a day the same holds for that day alone. A session that lasts counts with the moment at which it began, and wholly once it has ended. Sessions are counted some seconds after they were told, also those that are told late.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        get: operations["getPlayerAnalytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analytics/retention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare retention after wipes
         * @description Tells for the newest completed wipes who came back. A wipe's cohort are the players with a session on its instance that has a moment in common with the 24 hours from its completion on. Retention at 24, 48 and 72 hours is the share of the cohort with a session there that has a moment in common with the 24 hours that begin at that point; a point that is not reached yet is `null`, and until `is_final` it may still rise. A session that lasts counts with the moment at which it began, and wholly once it has ended. As CSV (`Accept: text/csv` or `format=csv`) it is one line for each wipe. Sessions are counted some seconds after they were told, also those that are told late.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        get: operations["getRetentionAnalytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analytics/server-stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a series of server stats
         * @description Answers players, frames per second and entities of an instance over time: of each step the mean and the extremes of what its heartbeats told, whatever the map. Steps without a heartbeat are left out. `from` and `to` may lie at most 1,000 steps apart. Five minutes are kept for shorter than hours, and hours for shorter than days.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        get: operations["getServerStatsSeries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analytics/session-lengths": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sort sessions by their length
         * @description Counts the sessions that began on a day of the period by how long they were: below 5, 15 and 30 minutes, 1, 2, 4 and 8 hours, and longer. Sessions that still last, and those of which only the end was told, have no length and are counted apart. The average is that of the others, to a millisecond. Sessions are counted some seconds after they were told, also those that are told late.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        get: operations["getSessionLengths"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analytics/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List player sessions
         * @description Lists who played, where and for how long, newest first. How sessions come about from what plugins tell stands with the players' events.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        get: operations["listPlayerSessions"];
        put?: never;
        post?: never;
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
         * @description Lists what was changed in the license, newest first: by users, keys, agents and jobs. Nobody can change or delete entries. As CSV (`Accept: text/csv` or `format=csv`) it goes on to the end of the filter and `limit` counts for nothing; when that is more than 100,000 entries it answers `export_too_large`. An answer that breaks off, without the last chunk of its encoding, is not whole: your access has ended meanwhile, for one.
         *
         *     **Problem codes of its own:** `export_too_large` (422).
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
    "/api/changelog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what is new
         * @description Lists what has changed about the platform, the newest first. Drafts, and what is to appear later, are left out.
         */
        get: operations["listChangelog"];
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
        /**
         * Delete a host
         * @description Deletes a host that is offline, with its instances and their commands. Its agent's credentials end. An agent that comes back enrols it as a new host.
         *
         *     **Problem codes of its own:** `not_found` (404), `still_online` (409).
         */
        delete: operations["deleteHost"];
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
        /**
         * Delete an instance
         * @description Deletes an instance that is offline, with its commands: one that its agent no longer names, for instance. An agent that still names it brings it back as a new one, without its history.
         *
         *     **Problem codes of its own:** `not_found` (404), `still_online` (409).
         */
        delete: operations["deleteInstance"];
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
         * @description Creates an empty group of instances; its name is unique within the license. Put instances into it with `PATCH /api/fleet/instances/{instance_id}`.
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
    "/api/instances/{instance_id}/backup-policy": {
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
         * Get the backup policy
         * @description Answers how many backups of an instance are kept.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        get: operations["getBackupPolicy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the backup policy
         * @description Changes how many backups of an instance are kept. What is beyond that is deleted, the oldest first, as soon as the agent is there.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        patch: operations["updateBackupPolicy"];
        trace?: never;
    };
    "/api/instances/{instance_id}/backups": {
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
         * List backups
         * @description Lists the backups of an instance that its host has, as its agent told last, newest first. Only what is whole is listed; what is being made is a command.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        get: operations["listBackups"];
        put?: never;
        /**
         * Make a backup
         * @description Asks the agent to back up the files of an instance, all of them unless `paths` are given; the instance may run. A Rust server is asked to save first. The backup appears in the list, with the id of the command, once all of it is on the host's disk and was read back; a command that fails leaves nothing behind. Symbolic links and the like are left out. Of backups beyond what the policy keeps, the oldest are deleted afterwards. The answer is the command.
         *
         *     **Problem codes of its own:** `not_found` (404), `limit_reached` (409), `path_refused` (422), `wipe_under_way` (409).
         */
        post: operations["createBackup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{instance_id}/backups/{backup_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The game instance's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id: components["parameters"]["InstanceIdParameter"];
                /**
                 * @description The backup's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a08
                 */
                backup_id: components["parameters"]["BackupIdParameter"];
            };
            cookie?: never;
        };
        /**
         * Get a backup
         * @description Answers one backup of an instance.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        get: operations["getBackup"];
        put?: never;
        post?: never;
        /**
         * Delete a backup
         * @description Asks the agent to delete a backup from its host. It leaves the list once the agent has done so. The answer is the command.
         *
         *     **Problem codes of its own:** `not_found` (404), `backup_pinned` (409), `limit_reached` (409).
         */
        delete: operations["deleteBackup"];
        options?: never;
        head?: never;
        /**
         * Note something or pin a backup
         * @description Changes the note of a backup, or whether it is pinned. What is pinned is deleted neither by the policy nor by request. One whose deletion was asked for already can't be pinned any more.
         *
         *     **Problem codes of its own:** `not_found` (404), `backup_being_deleted` (409).
         */
        patch: operations["updateBackup"];
        trace?: never;
    };
    "/api/instances/{instance_id}/backups/{backup_id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The game instance's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id: components["parameters"]["InstanceIdParameter"];
                /**
                 * @description The backup's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a08
                 */
                backup_id: components["parameters"]["BackupIdParameter"];
            };
            cookie?: never;
        };
        /**
         * Download a backup
         * @description Streams the archive of a backup, a zip file of any size. Its SHA-256 is that of the backup. Should what arrives not be what the agent has read, or the agent go away, the connection breaks off before `Content-Length` is reached.
         *
         *     **Problem codes of its own:** `not_found` (404), `limit_reached` (409), `agent_refused` (502), `agent_offline` (503), `agent_timeout` (504).
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
    "/api/instances/{instance_id}/backups/{backup_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The game instance's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id: components["parameters"]["InstanceIdParameter"];
                /**
                 * @description The backup's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a08
                 */
                backup_id: components["parameters"]["BackupIdParameter"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a backup
         * @description Asks the agent to put the files of a backup back where they were. All of it is unpacked beside them and checked first, then put in place at once: a damaged archive, a full disk or an agent that dies meanwhile changes nothing or is finished when the agent is back. An instance that runs is left alone, and the command fails with `still_running`, unless it is to be stopped for it. The answer is the command.
         *
         *     **Problem codes of its own:** `not_found` (404), `limit_reached` (409), `wipe_under_way` (409).
         */
        post: operations["runBackupRestoration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{instance_id}/files": {
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
         * List a directory
         * @description Lists what is in a directory of the instance, by name. It is read anew for each page.
         *
         *     **Problem codes of its own:** `not_found` (404), `wrong_file_type` (409), `path_refused` (422), `agent_refused` (502), `agent_offline` (503), `agent_timeout` (504).
         */
        get: operations["listFiles"];
        put?: never;
        post?: never;
        /**
         * Delete a file or directory
         * @description Deletes a file, a symbolic link itself or an empty directory; with `recursive` a directory with all that is in it. It is gone from its path at once. The space of a large directory is freed little by little, also when the agent is restarted meanwhile.
         *
         *     **Problem codes of its own:** `not_found` (404), `directory_not_empty` (409), `path_refused` (422), `disk_full` (507), `agent_refused` (502), `agent_offline` (503), `agent_timeout` (504).
         */
        delete: operations["deleteFile"];
        options?: never;
        head?: never;
        /**
         * Rename a file or directory
         * @description Gives a file or directory another path of the same instance, in one step. The directory of the new path must be there. A symbolic link is renamed itself.
         *
         *     **Problem codes of its own:** `not_found` (404), `file_exists` (409), `wrong_file_type` (409), `path_refused` (422), `disk_full` (507), `agent_refused` (502), `agent_offline` (503), `agent_timeout` (504).
         */
        patch: operations["updateFile"];
        trace?: never;
    };
    "/api/instances/{instance_id}/files/archives": {
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
         * Pack files into a zip file
         * @description Asks the agent to pack files and directories into a new zip file, which appears once it is whole. Symbolic links, devices, pipes and sockets are left out, and so is the zip file itself. At most 100,000 entries and 64 GiB are packed. The answer is the command.
         *
         *     **Problem codes of its own:** `not_found` (404), `path_refused` (422), `limit_reached` (409).
         */
        post: operations["createFileArchive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{instance_id}/files/content": {
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
         * Read a text file
         * @description Answers the text of a file of at most 256 KiB. Its `ETag` is what `If-Match` takes when it is written. Download what is larger or no UTF-8 text.
         *
         *     **Problem codes of its own:** `not_found` (404), `wrong_file_type` (409), `path_refused` (422), `file_too_large` (422), `not_text` (422), `agent_refused` (502), `agent_offline` (503), `agent_timeout` (504).
         */
        get: operations["getFileContent"];
        /**
         * Write a text file
         * @description Writes a file of at most 256 KiB, or creates it in a directory that is there. Readers find either the old or the new text. With `If-Match` nobody's change is lost, save for one that the game server makes in the same moment.
         *
         *     **Problem codes of its own:** `not_found` (404), `wrong_file_type` (409), `path_refused` (422), `file_too_large` (422), `stale_version` (412), `disk_full` (507), `agent_refused` (502), `agent_offline` (503), `agent_timeout` (504).
         */
        put: operations["replaceFileContent"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{instance_id}/files/directories": {
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
        /**
         * Create a directory
         * @description Creates a directory, and those above it that are missing. One that is there already is answered as it is.
         *
         *     **Problem codes of its own:** `not_found` (404), `file_exists` (409), `wrong_file_type` (409), `path_refused` (422), `disk_full` (507), `agent_refused` (502), `agent_offline` (503), `agent_timeout` (504).
         */
        put: operations["createDirectory"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{instance_id}/files/download": {
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
         * Download a file
         * @description Streams a file of any size. What arrives is checked against what the agent has read: should they differ, should the file change its length meanwhile or the agent go away, the connection breaks off before `Content-Length` is reached.
         *
         *     **Problem codes of its own:** `not_found` (404), `wrong_file_type` (409), `path_refused` (422), `limit_reached` (409), `agent_refused` (502), `agent_offline` (503), `agent_timeout` (504).
         */
        get: operations["downloadFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{instance_id}/files/extractions": {
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
         * Unpack a zip file
         * @description Asks the agent to unpack a zip file into a directory. All of it is unpacked beside its destination first and moved there once it is whole: an archive that is broken, has names that lead out of it or symbolic links, has more than 100,000 entries, unpacks to more than 16 GiB or to more than 200 times its size changes nothing. The answer is the command.
         *
         *     **Problem codes of its own:** `not_found` (404), `path_refused` (422), `limit_reached` (409).
         */
        post: operations["createFileExtraction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{instance_id}/files/stat": {
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
         * Get what a file is
         * @description Answers the kind, size and time of a file, a directory or a symbolic link itself.
         *
         *     **Problem codes of its own:** `not_found` (404), `wrong_file_type` (409), `path_refused` (422), `agent_refused` (502), `agent_offline` (503), `agent_timeout` (504).
         */
        get: operations["getFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{instance_id}/files/upload": {
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
        /**
         * Upload a file
         * @description Stores the body as a file of at most 64 GiB in a directory that is there. It appears at its path once all of it is on the host's disk and its checksum is right; an upload that breaks off leaves nothing behind. A symbolic link in its place is refused.
         *
         *     **Problem codes of its own:** `not_found` (404), `file_exists` (409), `wrong_file_type` (409), `path_refused` (422), `limit_reached` (409), `file_too_large` (422), `checksum_mismatch` (422), `disk_full` (507), `agent_refused` (502), `agent_offline` (503), `agent_timeout` (504).
         */
        put: operations["uploadFile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{instance_id}/map-deployments": {
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
         * List deployments of maps
         * @description Lists the maps that the instance was to get, newest first.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        get: operations["listMapDeployments"];
        put?: never;
        /**
         * Deploy a map to an instance
         * @description Has the agent of the instance fetch the map into the directory `maps` below the instance's root. The agent gets a link that is good for this instance only and for two hours, and puts the file in its place once its length and its checksum are right. The server keeps its map: that changes with a wipe.
         *
         *     **Problem codes of its own:** `not_found` (404), `limit_reached` (409).
         */
        post: operations["deployMap"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{instance_id}/map-deployments/{map_deployment_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The game instance's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id: components["parameters"]["InstanceIdParameter"];
                /**
                 * @description The deployment's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6d01
                 */
                map_deployment_id: components["parameters"]["MapDeploymentIdParameter"];
            };
            cookie?: never;
        };
        /**
         * Get a deployment of a map
         * @description Answers one deployment, for polling its status.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        get: operations["getMapDeployment"];
        put?: never;
        post?: never;
        /**
         * Remove a deployed map
         * @description Has the agent delete the file again. Where it is gone already that succeeds too. One that is still on its way can not be removed yet.
         *
         *     **Problem codes of its own:** `not_found` (404), `map_in_use` (409), `limit_reached` (409).
         */
        delete: operations["deleteMapDeployment"];
        options?: never;
        head?: never;
        patch?: never;
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
         *     **Problem codes of its own:** `not_found` (404), `limit_reached` (409), `wipe_under_way` (409).
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
         *     **Problem codes of its own:** `not_found` (404), `limit_reached` (409), `wipe_under_way` (409).
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
         *     **Problem codes of its own:** `not_found` (404), `limit_reached` (409), `wipe_under_way` (409).
         */
        post: operations["restartInstance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{instance_id}/players": {
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
         * List online players
         * @description Asks the instance's agent who plays right now. Only agents that reach the game server over its own protocol can tell.
         *
         *     **Problem codes of its own:** `not_found` (404), `instance_not_running` (409), `not_supported` (409), `game_unreachable` (503), `agent_offline` (503), `agent_timeout` (504).
         */
        get: operations["listPlayers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{instance_id}/players/{steam_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The game instance's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id: components["parameters"]["InstanceIdParameter"];
                /**
                 * @description The player's SteamID64.
                 * @example 76561197960287930
                 */
                steam_id: components["parameters"]["SteamIdParameter"];
            };
            cookie?: never;
        };
        /**
         * Get a player's record
         * @description Answers what was done to a player on the instance, be they on it or not: the ban that holds, one that may, how often they were kicked, banned and sent messages, and the latest actions. Of a player to whom nothing was done it says so. List player actions by `steam_id` for all of them, and for those of every instance.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        get: operations["getPlayer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{instance_id}/players/{steam_id}/kick": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The game instance's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id: components["parameters"]["InstanceIdParameter"];
                /**
                 * @description The player's SteamID64.
                 * @example 76561197960287930
                 */
                steam_id: components["parameters"]["SteamIdParameter"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Kick a player
         * @description Asks the agent to take the player off the server; nothing keeps them from coming back. The command fails with `player_not_found` when they are not on it.
         *
         *     **Problem codes of its own:** `not_found` (404), `limit_reached` (409).
         */
        post: operations["runPlayerKick"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{instance_id}/players/{steam_id}/ban": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The game instance's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id: components["parameters"]["InstanceIdParameter"];
                /**
                 * @description The player's SteamID64.
                 * @example 76561197960287930
                 */
                steam_id: components["parameters"]["SteamIdParameter"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ban a player
         * @description Asks the agent to keep the player off the server, be they on it or not; banning them anew replaces the time of the earlier ban. A ban with a duration is lifted when that is over, or as soon as the server runs after that.
         *
         *     **Problem codes of its own:** `not_found` (404), `limit_reached` (409).
         */
        post: operations["runPlayerBan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{instance_id}/players/{steam_id}/unban": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The game instance's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id: components["parameters"]["InstanceIdParameter"];
                /**
                 * @description The player's SteamID64.
                 * @example 76561197960287930
                 */
                steam_id: components["parameters"]["SteamIdParameter"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lift a ban
         * @description Asks the agent to let the player in again. Lifting a ban that there is not succeeds and changes nothing.
         *
         *     **Problem codes of its own:** `not_found` (404), `limit_reached` (409).
         */
        post: operations["cancelPlayerBan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{instance_id}/players/{steam_id}/message": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The game instance's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id: components["parameters"]["InstanceIdParameter"];
                /**
                 * @description The player's SteamID64.
                 * @example 76561197960287930
                 */
                steam_id: components["parameters"]["SteamIdParameter"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a player a message
         * @description Asks the agent to say something to a player who is on the server. Games without private messages, Rust among them, say it in the public chat, with the player's name before it.
         *
         *     **Problem codes of its own:** `not_found` (404), `limit_reached` (409).
         */
        post: operations["runPlayerMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{instance_id}/plugin-copies": {
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
         * List kept copies of plugins
         * @description Asks the instance's agent which copies of plugins it keeps: of those that were uninstalled or replaced within the last 30 days, the newest 20. The instance need not run.
         *
         *     **Problem codes of its own:** `not_found` (404), `instance_not_running` (409), `not_supported` (409), `game_unreachable` (503), `agent_offline` (503), `agent_timeout` (504).
         */
        get: operations["listPluginCopies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{instance_id}/plugin-copies/{plugin_copy_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The game instance's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id: components["parameters"]["InstanceIdParameter"];
                /**
                 * @description The kept copy's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b11
                 */
                plugin_copy_id: components["parameters"]["PluginCopyIdParameter"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a plugin from its copy
         * @description Asks the agent to put a kept copy back among the plugins, as installing it would; this undoes an uninstall. The command fails with `plugin_not_found` when there is no such copy any more, and with `files_refused` when a plugin of that name is there.
         *
         *     **Problem codes of its own:** `not_found` (404), `limit_reached` (409).
         */
        post: operations["runPluginRestore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{instance_id}/plugins": {
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
         * List plugins
         * @description Asks the instance's agent which plugins of Oxide or Carbon its game server has right now, and how they fare.
         *
         *     **Problem codes of its own:** `not_found` (404), `instance_not_running` (409), `not_supported` (409), `game_unreachable` (503), `agent_offline` (503), `agent_timeout` (504).
         */
        get: operations["listPlugins"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{instance_id}/plugins/{plugin}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The game instance's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id: components["parameters"]["InstanceIdParameter"];
                /**
                 * @description The plugin's name, as its file has it without `.cs`.
                 * @example Kits
                 */
                plugin: components["parameters"]["PluginParameter"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Install a plugin
         * @description Sends the body, a C# source of at most 4 MiB in UTF-8 that declares a class of the plugin's name, to the agent and asks it to put it among the plugins of Oxide or Carbon, whichever the instance has. The answer is the command: it succeeds once the game server has loaded the plugin, or once the file is in place when the server does not run; it fails with `plugin_failed` and the compiler's words when the plugin could not be loaded, and the file stays. A copy of a plugin that is replaced is kept.
         *
         *     **Problem codes of its own:** `not_found` (404), `not_supported` (409), `plugin_refused` (422), `file_exists` (409), `wrong_file_type` (409), `path_refused` (422), `limit_reached` (409), `file_too_large` (422), `checksum_mismatch` (422), `disk_full` (507), `agent_refused` (502), `agent_offline` (503), `agent_timeout` (504).
         */
        put: operations["uploadPlugin"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{instance_id}/plugins/{plugin}/load": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The game instance's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id: components["parameters"]["InstanceIdParameter"];
                /**
                 * @description The plugin's name, as its file has it without `.cs`.
                 * @example Kits
                 */
                plugin: components["parameters"]["PluginParameter"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Load a plugin
         * @description Asks the agent to have the game server load a plugin whose file is there. The command succeeds once it is loaded, and fails with `plugin_failed` and the reason when the game server says why it could not.
         *
         *     **Problem codes of its own:** `not_found` (404), `limit_reached` (409).
         */
        post: operations["runPluginLoad"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{instance_id}/plugins/{plugin}/reload": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The game instance's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id: components["parameters"]["InstanceIdParameter"];
                /**
                 * @description The plugin's name, as its file has it without `.cs`.
                 * @example Kits
                 */
                plugin: components["parameters"]["PluginParameter"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reload a plugin
         * @description Asks the agent to have the game server load a plugin anew, with what its file and its settings are now. The command succeeds once the server has said so. Where the agent has no RCON to the server, the command of the framework is typed at its console, and only that shows what came of it.
         *
         *     **Problem codes of its own:** `not_found` (404), `limit_reached` (409).
         */
        post: operations["runPluginReload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{instance_id}/plugins/{plugin}/uninstall": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The game instance's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id: components["parameters"]["InstanceIdParameter"];
                /**
                 * @description The plugin's name, as its file has it without `.cs`.
                 * @example Kits
                 */
                plugin: components["parameters"]["PluginParameter"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Uninstall a plugin
         * @description Asks the agent to unload a plugin and then to remove its file; its settings and data stay. A copy of the file is kept for 30 days, the newest 20 of an instance, from which it can be restored.
         *
         *     **Problem codes of its own:** `not_found` (404), `limit_reached` (409).
         */
        post: operations["runPluginUninstall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{instance_id}/plugins/{plugin}/unload": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The game instance's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id: components["parameters"]["InstanceIdParameter"];
                /**
                 * @description The plugin's name, as its file has it without `.cs`.
                 * @example Kits
                 */
                plugin: components["parameters"]["PluginParameter"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unload a plugin
         * @description Asks the agent to have the game server unload a plugin. Its file stays, and it is loaded again when the server is started anew. The command succeeds once it is unloaded.
         *
         *     **Problem codes of its own:** `not_found` (404), `limit_reached` (409).
         */
        post: operations["runPluginUnload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instances/{instance_id}/wipes": {
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
         * List an instance's wipes
         * @description Lists the wipes of one instance, newest first.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        get: operations["listInstanceWipes"];
        put?: never;
        /**
         * Wipe a game instance
         * @description Has the agent announce the wipe, save and stop the server, delete the files of that kind and nothing else, and start it again with its new map. An agent that is away gets it when it is back, within ten minutes. If a step fails, everything is put back as it was. An instance has one wipe at a time. From when the server is being stopped until the wipe has ended, it can't be started, stopped, restarted, backed up or restored by anybody else; during the countdown it can, and what is under way as that ends is waited for. Only Rust servers can be wiped.
         *
         *     **Problem codes of its own:** `not_found` (404), `limit_reached` (409), `not_supported` (409), `wipe_under_way` (409), `agent_refused` (502), `agent_offline` (503), `agent_timeout` (504), `map_not_public` (409).
         */
        post: operations["runWipe"];
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
         *     **Frames to the server**: `{ "type": "input", "id": "…", "line": "…" }` types one line (1 to 1,000 characters, one
         *     of them visible and none a control character; `id`, up to 64 characters, comes back in `input_result`, with the
         *     code `invalid` for any other line). It needs the permission `console.input` beside `console.view`. At most 10
         *     lines a second are taken.
         *
         *     **Close codes**: 4401 the session, role or license no longer allows it; 4404 the instance is gone;
         *     4408 you read too slowly (more than 1 MiB waits for you); 1008 a frame that is none of the above;
         *     1009 a frame over 16 KiB; 1001 the server is going down, ask for a new ticket and reconnect.
         *
         *     **Problem codes of its own:** `not_found` (404).
         *
         *     **Rate limits** (`ticket`): 60 requests in a minute for each caller; 300 requests in a minute for each address.
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
    "/api/early-access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign up for early access
         * @description Signs an address up and sends it a message with a link. The Founding Admin Program has 25 places. While one is left, this signup holds it for an hour, and for good once the link is followed; later the link gives a place that is left then.
         *
         *     The answer speaks of this signup and never of the address: one that had signed up before is answered in the same way, holds a place for an hour in the same way, and learns where it stands by following the link. Signing up again is no error and changes nothing. An address gets three messages a day at most.
         *
         *     **Rate limits** (`early-access`): 5 requests in 60 minutes for each address.
         */
        post: operations["createEarlyAccessSignup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/early-access/confirmations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm a signup for early access
         * @description Confirms the address with the token of the link that was sent to it, and says whether the address holds a place in the Founding Admin Program for good. The link can be followed again for a week.
         *
         *     **Problem codes of its own:** `invalid_link` (401).
         *
         *     **Rate limits** (`password-token`): 30 requests in 15 minutes for each address.
         */
        post: operations["runSignupConfirmation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/license": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your license
         * @description Answers the license that your access token carries. Its Owner may read it while it is revoked, too.
         */
        get: operations["getOwnLicense"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update your license
         * @description Changes the fields that are given; the others stay as they are. Public addresses move with the subdomain; the former one is kept for you for 90 days, the ten latest if there are more, and then free for others. Names that belong to the platform, such as `www` or `api`, are taken.
         *
         *     **Problem codes of its own:** `subdomain_taken` (409).
         */
        patch: operations["updateOwnLicense"];
        trace?: never;
    };
    "/api/license/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the license's data
         * @description Streams everything that is stored of the license, one JSON object a line: `table`, and the `row` as it is stored. Hashes of secrets are left out. Rows that change while it runs may show their former or their new state. The last line is `{"end":true}`; without it the export is incomplete. The Owner may take it while the license is revoked, too.
         */
        get: operations["exportLicense"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/license/rotate-companion-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the companion token
         * @description Makes a new companion token. The one used so far is refused at once, and every agent is cut off the message bus until it signs in with the new one; game servers go on running meanwhile.
         */
        post: operations["replaceCompanionToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/license/rotate-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the license key
         * @description Makes a new license key. The one used so far is refused at once, so give the new one to every game plugin that authenticates with it.
         */
        post: operations["replaceLicenseKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/migration/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the configuration
         * @description Downloads what the license has configured, as one document that another license, here or elsewhere, can import. It holds no secrets, no people and nothing that was recorded. Things are named in it as people know them, by names instead of ids. Without its `checksum`, which comes last, it is incomplete. A document of more than 7 MiB, or one with more entries than an import takes, is refused.
         *
         *     **Problem codes of its own:** `export_too_large` (422).
         */
        get: operations["exportMigration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/migration/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import a configuration
         * @description Brings the license to what a document says, all of it or nothing. What both have is told by its name; what only the license has is left alone, and nothing is ever deleted. Importing the same document again changes nothing. With `dry_run` it answers what would happen and what is in the way, and changes nothing.
         *
         *     You need the permissions that each change would need by itself: `roles.manage`, `clusters.manage`, `fleet.manage` to put instances into clusters, `backups.manage`, `schedules.manage`, `siteconfig.manage`; what roles come to hold you must hold, and what schedules do you must be allowed to do. System roles and people's memberships are never touched. An entry for an instance that the license does not have is skipped, and the report says so; `instance_map` says which one is meant. The body has at most 8 MiB.
         *
         *     **Problem codes of its own:** `not_found` (404), `checksum_mismatch` (422), `import_refused` (422), `beyond_own_permissions` (403), `name_taken` (409).
         */
        post: operations["importMigration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/maps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List maps
         * @description Lists the maps that were uploaded to the license, newest first.
         */
        get: operations["listMaps"];
        put?: never;
        /**
         * Upload a map
         * @description Stores a map file of at most 200 MiB. Send `name` before `file`, which comes last. What the file is, is told from its content: a map of Rust in format 9 or 10, whole. A file that the license has already is not stored again: the answer is the map that is there, under its name, so that an upload whose answer was lost can simply be repeated. A license has at most 100 maps of 10 GiB together.
         *
         *     **Problem codes of its own:** `limit_reached` (409), `invalid_map` (422), `infected_file` (422).
         */
        post: operations["uploadMap"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/maps/{map_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The map's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6c01
                 */
                map_id: components["parameters"]["MapIdParameter"];
            };
            cookie?: never;
        };
        /**
         * Get a map
         * @description Answers one map. Its `ETag` is what `If-Match` takes when it is changed.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        get: operations["getMap"];
        put?: never;
        post?: never;
        /**
         * Delete a map
         * @description Deletes a map that no instance has or is about to get, with what is known of its former deployments. Remove it from its instances first.
         *
         *     **Problem codes of its own:** `not_found` (404), `map_in_use` (409), `stale_version` (412).
         */
        delete: operations["deleteMap"];
        options?: never;
        head?: never;
        /**
         * Rename or publish a map
         * @description Changes the fields that are given; the others stay as they are. Files that were deployed keep
         *       the names they have, and addresses that were given away stay good after a rename.
         *
         *     **Problem codes of its own:** `not_found` (404), `stale_version` (412), `map_in_use` (409).
         */
        patch: operations["updateMap"];
        trace?: never;
    };
    "/api/maps/{map_id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The map's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6c01
                 */
                map_id: components["parameters"]["MapIdParameter"];
            };
            cookie?: never;
        };
        /**
         * Download a map
         * @description Streams the file. A single `Range` is answered with 206 and that part of it, also under the `If-Range` of its `ETag`; every other one with the whole file.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        get: operations["downloadMap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List channels of notifications
         * @description Lists where alerts are told, oldest first. Secrets are never in it.
         */
        get: operations["listAlertChannels"];
        put?: never;
        /**
         * Create a channel of notifications
         * @description Has alerts of the license told there from now on, and their recovery. URLs must name a public host; an e-mail address must be that of somebody of the team. What the target says is kept sealed and never answered.
         *
         *     **Problem codes of its own:** `name_taken` (409), `limit_reached` (409).
         */
        post: operations["createAlertChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/channels/{notification_channel_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The channel's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8b01
                 */
                notification_channel_id: components["parameters"]["NotificationChannelIdParameter"];
            };
            cookie?: never;
        };
        /**
         * Get a channel of notifications
         * @description Answers one channel. Its `ETag` is what `If-Match` takes when it is changed.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        get: operations["getAlertChannel"];
        put?: never;
        post?: never;
        /**
         * Delete a channel of notifications
         * @description Deletes the channel with its log. What is being sent at this moment may still arrive.
         *
         *     **Problem codes of its own:** `not_found` (404), `stale_version` (412).
         */
        delete: operations["deleteAlertChannel"];
        options?: never;
        head?: never;
        /**
         * Update a channel of notifications
         * @description Changes the fields that are given; the others stay as they are. What waits goes to the new target. Turning it off cancels what waits; alerts that are raised meanwhile are not told later.
         *
         *     **Problem codes of its own:** `not_found` (404), `name_taken` (409), `stale_version` (412).
         */
        patch: operations["updateAlertChannel"];
        trace?: never;
    };
    "/api/notifications/channels/{notification_channel_id}/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The channel's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8b01
                 */
                notification_channel_id: components["parameters"]["NotificationChannelIdParameter"];
            };
            cookie?: never;
        };
        /**
         * List notifications of a channel
         * @description Lists what was told there, or is to be, newest first. It is kept for 30 days, and for as long as its alert is open.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        get: operations["listNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/channels/{notification_channel_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The channel's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8b01
                 */
                notification_channel_id: components["parameters"]["NotificationChannelIdParameter"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test notification
         * @description Sends a notification that says it is a test, also while the channel is off. It is tried once; what came of it is in the log and on the channel.
         *
         *     **Problem codes of its own:** `not_found` (404), `limit_reached` (409).
         */
        post: operations["runNotificationTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/permissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List permissions
         * @description Lists every permission that there is, with what it allows.
         */
        get: operations["listPermissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/permissions/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain who may call an operation
         * @description Answers whether you may call an operation, and which entry of your role's permission map decides. Whether the rows that a call names are there for you is not looked at.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        get: operations["getExplanation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/player-actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List player actions
         * @description Lists what was done to players, by whom, why and how it ended, newest first.
         */
        get: operations["listPlayerActions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/maps/{map_secret}/{file_name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description What makes the address of a public map impossible to guess.
                 * @example p3J1xR0aQ7m2Vb9sKc5LwYtUe8ZdHn4oGi6fTqXyBvA
                 */
                map_secret: string;
                /**
                 * @description Name of the file, as the map's `public_url` has it; one from before the map was renamed is as good.
                 * @example five-islands-9f86d081884c.map
                 */
                file_name: string;
            };
            cookie?: never;
        };
        /**
         * Download a public map
         * @description Streams a map to everybody who knows its address, as game servers and their players do. Caches may keep it for an hour. Ranges are answered as for `downloadMap`, and an `If-None-Match` of its `ETag` with 304.
         *
         *     **Problem codes of its own:** `not_found` (404).
         *
         *     **Rate limits** (`public-download`): 120 requests in a minute for each address.
         */
        get: operations["downloadPublicMap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plugin/player-event": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tell a player event
         * @description A plugin of a game server tells that a player has joined or left. The event is stored when this answers; repeat
         *     it, with the same `event_id`, until it does. The first event with an id counts, a later one is a `duplicate`;
         *     ids are remembered for at least 14 days after their event occurred.
         *
         *     The license's key comes in the header `X-License-Key` or as `license_key` in the body; the header counts where
         *     both do. A license may send 6000 requests a minute to each replica of the platform; a plugin with much to tell
         *     uses `POST /api/plugin/player-events`.
         *
         *     Refused with a 400 is what occurred more than 5 minutes from now (set the server's clock), what occurred more
         *     than 7 days ago, an instance that the license does not have, and a name that several of its instances have:
         *     send the instance's id then.
         *
         *     ## Sessions
         *     Sessions of players are derived from all events and from the states that the agents tell of the game servers,
         *     within seconds. The order in which events arrive does not matter, nor does how often each comes: the same events
         *     make the same sessions. For each player on each instance:
         *
         *     - A join begins a session, a leave ends it.
         *     - A join while a session lasts tells that it still does; plugins repeat joins when they are loaded.
         *     - Of a leave without a join only the moment is known: it makes a session of no length, without a join.
         *     - When the game server stops, crashes or starts anew, its sessions end at that moment. When its host goes silent
         *       they end at the last moment that it was known to run. Should it turn out that the same process ran on, they
         *       last on.
         *     - A leave within 5 minutes after that belongs to the session that has ended and changes nothing.
         *     - A session that began while the server was not known to run ends at the last event that speaks of it, unless the
         *       server runs on.
         *     - A session of which nothing is told for 24 hours ended when it was last spoken of.
         *     - At the same moment, a leave comes before a join while a session lasts and after it otherwise, and events before
         *       what happens to the server.
         *
         *     **Problem codes of its own:** `license_revoked` (403).
         *
         *     **Rate limits** (`plugin-events`): 6000 requests in a minute for each caller.
         */
        post: operations["createPlayerEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plugin/player-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tell many player events
         * @description The same for as many as 500 events in one request. Those that can be taken are stored together when this answers; each that is refused is named with the reason, and repeating it is no use. A request in which some event breaks the schema is refused as a whole with a 400 whose pointers name it. The rules are those of `POST /api/plugin/player-event`.
         *
         *     **Problem codes of its own:** `license_revoked` (403).
         *
         *     **Rate limits** (`plugin-events`): 6000 requests in a minute for each caller.
         */
        post: operations["createPlayerEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the public status
         * @description How the platform fares, and the game servers whose licenses show them to everybody, oldest first, up to 100 a page and any number of pages. Without `subdomain` they are those of all such licenses; a license that shows nothing, or that there is not, answers 404. `/status` and `/status/{subdomain}` are pages for people on the same data.
         *     The answer is up to 5 seconds old, and the same for everybody. Caches may keep it for 5 seconds more; an `If-None-Match` of its `ETag` is answered with 304.
         *
         *     **Problem codes of its own:** `not_found` (404).
         *
         *     **Rate limits** (`public-status`): 600 requests in a minute for each address.
         */
        get: operations["getPublicStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List roles
         * @description Lists the license's roles, oldest first. The four system roles are among them.
         */
        get: operations["listRoles"];
        put?: never;
        /**
         * Create a role
         * @description Creates a role. It can hold only what you hold yourself: `fleet.*` needs `fleet.*` or `*`, because it will grant what is added to `fleet` later, too.
         *
         *     **Problem codes of its own:** `name_taken` (409), `beyond_own_permissions` (403), `limit_reached` (409).
         */
        post: operations["createRole"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/roles/{role_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The role's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5a01
                 */
                role_id: components["parameters"]["RoleIdParameter"];
            };
            cookie?: never;
        };
        /**
         * Get a role
         * @description Answers one role. Its `ETag` is what `If-Match` takes when it is changed.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        get: operations["getRole"];
        put?: never;
        post?: never;
        /**
         * Delete a role
         * @description Deletes a role that nobody has and nobody is invited with. System roles stay.
         *
         *     **Problem codes of its own:** `not_found` (404), `role_in_use` (409), `role_immutable` (409), `beyond_own_permissions` (403), `stale_version` (412).
         */
        delete: operations["deleteRole"];
        options?: never;
        head?: never;
        /**
         * Update a role
         * @description Changes the fields that are given; the others stay as they are. It counts within seconds for everybody who has the role, open consoles included. You must hold what the role holds, before and after.
         *
         *     **Problem codes of its own:** `not_found` (404), `name_taken` (409), `role_immutable` (409), `beyond_own_permissions` (403), `stale_version` (412).
         */
        patch: operations["updateRole"];
        trace?: never;
    };
    "/api/roles/{role_id}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The role's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5a01
                 */
                role_id: components["parameters"]["RoleIdParameter"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Duplicate a role
         * @description Creates a role under another name that allows the same. A copy of a system role can be changed.
         *
         *     **Problem codes of its own:** `not_found` (404), `name_taken` (409), `beyond_own_permissions` (403), `limit_reached` (409).
         */
        post: operations["createRoleCopy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedule-preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview a cron expression
         * @description Answers when a schedule with this expression and time zone would be due next, without creating one.
         */
        get: operations["getSchedulePreview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List schedules
         * @description Lists what is to happen by the clock in the license, oldest schedule first.
         */
        get: operations["listSchedules"];
        put?: never;
        /**
         * Create a schedule
         * @description Has something done to an instance whenever a cron expression says so, in a time zone. Each due time is run at most once. You must be allowed to do yourself what is scheduled: `restart` needs `instances.power`, `plugin_reload` `plugins.manage`, everything else `console.input`. A command that the agent has not taken ten minutes later expires, so that nothing happens hours late.
         *
         *     **Problem codes of its own:** `not_found` (404), `beyond_own_permissions` (403), `limit_reached` (409).
         */
        post: operations["createSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedules/{schedule_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The schedule's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6b01
                 */
                schedule_id: components["parameters"]["ScheduleIdParameter"];
            };
            cookie?: never;
        };
        /**
         * Get a schedule
         * @description Answers one schedule. Its `ETag` is what `If-Match` takes when it is changed.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        get: operations["getSchedule"];
        put?: never;
        post?: never;
        /**
         * Delete a schedule
         * @description Deletes the schedule and its history. A command that is under way is carried out all the same.
         *
         *     **Problem codes of its own:** `not_found` (404), `stale_version` (412).
         */
        delete: operations["deleteSchedule"];
        options?: never;
        head?: never;
        /**
         * Update a schedule
         * @description Changes the fields that are given; the others stay as they are. You must be allowed to do yourself what it does, before and after. What is due is worked out anew from now on.
         *
         *     **Problem codes of its own:** `not_found` (404), `beyond_own_permissions` (403), `stale_version` (412).
         */
        patch: operations["updateSchedule"];
        trace?: never;
    };
    "/api/schedules/{schedule_id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The schedule's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6b01
                 */
                schedule_id: components["parameters"]["ScheduleIdParameter"];
            };
            cookie?: never;
        };
        /**
         * List runs of a schedule
         * @description Lists what the schedule has done and how each run ended, newest first.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        get: operations["listScheduleRuns"];
        put?: never;
        /**
         * Run a schedule now
         * @description Does at once what the schedule does, whether it is enabled or not; when it is due next stays as it is. You must be allowed to do it yourself. How it ends is in the list of runs.
         *
         *     **Problem codes of its own:** `not_found` (404), `beyond_own_permissions` (403), `limit_reached` (409), `map_not_public` (409), `not_supported` (409), `wipe_under_way` (409).
         */
        post: operations["runSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedules/{schedule_id}/toggle": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The schedule's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6b01
                 */
                schedule_id: components["parameters"]["ScheduleIdParameter"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Enable or disable a schedule
         * @description Disables the schedule if it is enabled, and enables it if it is not; send `If-Match` to be sure which. To enable it, you must be allowed to do yourself what it does. What was due meanwhile is not caught up.
         *
         *     **Problem codes of its own:** `not_found` (404), `beyond_own_permissions` (403), `stale_version` (412).
         */
        patch: operations["switchSchedule"];
        trace?: never;
    };
    "/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Lists where events of the license are sent to, oldest first. Secrets are never in it.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description Has events of the license sent to a URL from now on, and answers the secret that signs them, this once. The URL must begin with `https://`, name a public host, and hold no user name; names that lead to private addresses are found out when something is sent. docs/webhooks.md says how to check signatures.
         *
         *     **Problem codes of its own:** `name_taken` (409), `limit_reached` (409).
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhook_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01
                 */
                webhook_id: components["parameters"]["WebhookIdParameter"];
            };
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description Answers one webhook. Its `ETag` is what `If-Match` takes when it is changed.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Deletes the webhook with its log. What is being sent at this moment may still arrive.
         *
         *     **Problem codes of its own:** `not_found` (404), `stale_version` (412).
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Update a webhook
         * @description Changes the fields that are given; the others stay as they are. What waits to be sent goes to the new URL. Disabling it cancels what waits; what happens while it is disabled is not sent later. Enabling one that was disabled for failing gives it a fresh start.
         *
         *     **Problem codes of its own:** `not_found` (404), `name_taken` (409), `stale_version` (412).
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/api/webhooks/{webhook_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01
                 */
                webhook_id: components["parameters"]["WebhookIdParameter"];
            };
            cookie?: never;
        };
        /**
         * List deliveries of a webhook
         * @description Lists what was sent, or is to be, newest first. Deliveries are kept for 30 days.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhook_id}/deliveries/{webhook_delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01
                 */
                webhook_id: components["parameters"]["WebhookIdParameter"];
                /**
                 * @description The delivery's id; receivers get it as `X-Service-Delivery`.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7b01
                 */
                webhook_delivery_id: components["parameters"]["WebhookDeliveryIdParameter"];
            };
            cookie?: never;
        };
        /**
         * Get a delivery
         * @description Answers one delivery, with the body that is sent and how the receiver refused it last.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhook_id}/deliveries/{webhook_delivery_id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01
                 */
                webhook_id: components["parameters"]["WebhookIdParameter"];
                /**
                 * @description The delivery's id; receivers get it as `X-Service-Delivery`.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7b01
                 */
                webhook_delivery_id: components["parameters"]["WebhookDeliveryIdParameter"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend a delivery
         * @description Sends a delivery again, at once and then with a fresh row of attempts, whatever became of it before. Its id and its body stay the same, so a receiver that has handled it can tell.
         *
         *     **Problem codes of its own:** `not_found` (404), `webhook_disabled` (409).
         */
        post: operations["restartWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhook_id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01
                 */
                webhook_id: components["parameters"]["WebhookIdParameter"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret
         * @description Makes a new secret and answers it, this once. For the hours you choose the one used so far signs too, so that a receiver can change over at any time meanwhile; every delivery then carries two signatures. One that was replaced before ends at once.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        post: operations["replaceWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhook_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01
                 */
                webhook_id: components["parameters"]["WebhookIdParameter"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Sends an event of the type `test`, whatever the webhook's events are. It is tried once; what came of it is in the log.
         *
         *     **Problem codes of its own:** `not_found` (404), `webhook_disabled` (409), `limit_reached` (409).
         */
        post: operations["runWebhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/site-config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what the license shows in public
         * @description Answers whether the license shows its game servers on the public status page, and what it says there. Its `ETag` is what `If-Match` takes when it is changed; the version is 0 until it is changed for the first time.
         */
        get: operations["getSiteConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update what the license shows in public
         * @description Changes the fields that are given; the others stay as they are. A game server is shown to everybody where both the license is public and the server is listed: by its own listing, or where that says nothing by `is_listed_by_default`. The public sees a change within 10 seconds.
         *
         *     **Problem codes of its own:** `stale_version` (412).
         */
        patch: operations["updateSiteConfig"];
        trace?: never;
    };
    "/api/site-config/instances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List how game servers are shown in public
         * @description Lists every game instance of the license with how the public status page shows it, oldest first.
         */
        get: operations["listSiteListings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/site-config/instances/{instance_id}": {
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
         * Get how a game server is shown in public
         * @description Answers how the public status page shows one game instance. Its `ETag` is what `If-Match` takes when it is changed; the version is 0 until it is changed for the first time.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        get: operations["getSiteListing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update how a game server is shown in public
         * @description Changes the fields that are given; the others stay as they are. The public sees it within 10 seconds.
         *
         *     **Problem codes of its own:** `not_found` (404), `stale_version` (412).
         */
        patch: operations["updateSiteListing"];
        trace?: never;
    };
    "/api/wipes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List wipes
         * @description Lists the wipes of all of the license's instances, newest first.
         */
        get: operations["listWipes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/wipes/{wipe_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The wipe's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01
                 */
                wipe_id: components["parameters"]["WipeIdParameter"];
            };
            cookie?: never;
        };
        /**
         * Get a wipe
         * @description Answers one wipe; poll it to see how it goes on.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        get: operations["getWipe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/wipes/{wipe_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The wipe's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01
                 */
                wipe_id: components["parameters"]["WipeIdParameter"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a wipe
         * @description Cancels a wipe that is `planned` or `announcing`. One that its agent has not heard of is cancelled at once; otherwise the agent is asked, and its answer decides: a server that is being stopped by then is wiped. While it has not answered, asking again changes nothing; once it could not, it is asked again.
         *
         *     **Problem codes of its own:** `not_found` (404), `limit_reached` (409), `wipe_begun` (409).
         */
        post: operations["cancelWipe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/team/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List open invitations
         * @description Lists the invitations that can still be accepted, oldest first.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite somebody by e-mail
         * @description Sends a link by which somebody can join the license with that role, for 7 days. You must hold everything that the role holds, until they accept: the invitations of somebody who is removed or loses permissions are void. An address has at most one open invitation to a license.
         *
         *     **Problem codes of its own:** `not_found` (404), `beyond_own_permissions` (403), `already_member` (409), `already_invited` (409), `limit_reached` (409).
         */
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/team/invitations/{invitation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The invitation's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5c01
                 */
                invitation_id: components["parameters"]["InvitationIdParameter"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an invitation
         * @description Makes an open invitation void. Its link stops working at once.
         *
         *     **Problem codes of its own:** `not_found` (404).
         */
        delete: operations["deleteInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/team/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the team
         * @description Lists who belongs to the license, those who joined first at the top.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/team/members/{member_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of a member of the team.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5b01
                 */
                member_id: components["parameters"]["MemberIdParameter"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member
         * @description Takes a member out of the team, with the invitations that they have sent; the API keys that they have created are revoked. Their access ends within seconds, open consoles included; their account stays. You must hold everything that their role holds. The last Owner stays.
         *
         *     **Problem codes of its own:** `not_found` (404), `beyond_own_permissions` (403), `last_owner` (409).
         */
        delete: operations["deleteMember"];
        options?: never;
        head?: never;
        /**
         * Change a member's role
         * @description Gives a member another role. It counts within seconds, open consoles included. You must hold everything that their role so far and the new one hold. The last Owner stays one.
         *
         *     **Problem codes of its own:** `not_found` (404), `beyond_own_permissions` (403), `last_owner` (409).
         */
        patch: operations["updateMember"];
        trace?: never;
    };
    "/api/team/membership": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Leave the team
         * @description Takes you out of the team of the license that your access token carries; the API keys that you have created there are revoked. The last Owner can't leave.
         *
         *     **Problem codes of its own:** `last_owner` (409), `license_required` (403), `license_revoked` (403).
         */
        delete: operations["deleteOwnMembership"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "player-banned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive player_banned
         * @description Sent when a game server has carried out a ban.
         */
        post: operations["receivePlayerBanned"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "server-down": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive server_down
         * @description Sent when a host goes offline or a game server crashes, once for each outage.
         */
        post: operations["receiveServerDown"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    test: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive test
         * @description Sent when somebody tests the webhook.
         */
        post: operations["receiveTestEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "wipe-completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive wipe_completed
         * @description Sent when a wipe has come to its end as planned.
         */
        post: operations["receiveWipeCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
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
         * @description At least 12 characters, of any kind, that are hard to guess: neither common words and patterns alone nor what the e-mail address says.
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
         *       "token": "gantry_challenge_6fJm2yq8Q0mT3l9xw1B7c5Vn4ZsKpRdE",
         *       "expires_at": "2026-11-21T10:05:00.000Z"
         *     }
         */
        Challenge: {
            /** @description Good for answering this challenge and for nothing else. */
            token: string;
            /**
             * Format: date-time
             * @description From this time on nothing but signing in anew helps.
             */
            expires_at: string;
        };
        /**
         * @example {
         *       "status": "totp_required",
         *       "session": null,
         *       "challenge": {
         *         "token": "gantry_challenge_6fJm2yq8Q0mT3l9xw1B7c5Vn4ZsKpRdE",
         *         "expires_at": "2026-11-21T10:05:00.000Z"
         *       }
         *     }
         */
        SignIn: {
            /**
             * @description `signed_in` comes with the session, `totp_required` with a challenge to answer first.
             * @enum {string}
             */
            status: "signed_in" | "totp_required";
            /** @description The tokens of the new session; `null` while a second factor is missing. */
            session: components["schemas"]["Session"] | null;
            /** @description What `POST /auth/login/totp` wants to have answered; `null` once signed in. */
            challenge: components["schemas"]["Challenge"] | null;
        };
        /**
         * @description Six digits of the authenticator app, or a recovery code. Works once.
         * @example 492039
         */
        SecondFactorCode: string;
        /**
         * @example {
         *       "challenge_token": "gantry_challenge_6fJm2yq8Q0mT3l9xw1B7c5Vn4ZsKpRdE",
         *       "code": "492039"
         *     }
         */
        ChallengeAnswer: {
            /** @description The one that signing in was answered with. */
            challenge_token: string;
            code: components["schemas"]["SecondFactorCode"];
        };
        /**
         * @example {
         *       "current_password": "former-horse-battery",
         *       "new_password": "sturdy-goose-lantern"
         *     }
         */
        PasswordChange: {
            /**
             * Format: password
             * @description The one that signs you in today.
             */
            current_password: string;
            new_password: components["schemas"]["NewPassword"];
        };
        /**
         * @example {
         *       "email": "owner@example.com"
         *     }
         */
        PasswordResetRequest: {
            email: components["schemas"]["Email"];
        };
        /**
         * @example {
         *       "token": "gantry_password_6fJm2yq8Q0mT3l9xw1B7c5Vn4ZsKpRdE",
         *       "password": "sturdy-goose-lantern"
         *     }
         */
        PasswordReset: {
            /** @description What stands behind the `#` of the link. */
            token: string;
            password: components["schemas"]["NewPassword"];
        };
        /**
         * @example {
         *       "secret": "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
         *       "otpauth_uri": "otpauth://totp/Gantry:owner%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Gantry",
         *       "qr_code": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVQI12P4DwABAQEAG7buVgAAAABJRU5ErkJggg=="
         *     }
         */
        TotpSetup: {
            /** @description For typing into the app, in Base32. */
            secret: string;
            /** @description The same, with the names that the app shows. */
            otpauth_uri: string;
            /** @description The URI as an image to be scanned, as a data URL. */
            qr_code: string;
        };
        /**
         * @example {
         *       "code": "492039"
         *     }
         */
        TotpCode: {
            /** @description The six digits that the authenticator app shows now. */
            code: string;
        };
        /**
         * @example {
         *       "recovery_codes": [
         *         "7KQ2-M9XD-4TPA-ZC8W",
         *         "0HJ5-VWR3-N6EB-S1GY"
         *       ]
         *     }
         */
        RecoveryCodes: {
            /** @description Keep them apart from the app: each lets you in once when it is lost. */
            recovery_codes: string[];
        };
        /**
         * @example {
         *       "code": "492039"
         *     }
         */
        FactorCode: {
            code: components["schemas"]["SecondFactorCode"];
        };
        /**
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4f01",
         *       "created_at": "2026-11-21T10:00:00.000Z",
         *       "last_used_at": "2026-11-21T10:15:00.000Z",
         *       "source": "198.51.100.7",
         *       "license_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01",
         *       "is_current": true
         *     }
         */
        UserSession: {
            /**
             * Format: uuid
             * @description The `sid` of its access tokens.
             */
            id: string;
            /**
             * Format: date-time
             * @description When it was signed in.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its tokens were renewed last.
             */
            last_used_at: string;
            /** @description Address that its tokens were asked for from last; `null` where it was not noted. */
            source: string | null;
            /**
             * Format: uuid
             * @description The license that it works in; `null` for none.
             */
            license_id: string | null;
            /** @description Whether it is the one that asks. */
            is_current: boolean;
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
         *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4f01",
         *           "created_at": "2026-11-21T10:00:00.000Z",
         *           "last_used_at": "2026-11-21T10:15:00.000Z",
         *           "source": "198.51.100.7",
         *           "license_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01",
         *           "is_current": true
         *         }
         *       ],
         *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0ZjAx"
         *     }
         */
        UserSessionPage: {
            /** @description The sessions of this page, newest first. */
            data: components["schemas"]["UserSession"][];
            next_cursor: components["schemas"]["NextCursor"];
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
        Permission: "alerts.manage" | "alerts.view" | "analytics.view" | "apikeys.manage" | "apikeys.view" | "audit.view" | "backups.manage" | "backups.restore" | "backups.view" | "clusters.manage" | "commands.view" | "console.input" | "console.view" | "files.manage" | "files.view" | "fleet.manage" | "fleet.view" | "instances.power" | "license.export" | "license.manage" | "license.view" | "migration.export" | "migration.import" | "maps.manage" | "maps.view" | "notifications.manage" | "notifications.view" | "players.manage" | "players.view" | "plugins.manage" | "plugins.view" | "roles.manage" | "roles.view" | "schedules.manage" | "schedules.view" | "siteconfig.manage" | "siteconfig.view" | "team.manage" | "team.view" | "webhooks.manage" | "webhooks.view" | "wipes.trigger" | "wipes.view";
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
         *       "is_second_factor_on": false,
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
            /** @description Whether signing in takes a code besides the password. */
            is_second_factor_on: boolean;
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
         * @example {
         *       "token": "gantry_invitation_6fJm2yq8Q0mT3l9xw1B7c5Vn4ZsKpRdE",
         *       "password": "correct-horse-battery"
         *     }
         */
        InvitationAcceptance: {
            /**
             * @description From the invitation's link.
             * @example gantry_invitation_6fJm2yq8Q0mT3l9xw1B7c5Vn4ZsKpRdE
             */
            token: string;
            /** @description For an account that has no password yet. One that has keeps it: this is not looked at. */
            password?: components["schemas"]["NewPassword"];
        };
        /**
         * @example {
         *       "license_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01",
         *       "license_name": "Rusty Islands",
         *       "email": "watch@example.com",
         *       "role": "Night watch",
         *       "is_password_set": true
         *     }
         */
        AcceptedInvitation: {
            /**
             * Format: uuid
             * @description The license that was joined.
             */
            license_id: string;
            /** @description What people call that license. */
            license_name: string;
            email: components["schemas"]["Email"];
            /** @description What the role there is called. */
            role: string;
            /** @description Whether the given password is now the account's; otherwise sign in with the one it had. */
            is_password_set: boolean;
        };
        /**
         * @description The kind of resource that was changed.
         * @example cluster
         * @enum {string}
         */
        AuditTargetType: "alert" | "alert_config" | "api_key" | "backup" | "backup_policy" | "changelog_entry" | "cluster" | "command" | "file" | "host" | "instance" | "invitation" | "license" | "map" | "map_deployment" | "member" | "notification_channel" | "player_action" | "recovery_code" | "role" | "schedule" | "second_factor" | "session" | "site_config" | "site_listing" | "subscription" | "user" | "webhook" | "wipe";
        /**
         * @description What became of the resource. Of files only: `attempted` is written before the agent is asked, and what became of it afterwards, `failed` when it was refused. Of an attempt that no other entry names nobody knows whether it was carried out: its agent or the platform went away meanwhile.
         * @example updated
         * @enum {string}
         */
        AuditAction: "attempted" | "created" | "updated" | "deleted" | "failed";
        /**
         * @description `user`, `api_key`, `companion` (an agent), `job`, `plugin` (a game server’s), `anonymous` (before signing in) or `system` (the platform itself).
         * @example user
         * @enum {string}
         */
        AuditActorKind: "anonymous" | "api_key" | "companion" | "job" | "plugin" | "system" | "user";
        /**
         * @example {
         *       "kind": "user",
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4c01",
         *       "label": "owner@example.com"
         *     }
         */
        AuditActor: {
            kind: components["schemas"]["AuditActorKind"];
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
            /** @description Which resource of that kind was changed; of a file, the id of its instance. */
            target_id: string;
            /** @description Fields as they were, of an update only the changed ones; `null` for what was created. Secrets are `[secret]`. Of a file, its path and what else was asked for. */
            before: {
                [key: string]: unknown;
            } | null;
            /** @description Fields as they became, of an update only the changed ones; `null` for what was deleted. Secrets are `[secret]`. Of a file, its path, size and hash, never its content; with the `attempt` that this is the outcome of, and the `problem` with which it failed. */
            after: {
                [key: string]: unknown;
            } | null;
            /** @description The request's `X-Request-Id`; `null` without a request. */
            request_id: string | null;
            /** @description Address that the request came from; `null` without a request. */
            source: string | null;
        };
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
         * Format: display-name
         * @description What people call it: text of one line, without control or invisible characters, that begins and ends with something visible.
         * @example EU islands
         */
        DisplayName: string;
        /**
         * @description What has changed, in Markdown (CommonMark). It is kept as it was written: whoever shows it as HTML leaves HTML within it out.
         * @example Servers can be restarted **on a schedule**, in any time zone.
         */
        ChangelogText: string;
        /**
         * Format: date-time
         * @description From when on everybody sees it, which may be in the future; `null` keeps it a draft. It is the place of the entry in the changelog, so that no two have the same.
         * @example 2026-11-21T10:00:00.000Z
         */
        ChangelogPublication: string | null;
        /**
         * @description An entry as super admins see it.
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6a01",
         *       "title": "Schedules",
         *       "text": "Servers can be restarted **on a schedule**, in any time zone.",
         *       "published_at": "2026-11-21T10:00:00.000Z",
         *       "version": 1,
         *       "created_at": "2026-11-20T09:00:00.000Z"
         *     }
         */
        ChangelogEntry: {
            /**
             * Format: uuid
             * @description What `changelog_entry_id` refers to elsewhere.
             */
            id: string;
            title: components["schemas"]["DisplayName"];
            text: components["schemas"]["ChangelogText"];
            published_at: components["schemas"]["ChangelogPublication"];
            /**
             * Format: int32
             * @description Counts its changes; the number in its `ETag`.
             */
            version: number;
            /**
             * Format: date-time
             * @description When it was written.
             */
            created_at: string;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6a01",
         *           "title": "Schedules",
         *           "text": "Servers can be restarted **on a schedule**, in any time zone.",
         *           "published_at": "2026-11-21T10:00:00.000Z",
         *           "version": 1,
         *           "created_at": "2026-11-20T09:00:00.000Z"
         *         }
         *       ],
         *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY2YTAx"
         *     }
         */
        ChangelogEntryPage: {
            /** @description Newest first, drafts included. */
            data: components["schemas"]["ChangelogEntry"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @example {
         *       "title": "Schedules",
         *       "text": "Servers can be restarted **on a schedule**, in any time zone.",
         *       "published_at": "2026-11-21T10:00:00.000Z"
         *     }
         */
        ChangelogEntryCreate: {
            title: components["schemas"]["DisplayName"];
            text: components["schemas"]["ChangelogText"];
            published_at?: components["schemas"]["ChangelogPublication"];
        };
        /**
         * @description What is left out stays as it is.
         * @example {
         *       "published_at": "2026-11-21T10:00:00.000Z"
         *     }
         */
        ChangelogEntryUpdate: {
            title?: components["schemas"]["DisplayName"];
            text?: components["schemas"]["ChangelogText"];
            published_at?: components["schemas"]["ChangelogPublication"];
        };
        /**
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5301",
         *       "email": "somebody@example.com",
         *       "server_count": 4,
         *       "created_at": "2026-11-21T10:00:00.000Z",
         *       "confirmed_at": "2026-11-21T10:05:00.000Z",
         *       "founding_place_at": "2026-11-21T10:05:00.000Z"
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
            /**
             * Format: date-time
             * @description When somebody who reads mail to that address confirmed it; `null` before.
             */
            confirmed_at: string | null;
            /**
             * Format: date-time
             * @description Since when the address has a place in the Founding Admin Program; `null` if it has none.
             */
            founding_place_at: string | null;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5301",
         *           "email": "somebody@example.com",
         *           "server_count": 4,
         *           "created_at": "2026-11-21T10:00:00.000Z",
         *           "confirmed_at": "2026-11-21T10:05:00.000Z",
         *           "founding_place_at": "2026-11-21T10:05:00.000Z"
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
        PlatformVitals: {
            database: components["schemas"]["DatabaseHealth"];
            bus: components["schemas"]["BusHealth"];
            jobs: components["schemas"]["JobQueueHealth"];
            /** @description Every table of the platform by its name. */
            tables: components["schemas"]["TableSize"][];
        };
        /**
         * @description Slug of the license, unique on the installation; part of its public addresses. Names of the platform's own (`www`, `api`) and those that another license has given up in the last 90 days are taken.
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
            name?: components["schemas"]["DisplayName"];
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
         * @description What an alert tells of. New kinds may appear.
         * @example population_drop
         * @enum {string}
         */
        AlertKind: "agent_outdated" | "disk_full" | "host_down" | "instance_crashed" | "low_fps" | "population_drop";
        /**
         * @description How bad it is.
         * @example Warning
         * @enum {string}
         */
        AlertSeverity: "Info" | "Warning" | "Critical";
        /**
         * @description Why an alert has ended: what it told of is well again, alerts of its kind were turned off, or what it told of was deleted.
         * @example recovered
         * @enum {string}
         */
        AlertEndReason: "recovered" | "turned_off" | "gone";
        /**
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8a01",
         *       "kind": "population_drop",
         *       "severity": "Warning",
         *       "host_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a01",
         *       "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
         *       "subject_name": "main",
         *       "message": "Players fell by 75 % within 30 minutes, from 80 to 20.",
         *       "metadata": {
         *         "players_before": 80,
         *         "players_now": 20,
         *         "drop_percent": 75,
         *         "threshold_percent": 50,
         *         "window_minutes": 30
         *       },
         *       "raised_at": "2026-11-21T10:05:00.000Z",
         *       "ended_at": null,
         *       "end_reason": null,
         *       "acknowledged_at": null,
         *       "acknowledged_by": null
         *     }
         */
        Alert: {
            /**
             * Format: uuid
             * @description What `alert_id` refers to elsewhere.
             */
            id: string;
            kind: components["schemas"]["AlertKind"];
            severity: components["schemas"]["AlertSeverity"];
            /**
             * Format: uuid
             * @description The host; it may be deleted by now.
             */
            host_id: string;
            /**
             * Format: uuid
             * @description The game instance, which may be deleted by now; `null` when it tells of the host itself.
             */
            instance_id: string | null;
            /** @description What the instance, or else the host, was called. */
            subject_name: string;
            /** @description What had happened, in a sentence. */
            message: string;
            /** @description The figures it was raised with, by kind. `population_drop`: `players_before`, `players_now`, `drop_percent`, `threshold_percent`, `window_minutes`. `low_fps`: `fps`, `threshold_fps`, `window_minutes`. `host_down`: `last_heartbeat_at`. `agent_outdated`: `agent_version`, `minimum_version`. `instance_crashed`: `crashed_at`. `disk_full`: `used_percent`, `threshold_percent`. */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it was raised.
             */
            raised_at: string;
            /**
             * Format: date-time
             * @description When it ended; `null` while it is open.
             */
            ended_at: string | null;
            /** @description Why it ended; `null` while it is open. */
            end_reason: components["schemas"]["AlertEndReason"] | null;
            /**
             * Format: date-time
             * @description When somebody has acknowledged it; `null` while nobody has.
             */
            acknowledged_at: string | null;
            /** @description Who has; `null` while nobody has. */
            acknowledged_by: string | null;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8a01",
         *           "kind": "population_drop",
         *           "severity": "Warning",
         *           "host_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a01",
         *           "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
         *           "subject_name": "main",
         *           "message": "Players fell by 75 % within 30 minutes, from 80 to 20.",
         *           "metadata": {
         *             "players_before": 80,
         *             "players_now": 20,
         *             "drop_percent": 75,
         *             "threshold_percent": 50,
         *             "window_minutes": 30
         *           },
         *           "raised_at": "2026-11-21T10:05:00.000Z",
         *           "ended_at": null,
         *           "end_reason": null,
         *           "acknowledged_at": null,
         *           "acknowledged_by": null
         *         }
         *       ],
         *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY4YTAx"
         *     }
         */
        AlertPage: {
            /** @description Newest first. */
            data: components["schemas"]["Alert"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @description Whether alerts of this kind are raised. Turning it off ends those that are open, untold.
         * @example true
         */
        AlertRuleSwitch: boolean;
        /**
         * @description The oldest version that will do; `null` for the one that comes with this platform.
         * @example 0.1.0
         */
        LeastAgentVersion: string | null;
        /**
         * @description The version of the agent of a host that is online.
         * @example {
         *       "is_enabled": true,
         *       "severity": "Info",
         *       "minimum_version": null
         *     }
         */
        AgentOutdatedRule: {
            is_enabled: components["schemas"]["AlertRuleSwitch"];
            severity: components["schemas"]["AlertSeverity"];
            minimum_version: components["schemas"]["LeastAgentVersion"];
        };
        /**
         * @description How much of the disk may be used.
         * @example 90
         */
        DiskPercent: number;
        /**
         * @description The used share of the disk of a host that is online.
         * @example {
         *       "is_enabled": true,
         *       "severity": "Warning",
         *       "percent": 90
         *     }
         */
        DiskFullRule: {
            is_enabled: components["schemas"]["AlertRuleSwitch"];
            severity: components["schemas"]["AlertSeverity"];
            percent: components["schemas"]["DiskPercent"];
        };
        /**
         * @description For how long a host must have said nothing.
         * @example 3
         */
        AfterMinutes: number;
        /**
         * @description A host that is offline, by goodbye or by silence.
         * @example {
         *       "is_enabled": true,
         *       "severity": "Critical",
         *       "after_minutes": 3
         *     }
         */
        HostDownRule: {
            is_enabled: components["schemas"]["AlertRuleSwitch"];
            severity: components["schemas"]["AlertSeverity"];
            after_minutes: components["schemas"]["AfterMinutes"];
        };
        /**
         * @description An instance whose process has ended without being asked to, until it runs again or is stopped.
         * @example {
         *       "is_enabled": true,
         *       "severity": "Critical"
         *     }
         */
        InstanceCrashedRule: {
            is_enabled: components["schemas"]["AlertRuleSwitch"];
            severity: components["schemas"]["AlertSeverity"];
        };
        /**
         * @description The frames per second that are enough.
         * @example 15
         */
        LeastFps: number;
        /**
         * @description How far back is looked, in steps of five minutes.
         * @example 30
         */
        WindowMinutes: number;
        /**
         * @description The frames per second of an instance on average over the window that ends with the last five minutes.
         * @example {
         *       "is_enabled": true,
         *       "severity": "Warning",
         *       "fps": 15,
         *       "window_minutes": 10
         *     }
         */
        LowFpsRule: {
            is_enabled: components["schemas"]["AlertRuleSwitch"];
            severity: components["schemas"]["AlertSeverity"];
            fps: components["schemas"]["LeastFps"];
            window_minutes: components["schemas"]["WindowMinutes"];
        };
        /**
         * @description By how much players must have become fewer.
         * @example 50
         */
        PopulationDropPercent: number;
        /**
         * @description Below how many players at the best time of the window nothing is a drop.
         * @example 10
         */
        LeastPlayers: number;
        /**
         * @description The players of an instance in the last five minutes that are over, on average, against the best five minutes of the window before them.
         * @example {
         *       "is_enabled": true,
         *       "severity": "Warning",
         *       "percent": 50,
         *       "window_minutes": 30,
         *       "min_players": 10
         *     }
         */
        PopulationDropRule: {
            is_enabled: components["schemas"]["AlertRuleSwitch"];
            severity: components["schemas"]["AlertSeverity"];
            percent: components["schemas"]["PopulationDropPercent"];
            window_minutes: components["schemas"]["WindowMinutes"];
            min_players: components["schemas"]["LeastPlayers"];
        };
        /**
         * @description When alerts are raised, by kind.
         * @example {
         *       "agent_outdated": {
         *         "is_enabled": true,
         *         "severity": "Info",
         *         "minimum_version": null
         *       },
         *       "disk_full": {
         *         "is_enabled": true,
         *         "severity": "Warning",
         *         "percent": 90
         *       },
         *       "host_down": {
         *         "is_enabled": true,
         *         "severity": "Critical",
         *         "after_minutes": 3
         *       },
         *       "instance_crashed": {
         *         "is_enabled": true,
         *         "severity": "Critical"
         *       },
         *       "low_fps": {
         *         "is_enabled": true,
         *         "severity": "Warning",
         *         "fps": 15,
         *         "window_minutes": 10
         *       },
         *       "population_drop": {
         *         "is_enabled": true,
         *         "severity": "Warning",
         *         "percent": 50,
         *         "window_minutes": 30,
         *         "min_players": 10
         *       }
         *     }
         */
        AlertRules: {
            agent_outdated: components["schemas"]["AgentOutdatedRule"];
            disk_full: components["schemas"]["DiskFullRule"];
            host_down: components["schemas"]["HostDownRule"];
            instance_crashed: components["schemas"]["InstanceCrashedRule"];
            low_fps: components["schemas"]["LowFpsRule"];
            population_drop: components["schemas"]["PopulationDropRule"];
        };
        /**
         * @example {
         *       "rules": {
         *         "agent_outdated": {
         *           "is_enabled": true,
         *           "severity": "Info",
         *           "minimum_version": null
         *         },
         *         "disk_full": {
         *           "is_enabled": true,
         *           "severity": "Warning",
         *           "percent": 90
         *         },
         *         "host_down": {
         *           "is_enabled": true,
         *           "severity": "Critical",
         *           "after_minutes": 3
         *         },
         *         "instance_crashed": {
         *           "is_enabled": true,
         *           "severity": "Critical"
         *         },
         *         "low_fps": {
         *           "is_enabled": true,
         *           "severity": "Warning",
         *           "fps": 15,
         *           "window_minutes": 10
         *         },
         *         "population_drop": {
         *           "is_enabled": true,
         *           "severity": "Warning",
         *           "percent": 50,
         *           "window_minutes": 30,
         *           "min_players": 10
         *         }
         *       },
         *       "version": 0
         *     }
         */
        AlertConfig: {
            rules: components["schemas"]["AlertRules"];
            /**
             * Format: int32
             * @description How often it was changed.
             */
            version: number;
        };
        /**
         * @description What is left out stays as it is, within each rule too.
         * @example {
         *       "rules": {
         *         "population_drop": {
         *           "percent": 60
         *         }
         *       }
         *     }
         */
        AlertConfigUpdate: {
            /** @description The rules to change. */
            rules: {
                /** @description What to change of it. */
                agent_outdated?: {
                    is_enabled?: components["schemas"]["AlertRuleSwitch"];
                    severity?: components["schemas"]["AlertSeverity"];
                    minimum_version?: components["schemas"]["LeastAgentVersion"];
                };
                /** @description What to change of it. */
                disk_full?: {
                    is_enabled?: components["schemas"]["AlertRuleSwitch"];
                    severity?: components["schemas"]["AlertSeverity"];
                    percent?: components["schemas"]["DiskPercent"];
                };
                /** @description What to change of it. */
                host_down?: {
                    is_enabled?: components["schemas"]["AlertRuleSwitch"];
                    severity?: components["schemas"]["AlertSeverity"];
                    after_minutes?: components["schemas"]["AfterMinutes"];
                };
                /** @description What to change of it. */
                instance_crashed?: {
                    is_enabled?: components["schemas"]["AlertRuleSwitch"];
                    severity?: components["schemas"]["AlertSeverity"];
                };
                /** @description What to change of it. */
                low_fps?: {
                    is_enabled?: components["schemas"]["AlertRuleSwitch"];
                    severity?: components["schemas"]["AlertSeverity"];
                    fps?: components["schemas"]["LeastFps"];
                    window_minutes?: components["schemas"]["WindowMinutes"];
                };
                /** @description What to change of it. */
                population_drop?: {
                    is_enabled?: components["schemas"]["AlertRuleSwitch"];
                    severity?: components["schemas"]["AlertSeverity"];
                    percent?: components["schemas"]["PopulationDropPercent"];
                    window_minutes?: components["schemas"]["WindowMinutes"];
                    min_players?: components["schemas"]["LeastPlayers"];
                };
            };
        };
        /**
         * @example {
         *       "is_acknowledged": true
         *     }
         */
        AlertUpdate: {
            /** @description Whether somebody has seen to it. */
            is_acknowledged: boolean;
        };
        /**
         * @description `green` at 80 or above, `yellow` at 60 or above, `red` below.
         * @example green
         * @enum {string}
         */
        EffectivenessColor: "green" | "yellow" | "red";
        /**
         * @example {
         *       "map_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6001",
         *       "name": "Procedural Map",
         *       "average_players": 41.25,
         *       "peak_players": 50,
         *       "hours": 160.5,
         *       "sessions": 412,
         *       "unique_players": 118,
         *       "effectiveness_percent": 82.5,
         *       "effectiveness_color": "green"
         *     }
         */
        MapFigures: {
            /**
             * Format: uuid
             * @description Names the map among those that were played.
             */
            map_id: string;
            /** @description What game servers call the map. */
            name: string;
            /** @description Mean of what heartbeats counted; `null` if none counted players. */
            average_players: number | null;
            /**
             * Format: int32
             * @description The most that a heartbeat counted; `null` if none did.
             */
            peak_players: number | null;
            /** @description How long instances had the map. */
            hours: number;
            /**
             * Format: int64
             * @description Sessions that began on the map.
             */
            sessions: number;
            /**
             * Format: int64
             * @description Different players of those sessions.
             */
            unique_players: number;
            /** @description `average_players` / `peak_players` × 100, to one decimal; `null` while nobody has played. */
            effectiveness_percent: number | null;
            /** @description Of the effectiveness as it is shown; `null` without one. */
            effectiveness_color: components["schemas"]["EffectivenessColor"] | null;
        };
        /**
         * @example {
         *       "map_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6001",
         *       "name": "Procedural Map",
         *       "effectiveness_percent": 82.5
         *     }
         */
        BestMap: {
            /**
             * Format: uuid
             * @description Which one of the maps it is.
             */
            map_id: string;
            /** @description What game servers call it. */
            name: string;
            /** @description What its average is of its peak, to one decimal. */
            effectiveness_percent: number;
        };
        /**
         * @example {
         *       "range": "90d",
         *       "from": "2026-08-24",
         *       "maps": [
         *         {
         *           "map_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6001",
         *           "name": "Procedural Map",
         *           "average_players": 41.25,
         *           "peak_players": 50,
         *           "hours": 160.5,
         *           "sessions": 412,
         *           "unique_players": 118,
         *           "effectiveness_percent": 82.5,
         *           "effectiveness_color": "green"
         *         }
         *       ],
         *       "best_map": {
         *         "map_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6001",
         *         "name": "Procedural Map",
         *         "effectiveness_percent": 82.5
         *       },
         *       "rotation_effectiveness_percent": 82.5
         *     }
         */
        MapAnalytics: {
            /**
             * @description What was asked for.
             * @enum {string}
             */
            range: "30d" | "90d" | "all";
            /**
             * Format: date
             * @description The first day of UTC that counts; `null` for everything.
             */
            from: string | null;
            /** @description Every map that was played, the one with most hours first. */
            maps: components["schemas"]["MapFigures"][];
            /** @description The map with the highest effectiveness, of two with the same the one with more hours; `null` if none has one. */
            best_map: components["schemas"]["BestMap"] | null;
            /** @description Mean of the maps' effectiveness weighted by their hours, to one decimal; `null` if none has one. */
            rotation_effectiveness_percent: number | null;
        };
        /**
         * @description Name in the IANA time zone database, such as `Europe/Berlin` or `UTC`.
         * @example Europe/Berlin
         */
        TimeZone: string;
        /**
         * @example {
         *       "weekday": 6,
         *       "hour": 20,
         *       "average_players": 52.75
         *     }
         */
        HourOfWeek: {
            /** @description 1 is Monday. */
            weekday: number;
            /** @description The hour that begins then by those clocks. */
            hour: number;
            /** @description How many played at a time, on average, to two decimals. */
            average_players: number;
        };
        /**
         * @example {
         *       "from": "2026-10-23",
         *       "to": "2026-11-21",
         *       "time_zone": "Europe/Berlin",
         *       "peak": {
         *         "weekday": 6,
         *         "hour": 20,
         *         "average_players": 52.75
         *       },
         *       "hours": [
         *         {
         *           "weekday": 6,
         *           "hour": 20,
         *           "average_players": 52.75
         *         }
         *       ]
         *     }
         */
        PeakHourAnalytics: {
            /**
             * Format: date
             * @description The first day of the period.
             */
            from: string;
            /**
             * Format: date
             * @description The last one, today.
             */
            to: string;
            time_zone: components["schemas"]["TimeZone"];
            /** @description The hour with the most, of several the first of the week; `null` if nobody played. */
            peak: components["schemas"]["HourOfWeek"] | null;
            /** @description Every hour of the week that the period has touched, from Monday on. */
            hours: components["schemas"]["HourOfWeek"][];
        };
        /**
         * @example {
         *       "day": "2026-11-21",
         *       "unique_players": 40,
         *       "new_players": 10,
         *       "returning_players": 30
         *     }
         */
        PlayersOfDay: {
            /**
             * Format: date
             * @description A day of UTC.
             */
            day: string;
            /**
             * Format: int64
             * @description Different players of that day.
             */
            unique_players: number;
            /**
             * Format: int64
             * @description Those who had not played before that day.
             */
            new_players: number;
            /**
             * Format: int64
             * @description The others.
             */
            returning_players: number;
        };
        /**
         * @example {
         *       "from": "2026-10-23",
         *       "to": "2026-11-21",
         *       "unique_players": 118,
         *       "new_players": 59,
         *       "returning_players": 59,
         *       "new_percent": 50,
         *       "days": [
         *         {
         *           "day": "2026-11-21",
         *           "unique_players": 40,
         *           "new_players": 10,
         *           "returning_players": 30
         *         }
         *       ]
         *     }
         */
        PlayerAnalytics: {
            /**
             * Format: date
             * @description The first day of the period.
             */
            from: string;
            /**
             * Format: date
             * @description The last one, today.
             */
            to: string;
            /**
             * Format: int64
             * @description Different players of the whole period.
             */
            unique_players: number;
            /**
             * Format: int64
             * @description Those who had not played before the period.
             */
            new_players: number;
            /**
             * Format: int64
             * @description The others.
             */
            returning_players: number;
            /** @description The share of new ones, to one decimal; `null` without players. */
            new_percent: number | null;
            /** @description Days on which somebody played, oldest first. */
            days: components["schemas"]["PlayersOfDay"][];
        };
        /**
         * @description What is deleted: `map` the map, the world and what players have in it, `blueprints` what players have learned, `full` both and who they are to each other. Settings, administrators, bans and pairings of phones always stay.
         * @example map
         * @enum {string}
         */
        WipeKind: "map" | "blueprints" | "full";
        /**
         * @example {
         *       "after_hours": 24,
         *       "players": 61,
         *       "percent": 50.8,
         *       "is_final": true
         *     }
         */
        RetentionPoint: {
            /**
             * @description How long after the wipe the 24 hours begin.
             * @enum {integer}
             */
            after_hours: 24 | 48 | 72;
            /**
             * Format: int64
             * @description Those of the cohort with a session in these 24 hours; `null` until they have begun.
             */
            players: number | null;
            /** @description Their share of the cohort, to one decimal; `null` until these 24 hours have begun, and of nobody. */
            percent: number | null;
            /** @description Whether these 24 hours are over. */
            is_final: boolean;
        };
        /**
         * @example {
         *       "wipe_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5b01",
         *       "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
         *       "instance_name": "main",
         *       "kind": "map",
         *       "wiped_at": "2026-11-12T18:00:00.000Z",
         *       "cohort_players": 120,
         *       "points": [
         *         {
         *           "after_hours": 24,
         *           "players": 61,
         *           "percent": 50.8,
         *           "is_final": true
         *         },
         *         {
         *           "after_hours": 48,
         *           "players": 48,
         *           "percent": 40,
         *           "is_final": true
         *         },
         *         {
         *           "after_hours": 72,
         *           "players": 30,
         *           "percent": 25,
         *           "is_final": true
         *         }
         *       ]
         *     }
         */
        WipeRetention: {
            /**
             * Format: uuid
             * @description Which wipe it was.
             */
            wipe_id: string;
            /**
             * Format: uuid
             * @description The game instance that was wiped.
             */
            instance_id: string;
            /** @description What it was called then. */
            instance_name: string;
            kind: components["schemas"]["WipeKind"];
            /**
             * Format: date-time
             * @description When the wipe was completed.
             */
            wiped_at: string;
            /**
             * Format: int64
             * @description Players seen in the first 24 hours.
             */
            cohort_players: number;
            /** @description 24, 48 and 72 hours after the wipe. */
            points: components["schemas"]["RetentionPoint"][];
        };
        /**
         * @example {
         *       "after_hours": 24,
         *       "wipes": 1,
         *       "average_percent": 50.8,
         *       "best_wipe_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5b01",
         *       "worst_wipe_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5b01"
         *     }
         */
        RetentionComparison: {
            /**
             * @description How long after each wipe the 24 hours begin.
             * @enum {integer}
             */
            after_hours: 24 | 48 | 72;
            /**
             * Format: int32
             * @description How many of the wipes have a share there.
             */
            wipes: number;
            /** @description Mean of their shares, to one decimal; `null` without any. */
            average_percent: number | null;
            /**
             * Format: uuid
             * @description The one with the highest share, of two the newer; `null` without any.
             */
            best_wipe_id: string | null;
            /**
             * Format: uuid
             * @description The one with the lowest share, of two the newer; `null` without any.
             */
            worst_wipe_id: string | null;
        };
        /**
         * @example {
         *       "wipes": [
         *         {
         *           "wipe_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5b01",
         *           "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
         *           "instance_name": "main",
         *           "kind": "map",
         *           "wiped_at": "2026-11-12T18:00:00.000Z",
         *           "cohort_players": 120,
         *           "points": [
         *             {
         *               "after_hours": 24,
         *               "players": 61,
         *               "percent": 50.8,
         *               "is_final": true
         *             },
         *             {
         *               "after_hours": 48,
         *               "players": 48,
         *               "percent": 40,
         *               "is_final": true
         *             },
         *             {
         *               "after_hours": 72,
         *               "players": 30,
         *               "percent": 25,
         *               "is_final": true
         *             }
         *           ]
         *         }
         *       ],
         *       "comparison": [
         *         {
         *           "after_hours": 24,
         *           "wipes": 1,
         *           "average_percent": 50.8,
         *           "best_wipe_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5b01",
         *           "worst_wipe_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5b01"
         *         }
         *       ]
         *     }
         */
        RetentionAnalytics: {
            /** @description Newest first. */
            wipes: components["schemas"]["WipeRetention"][];
            /** @description The wipes beside each other, at 24, 48 and 72 hours. */
            comparison: components["schemas"]["RetentionComparison"][];
        };
        /**
         * @description Five minutes, an hour or a day of UTC.
         * @default 1h
         * @example 1h
         * @enum {string}
         */
        SeriesStepName: "5m" | "1h" | "1d";
        /**
         * @example {
         *       "at": "2026-11-21T10:00:00.000Z",
         *       "samples": 360,
         *       "average_players": 41.25,
         *       "min_players": 38,
         *       "max_players": 45,
         *       "average_fps": 58.9,
         *       "min_fps": 51.2,
         *       "average_entities": 120345,
         *       "max_entities": 121002
         *     }
         */
        StatsPoint: {
            /**
             * Format: date-time
             * @description When the step begins.
             */
            at: string;
            /**
             * Format: int64
             * @description Heartbeats within it.
             */
            samples: number;
            /** @description Mean of the players; `null` if no heartbeat told. */
            average_players: number | null;
            /**
             * Format: int32
             * @description The fewest players; `null` if no heartbeat told.
             */
            min_players: number | null;
            /**
             * Format: int32
             * @description The most players; `null` if no heartbeat told.
             */
            max_players: number | null;
            /** @description Mean of the frames per second; `null` if no heartbeat told. */
            average_fps: number | null;
            /** @description The fewest frames per second; `null` if no heartbeat told. */
            min_fps: number | null;
            /** @description Mean of the entities; `null` if no heartbeat told. */
            average_entities: number | null;
            /**
             * Format: int32
             * @description The most entities; `null` if no heartbeat told.
             */
            max_entities: number | null;
        };
        /**
         * @example {
         *       "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
         *       "step": "1h",
         *       "points": [
         *         {
         *           "at": "2026-11-21T10:00:00.000Z",
         *           "samples": 360,
         *           "average_players": 41.25,
         *           "min_players": 38,
         *           "max_players": 45,
         *           "average_fps": 58.9,
         *           "min_fps": 51.2,
         *           "average_entities": 120345,
         *           "max_entities": 121002
         *         }
         *       ]
         *     }
         */
        StatsSeries: {
            /**
             * Format: uuid
             * @description The game instance.
             */
            instance_id: string;
            /** @description How much time a point stands for. */
            step: components["schemas"]["SeriesStepName"];
            /** @description Steps in which there was a heartbeat, oldest first. */
            points: components["schemas"]["StatsPoint"][];
        };
        /**
         * @example {
         *       "from_seconds": 1800,
         *       "to_seconds": 3600,
         *       "sessions": 90,
         *       "percent": 22.5
         *     }
         */
        SessionLengths: {
            /**
             * Format: int32
             * @description As long as this or longer.
             */
            from_seconds: number;
            /**
             * Format: int32
             * @description Shorter than this; `null` for the longest.
             */
            to_seconds: number | null;
            /**
             * Format: int64
             * @description How many were so long.
             */
            sessions: number;
            /** @description Of those whose length is known, to one decimal; `null` of none. */
            percent: number | null;
        };
        /**
         * @example {
         *       "from": "2026-10-23",
         *       "to": "2026-11-21",
         *       "sessions": 412,
         *       "unknown_sessions": 12,
         *       "average_seconds": 2710.5,
         *       "lengths": [
         *         {
         *           "from_seconds": 1800,
         *           "to_seconds": 3600,
         *           "sessions": 90,
         *           "percent": 22.5
         *         }
         *       ]
         *     }
         */
        SessionLengthAnalytics: {
            /**
             * Format: date
             * @description The first day of the period.
             */
            from: string;
            /**
             * Format: date
             * @description The last one, today.
             */
            to: string;
            /**
             * Format: int64
             * @description Sessions that began in the period.
             */
            sessions: number;
            /**
             * Format: int64
             * @description Those of them that still last or whose beginning nobody told.
             */
            unknown_sessions: number;
            /** @description Mean length of the others; `null` without any. */
            average_seconds: number | null;
            /** @description The others by their length, shortest first. */
            lengths: components["schemas"]["SessionLengths"][];
        };
        /**
         * Format: steam-id
         * @description The player's SteamID64, as text.
         * @example 76561197960287930
         */
        SteamId: string;
        /**
         * @example {
         *       "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
         *       "steam_id": "76561197960287930",
         *       "display_name": "Aster",
         *       "started_at": "2026-11-21T10:00:00.000Z",
         *       "ended_at": "2026-11-21T10:45:10.500Z",
         *       "duration_seconds": 2710.5,
         *       "is_start_known": true,
         *       "end_reason": "leave"
         *     }
         */
        PlayerSession: {
            /**
             * Format: uuid
             * @description Where the player played.
             */
            instance_id: string;
            steam_id: components["schemas"]["SteamId"];
            /** @description The name that the player had last, chosen by them and not unique; `null` if none was told. */
            display_name: string | null;
            /**
             * Format: date-time
             * @description When it began.
             */
            started_at: string;
            /**
             * Format: date-time
             * @description When it ended; `null` while it lasts.
             */
            ended_at: string | null;
            /** @description How long it was; `null` while it lasts or if its beginning is not known. */
            duration_seconds: number | null;
            /** @description Whether a join began it; otherwise only its end was told, as both times. */
            is_start_known: boolean;
            /**
             * @description The player left, the server went down, or nothing was heard any more; `null` while it lasts.
             * @enum {string|null}
             */
            end_reason: "leave" | "server_down" | "silence" | null;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
         *           "steam_id": "76561197960287930",
         *           "display_name": "Aster",
         *           "started_at": "2026-11-21T10:00:00.000Z",
         *           "ended_at": "2026-11-21T10:45:10.500Z",
         *           "duration_seconds": 2710.5,
         *           "is_start_known": true,
         *           "end_reason": "leave"
         *         }
         *       ],
         *       "next_cursor": "MjAyNi0xMS0yMVQxMDowMDowMC4wMDBaIDAxOTlhMWYwLTZjMWUtN2E0NC05ZDBlLTZmNWQxZjFmNGQwMSA3NjU2MTE5Nzk2MDI4NzkzMA"
         *     }
         */
        PlayerSessionPage: {
            /** @description Newest first. */
            data: components["schemas"]["PlayerSession"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @description Only `active` keys are taken, and those only while whoever created them may sign in. They are revoked when that person leaves the license.
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
            name: components["schemas"]["DisplayName"];
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
         * @description An entry as everybody sees it.
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6a01",
         *       "title": "Schedules",
         *       "text": "Servers can be restarted **on a schedule**, in any time zone.",
         *       "published_at": "2026-11-21T10:00:00.000Z"
         *     }
         */
        ChangelogItem: {
            /**
             * Format: uuid
             * @description The same for good; tells what has been read already.
             */
            id: string;
            title: components["schemas"]["DisplayName"];
            text: components["schemas"]["ChangelogText"];
            /**
             * Format: date-time
             * @description Since when everybody sees it.
             */
            published_at: string;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6a01",
         *           "title": "Schedules",
         *           "text": "Servers can be restarted **on a schedule**, in any time zone.",
         *           "published_at": "2026-11-21T10:00:00.000Z"
         *         }
         *       ],
         *       "next_cursor": "MjAyNi0xMS0yMVQxMDowMDowMC4wMDBa"
         *     }
         */
        ChangelogPage: {
            /** @description What was published last comes first. */
            data: components["schemas"]["ChangelogItem"][];
            next_cursor: components["schemas"]["NextCursor"];
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
         *       "queued": 0,
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
            /** @description Players who wait for a place on it; `null` when the agent can't tell. */
            queued: number | null;
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
         *           "queued": 0,
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
         *       "queued": 0,
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
            /** @description Players who wait for a place on it; `null` when the agent can't tell. */
            queued: number | null;
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
         *           "queued": 0,
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
            name: components["schemas"]["DisplayName"];
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
            name: components["schemas"]["DisplayName"];
            description?: components["schemas"]["ClusterDescription"];
        };
        /**
         * @description What is left out stays as it is.
         * @example {
         *       "description": null
         *     }
         */
        ClusterUpdate: {
            name?: components["schemas"]["DisplayName"];
            description?: components["schemas"]["ClusterDescription"];
        };
        /**
         * @example {
         *       "keep": 7
         *     }
         */
        BackupPolicy: {
            /**
             * Format: int32
             * @description How many backups are kept of those that somebody or a schedule asked for; and as many of those before wipes, and of those before restorations. Pinned ones do not count.
             */
            keep: number;
        };
        /**
         * @description How many backups of each sort to keep.
         * @example 14
         */
        BackupsToKeep: number;
        /**
         * @example {
         *       "keep": 14
         *     }
         */
        BackupPolicyUpdate: {
            keep: components["schemas"]["BackupsToKeep"];
        };
        /**
         * @description What it was made for: because somebody asked, because it was due, before a wipe, or before another backup was restored.
         * @example manual
         * @enum {string}
         */
        BackupKind: "manual" | "scheduled" | "wipe" | "before_restore";
        /**
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a08",
         *       "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
         *       "kind": "manual",
         *       "note": "Before the new map",
         *       "is_pinned": false,
         *       "is_partial": true,
         *       "paths": [
         *         "server/main",
         *         "oxide"
         *       ],
         *       "size": 52428800,
         *       "content_size": 209715200,
         *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
         *       "files": 312,
         *       "changed_files": 0,
         *       "left_out": 0,
         *       "created_at": "2026-11-21T10:00:00.000Z"
         *     }
         */
        InstanceBackup: {
            /**
             * Format: uuid
             * @description What `backup_id` refers to; of a backup that was asked for, the id of its command.
             */
            id: string;
            /**
             * Format: uuid
             * @description The game instance that it is of.
             */
            instance_id: string;
            kind: components["schemas"]["BackupKind"];
            /** @description What somebody wrote down about it; `null` for nothing. */
            note: string | null;
            /** @description Whether it is kept until somebody unpins it, whatever the policy says. */
            is_pinned: boolean;
            /** @description Whether it is of some paths only. */
            is_partial: boolean;
            /** @description What it is of; `null` of a backup of everything, and where there are too many paths to tell. */
            paths: string[] | null;
            /**
             * Format: int64
             * @description Of its archive, in bytes.
             */
            size: number;
            /**
             * Format: int64
             * @description Of what is in it, in bytes.
             */
            content_size: number;
            /** @description The SHA-256 of its archive in lower-case hexadecimal. */
            sha256: string;
            /**
             * Format: int32
             * @description How many files are in it.
             */
            files: number;
            /**
             * Format: int32
             * @description How many files changed, or went away, while they were read.
             */
            changed_files: number;
            /**
             * Format: int32
             * @description How much is not in it: symbolic links, devices, pipes, sockets, and names that are none on every system.
             */
            left_out: number;
            /**
             * Format: date-time
             * @description When it was begun, by the clock of its host.
             */
            created_at: string;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a08",
         *           "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
         *           "kind": "manual",
         *           "note": "Before the new map",
         *           "is_pinned": false,
         *           "is_partial": true,
         *           "paths": [
         *             "server/main",
         *             "oxide"
         *           ],
         *           "size": 52428800,
         *           "content_size": 209715200,
         *           "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
         *           "files": 312,
         *           "changed_files": 0,
         *           "left_out": 0,
         *           "created_at": "2026-11-21T10:00:00.000Z"
         *         }
         *       ],
         *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0YTA4"
         *     }
         */
        InstanceBackupPage: {
            /** @description Newest first. */
            data: components["schemas"]["InstanceBackup"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @description A path below the instance's root directory, its steps separated by `/`. `.` and `..`, absolute paths, backslashes, drive letters, control characters, names that Windows reserves (`CON`, `aux.txt`), names that end with a dot or a space, names of more than 255 bytes and paths of more than 200 steps are refused, whatever the host runs. A symbolic link on the way is never followed.
         * @example oxide/config/Kits.json
         */
        FilePath: string;
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
         * @example {
         *       "paths": [
         *         "server/main",
         *         "oxide"
         *       ],
         *       "note": "Before the new map"
         *     }
         */
        BackupCreate: {
            paths?: components["schemas"]["BackupPaths"];
            note?: components["schemas"]["BackupNote"];
        };
        /**
         * @description What the agent was asked to do.
         * @example start
         * @enum {string}
         */
        CommandKind: "announce" | "ban_player" | "cancel_wipe" | "create_backup" | "delete_backup" | "deploy_map" | "install_plugin" | "kick_player" | "load_plugin" | "message_player" | "reload_plugin" | "remove_map" | "restart" | "restore_backup" | "restore_plugin" | "start" | "stop" | "type" | "unban_player" | "uninstall_plugin" | "unload_plugin" | "unzip_file" | "wipe" | "zip_files";
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
            /** @description Why it failed, for programs: `start_failed`, `stop_failed`, `files_refused`, `not_running`, `input_failed`, `interrupted`, `expired`, `internal`, `game_unreachable`, `game_refused`, `not_supported`, `player_not_found`, `already_banned`, `plugin_failed`, `plugin_not_found`, `still_running`, `no_backup`, `backup_damaged`, `disk_full`, `map_not_fetched`, `wipe_under_way`, `wipe_begun`, `cancelled` (before the agent had it), or why the agent refused it: `unknown_instance`, `expired`, `invalid`, `not_supported`. */
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
            /** @description Who asked for it: an e-mail address, or the name of an API key or of a schedule; `null` when nobody in particular did. */
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
         *       "is_pinned": true
         *     }
         */
        BackupUpdate: {
            /** @description What to write down about it; `null` for nothing. */
            note?: components["schemas"]["BackupNote"] | null;
            /** @description Whether to keep it, whatever the policy says. */
            is_pinned?: boolean;
        };
        /**
         * @example {
         *       "keep_present": true,
         *       "remove_later": false,
         *       "stop_instance": true
         *     }
         */
        BackupRestore: {
            /**
             * @description Whether what is there now is backed up first, as a backup with the id of the command.
             * @default true
             */
            keep_present: boolean;
            /**
             * @description Whether files that came after the backup, where it is from, are removed.
             * @default false
             */
            remove_later: boolean;
            /**
             * @description Whether an instance that runs is stopped for it, and started again afterwards.
             * @default false
             */
            stop_instance: boolean;
        };
        /**
         * @description The path of a directory; empty for the root.
         * @default
         * @example oxide/config
         */
        FolderPath: string;
        /**
         * @description `symlink` is never followed; `other` is a device, a pipe or a socket, which is never opened.
         * @example file
         * @enum {string}
         */
        FileKind: "file" | "directory" | "symlink" | "other";
        /**
         * @example {
         *       "name": "Kits.json",
         *       "path": "oxide/config/Kits.json",
         *       "kind": "file",
         *       "size": 2048,
         *       "modified_at": "2026-11-21T10:00:00.000Z"
         *     }
         */
        InstanceFile: {
            /** @description The last step of the path. The host may have names that no request can take. */
            name: string;
            /** @description Where it is, relative to the root. */
            path: string;
            kind: components["schemas"]["FileKind"];
            /**
             * Format: int64
             * @description In bytes; `null` for what is no file.
             */
            size: number | null;
            /**
             * Format: date-time
             * @description When its content changed last.
             */
            modified_at: string;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "name": "Kits.json",
         *           "path": "oxide/config/Kits.json",
         *           "kind": "file",
         *           "size": 2048,
         *           "modified_at": "2026-11-21T10:00:00.000Z"
         *         }
         *       ],
         *       "next_cursor": "S2l0cy5qc29u"
         *     }
         */
        InstanceFilePage: {
            /** @description By name. */
            data: components["schemas"]["InstanceFile"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @example {
         *       "path": "oxide/config/Kits.json",
         *       "new_path": "oxide/config/Kits.old.json"
         *     }
         */
        FileRename: {
            path: components["schemas"]["FilePath"];
            new_path: components["schemas"]["FilePath"];
            /**
             * @description Whether a file that is there already is replaced. Directories never are.
             * @default false
             */
            overwrite: boolean;
        };
        /**
         * @example {
         *       "paths": [
         *         "oxide/config",
         *         "oxide/data"
         *       ],
         *       "archive_path": "oxide.zip"
         *     }
         */
        FileArchiveCreate: {
            /** @description Files and directories; directories with all that is in them. */
            paths: components["schemas"]["FilePath"][];
            archive_path: components["schemas"]["FilePath"];
        };
        /**
         * @description A SHA-256 in lower-case hexadecimal.
         * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
         */
        Sha256: string;
        /**
         * @example {
         *       "path": "oxide/config/Kits.json",
         *       "content": "{ \"Default cooldown\": 60 }",
         *       "size": 26,
         *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
         *       "modified_at": "2026-11-21T10:00:00.000Z"
         *     }
         */
        FileContent: {
            /** @description Where it is, relative to the root. */
            path: string;
            /** @description The whole text. */
            content: string;
            /**
             * Format: int64
             * @description Of the text in UTF-8.
             */
            size: number;
            sha256: components["schemas"]["Sha256"];
            /**
             * Format: date-time
             * @description When its content changed last.
             */
            modified_at: string;
        };
        /**
         * @example {
         *       "path": "oxide/config/Kits.json",
         *       "content": "{ \"Default cooldown\": 60 }"
         *     }
         */
        FileContentReplace: {
            path: components["schemas"]["FilePath"];
            /** @description The whole new text, at most 256 KiB in UTF-8. */
            content: string;
        };
        /**
         * @example {
         *       "path": "oxide/config/Kits.json",
         *       "size": 26,
         *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
         *       "modified_at": "2026-11-21T10:00:00.000Z"
         *     }
         */
        StoredFile: {
            /** @description Where it is, relative to the root. */
            path: string;
            /**
             * Format: int64
             * @description In bytes.
             */
            size: number;
            sha256: components["schemas"]["Sha256"];
            /**
             * Format: date-time
             * @description When its content changed last.
             */
            modified_at: string;
        };
        /**
         * @example {
         *       "path": "oxide/data/backup"
         *     }
         */
        DirectoryCreate: {
            path: components["schemas"]["FilePath"];
        };
        /**
         * @example {
         *       "archive_path": "oxide.zip",
         *       "path": "restored"
         *     }
         */
        FileExtraction: {
            archive_path: components["schemas"]["FilePath"];
            path?: components["schemas"]["FolderPath"];
            /**
             * @description Whether files that are there already are replaced. Without it, one that is there fails it all.
             * @default false
             */
            overwrite: boolean;
        };
        /**
         * @description `pending` until the agent has taken it on; `downloading` while it fetches the file; `deployed` once the whole file lies below the instance's root and its checksum is right. `failed` leaves nothing of it there. `removing` and `removed` come after it was asked to be removed.
         * @example deployed
         * @enum {string}
         */
        MapDeploymentStatus: "pending" | "downloading" | "deployed" | "failed" | "removing" | "removed";
        /**
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6d01",
         *       "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
         *       "map_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6c01",
         *       "path": "maps/five-islands-9f86d081884c.map",
         *       "status": "deployed",
         *       "detail": "maps/five-islands-9f86d081884c.map is there.",
         *       "error": null,
         *       "command_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a03",
         *       "requested_by": "owner@example.com",
         *       "created_at": "2026-11-21T10:00:00.000Z",
         *       "finished_at": "2026-11-21T10:00:20.000Z"
         *     }
         */
        MapDeployment: {
            /**
             * Format: uuid
             * @description What `map_deployment_id` refers to elsewhere.
             */
            id: string;
            /**
             * Format: uuid
             * @description The game instance that gets the file.
             */
            instance_id: string;
            /**
             * Format: uuid
             * @description The map whose file it is.
             */
            map_id: string;
            /** @description Where the file is, relative to the root of the instance. */
            path: string;
            status: components["schemas"]["MapDeploymentStatus"];
            /** @description What the agent said about its success; `null` before that. */
            detail: string | null;
            /** @description Why the last command of it failed; `null` unless it did. */
            error: components["schemas"]["CommandError"] | null;
            /**
             * Format: uuid
             * @description The command that the agent was given last for it.
             */
            command_id: string;
            /** @description Who asked for it; `null` when nobody in particular did. */
            requested_by: string | null;
            /**
             * Format: date-time
             * @description When it was asked for.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the last command ended; `null` until then.
             */
            finished_at: string | null;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6d01",
         *           "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
         *           "map_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6c01",
         *           "path": "maps/five-islands-9f86d081884c.map",
         *           "status": "deployed",
         *           "detail": "maps/five-islands-9f86d081884c.map is there.",
         *           "error": null,
         *           "command_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a03",
         *           "requested_by": "owner@example.com",
         *           "created_at": "2026-11-21T10:00:00.000Z",
         *           "finished_at": "2026-11-21T10:00:20.000Z"
         *         }
         *       ],
         *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY2ZDAx"
         *     }
         */
        MapDeploymentPage: {
            /** @description Newest first. */
            data: components["schemas"]["MapDeployment"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @example {
         *       "map_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6c01"
         *     }
         */
        MapDeploymentCreate: {
            /**
             * Format: uuid
             * @description The map that the instance is to get.
             */
            map_id: string;
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
            /** @description What the player calls themself; chosen by them and not unique. */
            name: string;
            /** @description Time of a round trip to the player, in milliseconds. */
            ping_ms: number;
            /**
             * Format: int64
             * @description How long the player has been connected.
             */
            connected_seconds: number;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "steam_id": "76561197960287930",
         *           "name": "Aster",
         *           "ping_ms": 42,
         *           "connected_seconds": 900
         *         }
         *       ],
         *       "observed_at": "2026-11-21T10:00:00.000Z"
         *     }
         */
        OnlinePlayers: {
            /** @description Everybody who is on it, 1000 at most, in the order of the game server. */
            data: components["schemas"]["OnlinePlayer"][];
            /**
             * Format: date-time
             * @description When the game server said so.
             */
            observed_at: string;
        };
        /**
         * @description What was done.
         * @example ban
         * @enum {string}
         */
        PlayerActionKind: "kick" | "ban" | "unban" | "message";
        /**
         * @description How it ended, as its command did; `pending` until then. `expired` means that the agent did not take it, or did not report, in time; a result that still arrives replaces it.
         * @example succeeded
         * @enum {string}
         */
        PlayerActionStatus: "pending" | "succeeded" | "failed" | "expired";
        /**
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4f01",
         *       "kind": "ban",
         *       "steam_id": "76561197960287930",
         *       "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
         *       "instance_name": "main",
         *       "text": "Cheating",
         *       "until": "2026-11-28T10:00:00.000Z",
         *       "requested_by": "owner@example.com",
         *       "command_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a03",
         *       "status": "succeeded",
         *       "detail": "Aster is banned.",
         *       "error": null,
         *       "created_at": "2026-11-21T10:00:00.000Z",
         *       "finished_at": "2026-11-21T10:00:01.000Z",
         *       "ended_at": null
         *     }
         */
        PlayerAction: {
            /**
             * Format: uuid
             * @description Identifies this entry.
             */
            id: string;
            kind: components["schemas"]["PlayerActionKind"];
            steam_id: components["schemas"]["SteamId"];
            /**
             * Format: uuid
             * @description The game instance it happened on; `null` once that is deleted.
             */
            instance_id: string | null;
            /** @description What the instance was called then. */
            instance_name: string;
            /** @description The reason, or the message; `null` when none was given. */
            text: string | null;
            /**
             * Format: date-time
             * @description When a ban is lifted by itself; `null` when it is not.
             */
            until: string | null;
            /** @description Who did it; `null` when a ban was lifted because its time was up. */
            requested_by: string | null;
            /**
             * Format: uuid
             * @description The command that does it; `null` once its instance is deleted.
             */
            command_id: string | null;
            status: components["schemas"]["PlayerActionStatus"];
            /** @description What the agent said about its success; `null` before that. */
            detail: string | null;
            /** @description Why it failed; `null` unless it did. */
            error: components["schemas"]["CommandError"] | null;
            /**
             * Format: date-time
             * @description When it was asked for.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its command ended; `null` until then.
             */
            finished_at: string | null;
            /**
             * Format: date-time
             * @description When a ban was lifted, or replaced by a newer one; `null` while it holds.
             */
            ended_at: string | null;
        };
        /**
         * @example {
         *       "kick": 0,
         *       "ban": 1,
         *       "unban": 0,
         *       "message": 0
         *     }
         */
        PlayerActionCounts: {
            /**
             * Format: int64
             * @description How many of this kind have succeeded.
             */
            kick: number;
            /**
             * Format: int64
             * @description How many of this kind have succeeded.
             */
            ban: number;
            /**
             * Format: int64
             * @description How many of this kind have succeeded.
             */
            unban: number;
            /**
             * Format: int64
             * @description How many of this kind have succeeded.
             */
            message: number;
        };
        /**
         * @example {
         *       "steam_id": "76561197960287930",
         *       "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
         *       "ban": {
         *         "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4f01",
         *         "kind": "ban",
         *         "steam_id": "76561197960287930",
         *         "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
         *         "instance_name": "main",
         *         "text": "Cheating",
         *         "until": "2026-11-28T10:00:00.000Z",
         *         "requested_by": "owner@example.com",
         *         "command_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a03",
         *         "status": "succeeded",
         *         "detail": "Aster is banned.",
         *         "error": null,
         *         "created_at": "2026-11-21T10:00:00.000Z",
         *         "finished_at": "2026-11-21T10:00:01.000Z",
         *         "ended_at": null
         *       },
         *       "uncertain_ban": null,
         *       "counts": {
         *         "kick": 0,
         *         "ban": 1,
         *         "unban": 0,
         *         "message": 0
         *       },
         *       "actions": [
         *         {
         *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4f01",
         *           "kind": "ban",
         *           "steam_id": "76561197960287930",
         *           "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
         *           "instance_name": "main",
         *           "text": "Cheating",
         *           "until": "2026-11-28T10:00:00.000Z",
         *           "requested_by": "owner@example.com",
         *           "command_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a03",
         *           "status": "succeeded",
         *           "detail": "Aster is banned.",
         *           "error": null,
         *           "created_at": "2026-11-21T10:00:00.000Z",
         *           "finished_at": "2026-11-21T10:00:01.000Z",
         *           "ended_at": null
         *         }
         *       ]
         *     }
         */
        PlayerRecord: {
            steam_id: components["schemas"]["SteamId"];
            /**
             * Format: uuid
             * @description The game instance that it is the record of.
             */
            instance_id: string;
            /** @description The ban that holds; `null` when there is none. */
            ban: components["schemas"]["PlayerAction"] | null;
            /** @description The newest ban that failed in a way that does not tell whether it reached the game (`interrupted`, `internal` or `game_unreachable`), unless a later ban or unban has settled it; `null` for none. The player may be banned: when its time is up it is lifted like any other, and banning or unbanning them makes it certain. */
            uncertain_ban: components["schemas"]["PlayerAction"] | null;
            /** @description How often each was done to the player there. */
            counts: components["schemas"]["PlayerActionCounts"];
            /** @description The latest 25, newest first. */
            actions: components["schemas"]["PlayerAction"][];
        };
        /**
         * Format: display-name
         * @description Text of one line, without control or invisible characters, that begins and ends with something visible.
         * @example Cheating
         */
        PlayerText: string;
        /**
         * @example {
         *       "reason": "Idle for an hour"
         *     }
         */
        PlayerKick: {
            reason?: components["schemas"]["PlayerText"];
        };
        /**
         * @example {
         *       "reason": "Cheating",
         *       "duration_seconds": 604800
         *     }
         */
        PlayerBan: {
            reason: components["schemas"]["PlayerText"];
            /**
             * Format: int64
             * @description How long from now; without it, until somebody lifts the ban.
             */
            duration_seconds?: number;
        };
        /**
         * @example {
         *       "reason": "It was somebody else"
         *     }
         */
        PlayerUnban: {
            reason?: components["schemas"]["PlayerText"];
        };
        /**
         * @example {
         *       "text": "The server restarts at noon"
         *     }
         */
        PlayerMessage: {
            text: components["schemas"]["PlayerText"];
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
        PluginCopy: {
            /**
             * Format: uuid
             * @description What restoring it takes.
             */
            id: string;
            /** @description The name of the plugin that it is a copy of. */
            plugin: string;
            /**
             * Format: int64
             * @description In bytes.
             */
            size: number;
            sha256: components["schemas"]["Sha256"];
            /**
             * Format: date-time
             * @description When the plugin was uninstalled or replaced.
             */
            kept_at: string;
            /**
             * Format: date-time
             * @description Until when it is kept at most.
             */
            expires_at: string;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b11",
         *           "plugin": "Kits",
         *           "size": 81920,
         *           "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
         *           "kept_at": "2026-11-21T10:00:00.000Z",
         *           "expires_at": "2026-12-21T10:00:00.000Z"
         *         }
         *       ]
         *     }
         */
        PluginCopies: {
            /** @description Newest first. */
            data: components["schemas"]["PluginCopy"][];
        };
        /**
         * @description What loads the plugins of the game server.
         * @example oxide
         * @enum {string}
         */
        ModdingFramework: "oxide" | "carbon";
        /**
         * @description `failed` means that it could not be compiled or loaded; why is its `error`.
         * @example loaded
         * @enum {string}
         */
        PluginState: "loaded" | "unloaded" | "failed";
        /**
         * @example {
         *       "name": "Kits",
         *       "title": "Rust Kits",
         *       "version": "4.4.1",
         *       "author": "k1lly0u",
         *       "file": "Kits.cs",
         *       "state": "loaded",
         *       "error": null
         *     }
         */
        Plugin: {
            /** @description What operations on it take: its file without `.cs`. */
            name: string;
            /** @description What its author calls it; `null` unless it is loaded. */
            title: string | null;
            /** @description As its author counts; `null` unless it is loaded. */
            version: string | null;
            /** @description Who wrote it; `null` unless it is loaded. */
            author: string | null;
            /** @description Its file's name; `null` for a part of the framework itself. */
            file: string | null;
            state: components["schemas"]["PluginState"];
            /** @description Why it failed; `null` unless it did. */
            error: string | null;
        };
        /**
         * @example {
         *       "framework": "oxide",
         *       "framework_version": "2.0.6512",
         *       "data": [
         *         {
         *           "name": "Kits",
         *           "title": "Rust Kits",
         *           "version": "4.4.1",
         *           "author": "k1lly0u",
         *           "file": "Kits.cs",
         *           "state": "loaded",
         *           "error": null
         *         }
         *       ],
         *       "observed_at": "2026-11-21T10:00:00.000Z"
         *     }
         */
        InstalledPlugins: {
            framework: components["schemas"]["ModdingFramework"];
            /** @description As the framework says it. */
            framework_version: string;
            /** @description Every plugin that the framework knows, 400 at most, by name. */
            data: components["schemas"]["Plugin"][];
            /**
             * Format: date-time
             * @description When the game server said so.
             */
            observed_at: string;
        };
        /**
         * @description Name of a plugin of Oxide or Carbon, as its file has it without `.cs`; not a name that Windows keeps for a device.
         * @example Kits
         */
        PluginName: string;
        /**
         * Format: int32
         * @description Number that the map is made from.
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
         * Format: int32
         * @description Seconds until the server is stopped, from when the agent has taken the wipe. Players are told at once, and again 60, 30, 15, 10, 5 and 1 minutes and 30 and 10 seconds before.
         * @example 900
         */
        WipeCountdown: number;
        /**
         * @description What players are told during the countdown: one line without semicolons or control characters, so that it can never become a second command. `{time}` becomes the time that is left; without it the time is put behind it.
         * @example Fresh map in {time}, see you there!
         */
        WipeMessage: string;
        /**
         * @description How far it has come. `rolled_back` means that a step failed and that everything is as it was before; `failed` that it could not be begun, or that it could not be undone either; what was deleted is in a folder that its detail names then.
         * @example announcing
         * @enum {string}
         */
        WipeStatus: "planned" | "announcing" | "stopping" | "backing_up" | "deleting" | "starting" | "completed" | "failed" | "rolled_back" | "cancelled";
        /**
         * @example {
         *       "code": "start_failed",
         *       "detail": "The process ended with exit code 1 before it was ready."
         *     }
         */
        WipeError: {
            /** @description Why, for programs: `stop_failed`, `backup_failed`, `files_refused`, `start_failed`, `start_timeout`, `lost` (nothing was heard of it for hours), `expired` (the agent was away until too long after it was due), or why the agent did not begin it; see the error of a command. */
            code: string;
            /** @description Why, for people. */
            detail: string;
        };
        /**
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01",
         *       "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
         *       "instance_name": "main",
         *       "kind": "map",
         *       "seed": 1337,
         *       "world_size": 3500,
         *       "map_id": null,
         *       "countdown_seconds": 900,
         *       "message": null,
         *       "backup": true,
         *       "start": false,
         *       "status": "announcing",
         *       "detail": null,
         *       "error": null,
         *       "due_at": "2026-11-21T10:15:00.100Z",
         *       "file_count": 9,
         *       "deleted_bytes": 123456789,
         *       "command_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a03",
         *       "requested_by": "owner@example.com",
         *       "cancel_requested_at": null,
         *       "created_at": "2026-11-21T10:00:00.000Z",
         *       "begun_at": null,
         *       "finished_at": null
         *     }
         */
        Wipe: {
            /**
             * Format: uuid
             * @description What `wipe_id` refers to elsewhere.
             */
            id: string;
            /**
             * Format: uuid
             * @description The game instance; `null` once that was deleted.
             */
            instance_id: string | null;
            /** @description What the instance was called. */
            instance_name: string;
            kind: components["schemas"]["WipeKind"];
            /** @description The new one; `null` to keep it. */
            seed: components["schemas"]["MapSeed"] | null;
            /** @description The new one; `null` to keep it. */
            world_size: components["schemas"]["WorldSize"] | null;
            /**
             * Format: uuid
             * @description The uploaded map that it changes to; `null` for none.
             */
            map_id: string | null;
            countdown_seconds: components["schemas"]["WipeCountdown"];
            /** @description `null` for the usual one. */
            message: components["schemas"]["WipeMessage"] | null;
            /** @description Whether the save folder is backed up before. */
            backup: boolean;
            /** @description Whether a server that is stopped is started afterwards. */
            start: boolean;
            status: components["schemas"]["WipeStatus"];
            /** @description What the agent last said about it; `null` for nothing. */
            detail: string | null;
            /** @description Why it failed or was rolled back; `null` unless it was. */
            error: components["schemas"]["WipeError"] | null;
            /**
             * Format: date-time
             * @description When the countdown ends; `null` until the agent has taken it.
             */
            due_at: string | null;
            /**
             * Format: int32
             * @description How many files are deleted; `null` until that is known.
             */
            file_count: number | null;
            /**
             * Format: int64
             * @description How much is in them; `null` until that is known.
             */
            deleted_bytes: number | null;
            /**
             * Format: uuid
             * @description The command that carries it to the agent; `null` once that was deleted.
             */
            command_id: string | null;
            /** @description Who asked for it: an e-mail address, or the name of an API key; `null` when nobody in particular did. */
            requested_by: string | null;
            /**
             * Format: date-time
             * @description When its cancellation was asked for last; `null` unless it was.
             */
            cancel_requested_at: string | null;
            /**
             * Format: date-time
             * @description When it was asked for.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the server was asked to stop; `null` until then.
             */
            begun_at: string | null;
            /**
             * Format: date-time
             * @description When it ended; `null` until then.
             */
            finished_at: string | null;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01",
         *           "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
         *           "instance_name": "main",
         *           "kind": "map",
         *           "seed": 1337,
         *           "world_size": 3500,
         *           "map_id": null,
         *           "countdown_seconds": 900,
         *           "message": null,
         *           "backup": true,
         *           "start": false,
         *           "status": "announcing",
         *           "detail": null,
         *           "error": null,
         *           "due_at": "2026-11-21T10:15:00.100Z",
         *           "file_count": 9,
         *           "deleted_bytes": 123456789,
         *           "command_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a03",
         *           "requested_by": "owner@example.com",
         *           "cancel_requested_at": null,
         *           "created_at": "2026-11-21T10:00:00.000Z",
         *           "begun_at": null,
         *           "finished_at": null
         *         }
         *       ],
         *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY3YTAx"
         *     }
         */
        WipePage: {
            /** @description Newest first. */
            data: components["schemas"]["Wipe"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @example {
         *       "kind": "map",
         *       "seed": 1337,
         *       "world_size": 3500,
         *       "countdown_seconds": 900,
         *       "backup": true
         *     }
         */
        WipeRun: {
            kind: components["schemas"]["WipeKind"];
            /** @description The new map's. Left out, the server keeps the seed that it has. */
            seed?: components["schemas"]["MapSeed"];
            /** @description The new map's. Left out, the server keeps the size that it has. */
            world_size?: components["schemas"]["WorldSize"];
            /**
             * Format: uuid
             * @description An uploaded map that the server changes to, instead of one made from seed and size. It has to be public, as players who join download it from its `public_url`, and so does the server.
             */
            map_id?: string;
            /** @description 0 unless given, which stops the server at once. */
            countdown_seconds?: components["schemas"]["WipeCountdown"];
            /** @description Unless given, players are told what is wiped, and when. */
            message?: components["schemas"]["WipeMessage"];
            /** @description Whether the save folder is backed up before; not unless given. Without it, what is deleted is still kept until the server runs again. */
            backup?: boolean;
            /** @description Whether a server that is stopped is started afterwards; not unless given. One that runs always is. */
            start?: boolean;
            /** @description Answers what would be done, as the agent sees it now, and does nothing. An Idempotency-Key has no meaning for it: the agent is asked each time. */
            dry_run?: boolean;
        };
        /**
         * @example {
         *       "path": "server/main/proceduralmap.3500.1337.262.map",
         *       "size": 62914560
         *     }
         */
        WipeFile: {
            /** @description Relative to the instance's root. */
            path: string;
            /**
             * Format: int64
             * @description In bytes.
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
             * @description `null` where the server chooses.
             */
            seed: number | null;
            /**
             * Format: int64
             * @description `null` where the server chooses.
             */
            world_size: number | null;
            /** @description Where the map is downloaded from; `null` for one that is made from the seed. */
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
             * @description How long before the stop.
             */
            before_seconds: number;
            /** @description What players are told then. */
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
            /** @description Exactly what would be deleted now, by name. */
            files: components["schemas"]["WipeFile"][];
            /**
             * Format: int64
             * @description What is in them.
             */
            total_bytes: number;
            /** @description Whether the server runs and would be stopped. */
            stops: boolean;
            /** @description Whether it would be started afterwards. */
            starts: boolean;
            /** @description What it would be started with now. */
            launch_before: components["schemas"]["LaunchParameters"];
            /** @description What it would be started with afterwards. */
            launch_after: components["schemas"]["LaunchParameters"];
            /** @description In their order; none without a countdown. */
            announcements: components["schemas"]["WipeAnnouncement"][];
        };
        /**
         * @example {
         *       "wipe": null,
         *       "plan": {
         *         "files": [
         *           {
         *             "path": "server/main/proceduralmap.3500.42.262.map",
         *             "size": 62914560
         *           }
         *         ],
         *         "total_bytes": 62914560,
         *         "stops": true,
         *         "starts": true,
         *         "launch_before": {
         *           "seed": 42,
         *           "world_size": 3500,
         *           "level_url": null
         *         },
         *         "launch_after": {
         *           "seed": 1337,
         *           "world_size": 3500,
         *           "level_url": null
         *         },
         *         "announcements": [
         *           {
         *             "before_seconds": 900,
         *             "text": "The map is wiped in 15 minutes."
         *           }
         *         ]
         *       }
         *     }
         */
        WipeAnswer: {
            /** @description The wipe, which is on its way; `null` of a dry run. */
            wipe: components["schemas"]["Wipe"] | null;
            /** @description What would be done; `null` unless it was a dry run. */
            plan: components["schemas"]["WipePlan"] | null;
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
         * @example {
         *       "email": "somebody@example.com",
         *       "server_count": 4
         *     }
         */
        EarlyAccessSignupCreate: {
            email: components["schemas"]["Email"];
            /**
             * Format: int32
             * @description How many game servers they run.
             */
            server_count: number;
        };
        /**
         * Format: int32
         * @description Places that the Founding Admin Program has.
         * @example 25
         */
        FoundingPlaces: number;
        /**
         * Format: int32
         * @description Places that nobody holds, for now or for good.
         * @example 7
         */
        FoundingPlacesLeft: number;
        /**
         * @example {
         *       "holds_founding_place": false,
         *       "held_until": null,
         *       "founding_places": 25,
         *       "founding_places_left": 0
         *     }
         */
        EarlyAccessReceipt: {
            /** @description Whether this signup holds a place for now. */
            holds_founding_place: boolean;
            /**
             * Format: date-time
             * @description Until when it does unless it is confirmed; `null` if it holds none.
             */
            held_until: string | null;
            founding_places: components["schemas"]["FoundingPlaces"];
            founding_places_left: components["schemas"]["FoundingPlacesLeft"];
        };
        /**
         * @example {
         *       "token": "gantry_signup_6fJm2yq8Q0mT3l9xw1B7c5Vn4ZsKpRdE"
         *     }
         */
        EarlyAccessConfirmation: {
            /** @description What the link has after its `#`. */
            token: string;
        };
        /**
         * @example {
         *       "email": "somebody@example.com",
         *       "holds_founding_place": true,
         *       "founding_places": 25,
         *       "founding_places_left": 7
         *     }
         */
        EarlyAccessStanding: {
            email: components["schemas"]["Email"];
            /** @description Whether the address holds a place for good. */
            holds_founding_place: boolean;
            founding_places: components["schemas"]["FoundingPlaces"];
            founding_places_left: components["schemas"]["FoundingPlacesLeft"];
        };
        /**
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01",
         *       "key": "GNTRY-7QK2M-9ZD4T-XW83P-5HVCB-R6N1J",
         *       "name": "Rusty Islands",
         *       "subdomain": "rusty-islands",
         *       "status": "active",
         *       "created_at": "2026-11-21T10:00:00.000Z",
         *       "revoked_at": null
         *     }
         */
        OwnLicense: {
            /**
             * Format: uuid
             * @description What `license_id` refers to elsewhere.
             */
            id: string;
            /**
             * @description The license key, which game plugins authenticate with; `null` for those who lack `license.manage`.
             * @example GNTRY-7QK2M-9ZD4T-XW83P-5HVCB-R6N1J
             */
            key: string | null;
            /** @description What people call it; several licenses may share it. */
            name: string;
            subdomain: components["schemas"]["Subdomain"];
            status: components["schemas"]["LicenseStatus"];
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
         * @description What is left out stays as it is.
         * @example {
         *       "name": "Rustier Islands"
         *     }
         */
        OwnLicenseUpdate: {
            name?: components["schemas"]["DisplayName"];
            subdomain?: components["schemas"]["Subdomain"];
        };
        /**
         * @example {
         *       "companion_token": "gantry_companion_Jx2v0m9QkT4c7bWzR8uYqLpVb3o1x5nD"
         *     }
         */
        CompanionToken: {
            /**
             * @description What the license's agents sign in with from now on. It is shown this once; only its hash is kept.
             * @example gantry_companion_Jx2v0m9QkT4c7bWzR8uYqLpVb3o1x5nD
             */
            companion_token: string;
        };
        /**
         * @description Version of what the entries of this part mean. Another one is refused.
         * @example 1
         * @enum {integer}
         */
        MigrationPartVersion: 1;
        /** @description When alerts are raised; no entry if the license has never said so. */
        MigratedAlertConfigs: {
            version: components["schemas"]["MigrationPartVersion"];
            /** @description One entry at most. */
            items: components["schemas"]["AlertRules"][];
        };
        /**
         * @description Hostname of the agent that the instance belongs to, where the document comes from.
         * @example rust-01
         */
        MigratedHostName: string;
        /**
         * @description Name of a game instance, unique on its host. It comes from the agent's configuration file.
         * @example main
         */
        InstanceName: string;
        /**
         * @example {
         *       "host": "rust-01",
         *       "instance": "main",
         *       "keep": 14
         *     }
         */
        MigratedBackupPolicy: {
            host: components["schemas"]["MigratedHostName"];
            instance: components["schemas"]["InstanceName"];
            keep: components["schemas"]["BackupsToKeep"];
        };
        /** @description How many backups of game instances are kept; those of which nothing was said are not in here. */
        MigratedBackupPolicies: {
            version: components["schemas"]["MigrationPartVersion"];
            /** @description By host and instance. */
            items: components["schemas"]["MigratedBackupPolicy"][];
        };
        /**
         * @example {
         *       "name": "EU islands",
         *       "description": "Everything in Frankfurt"
         *     }
         */
        MigratedCluster: {
            name: components["schemas"]["DisplayName"];
            description: components["schemas"]["ClusterDescription"];
        };
        /** @description Groups of game instances, without their instances. */
        MigratedClusters: {
            version: components["schemas"]["MigrationPartVersion"];
            /** @description By name. */
            items: components["schemas"]["MigratedCluster"][];
        };
        /**
         * @example {
         *       "host": "rust-01",
         *       "instance": "main",
         *       "cluster": "EU islands"
         *     }
         */
        MigratedInstance: {
            host: components["schemas"]["MigratedHostName"];
            instance: components["schemas"]["InstanceName"];
            cluster: components["schemas"]["DisplayName"];
        };
        /** @description Which cluster each game instance is in; those that are in none are not in here. */
        MigratedInstances: {
            version: components["schemas"]["MigrationPartVersion"];
            /** @description By host and instance. */
            items: components["schemas"]["MigratedInstance"][];
        };
        /**
         * @description The way that notifications go.
         * @example chat_webhook
         * @enum {string}
         */
        NotificationChannelKind: "chat_webhook" | "email" | "ntfy" | "pushover";
        /**
         * @description How bad an alert must be at least to be told here.
         * @example Warning
         * @enum {string}
         */
        LeastSeverity: "Info" | "Warning" | "Critical";
        /**
         * @description The text of notifications, in which `{{field}}` stands for the value of a field: `title`, `message`, `status`, `severity`, `kind`, `subject`, `host`, `license`, `raised_at`, `ended_at`, `alert_id`. There is nothing else to it, no conditions and no loops. `null` for the text that comes with the platform.
         * @example {{severity}}: {{title}}
         */
        NotificationTemplate: string | null;
        /**
         * @example {
         *       "name": "Admins",
         *       "kind": "chat_webhook",
         *       "least_severity": "Warning",
         *       "template": null
         *     }
         */
        MigratedNotificationChannel: {
            name: components["schemas"]["DisplayName"];
            kind: components["schemas"]["NotificationChannelKind"];
            least_severity: components["schemas"]["LeastSeverity"];
            template: components["schemas"]["NotificationTemplate"];
        };
        /** @description Where alerts are told, without targets, which are secret. One that is created stays off until it is given its target. */
        MigratedNotificationChannels: {
            version: components["schemas"]["MigrationPartVersion"];
            /** @description By name. */
            items: components["schemas"]["MigratedNotificationChannel"][];
        };
        /**
         * Format: display-name
         * @description Unique within the license, upper and lower case being the same: text of one line, without control or invisible characters, that begins and ends with something visible.
         * @example Night watch
         */
        RoleName: string;
        /**
         * @example {
         *       "name": "Night watch",
         *       "permissions": {
         *         "fleet.view": true,
         *         "console.*": true
         *       }
         *     }
         */
        MigratedRole: {
            name: components["schemas"]["RoleName"];
            permissions: components["schemas"]["PermissionMap"];
        };
        /** @description Roles that the license has made; its system roles are everywhere and never in here. */
        MigratedRoles: {
            version: components["schemas"]["MigrationPartVersion"];
            /** @description By name, upper and lower case being the same. */
            items: components["schemas"]["MigratedRole"][];
        };
        /**
         * @description What all players are told: one line that begins with something visible. Control characters are refused, and semicolons, which end a command on some servers, so that it can never become a second command.
         * @example The server restarts in ten minutes.
         */
        AnnouncementText: string;
        /**
         * @example {
         *       "kind": "announcement",
         *       "message": "The server restarts in ten minutes."
         *     }
         */
        AnnouncementAction: {
            /**
             * @description Says something to all players of the server. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "announcement";
            message: components["schemas"]["AnnouncementText"];
        };
        /**
         * @description One console command, with something visible in it. Control characters are refused, so that one line can never become two.
         * @example say hello
         */
        ConsoleInputLine: string;
        /**
         * @example {
         *       "kind": "command",
         *       "line": "server.save"
         *     }
         */
        CommandAction: {
            /**
             * @description Types a line at the console of the server. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "command";
            line: components["schemas"]["ConsoleInputLine"];
        };
        /**
         * @example {
         *       "kind": "plugin_reload",
         *       "plugin": "Kits"
         *     }
         */
        PluginReloadAction: {
            /**
             * @description Reloads a plugin of Oxide or Carbon. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "plugin_reload";
            plugin: components["schemas"]["PluginName"];
        };
        /**
         * @example {
         *       "kind": "restart"
         *     }
         */
        RestartAction: {
            /**
             * @description Stops the server, if it runs, and starts it again. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "restart";
        };
        /**
         * @description A wipe as `POST /api/instances/{instance_id}/wipes` takes it, for a schedule. Its countdown begins when the schedule is due.
         * @example {
         *       "kind": "map",
         *       "random_seed": true,
         *       "countdown_seconds": 3600,
         *       "backup": true
         *     }
         */
        ScheduledWipe: {
            kind: components["schemas"]["WipeKind"];
            /** @description The new map's. Left out, the server keeps the seed that it has. */
            seed?: components["schemas"]["MapSeed"];
            /** @description Whether the new map gets another seed each time, instead of `seed`; not unless given. */
            random_seed?: boolean;
            /** @description The new map's. Left out, the server keeps the size that it has. */
            world_size?: components["schemas"]["WorldSize"];
            /**
             * Format: uuid
             * @description An uploaded map that the server changes to, instead of one made from seed and size. It has to be public, as players who join download it from its `public_url`, and so does the server.
             */
            map_id?: string;
            /** @description 0 unless given, which stops the server as soon as it is due. */
            countdown_seconds?: components["schemas"]["WipeCountdown"];
            /** @description Unless given, players are told what is wiped, and when. */
            message?: components["schemas"]["WipeMessage"];
            /** @description Whether the save folder is backed up before; not unless given. Without it, what is deleted is still kept until the server runs again. */
            backup?: boolean;
            /** @description Whether a server that is stopped is started afterwards; not unless given. One that runs always is. */
            start?: boolean;
        };
        /**
         * @example {
         *       "kind": "wipe",
         *       "wipe": {
         *         "kind": "map",
         *         "random_seed": true,
         *         "countdown_seconds": 3600,
         *         "backup": true
         *       }
         *     }
         */
        WipeAction: {
            /**
             * @description Wipes the server. Its run has succeeded once the agent has taken the wipe; how that went is told by the wipe with the same `command_id`. While an earlier wipe of the server is not over, the run fails with `wipe_under_way`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "wipe";
            wipe: components["schemas"]["ScheduledWipe"];
        };
        /**
         * @description What is done when it is due. Whoever makes it so must be allowed to do it themselves: `restart` needs `instances.power`, `plugin_reload` `plugins.manage`, `wipe` `wipes.trigger`, the others `console.input`.
         * @example {
         *       "kind": "restart"
         *     }
         */
        ScheduleAction: components["schemas"]["AnnouncementAction"] | components["schemas"]["CommandAction"] | components["schemas"]["PluginReloadAction"] | components["schemas"]["RestartAction"] | components["schemas"]["WipeAction"];
        /**
         * @description When it is due, to the minute: minute, hour, day of the month, month, day of the week (0 or 7 is Sunday), with one space between. Each is a number, a list `1,15`, a range `1-5`, a step `*\/15` or `*`; months and days of the week have names too (`JAN`, `MON`). `L` is the last day of the month, `15W` the weekday nearest to the 15th, `FRI#2` the second Friday. When day of the month and day of the week are both given, either is enough; `+MON` asks for both. One that is never due is refused.
         *
         *     **Daylight saving.** It is a clock time of its time zone. An expression that names its minutes and hours, alone or in lists and ranges (`30 2 * * *`), is due once for each: where the clock skips that time, at the first minute after the gap, once for all that fall into it; where it comes twice, the first time. One with `*` or a step among its minutes or hours (`*\/15 * * * *`) follows real time: what the clock skips is left out, and what comes twice is due twice.
         * @example 30 4 * * *
         */
        CronExpression: string;
        /**
         * @description What becomes of due times that the platform itself missed by more than five minutes. `skip` leaves them out; its history says so. `catch_up` runs once for all of them, as soon as it can. What is due while the schedule is disabled or the license revoked is not missed: it passes.
         * @example skip
         * @enum {string}
         */
        MissedRuns: "skip" | "catch_up";
        /**
         * @example {
         *       "host": "rust-01",
         *       "instance": "main",
         *       "name": "Nightly restart",
         *       "occurrence": 1,
         *       "action": {
         *         "kind": "restart"
         *       },
         *       "cron": "30 4 * * *",
         *       "time_zone": "Europe/Berlin",
         *       "missed_runs": "skip",
         *       "is_enabled": true
         *     }
         */
        MigratedSchedule: {
            host: components["schemas"]["MigratedHostName"];
            instance: components["schemas"]["InstanceName"];
            name: components["schemas"]["DisplayName"];
            /** @description Tells schedules of one instance that share a name apart, from 1 on without a gap, in the order in which they were created. */
            occurrence: number;
            action: components["schemas"]["ScheduleAction"];
            cron: components["schemas"]["CronExpression"];
            time_zone: components["schemas"]["TimeZone"];
            missed_runs: components["schemas"]["MissedRuns"];
            /** @description Whether it runs when it is due. */
            is_enabled: boolean;
        };
        /** @description What is done by the clock, without the history of it. */
        MigratedSchedules: {
            version: components["schemas"]["MigrationPartVersion"];
            /** @description By host, instance, name and occurrence. */
            items: components["schemas"]["MigratedSchedule"][];
        };
        /**
         * @description Whether the license takes part in the public status page at all. It does not unless it says so.
         * @example true
         */
        IsPublic: boolean;
        /**
         * @description Whether game servers are shown whose listing says nothing, those that appear later included.
         * @example false
         */
        IsListedByDefault: boolean;
        /**
         * @description What the license says of itself on the status page, as plain text; `null` for nothing.
         * @example Vanilla and modded islands.
         */
        StatusPageDescription: string | null;
        /**
         * @example {
         *       "is_public": true,
         *       "is_listed_by_default": false,
         *       "status_page_description": null
         *     }
         */
        MigratedSiteConfig: {
            is_public: components["schemas"]["IsPublic"];
            is_listed_by_default: components["schemas"]["IsListedByDefault"];
            status_page_description: components["schemas"]["StatusPageDescription"];
        };
        /** @description What the license shows in public; no entry if it has never said anything. */
        MigratedSiteConfigs: {
            version: components["schemas"]["MigrationPartVersion"];
            /** @description One entry at most. */
            items: components["schemas"]["MigratedSiteConfig"][];
        };
        /**
         * @description Whether it is shown where the license is public; `null` leaves it to `is_listed_by_default`.
         * @example true
         */
        IsListed: boolean | null;
        /**
         * Format: display-name
         * @description What it is called in public: text of one line, without control or invisible characters. `null` for the name that its agent has for it.
         * @example Rusty Islands, 2x, max 4
         */
        PublicName: string | null;
        /**
         * @description When it is usually wiped, as players are told; `null` if that is not said. It wipes nothing by itself.
         * @example {
         *       "cron": "0 19 * * THU",
         *       "time_zone": "Europe/Berlin"
         *     }
         */
        WipeSchedule: {
            cron: components["schemas"]["CronExpression"];
            time_zone: components["schemas"]["TimeZone"];
        } | null;
        /**
         * @example {
         *       "host": "rust-01",
         *       "instance": "main",
         *       "is_listed": true,
         *       "display_name": "Rusty Islands, 2x, max 4",
         *       "description": null,
         *       "wipe_schedule": {
         *         "cron": "0 19 * * THU",
         *         "time_zone": "Europe/Berlin"
         *       }
         *     }
         */
        MigratedSiteListing: {
            host: components["schemas"]["MigratedHostName"];
            instance: components["schemas"]["InstanceName"];
            is_listed: components["schemas"]["IsListed"];
            display_name: components["schemas"]["PublicName"];
            description: components["schemas"]["StatusPageDescription"];
            wipe_schedule: components["schemas"]["WipeSchedule"];
        };
        /** @description How game instances are shown in public; those of which nothing was said are not in here. */
        MigratedSiteListings: {
            version: components["schemas"]["MigrationPartVersion"];
            /** @description By host and instance. */
            items: components["schemas"]["MigratedSiteListing"][];
        };
        /**
         * @description Where it is sent to: an `https` URL of a public host, to port 443 or one from 1024 up. People who may see webhooks see it.
         * @example https://hooks.example.com/gantry
         */
        WebhookUrl: string;
        /**
         * @description A type of event. `server_down` tells that a host went offline or that a game server crashed, once for each outage. New types may appear.
         * @example server_down
         * @enum {string}
         */
        WebhookEvent: "player_banned" | "server_down" | "wipe_completed";
        /**
         * @description What is sent.
         * @example [
         *       "server_down",
         *       "wipe_completed"
         *     ]
         */
        WebhookEvents: components["schemas"]["WebhookEvent"][];
        /**
         * @example {
         *       "name": "Pager",
         *       "url": "https://hooks.example.com/gantry",
         *       "events": [
         *         "server_down"
         *       ],
         *       "is_enabled": true
         *     }
         */
        MigratedWebhook: {
            name: components["schemas"]["DisplayName"];
            url: components["schemas"]["WebhookUrl"];
            events: components["schemas"]["WebhookEvents"];
            /** @description Whether anything is sent. */
            is_enabled: boolean;
        };
        /** @description Where events are sent to, without secrets. One that is created gets a secret of its own; rotate it to know one. */
        MigratedWebhooks: {
            version: components["schemas"]["MigrationPartVersion"];
            /** @description By name. */
            items: components["schemas"]["MigratedWebhook"][];
        };
        /**
         * @description The document's parts. One that is left out is left alone; one that this platform does not know is refused.
         * @example {
         *       "roles": {
         *         "version": 1,
         *         "items": [
         *           {
         *             "name": "Night watch",
         *             "permissions": {
         *               "fleet.view": true
         *             }
         *           }
         *         ]
         *       }
         *     }
         */
        MigrationParts: {
            alert_config?: components["schemas"]["MigratedAlertConfigs"];
            backup_policies?: components["schemas"]["MigratedBackupPolicies"];
            clusters?: components["schemas"]["MigratedClusters"];
            instances?: components["schemas"]["MigratedInstances"];
            notification_channels?: components["schemas"]["MigratedNotificationChannels"];
            roles?: components["schemas"]["MigratedRoles"];
            schedules?: components["schemas"]["MigratedSchedules"];
            site_config?: components["schemas"]["MigratedSiteConfigs"];
            site_listings?: components["schemas"]["MigratedSiteListings"];
            webhooks?: components["schemas"]["MigratedWebhooks"];
        };
        /** @description What a license has configured. docs/migration.md says how the format moves on. */
        MigrationDocument: {
            /**
             * Format: date-time
             * @description When the export began.
             */
            exported_at: string;
            /**
             * @description Tells it from every other kind of document.
             * @enum {string}
             */
            format: "gantry-migration";
            /**
             * @description Version of everything outside of the parts. Another one is refused, because it means another thing.
             * @enum {integer}
             */
            format_version: 1;
            parts: components["schemas"]["MigrationParts"];
            /** @description SHA-256 of the document without this field, as canonical JSON (RFC 8785). It tells damage, not forgery: whoever changes the document can work it out anew. */
            checksum: string;
        };
        /**
         * @description What becomes of the entries of a part. `merge` creates what is missing and updates what has the same name; `add` creates what is missing and leaves the rest as it is; `skip` leaves the whole part out.
         * @example merge
         * @enum {string}
         */
        MigrationMode: "merge" | "add" | "skip";
        /**
         * @description How each part is imported; `merge` for those that are not named.
         * @example {
         *       "clusters": "add",
         *       "schedules": "skip"
         *     }
         */
        MigrationModes: {
            alert_config?: components["schemas"]["MigrationMode"];
            backup_policies?: components["schemas"]["MigrationMode"];
            clusters?: components["schemas"]["MigrationMode"];
            instances?: components["schemas"]["MigrationMode"];
            notification_channels?: components["schemas"]["MigrationMode"];
            roles?: components["schemas"]["MigrationMode"];
            schedules?: components["schemas"]["MigrationMode"];
            site_config?: components["schemas"]["MigrationMode"];
            site_listings?: components["schemas"]["MigrationMode"];
            webhooks?: components["schemas"]["MigrationMode"];
        };
        /**
         * @example {
         *       "host": "rust-01",
         *       "instance": "main",
         *       "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01"
         *     }
         */
        InstanceMapping: {
            host: components["schemas"]["MigratedHostName"];
            instance: components["schemas"]["InstanceName"];
            /**
             * Format: uuid
             * @description The instance of this license that is meant by them.
             */
            instance_id: string;
        };
        MigrationImport: {
            document: components["schemas"]["MigrationDocument"];
            /**
             * @description Whether only to say what would happen. Then faults are part of the answer.
             * @default false
             */
            dry_run: boolean;
            modes?: components["schemas"]["MigrationModes"];
            /** @description Which instances of this license those of the document are. Without an entry it is the one of the same name on a host of the same name. Two of the document can't be the same one. */
            instance_map?: components["schemas"]["InstanceMapping"][];
        };
        /**
         * @description What became of an entry, or would.
         * @example created
         * @enum {string}
         */
        MigrationOutcome: "created" | "updated" | "unchanged" | "skipped";
        /**
         * @example {
         *       "field": "cron",
         *       "before": "30 4 * * *",
         *       "after": "0 5 * * *"
         *     }
         */
        MigrationChange: {
            /** @description Name of what differs within the entry. */
            field: string;
            /** @description How the license has it. */
            before: unknown;
            /** @description How the document has it. */
            after: unknown;
        };
        /**
         * @example {
         *       "pointer": "/document/parts/roles/items/0",
         *       "label": "Night watch",
         *       "outcome": "unchanged",
         *       "reason": null,
         *       "changes": []
         *     }
         */
        MigrationItemReport: {
            /** @description JSON pointer to the entry within the body of the request. */
            pointer: string;
            /** @description The entry’s name, for people. */
            label: string;
            outcome: components["schemas"]["MigrationOutcome"];
            /** @description Why it was skipped, in words; `null` unless it was. */
            reason: string | null;
            /** @description What an update changes; empty for every other outcome. */
            changes: components["schemas"]["MigrationChange"][];
        };
        /**
         * @example {
         *       "part": "clusters",
         *       "created": 0,
         *       "updated": 0,
         *       "unchanged": 0,
         *       "skipped": 0,
         *       "items": []
         *     }
         */
        MigrationPartReport: {
            /** @description The part's name within the document. */
            part: string;
            /**
             * Format: int32
             * @description How many entries the license did not have.
             */
            created: number;
            /**
             * Format: int32
             * @description How many it had otherwise.
             */
            updated: number;
            /**
             * Format: int32
             * @description How many it had just so.
             */
            unchanged: number;
            /**
             * Format: int32
             * @description How many were left out.
             */
            skipped: number;
            /** @description Every entry, in the document's order. */
            items: components["schemas"]["MigrationItemReport"][];
        };
        /**
         * @description The kind of a problem. New codes may appear; treat an unknown one by its status.
         * @example validation_failed
         * @enum {string}
         */
        ProblemCode: "validation_failed" | "malformed_body" | "unauthorized" | "invalid_credentials" | "invalid_refresh_token" | "invalid_setup_token" | "invalid_invitation" | "password_required" | "invalid_challenge" | "invalid_password_token" | "invalid_link" | "forbidden" | "beyond_own_permissions" | "license_required" | "license_revoked" | "user_required" | "address_not_allowed" | "not_found" | "method_not_allowed" | "not_acceptable" | "already_set_up" | "already_member" | "already_invited" | "last_owner" | "role_immutable" | "role_in_use" | "name_taken" | "file_exists" | "wrong_file_type" | "directory_not_empty" | "map_in_use" | "map_not_public" | "subdomain_taken" | "public_key_taken" | "time_taken" | "last_super_admin" | "limit_reached" | "still_online" | "instance_not_running" | "not_supported" | "backup_pinned" | "backup_being_deleted" | "wipe_begun" | "wipe_under_way" | "webhook_disabled" | "totp_already_on" | "totp_not_set_up" | "totp_not_on" | "idempotency_in_flight" | "idempotency_key_reused" | "stale_version" | "payload_too_large" | "unsupported_media_type" | "wrong_password" | "same_password" | "weak_password" | "export_too_large" | "invalid_code" | "path_refused" | "file_too_large" | "not_text" | "checksum_mismatch" | "import_refused" | "plugin_refused" | "invalid_map" | "infected_file" | "rate_limited" | "agent_refused" | "disk_full" | "game_unreachable" | "agent_offline" | "agent_timeout" | "unavailable" | "internal";
        /**
         * @example {
         *       "pointer": "/document/parts/roles/items/0/name",
         *       "code": "role_immutable",
         *       "detail": "Owner is a system role."
         *     }
         */
        MigrationFault: {
            /** @description JSON pointer within the body of the request. */
            pointer: string;
            code: components["schemas"]["ProblemCode"];
            /** @description What is wrong there. */
            detail: string;
        };
        /**
         * @example {
         *       "dry_run": false,
         *       "parts": [],
         *       "faults": []
         *     }
         */
        MigrationReport: {
            /** @description Whether it was only tried, so that nothing has changed. */
            dry_run: boolean;
            /** @description Parts of the document in the order in which they were imported: what others refer to comes first. */
            parts: components["schemas"]["MigrationPartReport"][];
            /** @description What has to be put right before it can be imported. Only a trial answers any. */
            faults: components["schemas"]["MigrationFault"][];
        };
        /**
         * @description What the virus scanner of this installation said when the file was uploaded; `not_scanned` where there is none. A file that it finds something in is not taken.
         * @example not_scanned
         * @enum {string}
         */
        MapScanStatus: "not_scanned" | "clean";
        /**
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6c01",
         *       "name": "Five islands",
         *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
         *       "bytes": 31457280,
         *       "format_version": 10,
         *       "world_size": 4500,
         *       "scan_status": "not_scanned",
         *       "scan_detail": "This installation has no virus scanner.",
         *       "is_public": true,
         *       "public_url": "https://panel.example.com/api/public/maps/p3J1xR0aQ7m2Vb9sKc5LwYtUe8ZdHn4oGi6fTqXyBvA/five-islands-9f86d081884c.map",
         *       "uploaded_by": "owner@example.com",
         *       "version": 2,
         *       "created_at": "2026-11-21T10:00:00.000Z"
         *     }
         */
        GameMap: {
            /**
             * Format: uuid
             * @description What `map_id` refers to elsewhere.
             */
            id: string;
            name: components["schemas"]["DisplayName"];
            sha256: components["schemas"]["Sha256"];
            /**
             * Format: int64
             * @description How long the file is.
             */
            bytes: number;
            /**
             * Format: int32
             * @description How the file is laid out: 9 or 10.
             */
            format_version: number;
            /**
             * Format: int32
             * @description Side of the world in metres, as the file says.
             */
            world_size: number;
            scan_status: components["schemas"]["MapScanStatus"];
            /** @description What the scanner said, for people. */
            scan_detail: string;
            /** @description Whether everybody who knows its address may download it. */
            is_public: boolean;
            /** @description Where everybody may download it, for `server.levelurl`; `null` unless it is public. */
            public_url: string | null;
            /** @description An e-mail address, or the name of an API key; `null` when nobody in particular did. */
            uploaded_by: string | null;
            /**
             * Format: int32
             * @description Counts the changes, for `If-Match`.
             */
            version: number;
            /**
             * Format: date-time
             * @description When it was uploaded.
             */
            created_at: string;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6c01",
         *           "name": "Five islands",
         *           "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
         *           "bytes": 31457280,
         *           "format_version": 10,
         *           "world_size": 4500,
         *           "scan_status": "not_scanned",
         *           "scan_detail": "This installation has no virus scanner.",
         *           "is_public": true,
         *           "public_url": "https://panel.example.com/api/public/maps/p3J1xR0aQ7m2Vb9sKc5LwYtUe8ZdHn4oGi6fTqXyBvA/five-islands-9f86d081884c.map",
         *           "uploaded_by": "owner@example.com",
         *           "version": 2,
         *           "created_at": "2026-11-21T10:00:00.000Z"
         *         }
         *       ],
         *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY2YzAx"
         *     }
         */
        GameMapPage: {
            /** @description Newest first. */
            data: components["schemas"]["GameMap"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /** @description The file comes last; parts behind it are refused. */
        MapUpload: {
            name: components["schemas"]["DisplayName"];
            /**
             * Format: binary
             * @description A map file of Rust, at most 200 MiB. What it is called does not matter.
             */
            file: string;
        };
        /**
         * @description What is left out stays as it is.
         * @example {
         *       "is_public": true
         *     }
         */
        MapUpdate: {
            name?: components["schemas"]["DisplayName"];
            /** @description Whether everybody may download it at its `public_url`, as players must who join a server with this map. `false` ends that address for good, and is refused while an instance plays on the map; `true` makes a new one. */
            is_public?: boolean;
        };
        /**
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8b01",
         *       "name": "Admins",
         *       "kind": "chat_webhook",
         *       "destination": "discord.com",
         *       "least_severity": "Warning",
         *       "template": null,
         *       "is_enabled": true,
         *       "last_success_at": "2026-11-21T10:05:01.000Z",
         *       "last_error_at": null,
         *       "last_error": null,
         *       "version": 1,
         *       "created_at": "2026-11-21T10:00:00.000Z"
         *     }
         */
        NotificationChannel: {
            /**
             * Format: uuid
             * @description What `notification_channel_id` refers to elsewhere.
             */
            id: string;
            name: components["schemas"]["DisplayName"];
            kind: components["schemas"]["NotificationChannelKind"];
            /** @description As much of the target as is no secret: a host name or an e-mail address. `null` for one that was imported and has no target yet. */
            destination: string | null;
            least_severity: components["schemas"]["LeastSeverity"];
            template: components["schemas"]["NotificationTemplate"];
            /** @description Whether alerts are told here. */
            is_enabled: boolean;
            /**
             * Format: date-time
             * @description When a notification was taken last; `null` before the first one.
             */
            last_success_at: string | null;
            /**
             * Format: date-time
             * @description When an attempt failed last; `null` unless one has.
             */
            last_error_at: string | null;
            /** @description Why it did, in words; `null` unless one has. */
            last_error: string | null;
            /**
             * Format: int32
             * @description Counts its changes.
             */
            version: number;
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
         *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8b01",
         *           "name": "Admins",
         *           "kind": "chat_webhook",
         *           "destination": "discord.com",
         *           "least_severity": "Warning",
         *           "template": null,
         *           "is_enabled": true,
         *           "last_success_at": "2026-11-21T10:05:01.000Z",
         *           "last_error_at": null,
         *           "last_error": null,
         *           "version": 1,
         *           "created_at": "2026-11-21T10:00:00.000Z"
         *         }
         *       ],
         *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY4YjAx"
         *     }
         */
        NotificationChannelPage: {
            /** @description Oldest first. */
            data: components["schemas"]["NotificationChannel"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @example {
         *       "kind": "chat_webhook",
         *       "url": "https://discord.com/api/webhooks/1/abc"
         *     }
         */
        ChatWebhookTarget: {
            /**
             * @description A webhook of a chat that takes what Discord takes. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "chat_webhook";
            /** @description Its URL, which is a secret: whoever knows it may write there. */
            url: string;
        };
        /**
         * @example {
         *       "kind": "email",
         *       "address": "owner@example.com"
         *     }
         */
        EmailTarget: {
            /**
             * @description A message to somebody of the team. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "email";
            address: components["schemas"]["Email"];
        };
        /**
         * @example {
         *       "kind": "ntfy",
         *       "server": "https://ntfy.sh",
         *       "topic": "our-rust-servers-7f3a"
         *     }
         */
        NtfyTarget: {
            /**
             * @description A topic of ntfy. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "ntfy";
            /**
             * @description Where the server is.
             * @example https://ntfy.sh
             */
            server: string;
            /** @description The topic, which is a secret: whoever knows it may read along. */
            topic: string;
            /** @description An access token, if the server wants one. */
            token?: string;
        };
        /**
         * @example {
         *       "kind": "pushover",
         *       "token": "azGDORePK8gMaC0QOYAMyEEuzJnyUi",
         *       "user": "uQiRzpo4DXghDmr9QzzfQu27cmVRsG"
         *     }
         */
        PushoverTarget: {
            /**
             * @description A user or group of Pushover. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "pushover";
            /** @description The token of your application. */
            token: string;
            /** @description The key of the user or group. */
            user: string;
        };
        /**
         * @description Where notifications go. It is kept sealed and never answered; see `destination`.
         * @example {
         *       "kind": "chat_webhook",
         *       "url": "https://discord.com/api/webhooks/1/abc"
         *     }
         */
        NotificationTarget: components["schemas"]["ChatWebhookTarget"] | components["schemas"]["EmailTarget"] | components["schemas"]["NtfyTarget"] | components["schemas"]["PushoverTarget"];
        /**
         * @example {
         *       "name": "Admins",
         *       "target": {
         *         "kind": "chat_webhook",
         *         "url": "https://discord.com/api/webhooks/1/abc"
         *       }
         *     }
         */
        NotificationChannelCreate: {
            name: components["schemas"]["DisplayName"];
            target: components["schemas"]["NotificationTarget"];
            least_severity?: components["schemas"]["LeastSeverity"];
            template?: components["schemas"]["NotificationTemplate"];
            /**
             * @description Whether alerts are told here.
             * @default true
             */
            is_enabled: boolean;
        };
        /**
         * @description What is left out stays as it is; a target is replaced as a whole.
         * @example {
         *       "is_enabled": false
         *     }
         */
        NotificationChannelUpdate: {
            name?: components["schemas"]["DisplayName"];
            target?: components["schemas"]["NotificationTarget"];
            least_severity?: components["schemas"]["LeastSeverity"];
            template?: components["schemas"]["NotificationTemplate"];
            /** @description Whether alerts are told here. */
            is_enabled?: boolean;
        };
        /**
         * @description `pending` while there are attempts to come, `failed` after the last of them, `cancelled` when the channel was turned off before.
         * @example succeeded
         * @enum {string}
         */
        NotificationStatus: "pending" | "succeeded" | "failed" | "cancelled";
        /**
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8c01",
         *       "alert_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8a01",
         *       "event": "raised",
         *       "status": "succeeded",
         *       "attempt_count": 1,
         *       "next_attempt_at": null,
         *       "last_attempt_at": "2026-11-21T10:05:01.000Z",
         *       "detail": null,
         *       "created_at": "2026-11-21T10:05:00.000Z",
         *       "finished_at": "2026-11-21T10:05:01.000Z"
         *     }
         */
        Notification: {
            /**
             * Format: uuid
             * @description The same for every attempt; receivers get it as `Idempotency-Key`.
             */
            id: string;
            /**
             * Format: uuid
             * @description The alert that it tells of; `null` for a test.
             */
            alert_id: string | null;
            /**
             * @description What it tells.
             * @enum {string}
             */
            event: "raised" | "recovered" | "test";
            status: components["schemas"]["NotificationStatus"];
            /**
             * Format: int32
             * @description How often it was tried.
             */
            attempt_count: number;
            /**
             * Format: date-time
             * @description When it is tried next, at the earliest; `null` when it is not.
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description When it was tried last; `null` before that.
             */
            last_attempt_at: string | null;
            /** @description Why the last attempt failed, in words; `null` unless it did. */
            detail: string | null;
            /**
             * Format: date-time
             * @description When there was something to tell.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it ended; `null` while it is pending.
             */
            finished_at: string | null;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8c01",
         *           "alert_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8a01",
         *           "event": "raised",
         *           "status": "succeeded",
         *           "attempt_count": 1,
         *           "next_attempt_at": null,
         *           "last_attempt_at": "2026-11-21T10:05:01.000Z",
         *           "detail": null,
         *           "created_at": "2026-11-21T10:05:00.000Z",
         *           "finished_at": "2026-11-21T10:05:01.000Z"
         *         }
         *       ],
         *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY4YzAx"
         *     }
         */
        NotificationPage: {
            /** @description Newest first. */
            data: components["schemas"]["Notification"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @example {
         *       "permission": "fleet.view",
         *       "description": "See hosts, instances, their figures and their groups."
         *     }
         */
        PermissionEntry: {
            permission: components["schemas"]["Permission"];
            /** @description What it allows, in a sentence. */
            description: string;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "permission": "fleet.view",
         *           "description": "See hosts, instances, their figures and their groups."
         *         }
         *       ]
         *     }
         */
        PermissionList: {
            /** @description By name. */
            data: components["schemas"]["PermissionEntry"][];
        };
        /**
         * @example {
         *       "permission": "instances.power",
         *       "granted_by": "instances.*"
         *     }
         */
        PermissionDecision: {
            permission: components["schemas"]["Permission"];
            /** @description The entry of your role's map that grants it: its name, `resource.*` or `*`; `null` when none does. */
            granted_by: string | null;
        };
        /**
         * @example {
         *       "operation": "startInstance",
         *       "is_allowed": true,
         *       "reason": "permissions_held",
         *       "permissions": [
         *         {
         *           "permission": "instances.power",
         *           "granted_by": "instances.*"
         *         }
         *       ]
         *     }
         */
        Explanation: {
            /** @description The `operationId` that was asked for. */
            operation: string;
            /** @description Whether it would let you in now. */
            is_allowed: boolean;
            /**
             * @description What decides: it is open to everybody, to whoever is signed in, to those with the permissions, or to super admins; your license is missing or revoked; or it takes credentials that users do not have.
             * @enum {string}
             */
            reason: "public" | "signed_in" | "permissions_held" | "permission_missing" | "super_admin" | "not_super_admin" | "license_required" | "license_revoked" | "not_for_users";
            /** @description Each permission that it needs; empty when it needs none of you. */
            permissions: components["schemas"]["PermissionDecision"][];
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4f01",
         *           "kind": "ban",
         *           "steam_id": "76561197960287930",
         *           "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
         *           "instance_name": "main",
         *           "text": "Cheating",
         *           "until": "2026-11-28T10:00:00.000Z",
         *           "requested_by": "owner@example.com",
         *           "command_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a03",
         *           "status": "succeeded",
         *           "detail": "Aster is banned.",
         *           "error": null,
         *           "created_at": "2026-11-21T10:00:00.000Z",
         *           "finished_at": "2026-11-21T10:00:01.000Z",
         *           "ended_at": null
         *         }
         *       ],
         *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0ZjAx"
         *     }
         */
        PlayerActionPage: {
            /** @description Newest first. */
            data: components["schemas"]["PlayerAction"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @description The license's key, for plugins that can not set headers.
         * @example GNTRY-7QK2M-XD4TP-9RWAB-3CFGH-J5NVZ
         */
        LicenseKeyField: string;
        /**
         * @description Whether the player has come or gone.
         * @example join
         * @enum {string}
         */
        PlayerEventKind: "join" | "leave";
        /**
         * @example {
         *       "instance": "main",
         *       "steam_id": "76561197960287930",
         *       "display_name": "Aster",
         *       "event": "join",
         *       "occurred_at": "2026-11-21T10:00:00.000Z",
         *       "event_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01"
         *     }
         */
        PlayerEventCreate: {
            license_key?: components["schemas"]["LicenseKeyField"];
            /** @description The game instance's id or its name. */
            instance: string;
            steam_id: components["schemas"]["SteamId"];
            /** @description What the player calls themself. Characters that show nothing or turn text around are taken out, and what goes beyond 64 characters is cut off. */
            display_name: string;
            event: components["schemas"]["PlayerEventKind"];
            /**
             * Format: date-time
             * @description When it happened, to the millisecond.
             */
            occurred_at: string;
            /** @description Names the event within the license; a UUID, for one. */
            event_id: string;
        };
        /**
         * @example {
         *       "outcome": "taken"
         *     }
         */
        TakenPlayerEvent: {
            /**
             * @description Whether the event is new, or was stored before.
             * @enum {string}
             */
            outcome: "taken" | "duplicate";
        };
        /**
         * @example {
         *       "instance": "main",
         *       "steam_id": "76561197960287930",
         *       "display_name": "Aster",
         *       "event": "join",
         *       "occurred_at": "2026-11-21T10:00:00.000Z",
         *       "event_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01"
         *     }
         */
        PlayerEvent: {
            /** @description The game instance's id or its name. */
            instance: string;
            steam_id: components["schemas"]["SteamId"];
            /** @description What the player calls themself. Characters that show nothing or turn text around are taken out, and what goes beyond 64 characters is cut off. */
            display_name: string;
            event: components["schemas"]["PlayerEventKind"];
            /**
             * Format: date-time
             * @description When it happened, to the millisecond.
             */
            occurred_at: string;
            /** @description Names the event within the license; a UUID, for one. */
            event_id: string;
        };
        /**
         * @example {
         *       "events": [
         *         {
         *           "instance": "main",
         *           "steam_id": "76561197960287930",
         *           "display_name": "Aster",
         *           "event": "join",
         *           "occurred_at": "2026-11-21T10:00:00.000Z",
         *           "event_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01"
         *         }
         *       ]
         *     }
         */
        PlayerEventsCreate: {
            license_key?: components["schemas"]["LicenseKeyField"];
            /** @description What happened, in any order. */
            events: components["schemas"]["PlayerEvent"][];
        };
        /**
         * @example {
         *       "pointer": "/events/2/instance",
         *       "detail": "No such instance."
         *     }
         */
        RefusedPlayerEvent: {
            /** @description JSON pointer to what is wrong in the request's body. */
            pointer: string;
            /** @description What is wrong with it. */
            detail: string;
        };
        /**
         * @example {
         *       "taken": 1,
         *       "duplicates": 1,
         *       "refused": [
         *         {
         *           "pointer": "/events/2/instance",
         *           "detail": "No such instance."
         *         }
         *       ]
         *     }
         */
        TakenPlayerEvents: {
            /** @description How many are new. */
            taken: number;
            /** @description How many were stored before. */
            duplicates: number;
            /** @description Those that were not stored. */
            refused: components["schemas"]["RefusedPlayerEvent"][];
        };
        /**
         * @description Sums over all active licenses, whether they show their servers or not; nothing of any one of them.
         * @example {
         *       "total_servers": 1250,
         *       "online_servers": 1190,
         *       "total_players": 20412
         *     }
         */
        PlatformHealth: {
            /**
             * Format: int32
             * @description Game servers that there are.
             */
            total_servers: number;
            /**
             * Format: int32
             * @description How many of these run.
             */
            online_servers: number;
            /**
             * Format: int32
             * @description Players on those that run.
             */
            total_players: number;
        };
        /**
         * @description The license whose servers were asked for; `null` where all were.
         * @example {
         *       "name": "Rusty Islands",
         *       "subdomain": "rusty-islands",
         *       "description": "Vanilla and modded islands."
         *     }
         */
        PublicLicense: {
            /** @description What people call it. */
            name: string;
            subdomain: components["schemas"]["Subdomain"];
            description: components["schemas"]["StatusPageDescription"];
        } | null;
        /**
         * @description `online` while the game runs; `offline` whatever the reason that it does not.
         * @example online
         * @enum {string}
         */
        PublicServerState: "online" | "starting" | "offline";
        /**
         * @description Percent of the time; `null` while nothing is recorded.
         * @example 99.86
         */
        UptimePercent: number | null;
        /**
         * @description The share of time in which it was online, in percent with two decimals: the length of the recorded intervals in which its state was `running`, divided by that of all that were recorded of it in these hours or days. A server that was first seen two days ago has its two days as its 30. Restarts, wipes and stops on purpose count as offline, and so does a host that is not heard of. Of a server that changes its state more than 2000 times in 30 days, the latest 2000 intervals count.
         * @example {
         *       "last_24_hours": 99.86,
         *       "last_7_days": 99.91,
         *       "last_30_days": 98.4
         *     }
         */
        PublicUptime: {
            last_24_hours: components["schemas"]["UptimePercent"];
            last_7_days: components["schemas"]["UptimePercent"];
            last_30_days: components["schemas"]["UptimePercent"];
        };
        /**
         * @description The latest wipe that was completed; `null` for none.
         * @example {
         *       "kind": "map",
         *       "finished_at": "2026-11-19T18:04:40.000Z"
         *     }
         */
        PublicWipe: {
            kind: components["schemas"]["WipeKind"];
            /**
             * Format: date-time
             * @description When it was completed.
             */
            finished_at: string;
        } | null;
        /**
         * @description When it was wiped last, and when it will be.
         * @example {
         *       "last": null,
         *       "next_at": null,
         *       "schedule": null
         *     }
         */
        PublicWipes: {
            last: components["schemas"]["PublicWipe"];
            /**
             * Format: date-time
             * @description When a wipe that is counting down is due; or else the next time of `schedule`, or the end of the countdown of the next wipe that the platform's own schedules bring, whichever comes first; `null` if nothing is known.
             */
            next_at: string | null;
            schedule: components["schemas"]["WipeSchedule"];
        };
        /**
         * @description A game server that its license shows to everybody. All texts are its license's; treat them as text only.
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
         *       "name": "Rusty Islands, 2x, max 4",
         *       "description": null,
         *       "license_name": "Rusty Islands",
         *       "subdomain": "rusty-islands",
         *       "status": "offline",
         *       "status_since": "2026-11-21T04:31:12.000Z",
         *       "game": "rust",
         *       "map": null,
         *       "players": null,
         *       "max_players": 100,
         *       "queued": null,
         *       "fps": null,
         *       "uptime": {
         *         "last_24_hours": 99.86,
         *         "last_7_days": 99.91,
         *         "last_30_days": 98.4
         *       },
         *       "wipes": {
         *         "last": null,
         *         "next_at": null,
         *         "schedule": null
         *       }
         *     }
         */
        PublicServerStatus: {
            /**
             * Format: uuid
             * @description The same for as long as the server exists.
             */
            id: string;
            /** @description What its license calls it in public. */
            name: string;
            /** @description What its license says of it, or else of all its servers; `null` for nothing. */
            description: string | null;
            /** @description What people call the license. */
            license_name: string;
            subdomain: components["schemas"]["Subdomain"];
            status: components["schemas"]["PublicServerState"];
            /**
             * Format: date-time
             * @description Since when it has that state; `null` if that was not recorded.
             */
            status_since: string | null;
            /** @description The game; `null` if it is not known. */
            game: string | null;
            /** @description The map that it plays; `null` unless it is online. */
            map: string | null;
            /**
             * Format: int32
             * @description How many players are on it; `null` unless it is online and tells.
             */
            players: number | null;
            /**
             * Format: int32
             * @description How many it takes; `null` if unknown.
             */
            max_players: number | null;
            /**
             * Format: int32
             * @description How many players wait for a place on it; `null` unless it is online and tells.
             */
            queued: number | null;
            /** @description Frames per second of the server; `null` unless it is online and tells. */
            fps: number | null;
            uptime: components["schemas"]["PublicUptime"];
            wipes: components["schemas"]["PublicWipes"];
        };
        /**
         * @example {
         *       "platform": {
         *         "total_servers": 1250,
         *         "online_servers": 1190,
         *         "total_players": 20412
         *       },
         *       "license": null,
         *       "data": [
         *         {
         *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
         *           "name": "Rusty Islands, 2x, max 4",
         *           "description": null,
         *           "license_name": "Rusty Islands",
         *           "subdomain": "rusty-islands",
         *           "status": "offline",
         *           "status_since": "2026-11-21T04:31:12.000Z",
         *           "game": "rust",
         *           "map": null,
         *           "players": null,
         *           "max_players": 100,
         *           "queued": null,
         *           "fps": null,
         *           "uptime": {
         *             "last_24_hours": 99.86,
         *             "last_7_days": 99.91,
         *             "last_30_days": 98.4
         *           },
         *           "wipes": {
         *             "last": null,
         *             "next_at": null,
         *             "schedule": null
         *           }
         *         }
         *       ],
         *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0ZDAx"
         *     }
         */
        StatusPageResponse: {
            platform: components["schemas"]["PlatformHealth"];
            license: components["schemas"]["PublicLicense"];
            /** @description Oldest first. */
            data: components["schemas"]["PublicServerStatus"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5a01",
         *       "name": "Night watch",
         *       "is_system": false,
         *       "permissions": {
         *         "fleet.view": true,
         *         "console.*": true
         *       },
         *       "member_count": 2,
         *       "version": 1,
         *       "created_at": "2026-11-21T10:00:00.000Z"
         *     }
         */
        Role: {
            /**
             * Format: uuid
             * @description What `role_id` refers to elsewhere.
             */
            id: string;
            name: components["schemas"]["RoleName"];
            /** @description Whether every license has it from the start. Such a role never changes; duplicate it. */
            is_system: boolean;
            permissions: components["schemas"]["PermissionMap"];
            /**
             * Format: int32
             * @description How many people of the team have it now.
             */
            member_count: number;
            /**
             * Format: int32
             * @description Counts its changes; the number in its `ETag`.
             */
            version: number;
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
         *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5a01",
         *           "name": "Night watch",
         *           "is_system": false,
         *           "permissions": {
         *             "fleet.view": true,
         *             "console.*": true
         *           },
         *           "member_count": 2,
         *           "version": 1,
         *           "created_at": "2026-11-21T10:00:00.000Z"
         *         }
         *       ],
         *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY1YTAx"
         *     }
         */
        RolePage: {
            /** @description Oldest first, so that the system roles lead. */
            data: components["schemas"]["Role"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @example {
         *       "name": "Night watch",
         *       "permissions": {
         *         "fleet.view": true,
         *         "console.*": true
         *       }
         *     }
         */
        RoleCreate: {
            name: components["schemas"]["RoleName"];
            permissions: components["schemas"]["PermissionMap"];
        };
        /**
         * @description What is left out stays as it is.
         * @example {
         *       "name": "Day watch"
         *     }
         */
        RoleUpdate: {
            name?: components["schemas"]["RoleName"];
            permissions?: components["schemas"]["PermissionMap"];
        };
        /**
         * @example {
         *       "name": "Evening watch"
         *     }
         */
        RoleCopy: {
            name: components["schemas"]["RoleName"];
        };
        /**
         * @example {
         *       "next_runs": [
         *         "2026-11-22T03:30:00.000Z",
         *         "2026-11-23T03:30:00.000Z"
         *       ]
         *     }
         */
        SchedulePreview: {
            /** @description When it would be due next; fewer than were asked for when there are no more. */
            next_runs: string[];
        };
        /**
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6b01",
         *       "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
         *       "name": "Nightly restart",
         *       "action": {
         *         "kind": "restart"
         *       },
         *       "cron": "30 4 * * *",
         *       "time_zone": "Europe/Berlin",
         *       "missed_runs": "skip",
         *       "is_enabled": true,
         *       "next_runs": [
         *         "2026-11-22T03:30:00.000Z",
         *         "2026-11-23T03:30:00.000Z"
         *       ],
         *       "created_by": "owner@example.com",
         *       "version": 1,
         *       "created_at": "2026-11-21T10:00:00.000Z"
         *     }
         */
        Schedule: {
            /**
             * Format: uuid
             * @description What `schedule_id` refers to elsewhere.
             */
            id: string;
            /**
             * Format: uuid
             * @description The game instance that it is for.
             */
            instance_id: string;
            name: components["schemas"]["DisplayName"];
            action: components["schemas"]["ScheduleAction"];
            cron: components["schemas"]["CronExpression"];
            time_zone: components["schemas"]["TimeZone"];
            missed_runs: components["schemas"]["MissedRuns"];
            /** @description Whether it runs when it is due. */
            is_enabled: boolean;
            /** @description When it is due next, up to five times; none while it is disabled. */
            next_runs: string[];
            /** @description Who created it: an e-mail address, or the name of an API key. It stays when they leave. */
            created_by: string;
            /**
             * Format: int32
             * @description Counts its changes; the number in its `ETag`.
             */
            version: number;
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
         *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6b01",
         *           "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
         *           "name": "Nightly restart",
         *           "action": {
         *             "kind": "restart"
         *           },
         *           "cron": "30 4 * * *",
         *           "time_zone": "Europe/Berlin",
         *           "missed_runs": "skip",
         *           "is_enabled": true,
         *           "next_runs": [
         *             "2026-11-22T03:30:00.000Z",
         *             "2026-11-23T03:30:00.000Z"
         *           ],
         *           "created_by": "owner@example.com",
         *           "version": 1,
         *           "created_at": "2026-11-21T10:00:00.000Z"
         *         }
         *       ],
         *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY2YjAx"
         *     }
         */
        SchedulePage: {
            /** @description Oldest first. */
            data: components["schemas"]["Schedule"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @example {
         *       "name": "Nightly restart",
         *       "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
         *       "action": {
         *         "kind": "restart"
         *       },
         *       "cron": "30 4 * * *",
         *       "time_zone": "Europe/Berlin"
         *     }
         */
        ScheduleCreate: {
            name: components["schemas"]["DisplayName"];
            /**
             * Format: uuid
             * @description The game instance that it is for; it stays that.
             */
            instance_id: string;
            action: components["schemas"]["ScheduleAction"];
            cron: components["schemas"]["CronExpression"];
            time_zone: components["schemas"]["TimeZone"];
            missed_runs?: components["schemas"]["MissedRuns"];
            /**
             * @description Whether it runs when it is due.
             * @default true
             */
            is_enabled: boolean;
        };
        /**
         * @description What is left out stays as it is.
         * @example {
         *       "cron": "0 5 * * MON-FRI"
         *     }
         */
        ScheduleUpdate: {
            name?: components["schemas"]["DisplayName"];
            action?: components["schemas"]["ScheduleAction"];
            cron?: components["schemas"]["CronExpression"];
            time_zone?: components["schemas"]["TimeZone"];
            missed_runs?: components["schemas"]["MissedRuns"];
            /** @description Whether it runs when it is due. */
            is_enabled?: boolean;
        };
        /**
         * @description `running` until its command has ended; `failed` when that failed or expired, or could not be given; `skipped` when the due time was missed. A result that still arrives after its command had expired replaces `failed`.
         * @example succeeded
         * @enum {string}
         */
        ScheduleRunStatus: "running" | "succeeded" | "failed" | "skipped";
        /**
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6c01",
         *       "schedule_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6b01",
         *       "due_at": "2026-11-21T03:30:00.000Z",
         *       "status": "succeeded",
         *       "detail": "The process runs anew with pid 4242.",
         *       "error": null,
         *       "command_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a03",
         *       "requested_by": null,
         *       "created_at": "2026-11-21T03:30:00.412Z",
         *       "finished_at": "2026-11-21T03:31:10.100Z"
         *     }
         */
        ScheduleRun: {
            /**
             * Format: uuid
             * @description Names this one run.
             */
            id: string;
            /**
             * Format: uuid
             * @description The schedule that it is a run of.
             */
            schedule_id: string;
            /**
             * Format: date-time
             * @description The due time that it is for, the first one missed if there were more; `null` when somebody asked for it.
             */
            due_at: string | null;
            status: components["schemas"]["ScheduleRunStatus"];
            /** @description What was said about its success, or why it was skipped; `null` before that, or when nothing was said. */
            detail: string | null;
            /** @description Why it failed, as its command says it, or `limit_reached` when too much waited for the agent, or `lost` when its command is gone, or why a wipe could not be asked for: `wipe_under_way`, `not_found` of its map, `map_not_public`, `not_supported`; `null` unless it did. */
            error: components["schemas"]["CommandError"] | null;
            /**
             * Format: uuid
             * @description What the agent was asked with; `null` when it was asked nothing.
             */
            command_id: string | null;
            /** @description E-mail address of who asked for it, or the name of an API key; `null` when it was due. */
            requested_by: string | null;
            /**
             * Format: date-time
             * @description When it began.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it succeeded, failed or was skipped; `null` until then.
             */
            finished_at: string | null;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6c01",
         *           "schedule_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6b01",
         *           "due_at": "2026-11-21T03:30:00.000Z",
         *           "status": "succeeded",
         *           "detail": "The process runs anew with pid 4242.",
         *           "error": null,
         *           "command_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a03",
         *           "requested_by": null,
         *           "created_at": "2026-11-21T03:30:00.412Z",
         *           "finished_at": "2026-11-21T03:31:10.100Z"
         *         }
         *       ],
         *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY2YzAx"
         *     }
         */
        ScheduleRunPage: {
            /** @description Newest first. Runs are kept for 90 days. */
            data: components["schemas"]["ScheduleRun"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @description What came of an attempt. `rejected` is an answer other than 2xx, redirects included. `unresolved` is a name without an address, `address_refused` one whose address is not public, `url_refused` a URL that this installation takes no more.
         * @example succeeded
         * @enum {string}
         */
        WebhookOutcome: "succeeded" | "rejected" | "timed_out" | "connection_failed" | "unresolved" | "address_refused" | "url_refused";
        /**
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01",
         *       "name": "Pager",
         *       "url": "https://hooks.example.com/gantry",
         *       "events": [
         *         "server_down",
         *         "wipe_completed"
         *       ],
         *       "is_enabled": true,
         *       "disabled_at": null,
         *       "disabled_reason": null,
         *       "previous_secret_ends_at": null,
         *       "last_delivery_at": "2026-11-21T10:02:00.000Z",
         *       "last_status": "succeeded",
         *       "last_status_code": 204,
         *       "version": 1,
         *       "created_at": "2026-11-21T10:00:00.000Z"
         *     }
         */
        Webhook: {
            /**
             * Format: uuid
             * @description What `webhook_id` refers to elsewhere.
             */
            id: string;
            name: components["schemas"]["DisplayName"];
            url: components["schemas"]["WebhookUrl"];
            events: components["schemas"]["WebhookEvents"];
            /** @description Whether anything is sent. */
            is_enabled: boolean;
            /**
             * Format: date-time
             * @description Since when the platform has it disabled for failing; `null` unless it has.
             */
            disabled_at: string | null;
            /** @description Why it has, in words; `null` unless it has. */
            disabled_reason: string | null;
            /**
             * Format: date-time
             * @description Until when the former secret signs too; `null` when there is none that does.
             */
            previous_secret_ends_at: string | null;
            /**
             * Format: date-time
             * @description When something was sent last, whatever came of it; `null` before the first time.
             */
            last_delivery_at: string | null;
            /** @description What came of it; `null` before the first time. */
            last_status: components["schemas"]["WebhookOutcome"] | null;
            /**
             * Format: int32
             * @description The HTTP status that it was answered with; `null` without an answer.
             */
            last_status_code: number | null;
            /**
             * Format: int32
             * @description Counts its changes.
             */
            version: number;
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
         *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01",
         *           "name": "Pager",
         *           "url": "https://hooks.example.com/gantry",
         *           "events": [
         *             "server_down",
         *             "wipe_completed"
         *           ],
         *           "is_enabled": true,
         *           "disabled_at": null,
         *           "disabled_reason": null,
         *           "previous_secret_ends_at": null,
         *           "last_delivery_at": "2026-11-21T10:02:00.000Z",
         *           "last_status": "succeeded",
         *           "last_status_code": 204,
         *           "version": 1,
         *           "created_at": "2026-11-21T10:00:00.000Z"
         *         }
         *       ],
         *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY3YTAx"
         *     }
         */
        WebhookPage: {
            /** @description Oldest first. */
            data: components["schemas"]["Webhook"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @example {
         *       "name": "Pager",
         *       "url": "https://hooks.example.com/gantry",
         *       "events": [
         *         "server_down"
         *       ]
         *     }
         */
        WebhookCreate: {
            name: components["schemas"]["DisplayName"];
            url: components["schemas"]["WebhookUrl"];
            events: components["schemas"]["WebhookEvents"];
            /**
             * @description Whether anything is sent.
             * @default true
             */
            is_enabled: boolean;
        };
        /**
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01",
         *       "name": "Pager",
         *       "url": "https://hooks.example.com/gantry",
         *       "events": [
         *         "server_down",
         *         "wipe_completed"
         *       ],
         *       "is_enabled": true,
         *       "disabled_at": null,
         *       "disabled_reason": null,
         *       "previous_secret_ends_at": null,
         *       "last_delivery_at": "2026-11-21T10:02:00.000Z",
         *       "last_status": "succeeded",
         *       "last_status_code": 204,
         *       "version": 1,
         *       "created_at": "2026-11-21T10:00:00.000Z",
         *       "secret": "whsec_4hx6tq2mvb7kz3cnra5wyd2jfe6up4s7lgxo3i5bqtw"
         *     }
         */
        CreatedWebhook: {
            /**
             * Format: uuid
             * @description What `webhook_id` refers to elsewhere.
             */
            id: string;
            name: components["schemas"]["DisplayName"];
            url: components["schemas"]["WebhookUrl"];
            events: components["schemas"]["WebhookEvents"];
            /** @description Whether anything is sent. */
            is_enabled: boolean;
            /**
             * Format: date-time
             * @description Since when the platform has it disabled for failing; `null` unless it has.
             */
            disabled_at: string | null;
            /** @description Why it has, in words; `null` unless it has. */
            disabled_reason: string | null;
            /**
             * Format: date-time
             * @description Until when the former secret signs too; `null` when there is none that does.
             */
            previous_secret_ends_at: string | null;
            /**
             * Format: date-time
             * @description When something was sent last, whatever came of it; `null` before the first time.
             */
            last_delivery_at: string | null;
            /** @description What came of it; `null` before the first time. */
            last_status: components["schemas"]["WebhookOutcome"] | null;
            /**
             * Format: int32
             * @description The HTTP status that it was answered with; `null` without an answer.
             */
            last_status_code: number | null;
            /**
             * Format: int32
             * @description Counts its changes.
             */
            version: number;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /** @description Signs what is sent. It is answered this once. */
            secret: string;
        };
        /**
         * @description What is left out stays as it is.
         * @example {
         *       "is_enabled": true
         *     }
         */
        WebhookUpdate: {
            name?: components["schemas"]["DisplayName"];
            url?: components["schemas"]["WebhookUrl"];
            events?: components["schemas"]["WebhookEvents"];
            /** @description Whether anything is sent. */
            is_enabled?: boolean;
        };
        /**
         * @description `pending` while there are attempts to come. `failed` after the last of them, `cancelled` when the webhook was disabled before.
         * @example pending
         * @enum {string}
         */
        WebhookDeliveryStatus: "pending" | "succeeded" | "failed" | "cancelled";
        /**
         * @description A type of event, or `test` for those that are sent on request.
         * @example server_down
         * @enum {string}
         */
        WebhookDeliveryEvent: "player_banned" | "server_down" | "test" | "wipe_completed";
        /**
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7b01",
         *       "webhook_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01",
         *       "event": "server_down",
         *       "event_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7c01",
         *       "status": "pending",
         *       "attempt_count": 1,
         *       "next_attempt_at": "2026-11-21T10:02:05.000Z",
         *       "last_attempt_at": "2026-11-21T10:02:00.000Z",
         *       "last_outcome": "rejected",
         *       "last_status_code": 503,
         *       "last_duration_ms": 41,
         *       "created_at": "2026-11-21T10:02:00.000Z",
         *       "finished_at": null
         *     }
         */
        WebhookDelivery: {
            /**
             * Format: uuid
             * @description The same for every attempt; receivers get it as `X-Service-Delivery`.
             */
            id: string;
            /**
             * Format: uuid
             * @description The webhook that it belongs to.
             */
            webhook_id: string;
            event: components["schemas"]["WebhookDeliveryEvent"];
            /**
             * Format: uuid
             * @description The event that it tells of, which other webhooks may have got too; `null` for a test.
             */
            event_id: string | null;
            status: components["schemas"]["WebhookDeliveryStatus"];
            /**
             * Format: int32
             * @description How often it was tried.
             */
            attempt_count: number;
            /**
             * Format: date-time
             * @description When it is tried next, at the earliest; `null` when it is not.
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description When it was tried last; `null` before the first attempt.
             */
            last_attempt_at: string | null;
            /** @description What came of that; `null` before the first attempt. */
            last_outcome: components["schemas"]["WebhookOutcome"] | null;
            /**
             * Format: int32
             * @description The HTTP status of the answer; `null` without one.
             */
            last_status_code: number | null;
            /**
             * Format: int32
             * @description How long the last attempt took; `null` before the first one.
             */
            last_duration_ms: number | null;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it ended; `null` while it is pending.
             */
            finished_at: string | null;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7b01",
         *           "webhook_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01",
         *           "event": "server_down",
         *           "event_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7c01",
         *           "status": "pending",
         *           "attempt_count": 1,
         *           "next_attempt_at": "2026-11-21T10:02:05.000Z",
         *           "last_attempt_at": "2026-11-21T10:02:00.000Z",
         *           "last_outcome": "rejected",
         *           "last_status_code": 503,
         *           "last_duration_ms": 41,
         *           "created_at": "2026-11-21T10:02:00.000Z",
         *           "finished_at": null
         *         }
         *       ],
         *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY3YjAx"
         *     }
         */
        WebhookDeliveryPage: {
            /** @description Newest first. */
            data: components["schemas"]["WebhookDelivery"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7b01",
         *       "webhook_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01",
         *       "event": "server_down",
         *       "event_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7c01",
         *       "status": "pending",
         *       "attempt_count": 1,
         *       "next_attempt_at": "2026-11-21T10:02:05.000Z",
         *       "last_attempt_at": "2026-11-21T10:02:00.000Z",
         *       "last_outcome": "rejected",
         *       "last_status_code": 503,
         *       "last_duration_ms": 41,
         *       "created_at": "2026-11-21T10:02:00.000Z",
         *       "finished_at": null,
         *       "body": "{\"type\":\"server_down\"}",
         *       "response": "Try again later.",
         *       "detail": "The receiver answered 503."
         *     }
         */
        WebhookDeliveryDetail: {
            /**
             * Format: uuid
             * @description The same for every attempt; receivers get it as `X-Service-Delivery`.
             */
            id: string;
            /**
             * Format: uuid
             * @description The webhook that it belongs to.
             */
            webhook_id: string;
            event: components["schemas"]["WebhookDeliveryEvent"];
            /**
             * Format: uuid
             * @description The event that it tells of, which other webhooks may have got too; `null` for a test.
             */
            event_id: string | null;
            status: components["schemas"]["WebhookDeliveryStatus"];
            /**
             * Format: int32
             * @description How often it was tried.
             */
            attempt_count: number;
            /**
             * Format: date-time
             * @description When it is tried next, at the earliest; `null` when it is not.
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description When it was tried last; `null` before the first attempt.
             */
            last_attempt_at: string | null;
            /** @description What came of that; `null` before the first attempt. */
            last_outcome: components["schemas"]["WebhookOutcome"] | null;
            /**
             * Format: int32
             * @description The HTTP status of the answer; `null` without one.
             */
            last_status_code: number | null;
            /**
             * Format: int32
             * @description How long the last attempt took; `null` before the first one.
             */
            last_duration_ms: number | null;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it ended; `null` while it is pending.
             */
            finished_at: string | null;
            /** @description What is sent, byte for byte: JSON. */
            body: string;
            /** @description The beginning of the last answer, 4 KB at most, if it did not take the event; `null` otherwise. */
            response: string | null;
            /** @description Why the last attempt came to nothing, in words; `null` unless it did. */
            detail: string | null;
        };
        /**
         * @example {
         *       "overlap_hours": 24
         *     }
         */
        WebhookSecretReplace: {
            /** @description For how long the former secret signs too; 0 ends it at once, as it should be when it leaked. */
            overlap_hours: number;
        };
        /**
         * Format: int32
         * @description How often it was changed.
         */
        SiteVersion: number;
        /**
         * @example {
         *       "is_public": false,
         *       "is_listed_by_default": false,
         *       "status_page_description": null,
         *       "version": 0
         *     }
         */
        SiteConfig: {
            is_public: components["schemas"]["IsPublic"];
            is_listed_by_default: components["schemas"]["IsListedByDefault"];
            status_page_description: components["schemas"]["StatusPageDescription"];
            version: components["schemas"]["SiteVersion"];
        };
        /**
         * @description What is left out stays as it is.
         * @example {
         *       "is_public": true
         *     }
         */
        SiteConfigUpdate: {
            is_public?: components["schemas"]["IsPublic"];
            is_listed_by_default?: components["schemas"]["IsListedByDefault"];
            status_page_description?: components["schemas"]["StatusPageDescription"];
        };
        /**
         * @example {
         *       "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
         *       "instance_name": "main",
         *       "is_listed": null,
         *       "is_shown": false,
         *       "display_name": null,
         *       "description": null,
         *       "wipe_schedule": null,
         *       "version": 0
         *     }
         */
        SiteListing: {
            /**
             * Format: uuid
             * @description The game instance.
             */
            instance_id: string;
            /** @description What its agent calls it. */
            instance_name: string;
            is_listed: components["schemas"]["IsListed"];
            /** @description Whether everybody sees it now, all things considered. */
            is_shown: boolean;
            display_name: components["schemas"]["PublicName"];
            description: components["schemas"]["StatusPageDescription"];
            wipe_schedule: components["schemas"]["WipeSchedule"];
            version: components["schemas"]["SiteVersion"];
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
         *           "instance_name": "main",
         *           "is_listed": null,
         *           "is_shown": false,
         *           "display_name": null,
         *           "description": null,
         *           "wipe_schedule": null,
         *           "version": 0
         *         }
         *       ],
         *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0ZDAx"
         *     }
         */
        SiteListingPage: {
            /** @description Oldest first. */
            data: components["schemas"]["SiteListing"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @description What is left out stays as it is.
         * @example {
         *       "is_listed": true
         *     }
         */
        SiteListingUpdate: {
            is_listed?: components["schemas"]["IsListed"];
            display_name?: components["schemas"]["PublicName"];
            description?: components["schemas"]["StatusPageDescription"];
            wipe_schedule?: components["schemas"]["WipeSchedule"];
        };
        /**
         * @description What somebody may do in the license.
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5a01",
         *       "name": "Night watch"
         *     }
         */
        RoleReference: {
            /**
             * Format: uuid
             * @description Read what it allows at `/api/roles/{role_id}`.
             */
            id: string;
            /** @description What people call it. */
            name: string;
        };
        /**
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5c01",
         *       "email": "watch@example.com",
         *       "role": {
         *         "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5a01",
         *         "name": "Night watch"
         *       },
         *       "invited_by": "owner@example.com",
         *       "created_at": "2026-11-21T10:00:00.000Z",
         *       "expires_at": "2026-11-28T10:00:00.000Z"
         *     }
         */
        Invitation: {
            /**
             * Format: uuid
             * @description What `invitation_id` refers to elsewhere.
             */
            id: string;
            email: components["schemas"]["Email"];
            role: components["schemas"]["RoleReference"];
            /** @description E-mail address of who sent it. */
            invited_by: string;
            /**
             * Format: date-time
             * @description When it was sent.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description From when on it can't be accepted.
             */
            expires_at: string;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5c01",
         *           "email": "watch@example.com",
         *           "role": {
         *             "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5a01",
         *             "name": "Night watch"
         *           },
         *           "invited_by": "owner@example.com",
         *           "created_at": "2026-11-21T10:00:00.000Z",
         *           "expires_at": "2026-11-28T10:00:00.000Z"
         *         }
         *       ],
         *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY1YzAx"
         *     }
         */
        InvitationPage: {
            /** @description Oldest first. */
            data: components["schemas"]["Invitation"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * Format: uuid
         * @description A role of the license, which holds nothing that you lack yourself.
         * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5a01
         */
        RoleChoice: string;
        /**
         * @example {
         *       "email": "watch@example.com",
         *       "role_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5a01"
         *     }
         */
        InvitationCreate: {
            email: components["schemas"]["Email"];
            role_id: components["schemas"]["RoleChoice"];
        };
        /**
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5b01",
         *       "user_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4c01",
         *       "email": "watch@example.com",
         *       "is_disabled": false,
         *       "role": {
         *         "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5a01",
         *         "name": "Night watch"
         *       },
         *       "created_at": "2026-11-21T10:00:00.000Z"
         *     }
         */
        Member: {
            /**
             * Format: uuid
             * @description What `member_id` refers to elsewhere.
             */
            id: string;
            /**
             * Format: uuid
             * @description The account, the same in every license.
             */
            user_id: string;
            email: components["schemas"]["Email"];
            /** @description Whether the platform has locked the account. */
            is_disabled: boolean;
            role: components["schemas"]["RoleReference"];
            /**
             * Format: date-time
             * @description When they joined.
             */
            created_at: string;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5b01",
         *           "user_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4c01",
         *           "email": "watch@example.com",
         *           "is_disabled": false,
         *           "role": {
         *             "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5a01",
         *             "name": "Night watch"
         *           },
         *           "created_at": "2026-11-21T10:00:00.000Z"
         *         }
         *       ],
         *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY1YjAx"
         *     }
         */
        MemberPage: {
            /** @description Those who joined first come first. */
            data: components["schemas"]["Member"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @example {
         *       "role_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5a01"
         *     }
         */
        MemberUpdate: {
            role_id: components["schemas"]["RoleChoice"];
        };
        /**
         * @description A game server has carried out a ban.
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7c01",
         *       "type": "player_banned",
         *       "occurred_at": "2026-11-21T10:02:00.000Z",
         *       "license_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a02",
         *       "data": {
         *         "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a06",
         *         "instance_name": "main",
         *         "steam_id": "76561197960287930",
         *         "reason": "Cheating",
         *         "until": null,
         *         "requested_by": "owner@example.com"
         *       }
         *     }
         */
        PlayerBannedEvent: {
            /**
             * Format: uuid
             * @description The event's id; several webhooks may get it.
             */
            id: string;
            /**
             * @description Says what happened, and with it what `data` holds.
             * @constant
             */
            type: "player_banned";
            /**
             * Format: date-time
             * @description When it happened.
             */
            occurred_at: string;
            /**
             * Format: uuid
             * @description The license that it happened in.
             */
            license_id: string;
            /** @description The ban. */
            data: {
                /**
                 * Format: uuid
                 * @description The game instance; `null` once that was deleted.
                 */
                instance_id: string | null;
                /** @description What the instance was called. */
                instance_name: string;
                steam_id: components["schemas"]["SteamId"];
                /** @description Why, in the words of whoever did it; `null` if not told. */
                reason: string | null;
                /**
                 * Format: date-time
                 * @description When it ends by itself; `null` if it does not.
                 */
                until: string | null;
                /** @description Who asked for it, as people know them; `null` once that is not known any more. */
                requested_by: string | null;
            };
        };
        /**
         * @description A host went offline, with what ran on it, or a game server crashed. Told once, until it is up again or was stopped.
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7c02",
         *       "type": "server_down",
         *       "occurred_at": "2026-11-21T10:02:00.000Z",
         *       "license_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a02",
         *       "data": {
         *         "reason": "host_silent",
         *         "host_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a05",
         *         "hostname": "rust-01",
         *         "instances": [
         *           {
         *             "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a06",
         *             "name": "main"
         *           }
         *         ]
         *       }
         *     }
         */
        ServerDownEvent: {
            /**
             * Format: uuid
             * @description The event's id; several webhooks may get it.
             */
            id: string;
            /**
             * @description Says what happened, and with it what `data` holds.
             * @constant
             */
            type: "server_down";
            /**
             * Format: date-time
             * @description When it happened.
             */
            occurred_at: string;
            /**
             * Format: uuid
             * @description The license that it happened in.
             */
            license_id: string;
            /** @description The outage. */
            data: {
                /**
                 * @description `host_goodbye`: its agent said goodbye. `host_silent`: nothing was heard of it for too long. `instance_crashed`: the game server ended by itself.
                 * @enum {string}
                 */
                reason: "host_goodbye" | "host_silent" | "instance_crashed";
                /**
                 * Format: uuid
                 * @description Where it happened.
                 */
                host_id: string;
                /** @description What it is called. */
                hostname: string;
                /** @description The game servers that ran; of a larger number the first hundred by name. */
                instances: {
                    /**
                     * Format: uuid
                     * @description The game instance.
                     */
                    id: string;
                    /** @description What it is called. */
                    name: string;
                }[];
            };
        };
        /**
         * @description Sent on request, and tried once.
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7b01",
         *       "type": "test",
         *       "occurred_at": "2026-11-21T10:02:00.000Z",
         *       "license_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a02",
         *       "data": {
         *         "webhook_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01",
         *         "requested_by": "owner@example.com"
         *       }
         *     }
         */
        TestEvent: {
            /**
             * Format: uuid
             * @description The event's id; several webhooks may get it.
             */
            id: string;
            /**
             * @description Says what happened, and with it what `data` holds.
             * @constant
             */
            type: "test";
            /**
             * Format: date-time
             * @description When it happened.
             */
            occurred_at: string;
            /**
             * Format: uuid
             * @description The license that it happened in.
             */
            license_id: string;
            /** @description The request. */
            data: {
                /**
                 * Format: uuid
                 * @description Which one is tested.
                 */
                webhook_id: string;
                /** @description Who asked for it, as people know them; `null` once that is not known any more. */
                requested_by: string | null;
            };
        };
        /**
         * @description A wipe has come to its end as planned.
         * @example {
         *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7c03",
         *       "type": "wipe_completed",
         *       "occurred_at": "2026-11-21T10:02:00.000Z",
         *       "license_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a02",
         *       "data": {
         *         "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a06",
         *         "instance_name": "main",
         *         "kind": "map",
         *         "seed": 4711,
         *         "world_size": 4000,
         *         "map_id": null,
         *         "requested_by": "owner@example.com"
         *       }
         *     }
         */
        WipeCompletedEvent: {
            /**
             * Format: uuid
             * @description The event's id; several webhooks may get it.
             */
            id: string;
            /**
             * @description Says what happened, and with it what `data` holds.
             * @constant
             */
            type: "wipe_completed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            occurred_at: string;
            /**
             * Format: uuid
             * @description The license that it happened in.
             */
            license_id: string;
            /** @description What was wiped, and what changed. */
            data: {
                /**
                 * Format: uuid
                 * @description The game instance; `null` once that was deleted.
                 */
                instance_id: string | null;
                /** @description What the instance was called. */
                instance_name: string;
                kind: components["schemas"]["WipeKind"];
                /** @description The new one; `null` if it was kept. */
                seed: components["schemas"]["MapSeed"] | null;
                /** @description The new one; `null` if it was kept. */
                world_size: components["schemas"]["WorldSize"] | null;
                /**
                 * Format: uuid
                 * @description The uploaded map that it changed to; `null` for none.
                 */
                map_id: string | null;
                /** @description Who asked for it, as people know them; `null` once that is not known any more. */
                requested_by: string | null;
            };
        };
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
        /** @description The deployment, as far as it has come. */
        AcceptedMapDeployment: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6d01",
                 *       "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
                 *       "map_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6c01",
                 *       "path": "maps/five-islands-9f86d081884c.map",
                 *       "status": "deployed",
                 *       "detail": "maps/five-islands-9f86d081884c.map is there.",
                 *       "error": null,
                 *       "command_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a03",
                 *       "requested_by": "owner@example.com",
                 *       "created_at": "2026-11-21T10:00:00.000Z",
                 *       "finished_at": "2026-11-21T10:00:20.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["MapDeployment"];
            };
        };
        /**
         * @description `validation_failed`: The request does not match the contract.
         *     `malformed_body`: The body can not be read.
         *     `password_required`: A password is needed.
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
         *     `invalid_invitation`: The invitation is not valid.
         *     `invalid_challenge`: The challenge is not valid.
         *     `invalid_password_token`: The link is not valid.
         *     `invalid_link`: The link is not valid.
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
         *     `already_member`: They belong to the team already.
         *     `already_invited`: They are invited already.
         *     `last_owner`: A license needs an Owner.
         *     `role_immutable`: System roles do not change.
         *     `role_in_use`: The role is in use.
         *     `name_taken`: The name is taken.
         *     `file_exists`: There is something at that path already.
         *     `wrong_file_type`: It is no file or directory of the kind needed.
         *     `directory_not_empty`: The directory is not empty.
         *     `map_in_use`: The map is in use.
         *     `map_not_public`: The map is not public.
         *     `subdomain_taken`: The subdomain is taken.
         *     `public_key_taken`: The key is another host’s.
         *     `time_taken`: Another has that time.
         *     `still_online`: It is still online.
         *     `instance_not_running`: The instance does not run.
         *     `not_supported`: Not possible with this instance.
         *     `backup_pinned`: The backup is pinned.
         *     `backup_being_deleted`: The backup is being deleted.
         *     `wipe_begun`: The wipe can not be cancelled any more.
         *     `wipe_under_way`: The instance is being wiped.
         *     `webhook_disabled`: The webhook is disabled.
         *     `last_super_admin`: The last super admin stays.
         *     `limit_reached`: A limit is reached.
         *     `totp_already_on`: The second factor is on already.
         *     `totp_not_set_up`: No second factor is set up.
         *     `totp_not_on`: The second factor is not on.
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
        /** @description `stale_version`: It was changed meanwhile. */
        Problem412: {
            headers: {
                /** @description Name it when you ask for help. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/stale_version",
                 *       "title": "It was changed meanwhile",
                 *       "status": 412,
                 *       "detail": "It was changed meanwhile.",
                 *       "instance": "/api/fleet/instances",
                 *       "code": "stale_version",
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
        /**
         * @description `idempotency_key_reused`: The key was used for another request.
         *     `wrong_password`: The current password is wrong.
         *     `same_password`: The new password is the current one.
         *     `weak_password`: The password is too easy to guess.
         *     `export_too_large`: The export is too large.
         *     `invalid_code`: The code is not valid.
         *     `path_refused`: The path can not be used.
         *     `file_too_large`: The file is too large.
         *     `not_text`: The file is no text.
         *     `checksum_mismatch`: The checksum is wrong.
         *     `import_refused`: The document can not be imported.
         *     `plugin_refused`: It is no such plugin.
         *     `invalid_map`: The file is no map.
         *     `infected_file`: The file is not safe.
         */
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
        /** @description `rate_limited`: Too many requests. */
        Problem429: {
            headers: {
                /** @description Name it when you ask for help. */
                "X-Request-Id"?: string;
                /** @description What is left, and the seconds until it is all there again. */
                RateLimit?: string;
                /** @description What is allowed, and in how many seconds. */
                "RateLimit-Policy"?: string;
                /** @description Seconds after which it makes sense to try again; absent where it makes none. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/rate_limited",
                 *       "title": "Too many requests",
                 *       "status": 429,
                 *       "detail": "Too many requests.",
                 *       "instance": "/api/fleet/instances",
                 *       "code": "rate_limited",
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
        /** @description `agent_refused`: The agent could not do it. */
        Problem502: {
            headers: {
                /** @description Name it when you ask for help. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/agent_refused",
                 *       "title": "The agent could not do it",
                 *       "status": 502,
                 *       "detail": "The agent could not do it.",
                 *       "instance": "/api/fleet/instances",
                 *       "code": "agent_refused",
                 *       "request_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a09"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `unavailable`: Temporarily unavailable.
         *     `game_unreachable`: The game server does not answer.
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
        /** @description `agent_timeout`: The agent did not answer in time. */
        Problem504: {
            headers: {
                /** @description Name it when you ask for help. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/agent_timeout",
                 *       "title": "The agent did not answer in time",
                 *       "status": 504,
                 *       "detail": "The agent did not answer in time.",
                 *       "instance": "/api/fleet/instances",
                 *       "code": "agent_timeout",
                 *       "request_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a09"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `disk_full`: The disk of the host is full. */
        Problem507: {
            headers: {
                /** @description Name it when you ask for help. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/problems/disk_full",
                 *       "title": "The disk of the host is full",
                 *       "status": 507,
                 *       "detail": "The disk of the host is full.",
                 *       "instance": "/api/fleet/instances",
                 *       "code": "disk_full",
                 *       "request_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a09"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
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
        /**
         * @description The session's id, the `sid` of its access tokens.
         * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4f01
         */
        SessionIdParameter: string;
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
         * @description A value of your choice, new for each intent (a UUID is best). Repeating the request with it, after a time-out for instance, gives the first answer again instead of doing it twice.
         * @example 2f7c7f3e-6a2e-4d0b-9a55-0f2f0f3f6a11
         */
        IdempotencyKey: string;
        /**
         * @description The entry's id.
         * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6a01
         */
        ChangelogEntryIdParameter: string;
        /**
         * @description The `ETag` of what you have seen: it is changed only if it is still that, so that nobody's change is lost. Without it, or with `*`, it is changed whatever it is now.
         * @example "3"
         */
        IfMatch: string;
        /** @description Only what was created at or after this time. */
        CreatedFrom: string;
        /** @description Only what was created before this time. */
        CreatedTo: string;
        /**
         * @description The license's id.
         * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01
         */
        LicenseId: string;
        /**
         * @description The map's id.
         * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6c01
         */
        MapIdParameter: string;
        /**
         * @description The alert's id.
         * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8a01
         */
        AlertIdParameter: string;
        /**
         * @description The last 30 or 90 days of UTC, today included, or everything there is.
         * @example 90d
         */
        MapRange: "30d" | "90d" | "all";
        /**
         * @description The period is the last so many days of UTC, today included.
         * @example 30
         */
        Days: number;
        /**
         * @description Only this game instance; all of the license's without it.
         * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
         */
        InstanceFilter: string;
        /**
         * @description By whose clocks hours and weekdays are told.
         * @example Europe/Berlin
         */
        TimeZoneParameter: components["schemas"]["TimeZone"];
        /**
         * @description How many of the newest wipes are compared.
         * @example 6
         */
        WipeCount: 3 | 6 | 10 | 20;
        /**
         * @description The game instance.
         * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
         */
        SeriesInstance: string;
        /**
         * @description The first point is the one whose step holds this time; without it, 100 steps before the end.
         * @example 2026-11-14T00:00:00.000Z
         */
        SeriesFrom: string;
        /**
         * @description Only points that begin before this time; now without it.
         * @example 2026-11-21T00:00:00.000Z
         */
        SeriesTo: string;
        /** @description How much time a point stands for. */
        SeriesStep: components["schemas"]["SeriesStepName"];
        /**
         * @description Only sessions of this player.
         * @example 76561197960287930
         */
        SessionPlayer: components["schemas"]["SteamId"];
        /**
         * @description Only sessions that began at or after this time.
         * @example 2026-11-14T00:00:00.000Z
         */
        SessionFrom: string;
        /**
         * @description Only sessions that began before this time.
         * @example 2026-11-21T00:00:00.000Z
         */
        SessionTo: string;
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
         * @description Only backups of this kind.
         * @example manual
         */
        BackupKindFilter: components["schemas"]["BackupKind"];
        /**
         * @description `wait=N` waits up to N seconds, 10 at most, for the command to end before it answers. Other preferences are ignored (RFC 7240).
         * @example wait=5
         */
        Prefer: string;
        /**
         * @description The backup's id.
         * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a08
         */
        BackupIdParameter: string;
        /**
         * @description The directory, relative to the instance's root; the root unless given.
         * @example oxide/config
         */
        FolderParameter: components["schemas"]["FolderPath"];
        /**
         * @description The file or directory, relative to the instance's root.
         * @example oxide/config/Kits.json
         */
        PathParameter: components["schemas"]["FilePath"];
        /**
         * @description The `ETag` of what you have read: the file is written only if its content is still that. Without it, or with `*`, it is written whatever is there now.
         * @example "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
         */
        IfContentMatch: string;
        /**
         * @description Whether a file that is there already is replaced. Directories never are.
         * @example true
         */
        OverwriteParameter: boolean;
        /**
         * @description The deployment's id.
         * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6d01
         */
        MapDeploymentIdParameter: string;
        /**
         * @description The player's SteamID64.
         * @example 76561197960287930
         */
        SteamIdParameter: components["schemas"]["SteamId"];
        /**
         * @description The kept copy's id.
         * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b11
         */
        PluginCopyIdParameter: string;
        /**
         * @description The plugin's name, as its file has it without `.cs`.
         * @example Kits
         */
        PluginParameter: components["schemas"]["PluginName"];
        /**
         * @description Whether a plugin of that name is replaced; a copy of the one before is kept.
         * @example true
         */
        PluginOverwriteParameter: boolean;
        /**
         * @description The command's id.
         * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a03
         */
        CommandIdParameter: string;
        /**
         * @description Only maps whose name contains this, in upper or lower case.
         * @example islands
         */
        MapNameFilter: string;
        /**
         * @description Only maps that can be downloaded by everybody, or only the others.
         * @example true
         */
        PublicFilter: boolean;
        /**
         * @description The channel's id.
         * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8b01
         */
        NotificationChannelIdParameter: string;
        /**
         * @description The `operationId`, as this contract has it.
         * @example startInstance
         */
        OperationParameter: string;
        /**
         * @description The role's id.
         * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5a01
         */
        RoleIdParameter: string;
        /**
         * @description The schedule's id.
         * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6b01
         */
        ScheduleIdParameter: string;
        /**
         * @description The webhook's id.
         * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01
         */
        WebhookIdParameter: string;
        /**
         * @description The delivery's id; receivers get it as `X-Service-Delivery`.
         * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7b01
         */
        WebhookDeliveryIdParameter: string;
        /**
         * @description The wipe's id.
         * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01
         */
        WipeIdParameter: string;
        /**
         * @description The invitation's id.
         * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5c01
         */
        InvitationIdParameter: string;
        /**
         * @description The `id` of a member of the team.
         * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5b01
         */
        MemberIdParameter: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The next page, as `<…>; rel="next"`; absent on the last one.
         * @example </api/commands?cursor=MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0YTAz>; rel="next"
         */
        Link: string;
        /**
         * @description The version of what is answered, in quotes, for `If-Match`.
         * @example "3"
         */
        ETag: string;
        /**
         * @description The SHA-256 of the content, in quotes, for `If-Match`.
         * @example "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
         */
        ContentETag: string;
        /**
         * @description Names this very content, for `If-None-Match`.
         * @example "n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg"
         */
        StatusETag: string;
        /**
         * @description How long caches may keep it for everybody.
         * @example public, max-age=5
         */
        StatusCacheControl: string;
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
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
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
            /** @description The user is signed in, or has to show a second factor first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignIn"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createTotpSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChallengeAnswer"];
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
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updatePassword: {
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
                 *       "current_password": "former-horse-battery",
                 *       "new_password": "sturdy-goose-lantern"
                 *     }
                 */
                "application/json": components["schemas"]["PasswordChange"];
            };
        };
        responses: {
            /** @description The password is changed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    startPasswordReset: {
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
                 *       "email": "owner@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["PasswordResetRequest"];
            };
        };
        responses: {
            /** @description If there is such an account, a message is on its way. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    runPasswordReset: {
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
                 *       "token": "gantry_password_6fJm2yq8Q0mT3l9xw1B7c5Vn4ZsKpRdE",
                 *       "password": "sturdy-goose-lantern"
                 *     }
                 */
                "application/json": components["schemas"]["PasswordReset"];
            };
        };
        responses: {
            /** @description The password is set. Sign in with it. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createTotpSetup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the authenticator app needs. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "secret": "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
                     *       "otpauth_uri": "otpauth://totp/Gantry:owner%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Gantry",
                     *       "qr_code": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVQI12P4DwABAQEAG7buVgAAAABJRU5ErkJggg=="
                     *     }
                     */
                    "application/json": components["schemas"]["TotpSetup"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    startTotp: {
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
                 *       "code": "492039"
                 *     }
                 */
                "application/json": components["schemas"]["TotpCode"];
            };
        };
        responses: {
            /** @description The second factor is on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recovery_codes": [
                     *         "7KQ2-M9XD-4TPA-ZC8W",
                     *         "0HJ5-VWR3-N6EB-S1GY"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    stopTotp: {
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
                 *       "code": "492039"
                 *     }
                 */
                "application/json": components["schemas"]["FactorCode"];
            };
        };
        responses: {
            /** @description The second factor is off. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listSessions: {
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
            /** @description A page of sessions. */
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
                     *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4f01",
                     *           "created_at": "2026-11-21T10:00:00.000Z",
                     *           "last_used_at": "2026-11-21T10:15:00.000Z",
                     *           "source": "198.51.100.7",
                     *           "license_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01",
                     *           "is_current": true
                     *         }
                     *       ],
                     *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0ZjAx"
                     *     }
                     */
                    "application/json": components["schemas"]["UserSessionPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    cancelSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description You are signed in here only. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    cancelSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The session's id, the `sid` of its access tokens.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4f01
                 */
                session_id: components["parameters"]["SessionIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended. */
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
            429: components["responses"]["Problem429"];
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
            429: components["responses"]["Problem429"];
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
            429: components["responses"]["Problem429"];
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
            429: components["responses"]["Problem429"];
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
                     *       "is_second_factor_on": false,
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
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createMembership: {
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
                 *       "token": "gantry_invitation_6fJm2yq8Q0mT3l9xw1B7c5Vn4ZsKpRdE",
                 *       "password": "correct-horse-battery"
                 *     }
                 */
                "application/json": components["schemas"]["InvitationAcceptance"];
            };
        };
        responses: {
            /** @description Who has joined what. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "license_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01",
                     *       "license_name": "Rusty Islands",
                     *       "email": "watch@example.com",
                     *       "role": "Night watch",
                     *       "is_password_set": true
                     *     }
                     */
                    "application/json": components["schemas"]["AcceptedInvitation"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
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
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listChangelogEntries: {
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
            /** @description A page of entries. */
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
                     *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6a01",
                     *           "title": "Schedules",
                     *           "text": "Servers can be restarted **on a schedule**, in any time zone.",
                     *           "published_at": "2026-11-21T10:00:00.000Z",
                     *           "version": 1,
                     *           "created_at": "2026-11-20T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY2YTAx"
                     *     }
                     */
                    "application/json": components["schemas"]["ChangelogEntryPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createChangelogEntry: {
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
                 *       "title": "Schedules",
                 *       "text": "Servers can be restarted **on a schedule**, in any time zone.",
                 *       "published_at": "2026-11-21T10:00:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ChangelogEntryCreate"];
            };
        };
        responses: {
            /** @description The entry. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6a01",
                     *       "title": "Schedules",
                     *       "text": "Servers can be restarted **on a schedule**, in any time zone.",
                     *       "published_at": "2026-11-21T10:00:00.000Z",
                     *       "version": 1,
                     *       "created_at": "2026-11-20T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ChangelogEntry"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getChangelogEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The entry's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6a01
                 */
                changelog_entry_id: components["parameters"]["ChangelogEntryIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entry. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6a01",
                     *       "title": "Schedules",
                     *       "text": "Servers can be restarted **on a schedule**, in any time zone.",
                     *       "published_at": "2026-11-21T10:00:00.000Z",
                     *       "version": 1,
                     *       "created_at": "2026-11-20T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ChangelogEntry"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteChangelogEntry: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of what you have seen: it is changed only if it is still that, so that nobody's change is lost. Without it, or with `*`, it is changed whatever it is now.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description The entry's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6a01
                 */
                changelog_entry_id: components["parameters"]["ChangelogEntryIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entry is gone. */
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
            412: components["responses"]["Problem412"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateChangelogEntry: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of what you have seen: it is changed only if it is still that, so that nobody's change is lost. Without it, or with `*`, it is changed whatever it is now.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description The entry's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6a01
                 */
                changelog_entry_id: components["parameters"]["ChangelogEntryIdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "published_at": "2026-11-21T10:00:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ChangelogEntryUpdate"];
            };
        };
        responses: {
            /** @description The entry as it is now. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6a01",
                     *       "title": "Schedules",
                     *       "text": "Servers can be restarted **on a schedule**, in any time zone.",
                     *       "published_at": "2026-11-21T10:00:00.000Z",
                     *       "version": 1,
                     *       "created_at": "2026-11-20T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ChangelogEntry"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
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
                     *           "created_at": "2026-11-21T10:00:00.000Z",
                     *           "confirmed_at": "2026-11-21T10:05:00.000Z",
                     *           "founding_place_at": "2026-11-21T10:05:00.000Z"
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
            429: components["responses"]["Problem429"];
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
                    "application/json": components["schemas"]["PlatformVitals"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
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
            429: components["responses"]["Problem429"];
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
            429: components["responses"]["Problem429"];
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
            429: components["responses"]["Problem429"];
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
            429: components["responses"]["Problem429"];
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
            429: components["responses"]["Problem429"];
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
            429: components["responses"]["Problem429"];
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
            429: components["responses"]["Problem429"];
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
            429: components["responses"]["Problem429"];
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
            429: components["responses"]["Problem429"];
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
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    downloadDeployedMap: {
        parameters: {
            query: {
                /**
                 * @description The license of the map.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01
                 */
                license_id: string;
                /**
                 * @description The game instance that it is for.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id: string;
                /**
                 * @description When the link ends, in seconds since 1970.
                 * @example 1795258800
                 */
                expires: number;
                /**
                 * @description The platform's signature of all of that.
                 * @example p3J1xR0aQ7m2Vb9sKc5LwYtUe8ZdHn4oGi6fTqXyBvA
                 */
                signature: string;
            };
            header?: never;
            path: {
                /**
                 * @description The map's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6c01
                 */
                map_id: components["parameters"]["MapIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes of the file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example the bytes of the file */
                    "application/octet-stream": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listAlerts: {
        parameters: {
            query?: {
                /** @description Only alerts of this kind. */
                kind?: components["schemas"]["AlertKind"];
                /** @description Only alerts of this severity. */
                severity?: components["schemas"]["AlertSeverity"];
                /** @description Only those that are open, or only those that have ended. */
                is_open?: boolean;
                /** @description Only those that somebody has acknowledged, or only those that nobody has. */
                is_acknowledged?: boolean;
                /** @description Only alerts of this game instance. */
                instance_id?: string;
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
            /** @description A page of alerts. */
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
                     *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8a01",
                     *           "kind": "population_drop",
                     *           "severity": "Warning",
                     *           "host_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a01",
                     *           "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
                     *           "subject_name": "main",
                     *           "message": "Players fell by 75 % within 30 minutes, from 80 to 20.",
                     *           "metadata": {
                     *             "players_before": 80,
                     *             "players_now": 20,
                     *             "drop_percent": 75,
                     *             "threshold_percent": 50,
                     *             "window_minutes": 30
                     *           },
                     *           "raised_at": "2026-11-21T10:05:00.000Z",
                     *           "ended_at": null,
                     *           "end_reason": null,
                     *           "acknowledged_at": null,
                     *           "acknowledged_by": null
                     *         }
                     *       ],
                     *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY4YTAx"
                     *     }
                     */
                    "application/json": components["schemas"]["AlertPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getAlertConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rules. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "rules": {
                     *         "agent_outdated": {
                     *           "is_enabled": true,
                     *           "severity": "Info",
                     *           "minimum_version": null
                     *         },
                     *         "disk_full": {
                     *           "is_enabled": true,
                     *           "severity": "Warning",
                     *           "percent": 90
                     *         },
                     *         "host_down": {
                     *           "is_enabled": true,
                     *           "severity": "Critical",
                     *           "after_minutes": 3
                     *         },
                     *         "instance_crashed": {
                     *           "is_enabled": true,
                     *           "severity": "Critical"
                     *         },
                     *         "low_fps": {
                     *           "is_enabled": true,
                     *           "severity": "Warning",
                     *           "fps": 15,
                     *           "window_minutes": 10
                     *         },
                     *         "population_drop": {
                     *           "is_enabled": true,
                     *           "severity": "Warning",
                     *           "percent": 60,
                     *           "window_minutes": 30,
                     *           "min_players": 10
                     *         }
                     *       },
                     *       "version": 1
                     *     }
                     */
                    "application/json": components["schemas"]["AlertConfig"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateAlertConfig: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of what you have seen: it is changed only if it is still that, so that nobody's change is lost. Without it, or with `*`, it is changed whatever it is now.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "rules": {
                 *         "population_drop": {
                 *           "percent": 60
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AlertConfigUpdate"];
            };
        };
        responses: {
            /** @description The rules as they are now. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "rules": {
                     *         "agent_outdated": {
                     *           "is_enabled": true,
                     *           "severity": "Info",
                     *           "minimum_version": null
                     *         },
                     *         "disk_full": {
                     *           "is_enabled": true,
                     *           "severity": "Warning",
                     *           "percent": 90
                     *         },
                     *         "host_down": {
                     *           "is_enabled": true,
                     *           "severity": "Critical",
                     *           "after_minutes": 3
                     *         },
                     *         "instance_crashed": {
                     *           "is_enabled": true,
                     *           "severity": "Critical"
                     *         },
                     *         "low_fps": {
                     *           "is_enabled": true,
                     *           "severity": "Warning",
                     *           "fps": 15,
                     *           "window_minutes": 10
                     *         },
                     *         "population_drop": {
                     *           "is_enabled": true,
                     *           "severity": "Warning",
                     *           "percent": 60,
                     *           "window_minutes": 30,
                     *           "min_players": 10
                     *         }
                     *       },
                     *       "version": 1
                     *     }
                     */
                    "application/json": components["schemas"]["AlertConfig"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The alert's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8a01
                 */
                alert_id: components["parameters"]["AlertIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The alert. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8a01",
                     *       "kind": "population_drop",
                     *       "severity": "Warning",
                     *       "host_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a01",
                     *       "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
                     *       "subject_name": "main",
                     *       "message": "Players fell by 75 % within 30 minutes, from 80 to 20.",
                     *       "metadata": {
                     *         "players_before": 80,
                     *         "players_now": 20,
                     *         "drop_percent": 75,
                     *         "threshold_percent": 50,
                     *         "window_minutes": 30
                     *       },
                     *       "raised_at": "2026-11-21T10:05:00.000Z",
                     *       "ended_at": null,
                     *       "end_reason": null,
                     *       "acknowledged_at": null,
                     *       "acknowledged_by": null
                     *     }
                     */
                    "application/json": components["schemas"]["Alert"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The alert's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8a01
                 */
                alert_id: components["parameters"]["AlertIdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "is_acknowledged": true
                 *     }
                 */
                "application/json": components["schemas"]["AlertUpdate"];
            };
        };
        responses: {
            /** @description The alert as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8a01",
                     *       "kind": "population_drop",
                     *       "severity": "Warning",
                     *       "host_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a01",
                     *       "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
                     *       "subject_name": "main",
                     *       "message": "Players fell by 75 % within 30 minutes, from 80 to 20.",
                     *       "metadata": {
                     *         "players_before": 80,
                     *         "players_now": 20,
                     *         "drop_percent": 75,
                     *         "threshold_percent": 50,
                     *         "window_minutes": 30
                     *       },
                     *       "raised_at": "2026-11-21T10:05:00.000Z",
                     *       "ended_at": null,
                     *       "end_reason": null,
                     *       "acknowledged_at": "2026-11-21T10:06:00.000Z",
                     *       "acknowledged_by": "owner@example.com"
                     *     }
                     */
                    "application/json": components["schemas"]["Alert"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getMapAnalytics: {
        parameters: {
            query?: {
                /**
                 * @description The last 30 or 90 days of UTC, today included, or everything there is.
                 * @example 90d
                 */
                range?: components["parameters"]["MapRange"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The maps. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "range": "90d",
                     *       "from": "2026-08-24",
                     *       "maps": [
                     *         {
                     *           "map_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6001",
                     *           "name": "Procedural Map",
                     *           "average_players": 41.25,
                     *           "peak_players": 50,
                     *           "hours": 160.5,
                     *           "sessions": 412,
                     *           "unique_players": 118,
                     *           "effectiveness_percent": 82.5,
                     *           "effectiveness_color": "green"
                     *         }
                     *       ],
                     *       "best_map": {
                     *         "map_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6001",
                     *         "name": "Procedural Map",
                     *         "effectiveness_percent": 82.5
                     *       },
                     *       "rotation_effectiveness_percent": 82.5
                     *     }
                     */
                    "application/json": components["schemas"]["MapAnalytics"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getPeakHourAnalytics: {
        parameters: {
            query?: {
                /**
                 * @description The period is the last so many days of UTC, today included.
                 * @example 30
                 */
                days?: components["parameters"]["Days"];
                /**
                 * @description Only this game instance; all of the license's without it.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id?: components["parameters"]["InstanceFilter"];
                /**
                 * @description By whose clocks hours and weekdays are told.
                 * @example Europe/Berlin
                 */
                time_zone?: components["parameters"]["TimeZoneParameter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The hours of the week. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "from": "2026-10-23",
                     *       "to": "2026-11-21",
                     *       "time_zone": "Europe/Berlin",
                     *       "peak": {
                     *         "weekday": 6,
                     *         "hour": 20,
                     *         "average_players": 52.75
                     *       },
                     *       "hours": [
                     *         {
                     *           "weekday": 6,
                     *           "hour": 20,
                     *           "average_players": 52.75
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PeakHourAnalytics"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getPlayerAnalytics: {
        parameters: {
            query?: {
                /**
                 * @description The period is the last so many days of UTC, today included.
                 * @example 30
                 */
                days?: components["parameters"]["Days"];
                /**
                 * @description Only this game instance; all of the license's without it.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id?: components["parameters"]["InstanceFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The players of the period, and of each day. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "from": "2026-10-23",
                     *       "to": "2026-11-21",
                     *       "unique_players": 118,
                     *       "new_players": 59,
                     *       "returning_players": 59,
                     *       "new_percent": 50,
                     *       "days": [
                     *         {
                     *           "day": "2026-11-21",
                     *           "unique_players": 40,
                     *           "new_players": 10,
                     *           "returning_players": 30
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PlayerAnalytics"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getRetentionAnalytics: {
        parameters: {
            query?: {
                /**
                 * @description How many of the newest wipes are compared.
                 * @example 6
                 */
                wipes?: components["parameters"]["WipeCount"];
                /**
                 * @description Only this game instance; all of the license's without it.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id?: components["parameters"]["InstanceFilter"];
                /**
                 * @description The form of the answer, whatever `Accept` says.
                 * @example json
                 */
                format?: components["parameters"]["Format"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The wipes and their comparison. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "wipes": [
                     *         {
                     *           "wipe_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5b01",
                     *           "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
                     *           "instance_name": "main",
                     *           "kind": "map",
                     *           "wiped_at": "2026-11-19T08:00:00.000Z",
                     *           "cohort_players": 120,
                     *           "points": [
                     *             {
                     *               "after_hours": 24,
                     *               "players": 61,
                     *               "percent": 50.8,
                     *               "is_final": true
                     *             },
                     *             {
                     *               "after_hours": 48,
                     *               "players": 12,
                     *               "percent": 10,
                     *               "is_final": false
                     *             },
                     *             {
                     *               "after_hours": 72,
                     *               "players": null,
                     *               "percent": null,
                     *               "is_final": false
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "comparison": [
                     *         {
                     *           "after_hours": 24,
                     *           "wipes": 1,
                     *           "average_percent": 50.8,
                     *           "best_wipe_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5b01",
                     *           "worst_wipe_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5b01"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RetentionAnalytics"];
                    /**
                     * @example wipe_id,instance_id,instance_name,kind,wiped_at,cohort_players,players_24h,percent_24h,players_48h,percent_48h,players_72h,percent_72h
                     *     0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5b01,0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01,main,map,2026-11-19T08:00:00.000Z,120,61,50.8,12,10,,
                     */
                    "text/csv": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getServerStatsSeries: {
        parameters: {
            query: {
                /**
                 * @description The game instance.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id: components["parameters"]["SeriesInstance"];
                /**
                 * @description The first point is the one whose step holds this time; without it, 100 steps before the end.
                 * @example 2026-11-14T00:00:00.000Z
                 */
                from?: components["parameters"]["SeriesFrom"];
                /**
                 * @description Only points that begin before this time; now without it.
                 * @example 2026-11-21T00:00:00.000Z
                 */
                to?: components["parameters"]["SeriesTo"];
                /** @description How much time a point stands for. */
                step?: components["parameters"]["SeriesStep"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The series. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
                     *       "step": "1h",
                     *       "points": [
                     *         {
                     *           "at": "2026-11-21T10:00:00.000Z",
                     *           "samples": 360,
                     *           "average_players": 41.25,
                     *           "min_players": 38,
                     *           "max_players": 45,
                     *           "average_fps": 58.9,
                     *           "min_fps": 51.2,
                     *           "average_entities": 120345,
                     *           "max_entities": 121002
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["StatsSeries"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getSessionLengths: {
        parameters: {
            query?: {
                /**
                 * @description The period is the last so many days of UTC, today included.
                 * @example 30
                 */
                days?: components["parameters"]["Days"];
                /**
                 * @description Only this game instance; all of the license's without it.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id?: components["parameters"]["InstanceFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions by their length. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "from": "2026-10-23",
                     *       "to": "2026-11-21",
                     *       "sessions": 412,
                     *       "unknown_sessions": 12,
                     *       "average_seconds": 2710.5,
                     *       "lengths": [
                     *         {
                     *           "from_seconds": 1800,
                     *           "to_seconds": 3600,
                     *           "sessions": 90,
                     *           "percent": 22.5
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SessionLengthAnalytics"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listPlayerSessions: {
        parameters: {
            query?: {
                /**
                 * @description Only this game instance; all of the license's without it.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id?: components["parameters"]["InstanceFilter"];
                /**
                 * @description Only sessions of this player.
                 * @example 76561197960287930
                 */
                steam_id?: components["parameters"]["SessionPlayer"];
                /**
                 * @description Only sessions that began at or after this time.
                 * @example 2026-11-14T00:00:00.000Z
                 */
                from?: components["parameters"]["SessionFrom"];
                /**
                 * @description Only sessions that began before this time.
                 * @example 2026-11-21T00:00:00.000Z
                 */
                to?: components["parameters"]["SessionTo"];
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
            /** @description A page of sessions. */
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
                     *           "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
                     *           "steam_id": "76561197960287930",
                     *           "display_name": "Aster",
                     *           "started_at": "2026-11-21T10:00:00.000Z",
                     *           "ended_at": "2026-11-21T10:45:10.500Z",
                     *           "duration_seconds": 2710.5,
                     *           "is_start_known": true,
                     *           "end_reason": "leave"
                     *         }
                     *       ],
                     *       "next_cursor": "MjAyNi0xMS0yMVQxMDowMDowMC4wMDBaIDAxOTlhMWYwLTZjMWUtN2E0NC05ZDBlLTZmNWQxZjFmNGQwMSA3NjU2MTE5Nzk2MDI4NzkzMA"
                     *     }
                     */
                    "application/json": components["schemas"]["PlayerSessionPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
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
            429: components["responses"]["Problem429"];
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
            429: components["responses"]["Problem429"];
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
            429: components["responses"]["Problem429"];
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
            429: components["responses"]["Problem429"];
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
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listChangelog: {
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
            /** @description A page of the changelog. */
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
                     *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6a01",
                     *           "title": "Schedules",
                     *           "text": "Servers can be restarted **on a schedule**, in any time zone.",
                     *           "published_at": "2026-11-21T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "MjAyNi0xMS0yMVQxMDowMDowMC4wMDBa"
                     *     }
                     */
                    "application/json": components["schemas"]["ChangelogPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
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
            429: components["responses"]["Problem429"];
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
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteHost: {
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
            /** @description The host is gone. */
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
            409: components["responses"]["Problem409"];
            429: components["responses"]["Problem429"];
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
                     *           "queued": 0,
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
            429: components["responses"]["Problem429"];
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
                     *       "queued": 0,
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
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteInstance: {
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
            /** @description The instance is gone. */
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
            409: components["responses"]["Problem409"];
            429: components["responses"]["Problem429"];
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
                     *       "queued": 0,
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
            429: components["responses"]["Problem429"];
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
                     *           "queued": 0,
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
            429: components["responses"]["Problem429"];
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
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createCluster: {
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
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
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
            429: components["responses"]["Problem429"];
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
            429: components["responses"]["Problem429"];
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
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getBackupPolicy: {
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
            /** @description The policy. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keep": 7
                     *     }
                     */
                    "application/json": components["schemas"]["BackupPolicy"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateBackupPolicy: {
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
                 *       "keep": 14
                 *     }
                 */
                "application/json": components["schemas"]["BackupPolicyUpdate"];
            };
        };
        responses: {
            /** @description The policy as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keep": 14
                     *     }
                     */
                    "application/json": components["schemas"]["BackupPolicy"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listBackups: {
        parameters: {
            query?: {
                /**
                 * @description Only backups of this kind.
                 * @example manual
                 */
                kind?: components["parameters"]["BackupKindFilter"];
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
            /** @description A page of backups. */
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
                     *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a08",
                     *           "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
                     *           "kind": "manual",
                     *           "note": "Before the new map",
                     *           "is_pinned": false,
                     *           "is_partial": true,
                     *           "paths": [
                     *             "server/main",
                     *             "oxide"
                     *           ],
                     *           "size": 52428800,
                     *           "content_size": 209715200,
                     *           "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *           "files": 312,
                     *           "changed_files": 0,
                     *           "left_out": 0,
                     *           "created_at": "2026-11-21T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0YTA4"
                     *     }
                     */
                    "application/json": components["schemas"]["InstanceBackupPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createBackup: {
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
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "paths": [
                 *         "server/main",
                 *         "oxide"
                 *       ],
                 *       "note": "Before the new map"
                 *     }
                 */
                "application/json": components["schemas"]["BackupCreate"];
            };
        };
        responses: {
            202: components["responses"]["AcceptedCommand"];
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getBackup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The game instance's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id: components["parameters"]["InstanceIdParameter"];
                /**
                 * @description The backup's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a08
                 */
                backup_id: components["parameters"]["BackupIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The backup. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a08",
                     *       "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
                     *       "kind": "manual",
                     *       "note": "Before the new map",
                     *       "is_pinned": false,
                     *       "is_partial": true,
                     *       "paths": [
                     *         "server/main",
                     *         "oxide"
                     *       ],
                     *       "size": 52428800,
                     *       "content_size": 209715200,
                     *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *       "files": 312,
                     *       "changed_files": 0,
                     *       "left_out": 0,
                     *       "created_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["InstanceBackup"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteBackup: {
        parameters: {
            query?: never;
            header?: {
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
                /**
                 * @description The backup's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a08
                 */
                backup_id: components["parameters"]["BackupIdParameter"];
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
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateBackup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The game instance's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id: components["parameters"]["InstanceIdParameter"];
                /**
                 * @description The backup's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a08
                 */
                backup_id: components["parameters"]["BackupIdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "is_pinned": true
                 *     }
                 */
                "application/json": components["schemas"]["BackupUpdate"];
            };
        };
        responses: {
            /** @description The backup as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a08",
                     *       "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
                     *       "kind": "manual",
                     *       "note": "Before the new map",
                     *       "is_pinned": false,
                     *       "is_partial": true,
                     *       "paths": [
                     *         "server/main",
                     *         "oxide"
                     *       ],
                     *       "size": 52428800,
                     *       "content_size": 209715200,
                     *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *       "files": 312,
                     *       "changed_files": 0,
                     *       "left_out": 0,
                     *       "created_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["InstanceBackup"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    downloadBackup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The game instance's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id: components["parameters"]["InstanceIdParameter"];
                /**
                 * @description The backup's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a08
                 */
                backup_id: components["parameters"]["BackupIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes of the archive. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example PK */
                    "application/zip": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
            504: components["responses"]["Problem504"];
        };
    };
    runBackupRestoration: {
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
                /**
                 * @description The backup's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a08
                 */
                backup_id: components["parameters"]["BackupIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "keep_present": true,
                 *       "remove_later": false,
                 *       "stop_instance": true
                 *     }
                 */
                "application/json": components["schemas"]["BackupRestore"];
            };
        };
        responses: {
            202: components["responses"]["AcceptedCommand"];
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listFiles: {
        parameters: {
            query?: {
                /**
                 * @description The directory, relative to the instance's root; the root unless given.
                 * @example oxide/config
                 */
                path?: components["parameters"]["FolderParameter"];
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
            /** @description A page of files. */
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
                     *           "name": "Kits.json",
                     *           "path": "oxide/config/Kits.json",
                     *           "kind": "file",
                     *           "size": 2048,
                     *           "modified_at": "2026-11-21T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "S2l0cy5qc29u"
                     *     }
                     */
                    "application/json": components["schemas"]["InstanceFilePage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
            504: components["responses"]["Problem504"];
        };
    };
    deleteFile: {
        parameters: {
            query: {
                /**
                 * @description The file or directory, relative to the instance's root.
                 * @example oxide/config/Kits.json
                 */
                path: components["parameters"]["PathParameter"];
                /**
                 * @description Whether a directory that is not empty is deleted too.
                 * @example true
                 */
                recursive?: boolean;
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
            /** @description It is gone. */
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
            409: components["responses"]["Problem409"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
            504: components["responses"]["Problem504"];
            507: components["responses"]["Problem507"];
        };
    };
    updateFile: {
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
                 *       "path": "oxide/config/Kits.json",
                 *       "new_path": "oxide/config/Kits.old.json"
                 *     }
                 */
                "application/json": components["schemas"]["FileRename"];
            };
        };
        responses: {
            /** @description It, at its new path. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "Kits.json",
                     *       "path": "oxide/config/Kits.json",
                     *       "kind": "file",
                     *       "size": 2048,
                     *       "modified_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["InstanceFile"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
            504: components["responses"]["Problem504"];
            507: components["responses"]["Problem507"];
        };
    };
    createFileArchive: {
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
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "paths": [
                 *         "oxide/config",
                 *         "oxide/data"
                 *       ],
                 *       "archive_path": "oxide.zip"
                 *     }
                 */
                "application/json": components["schemas"]["FileArchiveCreate"];
            };
        };
        responses: {
            202: components["responses"]["AcceptedCommand"];
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getFileContent: {
        parameters: {
            query: {
                /**
                 * @description The file or directory, relative to the instance's root.
                 * @example oxide/config/Kits.json
                 */
                path: components["parameters"]["PathParameter"];
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
            /** @description The text. */
            200: {
                headers: {
                    ETag: components["headers"]["ContentETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "path": "oxide/config/Kits.json",
                     *       "content": "{ \"Default cooldown\": 60 }",
                     *       "size": 26,
                     *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *       "modified_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["FileContent"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
            504: components["responses"]["Problem504"];
        };
    };
    replaceFileContent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of what you have read: the file is written only if its content is still that. Without it, or with `*`, it is written whatever is there now.
                 * @example "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                 */
                "If-Match"?: components["parameters"]["IfContentMatch"];
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
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "path": "oxide/config/Kits.json",
                 *       "content": "{ \"Default cooldown\": 60 }"
                 *     }
                 */
                "application/json": components["schemas"]["FileContentReplace"];
            };
        };
        responses: {
            /** @description The file as it is now. */
            200: {
                headers: {
                    ETag: components["headers"]["ContentETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "path": "oxide/config/Kits.json",
                     *       "size": 26,
                     *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *       "modified_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["StoredFile"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
            504: components["responses"]["Problem504"];
            507: components["responses"]["Problem507"];
        };
    };
    createDirectory: {
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
                 *       "path": "oxide/data/backup"
                 *     }
                 */
                "application/json": components["schemas"]["DirectoryCreate"];
            };
        };
        responses: {
            /** @description The directory. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "backup",
                     *       "path": "oxide/data/backup",
                     *       "kind": "directory",
                     *       "size": null,
                     *       "modified_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["InstanceFile"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
            504: components["responses"]["Problem504"];
            507: components["responses"]["Problem507"];
        };
    };
    downloadFile: {
        parameters: {
            query: {
                /**
                 * @description The file or directory, relative to the instance's root.
                 * @example oxide/config/Kits.json
                 */
                path: components["parameters"]["PathParameter"];
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
            /** @description The bytes of the file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example PK */
                    "application/octet-stream": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
            504: components["responses"]["Problem504"];
        };
    };
    createFileExtraction: {
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
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "archive_path": "oxide.zip",
                 *       "path": "restored"
                 *     }
                 */
                "application/json": components["schemas"]["FileExtraction"];
            };
        };
        responses: {
            202: components["responses"]["AcceptedCommand"];
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getFile: {
        parameters: {
            query: {
                /**
                 * @description The file or directory, relative to the instance's root.
                 * @example oxide/config/Kits.json
                 */
                path: components["parameters"]["PathParameter"];
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
            /** @description What it is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "Kits.json",
                     *       "path": "oxide/config/Kits.json",
                     *       "kind": "file",
                     *       "size": 2048,
                     *       "modified_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["InstanceFile"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
            504: components["responses"]["Problem504"];
        };
    };
    uploadFile: {
        parameters: {
            query: {
                /**
                 * @description The file or directory, relative to the instance's root.
                 * @example oxide/config/Kits.json
                 */
                path: components["parameters"]["PathParameter"];
                /**
                 * @description Whether a file that is there already is replaced. Directories never are.
                 * @example true
                 */
                overwrite?: components["parameters"]["OverwriteParameter"];
                /** @description What the SHA-256 of the body must be; not checked unless given. */
                sha256?: components["schemas"]["Sha256"];
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
        requestBody: {
            content: {
                /** @example PK */
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description The file as it is stored. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "path": "oxide/config/Kits.json",
                     *       "size": 26,
                     *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *       "modified_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["StoredFile"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
            504: components["responses"]["Problem504"];
            507: components["responses"]["Problem507"];
        };
    };
    listMapDeployments: {
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
            /** @description A page of deployments. */
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
                     *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6d01",
                     *           "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
                     *           "map_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6c01",
                     *           "path": "maps/five-islands-9f86d081884c.map",
                     *           "status": "deployed",
                     *           "detail": "maps/five-islands-9f86d081884c.map is there.",
                     *           "error": null,
                     *           "command_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a03",
                     *           "requested_by": "owner@example.com",
                     *           "created_at": "2026-11-21T10:00:00.000Z",
                     *           "finished_at": "2026-11-21T10:00:20.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY2ZDAx"
                     *     }
                     */
                    "application/json": components["schemas"]["MapDeploymentPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    deployMap: {
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
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "map_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6c01"
                 *     }
                 */
                "application/json": components["schemas"]["MapDeploymentCreate"];
            };
        };
        responses: {
            202: components["responses"]["AcceptedMapDeployment"];
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getMapDeployment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The game instance's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id: components["parameters"]["InstanceIdParameter"];
                /**
                 * @description The deployment's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6d01
                 */
                map_deployment_id: components["parameters"]["MapDeploymentIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deployment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6d01",
                     *       "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
                     *       "map_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6c01",
                     *       "path": "maps/five-islands-9f86d081884c.map",
                     *       "status": "deployed",
                     *       "detail": "maps/five-islands-9f86d081884c.map is there.",
                     *       "error": null,
                     *       "command_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a03",
                     *       "requested_by": "owner@example.com",
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "finished_at": "2026-11-21T10:00:20.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["MapDeployment"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteMapDeployment: {
        parameters: {
            query?: never;
            header?: {
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
                /**
                 * @description The deployment's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6d01
                 */
                map_deployment_id: components["parameters"]["MapDeploymentIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: components["responses"]["AcceptedMapDeployment"];
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            429: components["responses"]["Problem429"];
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
            429: components["responses"]["Problem429"];
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
            429: components["responses"]["Problem429"];
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
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listPlayers: {
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
            /** @description Who plays. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "steam_id": "76561197960287930",
                     *           "name": "Aster",
                     *           "ping_ms": 42,
                     *           "connected_seconds": 900
                     *         }
                     *       ],
                     *       "observed_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["OnlinePlayers"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
            504: components["responses"]["Problem504"];
        };
    };
    getPlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The game instance's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01
                 */
                instance_id: components["parameters"]["InstanceIdParameter"];
                /**
                 * @description The player's SteamID64.
                 * @example 76561197960287930
                 */
                steam_id: components["parameters"]["SteamIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "steam_id": "76561197960287930",
                     *       "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
                     *       "ban": {
                     *         "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4f01",
                     *         "kind": "ban",
                     *         "steam_id": "76561197960287930",
                     *         "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
                     *         "instance_name": "main",
                     *         "text": "Cheating",
                     *         "until": "2026-11-28T10:00:00.000Z",
                     *         "requested_by": "owner@example.com",
                     *         "command_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a03",
                     *         "status": "succeeded",
                     *         "detail": "Aster is banned.",
                     *         "error": null,
                     *         "created_at": "2026-11-21T10:00:00.000Z",
                     *         "finished_at": "2026-11-21T10:00:01.000Z",
                     *         "ended_at": null
                     *       },
                     *       "uncertain_ban": null,
                     *       "counts": {
                     *         "kick": 0,
                     *         "ban": 1,
                     *         "unban": 0,
                     *         "message": 0
                     *       },
                     *       "actions": [
                     *         {
                     *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4f01",
                     *           "kind": "ban",
                     *           "steam_id": "76561197960287930",
                     *           "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
                     *           "instance_name": "main",
                     *           "text": "Cheating",
                     *           "until": "2026-11-28T10:00:00.000Z",
                     *           "requested_by": "owner@example.com",
                     *           "command_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a03",
                     *           "status": "succeeded",
                     *           "detail": "Aster is banned.",
                     *           "error": null,
                     *           "created_at": "2026-11-21T10:00:00.000Z",
                     *           "finished_at": "2026-11-21T10:00:01.000Z",
                     *           "ended_at": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PlayerRecord"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    runPlayerKick: {
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
                /**
                 * @description The player's SteamID64.
                 * @example 76561197960287930
                 */
                steam_id: components["parameters"]["SteamIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Idle for an hour"
                 *     }
                 */
                "application/json": components["schemas"]["PlayerKick"];
            };
        };
        responses: {
            202: components["responses"]["AcceptedCommand"];
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    runPlayerBan: {
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
                /**
                 * @description The player's SteamID64.
                 * @example 76561197960287930
                 */
                steam_id: components["parameters"]["SteamIdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "Cheating",
                 *       "duration_seconds": 604800
                 *     }
                 */
                "application/json": components["schemas"]["PlayerBan"];
            };
        };
        responses: {
            202: components["responses"]["AcceptedCommand"];
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    cancelPlayerBan: {
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
                /**
                 * @description The player's SteamID64.
                 * @example 76561197960287930
                 */
                steam_id: components["parameters"]["SteamIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "It was somebody else"
                 *     }
                 */
                "application/json": components["schemas"]["PlayerUnban"];
            };
        };
        responses: {
            202: components["responses"]["AcceptedCommand"];
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    runPlayerMessage: {
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
                /**
                 * @description The player's SteamID64.
                 * @example 76561197960287930
                 */
                steam_id: components["parameters"]["SteamIdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "text": "The server restarts at noon"
                 *     }
                 */
                "application/json": components["schemas"]["PlayerMessage"];
            };
        };
        responses: {
            202: components["responses"]["AcceptedCommand"];
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listPluginCopies: {
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
            /** @description The copies. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b11",
                     *           "plugin": "Kits",
                     *           "size": 81920,
                     *           "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *           "kept_at": "2026-11-21T10:00:00.000Z",
                     *           "expires_at": "2026-12-21T10:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PluginCopies"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
            504: components["responses"]["Problem504"];
        };
    };
    runPluginRestore: {
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
                /**
                 * @description The kept copy's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b11
                 */
                plugin_copy_id: components["parameters"]["PluginCopyIdParameter"];
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
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listPlugins: {
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
            /** @description The plugins. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "framework": "oxide",
                     *       "framework_version": "2.0.6512",
                     *       "data": [
                     *         {
                     *           "name": "Kits",
                     *           "title": null,
                     *           "version": null,
                     *           "author": null,
                     *           "file": "Kits.cs",
                     *           "state": "failed",
                     *           "error": "Kits.cs(12,9): error CS1002: ; expected"
                     *         }
                     *       ],
                     *       "observed_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["InstalledPlugins"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
            504: components["responses"]["Problem504"];
        };
    };
    uploadPlugin: {
        parameters: {
            query?: {
                /**
                 * @description Whether a plugin of that name is replaced; a copy of the one before is kept.
                 * @example true
                 */
                overwrite?: components["parameters"]["PluginOverwriteParameter"];
                /** @description What the SHA-256 of the body must be; not checked unless given. */
                sha256?: components["schemas"]["Sha256"];
            };
            header?: {
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
                /**
                 * @description The plugin's name, as its file has it without `.cs`.
                 * @example Kits
                 */
                plugin: components["parameters"]["PluginParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example namespace Oxide.Plugins { class Kits : RustPlugin { } } */
                "application/octet-stream": string;
            };
        };
        responses: {
            202: components["responses"]["AcceptedCommand"];
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
            504: components["responses"]["Problem504"];
            507: components["responses"]["Problem507"];
        };
    };
    runPluginLoad: {
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
                /**
                 * @description The plugin's name, as its file has it without `.cs`.
                 * @example Kits
                 */
                plugin: components["parameters"]["PluginParameter"];
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
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    runPluginReload: {
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
                /**
                 * @description The plugin's name, as its file has it without `.cs`.
                 * @example Kits
                 */
                plugin: components["parameters"]["PluginParameter"];
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
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    runPluginUninstall: {
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
                /**
                 * @description The plugin's name, as its file has it without `.cs`.
                 * @example Kits
                 */
                plugin: components["parameters"]["PluginParameter"];
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
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    runPluginUnload: {
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
                /**
                 * @description The plugin's name, as its file has it without `.cs`.
                 * @example Kits
                 */
                plugin: components["parameters"]["PluginParameter"];
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
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listInstanceWipes: {
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
            /** @description A page of wipes. */
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
                     *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01",
                     *           "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
                     *           "instance_name": "main",
                     *           "kind": "map",
                     *           "seed": 1337,
                     *           "world_size": 3500,
                     *           "map_id": null,
                     *           "countdown_seconds": 900,
                     *           "message": null,
                     *           "backup": true,
                     *           "start": false,
                     *           "status": "planned",
                     *           "detail": null,
                     *           "error": null,
                     *           "due_at": null,
                     *           "file_count": null,
                     *           "deleted_bytes": null,
                     *           "command_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a03",
                     *           "requested_by": "owner@example.com",
                     *           "cancel_requested_at": null,
                     *           "created_at": "2026-11-21T10:00:00.000Z",
                     *           "begun_at": null,
                     *           "finished_at": null
                     *         }
                     *       ],
                     *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY3YTAx"
                     *     }
                     */
                    "application/json": components["schemas"]["WipePage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    runWipe: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value of your choice, new for each intent (a UUID is best). Repeating the request with it, after a time-out for instance, gives the first answer again instead of doing it twice.
                 * @example 2f7c7f3e-6a2e-4d0b-9a55-0f2f0f3f6a11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
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
        requestBody: {
            content: {
                "application/json": components["schemas"]["WipeRun"];
            };
        };
        responses: {
            /** @description The wipe, or of a dry run its plan. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WipeAnswer"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            502: components["responses"]["Problem502"];
            503: components["responses"]["Problem503"];
            504: components["responses"]["Problem504"];
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
            429: components["responses"]["Problem429"];
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
            429: components["responses"]["Problem429"];
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
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createEarlyAccessSignup: {
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
                 *       "email": "somebody@example.com",
                 *       "server_count": 4
                 *     }
                 */
                "application/json": components["schemas"]["EarlyAccessSignupCreate"];
            };
        };
        responses: {
            /** @description The signup was taken in; a message is on its way. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "holds_founding_place": true,
                     *       "held_until": "2026-11-21T11:00:00.000Z",
                     *       "founding_places": 25,
                     *       "founding_places_left": 7
                     *     }
                     */
                    "application/json": components["schemas"]["EarlyAccessReceipt"];
                };
            };
            400: components["responses"]["Problem400"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    runSignupConfirmation: {
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
                 *       "token": "gantry_signup_6fJm2yq8Q0mT3l9xw1B7c5Vn4ZsKpRdE"
                 *     }
                 */
                "application/json": components["schemas"]["EarlyAccessConfirmation"];
            };
        };
        responses: {
            /** @description Where the address stands. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "email": "somebody@example.com",
                     *       "holds_founding_place": true,
                     *       "founding_places": 25,
                     *       "founding_places_left": 7
                     *     }
                     */
                    "application/json": components["schemas"]["EarlyAccessStanding"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getOwnLicense: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
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
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "revoked_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["OwnLicense"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateOwnLicense: {
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
                 *       "name": "Rustier Islands"
                 *     }
                 */
                "application/json": components["schemas"]["OwnLicenseUpdate"];
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
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "revoked_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["OwnLicense"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    exportLicense: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows, oldest first within each table. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {"table":"instance_cluster","row":{"id":"0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4e01","name":"EU islands"}}
                     *     {"end":true}
                     */
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    replaceCompanionToken: {
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
        requestBody?: never;
        responses: {
            /** @description The new token. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "companion_token": "gantry_companion_Jx2v0m9QkT4c7bWzR8uYqLpVb3o1x5nD"
                     *     }
                     */
                    "application/json": components["schemas"]["CompanionToken"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    replaceLicenseKey: {
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
        requestBody?: never;
        responses: {
            /** @description The license with its new key. */
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
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "revoked_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["OwnLicense"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    exportMigration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document, as canonical JSON (RFC 8785) but for its checksum, which is at the end. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "exported_at": "2026-11-21T10:00:00.000Z",
                     *       "format": "gantry-migration",
                     *       "format_version": 1,
                     *       "parts": {
                     *         "clusters": {
                     *           "version": 1,
                     *           "items": [
                     *             {
                     *               "name": "EU islands",
                     *               "description": "Everything in Frankfurt"
                     *             }
                     *           ]
                     *         },
                     *         "instances": {
                     *           "version": 1,
                     *           "items": [
                     *             {
                     *               "host": "rust-01",
                     *               "instance": "main",
                     *               "cluster": "EU islands"
                     *             }
                     *           ]
                     *         },
                     *         "roles": {
                     *           "version": 1,
                     *           "items": [
                     *             {
                     *               "name": "Night watch",
                     *               "permissions": {
                     *                 "fleet.view": true,
                     *                 "console.*": true
                     *               }
                     *             }
                     *           ]
                     *         },
                     *         "schedules": {
                     *           "version": 1,
                     *           "items": [
                     *             {
                     *               "host": "rust-01",
                     *               "instance": "main",
                     *               "name": "Nightly restart",
                     *               "occurrence": 1,
                     *               "action": {
                     *                 "kind": "restart"
                     *               },
                     *               "cron": "30 4 * * *",
                     *               "time_zone": "Europe/Berlin",
                     *               "missed_runs": "skip",
                     *               "is_enabled": true
                     *             }
                     *           ]
                     *         }
                     *       },
                     *       "checksum": "sha256:4b20feba4e6bf905a2526f2a771231778257211027845a418a5a9475455b7d5e"
                     *     }
                     */
                    "application/vnd.gantry.migration+json": components["schemas"]["MigrationDocument"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    importMigration: {
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
                "application/json": components["schemas"]["MigrationImport"];
            };
        };
        responses: {
            /** @description What was done, or would be. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dry_run": true,
                     *       "parts": [
                     *         {
                     *           "part": "roles",
                     *           "created": 0,
                     *           "updated": 1,
                     *           "unchanged": 0,
                     *           "skipped": 0,
                     *           "items": [
                     *             {
                     *               "pointer": "/document/parts/roles/items/0",
                     *               "label": "Night watch",
                     *               "outcome": "updated",
                     *               "reason": null,
                     *               "changes": [
                     *                 {
                     *                   "field": "permissions",
                     *                   "before": {
                     *                     "fleet.view": true
                     *                   },
                     *                   "after": {
                     *                     "console.*": true
                     *                   }
                     *                 }
                     *               ]
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "faults": []
                     *     }
                     */
                    "application/json": components["schemas"]["MigrationReport"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listMaps: {
        parameters: {
            query?: {
                /**
                 * @description Only maps whose name contains this, in upper or lower case.
                 * @example islands
                 */
                q?: components["parameters"]["MapNameFilter"];
                /**
                 * @description Only maps that can be downloaded by everybody, or only the others.
                 * @example true
                 */
                is_public?: components["parameters"]["PublicFilter"];
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
            /** @description A page of maps. */
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
                     *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6c01",
                     *           "name": "Five islands",
                     *           "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *           "bytes": 31457280,
                     *           "format_version": 10,
                     *           "world_size": 4500,
                     *           "scan_status": "not_scanned",
                     *           "scan_detail": "This installation has no virus scanner.",
                     *           "is_public": false,
                     *           "public_url": null,
                     *           "uploaded_by": "owner@example.com",
                     *           "version": 1,
                     *           "created_at": "2026-11-21T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY2YzAx"
                     *     }
                     */
                    "application/json": components["schemas"]["GameMapPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    uploadMap: {
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
                 *       "name": "Five islands",
                 *       "file": "the bytes of the file"
                 *     }
                 */
                "multipart/form-data": components["schemas"]["MapUpload"];
            };
        };
        responses: {
            /** @description The map. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6c01",
                     *       "name": "Five islands",
                     *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *       "bytes": 31457280,
                     *       "format_version": 10,
                     *       "world_size": 4500,
                     *       "scan_status": "not_scanned",
                     *       "scan_detail": "This installation has no virus scanner.",
                     *       "is_public": false,
                     *       "public_url": null,
                     *       "uploaded_by": "owner@example.com",
                     *       "version": 1,
                     *       "created_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["GameMap"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getMap: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The map's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6c01
                 */
                map_id: components["parameters"]["MapIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The map. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6c01",
                     *       "name": "Five islands",
                     *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *       "bytes": 31457280,
                     *       "format_version": 10,
                     *       "world_size": 4500,
                     *       "scan_status": "not_scanned",
                     *       "scan_detail": "This installation has no virus scanner.",
                     *       "is_public": false,
                     *       "public_url": null,
                     *       "uploaded_by": "owner@example.com",
                     *       "version": 1,
                     *       "created_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["GameMap"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteMap: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of what you have seen: it is changed only if it is still that, so that nobody's change is lost. Without it, or with `*`, it is changed whatever it is now.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description The map's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6c01
                 */
                map_id: components["parameters"]["MapIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The map is gone. */
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
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateMap: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of what you have seen: it is changed only if it is still that, so that nobody's change is lost. Without it, or with `*`, it is changed whatever it is now.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description The map's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6c01
                 */
                map_id: components["parameters"]["MapIdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "is_public": true
                 *     }
                 */
                "application/json": components["schemas"]["MapUpdate"];
            };
        };
        responses: {
            /** @description The map as it is now. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6c01",
                     *       "name": "Five islands",
                     *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *       "bytes": 31457280,
                     *       "format_version": 10,
                     *       "world_size": 4500,
                     *       "scan_status": "not_scanned",
                     *       "scan_detail": "This installation has no virus scanner.",
                     *       "is_public": false,
                     *       "public_url": null,
                     *       "uploaded_by": "owner@example.com",
                     *       "version": 1,
                     *       "created_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["GameMap"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    downloadMap: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The map's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6c01
                 */
                map_id: components["parameters"]["MapIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes of the file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example the bytes of the file */
                    "application/octet-stream": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listAlertChannels: {
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
            /** @description A page of channels. */
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
                     *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8b01",
                     *           "name": "Admins",
                     *           "kind": "chat_webhook",
                     *           "destination": "discord.com",
                     *           "least_severity": "Warning",
                     *           "template": null,
                     *           "is_enabled": true,
                     *           "last_success_at": "2026-11-21T10:05:01.000Z",
                     *           "last_error_at": null,
                     *           "last_error": null,
                     *           "version": 1,
                     *           "created_at": "2026-11-21T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY4YjAx"
                     *     }
                     */
                    "application/json": components["schemas"]["NotificationChannelPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createAlertChannel: {
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
                 *       "name": "Admins",
                 *       "target": {
                 *         "kind": "chat_webhook",
                 *         "url": "https://discord.com/api/webhooks/1/abc"
                 *       },
                 *       "least_severity": "Warning"
                 *     }
                 */
                "application/json": components["schemas"]["NotificationChannelCreate"];
            };
        };
        responses: {
            /** @description The channel. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8b01",
                     *       "name": "Admins",
                     *       "kind": "chat_webhook",
                     *       "destination": "discord.com",
                     *       "least_severity": "Warning",
                     *       "template": null,
                     *       "is_enabled": true,
                     *       "last_success_at": null,
                     *       "last_error_at": null,
                     *       "last_error": null,
                     *       "version": 1,
                     *       "created_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["NotificationChannel"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getAlertChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The channel's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8b01
                 */
                notification_channel_id: components["parameters"]["NotificationChannelIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The channel. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8b01",
                     *       "name": "Admins",
                     *       "kind": "chat_webhook",
                     *       "destination": "discord.com",
                     *       "least_severity": "Warning",
                     *       "template": null,
                     *       "is_enabled": true,
                     *       "last_success_at": "2026-11-21T10:05:01.000Z",
                     *       "last_error_at": null,
                     *       "last_error": null,
                     *       "version": 1,
                     *       "created_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["NotificationChannel"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteAlertChannel: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of what you have seen: it is changed only if it is still that, so that nobody's change is lost. Without it, or with `*`, it is changed whatever it is now.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description The channel's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8b01
                 */
                notification_channel_id: components["parameters"]["NotificationChannelIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The channel is gone. */
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
            412: components["responses"]["Problem412"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateAlertChannel: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of what you have seen: it is changed only if it is still that, so that nobody's change is lost. Without it, or with `*`, it is changed whatever it is now.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description The channel's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8b01
                 */
                notification_channel_id: components["parameters"]["NotificationChannelIdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "is_enabled": false
                 *     }
                 */
                "application/json": components["schemas"]["NotificationChannelUpdate"];
            };
        };
        responses: {
            /** @description The channel as it is now. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8b01",
                     *       "name": "Admins",
                     *       "kind": "chat_webhook",
                     *       "destination": "discord.com",
                     *       "least_severity": "Warning",
                     *       "template": null,
                     *       "is_enabled": false,
                     *       "last_success_at": "2026-11-21T10:05:01.000Z",
                     *       "last_error_at": null,
                     *       "last_error": null,
                     *       "version": 2,
                     *       "created_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["NotificationChannel"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listNotifications: {
        parameters: {
            query?: {
                /** @description Only notifications in this state. */
                status?: components["schemas"]["NotificationStatus"];
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
                 * @description The channel's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8b01
                 */
                notification_channel_id: components["parameters"]["NotificationChannelIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of notifications. */
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
                     *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8c01",
                     *           "alert_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8a01",
                     *           "event": "raised",
                     *           "status": "succeeded",
                     *           "attempt_count": 1,
                     *           "next_attempt_at": null,
                     *           "last_attempt_at": "2026-11-21T10:05:01.000Z",
                     *           "detail": null,
                     *           "created_at": "2026-11-21T10:05:00.000Z",
                     *           "finished_at": "2026-11-21T10:05:01.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY4YzAx"
                     *     }
                     */
                    "application/json": components["schemas"]["NotificationPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    runNotificationTest: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value of your choice, new for each intent (a UUID is best). Repeating the request with it, after a time-out for instance, gives the first answer again instead of doing it twice.
                 * @example 2f7c7f3e-6a2e-4d0b-9a55-0f2f0f3f6a11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The channel's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8b01
                 */
                notification_channel_id: components["parameters"]["NotificationChannelIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The notification, which waits. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f8c01",
                     *       "alert_id": null,
                     *       "event": "test",
                     *       "status": "pending",
                     *       "attempt_count": 0,
                     *       "next_attempt_at": "2026-11-21T10:05:00.000Z",
                     *       "last_attempt_at": null,
                     *       "detail": null,
                     *       "created_at": "2026-11-21T10:05:00.000Z",
                     *       "finished_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Notification"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listPermissions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "permission": "fleet.view",
                     *           "description": "See hosts, instances, their figures and their groups."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PermissionList"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getExplanation: {
        parameters: {
            query: {
                /**
                 * @description The `operationId`, as this contract has it.
                 * @example startInstance
                 */
                operation: components["parameters"]["OperationParameter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The decision and what it comes from. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "operation": "startInstance",
                     *       "is_allowed": true,
                     *       "reason": "permissions_held",
                     *       "permissions": [
                     *         {
                     *           "permission": "instances.power",
                     *           "granted_by": "instances.*"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Explanation"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listPlayerActions: {
        parameters: {
            query?: {
                /** @description Only actions on this instance. */
                instance_id?: string;
                /** @description Only what was done to this player. */
                steam_id?: components["schemas"]["SteamId"];
                /** @description Only actions of this kind. */
                kind?: components["schemas"]["PlayerActionKind"];
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
            /** @description A page of actions. */
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
                     *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4f01",
                     *           "kind": "ban",
                     *           "steam_id": "76561197960287930",
                     *           "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
                     *           "instance_name": "main",
                     *           "text": "Cheating",
                     *           "until": "2026-11-28T10:00:00.000Z",
                     *           "requested_by": "owner@example.com",
                     *           "command_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a03",
                     *           "status": "succeeded",
                     *           "detail": "Aster is banned.",
                     *           "error": null,
                     *           "created_at": "2026-11-21T10:00:00.000Z",
                     *           "finished_at": "2026-11-21T10:00:01.000Z",
                     *           "ended_at": null
                     *         }
                     *       ],
                     *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0ZjAx"
                     *     }
                     */
                    "application/json": components["schemas"]["PlayerActionPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    downloadPublicMap: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description What makes the address of a public map impossible to guess.
                 * @example p3J1xR0aQ7m2Vb9sKc5LwYtUe8ZdHn4oGi6fTqXyBvA
                 */
                map_secret: string;
                /**
                 * @description Name of the file, as the map's `public_url` has it; one from before the map was renamed is as good.
                 * @example five-islands-9f86d081884c.map
                 */
                file_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes of the file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example the bytes of the file */
                    "application/octet-stream": string;
                };
            };
            400: components["responses"]["Problem400"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createPlayerEvent: {
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
                 *       "instance": "main",
                 *       "steam_id": "76561197960287930",
                 *       "display_name": "Aster",
                 *       "event": "join",
                 *       "occurred_at": "2026-11-21T10:00:00.000Z",
                 *       "event_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01"
                 *     }
                 */
                "application/json": components["schemas"]["PlayerEventCreate"];
            };
        };
        responses: {
            /** @description The event is stored. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "outcome": "taken"
                     *     }
                     */
                    "application/json": components["schemas"]["TakenPlayerEvent"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createPlayerEvents: {
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
                 *       "events": [
                 *         {
                 *           "instance": "main",
                 *           "steam_id": "76561197960287930",
                 *           "display_name": "Aster",
                 *           "event": "join",
                 *           "occurred_at": "2026-11-21T10:00:00.000Z",
                 *           "event_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["PlayerEventsCreate"];
            };
        };
        responses: {
            /** @description What became of the events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "taken": 1,
                     *       "duplicates": 1,
                     *       "refused": [
                     *         {
                     *           "pointer": "/events/2/instance",
                     *           "detail": "No such instance."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TakenPlayerEvents"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getPublicStatus: {
        parameters: {
            query?: {
                /**
                 * @description Only the servers of the license with this subdomain.
                 * @example rusty-islands
                 */
                subdomain?: components["schemas"]["Subdomain"];
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
            /** @description The status. With an `If-None-Match` that fits, 304 and no body. */
            200: {
                headers: {
                    ETag: components["headers"]["StatusETag"];
                    "Cache-Control": components["headers"]["StatusCacheControl"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "platform": {
                     *         "total_servers": 1250,
                     *         "online_servers": 1190,
                     *         "total_players": 20412
                     *       },
                     *       "license": null,
                     *       "data": [
                     *         {
                     *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
                     *           "name": "Rusty Islands, 2x, max 4",
                     *           "description": "No cheaters. Discord is rusty.example.com.",
                     *           "license_name": "Rusty Islands",
                     *           "subdomain": "rusty-islands",
                     *           "status": "online",
                     *           "status_since": "2026-11-21T04:31:12.000Z",
                     *           "game": "rust",
                     *           "map": "Procedural Map",
                     *           "players": 61,
                     *           "max_players": 100,
                     *           "queued": 0,
                     *           "fps": 58.9,
                     *           "uptime": {
                     *             "last_24_hours": 99.86,
                     *             "last_7_days": 99.91,
                     *             "last_30_days": 98.4
                     *           },
                     *           "wipes": {
                     *             "last": {
                     *               "kind": "map",
                     *               "finished_at": "2026-11-19T18:04:40.000Z"
                     *             },
                     *             "next_at": "2026-11-26T18:00:00.000Z",
                     *             "schedule": {
                     *               "cron": "0 19 * * THU",
                     *               "time_zone": "Europe/Berlin"
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0ZDAx"
                     *     }
                     */
                    "application/json": components["schemas"]["StatusPageResponse"];
                };
            };
            400: components["responses"]["Problem400"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listRoles: {
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
            /** @description A page of roles. */
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
                     *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5a01",
                     *           "name": "Night watch",
                     *           "is_system": false,
                     *           "permissions": {
                     *             "fleet.view": true,
                     *             "console.*": true
                     *           },
                     *           "member_count": 2,
                     *           "version": 1,
                     *           "created_at": "2026-11-21T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY1YTAx"
                     *     }
                     */
                    "application/json": components["schemas"]["RolePage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createRole: {
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
                "application/json": components["schemas"]["RoleCreate"];
            };
        };
        responses: {
            /** @description The role. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5a01",
                     *       "name": "Night watch",
                     *       "is_system": false,
                     *       "permissions": {
                     *         "fleet.view": true,
                     *         "console.*": true
                     *       },
                     *       "member_count": 2,
                     *       "version": 1,
                     *       "created_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Role"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The role's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5a01
                 */
                role_id: components["parameters"]["RoleIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The role. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5a01",
                     *       "name": "Night watch",
                     *       "is_system": false,
                     *       "permissions": {
                     *         "fleet.view": true,
                     *         "console.*": true
                     *       },
                     *       "member_count": 2,
                     *       "version": 1,
                     *       "created_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Role"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteRole: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of what you have seen: it is changed only if it is still that, so that nobody's change is lost. Without it, or with `*`, it is changed whatever it is now.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description The role's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5a01
                 */
                role_id: components["parameters"]["RoleIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The role is gone. */
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
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateRole: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of what you have seen: it is changed only if it is still that, so that nobody's change is lost. Without it, or with `*`, it is changed whatever it is now.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description The role's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5a01
                 */
                role_id: components["parameters"]["RoleIdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Day watch"
                 *     }
                 */
                "application/json": components["schemas"]["RoleUpdate"];
            };
        };
        responses: {
            /** @description The role as it is now. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5a01",
                     *       "name": "Night watch",
                     *       "is_system": false,
                     *       "permissions": {
                     *         "fleet.view": true,
                     *         "console.*": true
                     *       },
                     *       "member_count": 2,
                     *       "version": 1,
                     *       "created_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Role"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createRoleCopy: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value of your choice, new for each intent (a UUID is best). Repeating the request with it, after a time-out for instance, gives the first answer again instead of doing it twice.
                 * @example 2f7c7f3e-6a2e-4d0b-9a55-0f2f0f3f6a11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The role's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5a01
                 */
                role_id: components["parameters"]["RoleIdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Evening watch"
                 *     }
                 */
                "application/json": components["schemas"]["RoleCopy"];
            };
        };
        responses: {
            /** @description The copy. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5a01",
                     *       "name": "Night watch",
                     *       "is_system": false,
                     *       "permissions": {
                     *         "fleet.view": true,
                     *         "console.*": true
                     *       },
                     *       "member_count": 2,
                     *       "version": 1,
                     *       "created_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Role"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getSchedulePreview: {
        parameters: {
            query: {
                /**
                 * @description The expression. A `+` within it is written `%2B`, a `#` `%23`.
                 * @example 30 4 * * *
                 */
                cron: components["schemas"]["CronExpression"];
                /**
                 * @description The time zone whose clock it is held against.
                 * @example Europe/Berlin
                 */
                time_zone: components["schemas"]["TimeZone"];
                /**
                 * @description How many due times to answer at most.
                 * @example 2
                 */
                count?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The due times. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "next_runs": [
                     *         "2026-11-22T03:30:00.000Z",
                     *         "2026-11-23T03:30:00.000Z"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SchedulePreview"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listSchedules: {
        parameters: {
            query?: {
                /** @description Only schedules of this instance. */
                instance_id?: string;
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
            /** @description A page of schedules. */
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
                     *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6b01",
                     *           "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
                     *           "name": "Nightly restart",
                     *           "action": {
                     *             "kind": "restart"
                     *           },
                     *           "cron": "30 4 * * *",
                     *           "time_zone": "Europe/Berlin",
                     *           "missed_runs": "skip",
                     *           "is_enabled": true,
                     *           "next_runs": [
                     *             "2026-11-22T03:30:00.000Z",
                     *             "2026-11-23T03:30:00.000Z"
                     *           ],
                     *           "created_by": "owner@example.com",
                     *           "version": 1,
                     *           "created_at": "2026-11-21T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY2YjAx"
                     *     }
                     */
                    "application/json": components["schemas"]["SchedulePage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createSchedule: {
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
                "application/json": components["schemas"]["ScheduleCreate"];
            };
        };
        responses: {
            /** @description The schedule. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6b01",
                     *       "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
                     *       "name": "Nightly restart",
                     *       "action": {
                     *         "kind": "restart"
                     *       },
                     *       "cron": "30 4 * * *",
                     *       "time_zone": "Europe/Berlin",
                     *       "missed_runs": "skip",
                     *       "is_enabled": true,
                     *       "next_runs": [
                     *         "2026-11-22T03:30:00.000Z",
                     *         "2026-11-23T03:30:00.000Z"
                     *       ],
                     *       "created_by": "owner@example.com",
                     *       "version": 1,
                     *       "created_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The schedule's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6b01
                 */
                schedule_id: components["parameters"]["ScheduleIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schedule. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6b01",
                     *       "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
                     *       "name": "Nightly restart",
                     *       "action": {
                     *         "kind": "restart"
                     *       },
                     *       "cron": "30 4 * * *",
                     *       "time_zone": "Europe/Berlin",
                     *       "missed_runs": "skip",
                     *       "is_enabled": true,
                     *       "next_runs": [
                     *         "2026-11-22T03:30:00.000Z",
                     *         "2026-11-23T03:30:00.000Z"
                     *       ],
                     *       "created_by": "owner@example.com",
                     *       "version": 1,
                     *       "created_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteSchedule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of what you have seen: it is changed only if it is still that, so that nobody's change is lost. Without it, or with `*`, it is changed whatever it is now.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description The schedule's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6b01
                 */
                schedule_id: components["parameters"]["ScheduleIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schedule is gone. */
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
            412: components["responses"]["Problem412"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateSchedule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of what you have seen: it is changed only if it is still that, so that nobody's change is lost. Without it, or with `*`, it is changed whatever it is now.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description The schedule's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6b01
                 */
                schedule_id: components["parameters"]["ScheduleIdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "cron": "0 5 * * MON-FRI"
                 *     }
                 */
                "application/json": components["schemas"]["ScheduleUpdate"];
            };
        };
        responses: {
            /** @description The schedule as it is now. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6b01",
                     *       "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
                     *       "name": "Nightly restart",
                     *       "action": {
                     *         "kind": "restart"
                     *       },
                     *       "cron": "30 4 * * *",
                     *       "time_zone": "Europe/Berlin",
                     *       "missed_runs": "skip",
                     *       "is_enabled": true,
                     *       "next_runs": [
                     *         "2026-11-22T03:30:00.000Z",
                     *         "2026-11-23T03:30:00.000Z"
                     *       ],
                     *       "created_by": "owner@example.com",
                     *       "version": 1,
                     *       "created_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listScheduleRuns: {
        parameters: {
            query?: {
                /** @description Only runs in this state. */
                status?: components["schemas"]["ScheduleRunStatus"];
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
                 * @description The schedule's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6b01
                 */
                schedule_id: components["parameters"]["ScheduleIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of runs. */
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
                     *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6c01",
                     *           "schedule_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6b01",
                     *           "due_at": "2026-11-21T03:30:00.000Z",
                     *           "status": "succeeded",
                     *           "detail": "The process runs anew with pid 4242.",
                     *           "error": null,
                     *           "command_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a03",
                     *           "requested_by": null,
                     *           "created_at": "2026-11-21T03:30:00.412Z",
                     *           "finished_at": "2026-11-21T03:31:10.100Z"
                     *         }
                     *       ],
                     *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY2YzAx"
                     *     }
                     */
                    "application/json": components["schemas"]["ScheduleRunPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    runSchedule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value of your choice, new for each intent (a UUID is best). Repeating the request with it, after a time-out for instance, gives the first answer again instead of doing it twice.
                 * @example 2f7c7f3e-6a2e-4d0b-9a55-0f2f0f3f6a11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The schedule's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6b01
                 */
                schedule_id: components["parameters"]["ScheduleIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run, which has begun. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6c02",
                     *       "schedule_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6b01",
                     *       "due_at": null,
                     *       "status": "running",
                     *       "detail": null,
                     *       "error": null,
                     *       "command_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a03",
                     *       "requested_by": "owner@example.com",
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "finished_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["ScheduleRun"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    switchSchedule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of what you have seen: it is changed only if it is still that, so that nobody's change is lost. Without it, or with `*`, it is changed whatever it is now.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description The schedule's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6b01
                 */
                schedule_id: components["parameters"]["ScheduleIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schedule as it is now. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f6b01",
                     *       "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
                     *       "name": "Nightly restart",
                     *       "action": {
                     *         "kind": "restart"
                     *       },
                     *       "cron": "30 4 * * *",
                     *       "time_zone": "Europe/Berlin",
                     *       "missed_runs": "skip",
                     *       "is_enabled": true,
                     *       "next_runs": [
                     *         "2026-11-22T03:30:00.000Z",
                     *         "2026-11-23T03:30:00.000Z"
                     *       ],
                     *       "created_by": "owner@example.com",
                     *       "version": 1,
                     *       "created_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            412: components["responses"]["Problem412"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listWebhooks: {
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
            /** @description A page of webhooks. */
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
                     *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01",
                     *           "name": "Pager",
                     *           "url": "https://hooks.example.com/gantry",
                     *           "events": [
                     *             "server_down",
                     *             "wipe_completed"
                     *           ],
                     *           "is_enabled": true,
                     *           "disabled_at": null,
                     *           "disabled_reason": null,
                     *           "previous_secret_ends_at": null,
                     *           "last_delivery_at": "2026-11-21T10:02:00.000Z",
                     *           "last_status": "succeeded",
                     *           "last_status_code": 204,
                     *           "version": 1,
                     *           "created_at": "2026-11-21T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY3YTAx"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createWebhook: {
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
                 *       "name": "Pager",
                 *       "url": "https://hooks.example.com/gantry",
                 *       "events": [
                 *         "server_down",
                 *         "wipe_completed"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["WebhookCreate"];
            };
        };
        responses: {
            /** @description The webhook with its secret. Keep that; it can't be read again. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01",
                     *       "name": "Pager",
                     *       "url": "https://hooks.example.com/gantry",
                     *       "events": [
                     *         "server_down",
                     *         "wipe_completed"
                     *       ],
                     *       "is_enabled": true,
                     *       "disabled_at": null,
                     *       "disabled_reason": null,
                     *       "previous_secret_ends_at": null,
                     *       "last_delivery_at": "2026-11-21T10:02:00.000Z",
                     *       "last_status": "succeeded",
                     *       "last_status_code": 204,
                     *       "version": 1,
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "secret": "whsec_4hx6tq2mvb7kz3cnra5wyd2jfe6up4s7lgxo3i5bqtw"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01
                 */
                webhook_id: components["parameters"]["WebhookIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01",
                     *       "name": "Pager",
                     *       "url": "https://hooks.example.com/gantry",
                     *       "events": [
                     *         "server_down",
                     *         "wipe_completed"
                     *       ],
                     *       "is_enabled": true,
                     *       "disabled_at": null,
                     *       "disabled_reason": null,
                     *       "previous_secret_ends_at": null,
                     *       "last_delivery_at": "2026-11-21T10:02:00.000Z",
                     *       "last_status": "succeeded",
                     *       "last_status_code": 204,
                     *       "version": 1,
                     *       "created_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of what you have seen: it is changed only if it is still that, so that nobody's change is lost. Without it, or with `*`, it is changed whatever it is now.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description The webhook's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01
                 */
                webhook_id: components["parameters"]["WebhookIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook is gone. */
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
            412: components["responses"]["Problem412"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of what you have seen: it is changed only if it is still that, so that nobody's change is lost. Without it, or with `*`, it is changed whatever it is now.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description The webhook's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01
                 */
                webhook_id: components["parameters"]["WebhookIdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "events": [
                 *         "player_banned",
                 *         "server_down",
                 *         "wipe_completed"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["WebhookUpdate"];
            };
        };
        responses: {
            /** @description The webhook as it is now. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01",
                     *       "name": "Pager",
                     *       "url": "https://hooks.example.com/gantry",
                     *       "events": [
                     *         "server_down",
                     *         "wipe_completed"
                     *       ],
                     *       "is_enabled": true,
                     *       "disabled_at": null,
                     *       "disabled_reason": null,
                     *       "previous_secret_ends_at": null,
                     *       "last_delivery_at": "2026-11-21T10:02:00.000Z",
                     *       "last_status": "succeeded",
                     *       "last_status_code": 204,
                     *       "version": 1,
                     *       "created_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Only deliveries in this state. */
                status?: components["schemas"]["WebhookDeliveryStatus"];
                /** @description Only deliveries of this type of event. */
                event?: components["schemas"]["WebhookDeliveryEvent"];
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
            path: {
                /**
                 * @description The webhook's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01
                 */
                webhook_id: components["parameters"]["WebhookIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
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
                     *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7b01",
                     *           "webhook_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01",
                     *           "event": "server_down",
                     *           "event_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7c01",
                     *           "status": "pending",
                     *           "attempt_count": 1,
                     *           "next_attempt_at": "2026-11-21T10:02:05.000Z",
                     *           "last_attempt_at": "2026-11-21T10:02:00.000Z",
                     *           "last_outcome": "rejected",
                     *           "last_status_code": 503,
                     *           "last_duration_ms": 41,
                     *           "created_at": "2026-11-21T10:02:00.000Z",
                     *           "finished_at": null
                     *         }
                     *       ],
                     *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY3YjAx"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01
                 */
                webhook_id: components["parameters"]["WebhookIdParameter"];
                /**
                 * @description The delivery's id; receivers get it as `X-Service-Delivery`.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7b01
                 */
                webhook_delivery_id: components["parameters"]["WebhookDeliveryIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7b01",
                     *       "webhook_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01",
                     *       "event": "server_down",
                     *       "event_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7c01",
                     *       "status": "pending",
                     *       "attempt_count": 1,
                     *       "next_attempt_at": "2026-11-21T10:02:05.000Z",
                     *       "last_attempt_at": "2026-11-21T10:02:00.000Z",
                     *       "last_outcome": "rejected",
                     *       "last_status_code": 503,
                     *       "last_duration_ms": 41,
                     *       "created_at": "2026-11-21T10:02:00.000Z",
                     *       "finished_at": null,
                     *       "body": "{\"id\":\"0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7c01\",\"type\":\"server_down\",\"occurred_at\":\"2026-11-21T10:02:00.000Z\", \"license_id\":\"0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4b01\",\"data\":{}}",
                     *       "response": "Try again later.",
                     *       "detail": "The receiver answered 503."
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDeliveryDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    restartWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value of your choice, new for each intent (a UUID is best). Repeating the request with it, after a time-out for instance, gives the first answer again instead of doing it twice.
                 * @example 2f7c7f3e-6a2e-4d0b-9a55-0f2f0f3f6a11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The webhook's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01
                 */
                webhook_id: components["parameters"]["WebhookIdParameter"];
                /**
                 * @description The delivery's id; receivers get it as `X-Service-Delivery`.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7b01
                 */
                webhook_delivery_id: components["parameters"]["WebhookDeliveryIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, which waits again. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7b01",
                     *       "webhook_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01",
                     *       "event": "server_down",
                     *       "event_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7c01",
                     *       "status": "pending",
                     *       "attempt_count": 1,
                     *       "next_attempt_at": "2026-11-21T10:02:05.000Z",
                     *       "last_attempt_at": "2026-11-21T10:02:00.000Z",
                     *       "last_outcome": "rejected",
                     *       "last_status_code": 503,
                     *       "last_duration_ms": 41,
                     *       "created_at": "2026-11-21T10:02:00.000Z",
                     *       "finished_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    replaceWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value of your choice, new for each intent (a UUID is best). Repeating the request with it, after a time-out for instance, gives the first answer again instead of doing it twice.
                 * @example 2f7c7f3e-6a2e-4d0b-9a55-0f2f0f3f6a11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The webhook's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01
                 */
                webhook_id: components["parameters"]["WebhookIdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "overlap_hours": 24
                 *     }
                 */
                "application/json": components["schemas"]["WebhookSecretReplace"];
            };
        };
        responses: {
            /** @description The webhook with its new secret. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01",
                     *       "name": "Pager",
                     *       "url": "https://hooks.example.com/gantry",
                     *       "events": [
                     *         "server_down",
                     *         "wipe_completed"
                     *       ],
                     *       "is_enabled": true,
                     *       "disabled_at": null,
                     *       "disabled_reason": null,
                     *       "previous_secret_ends_at": "2026-11-22T10:00:00.000Z",
                     *       "last_delivery_at": "2026-11-21T10:02:00.000Z",
                     *       "last_status": "succeeded",
                     *       "last_status_code": 204,
                     *       "version": 2,
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "secret": "whsec_mz4qk7c2ayw3hd5nr6yh2a7a5bqtw4hx6tq2mvb7kz3"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    runWebhookTest: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value of your choice, new for each intent (a UUID is best). Repeating the request with it, after a time-out for instance, gives the first answer again instead of doing it twice.
                 * @example 2f7c7f3e-6a2e-4d0b-9a55-0f2f0f3f6a11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The webhook's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01
                 */
                webhook_id: components["parameters"]["WebhookIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, which waits. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7b01",
                     *       "webhook_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01",
                     *       "event": "test",
                     *       "event_id": null,
                     *       "status": "pending",
                     *       "attempt_count": 0,
                     *       "next_attempt_at": "2026-11-21T10:02:00.000Z",
                     *       "last_attempt_at": null,
                     *       "last_outcome": null,
                     *       "last_status_code": null,
                     *       "last_duration_ms": null,
                     *       "created_at": "2026-11-21T10:02:00.000Z",
                     *       "finished_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getSiteConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the license shows. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "is_public": true,
                     *       "is_listed_by_default": false,
                     *       "status_page_description": "Vanilla and modded islands.",
                     *       "version": 3
                     *     }
                     */
                    "application/json": components["schemas"]["SiteConfig"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateSiteConfig: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of what you have seen: it is changed only if it is still that, so that nobody's change is lost. Without it, or with `*`, it is changed whatever it is now.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "is_public": true,
                 *       "status_page_description": "Vanilla and modded islands."
                 *     }
                 */
                "application/json": components["schemas"]["SiteConfigUpdate"];
            };
        };
        responses: {
            /** @description What the license shows now. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "is_public": true,
                     *       "is_listed_by_default": false,
                     *       "status_page_description": "Vanilla and modded islands.",
                     *       "version": 3
                     *     }
                     */
                    "application/json": components["schemas"]["SiteConfig"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listSiteListings: {
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
                     *           "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
                     *           "instance_name": "main",
                     *           "is_listed": true,
                     *           "is_shown": true,
                     *           "display_name": "Rusty Islands, 2x, max 4",
                     *           "description": null,
                     *           "wipe_schedule": {
                     *             "cron": "0 19 * * THU",
                     *             "time_zone": "Europe/Berlin"
                     *           },
                     *           "version": 2
                     *         }
                     *       ],
                     *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY0ZDAx"
                     *     }
                     */
                    "application/json": components["schemas"]["SiteListingPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getSiteListing: {
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
            /** @description How it is shown. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
                     *       "instance_name": "main",
                     *       "is_listed": true,
                     *       "is_shown": true,
                     *       "display_name": "Rusty Islands, 2x, max 4",
                     *       "description": null,
                     *       "wipe_schedule": {
                     *         "cron": "0 19 * * THU",
                     *         "time_zone": "Europe/Berlin"
                     *       },
                     *       "version": 2
                     *     }
                     */
                    "application/json": components["schemas"]["SiteListing"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateSiteListing: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of what you have seen: it is changed only if it is still that, so that nobody's change is lost. Without it, or with `*`, it is changed whatever it is now.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
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
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "is_listed": true,
                 *       "display_name": "Rusty Islands, 2x, max 4",
                 *       "wipe_schedule": {
                 *         "cron": "0 19 * * THU",
                 *         "time_zone": "Europe/Berlin"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SiteListingUpdate"];
            };
        };
        responses: {
            /** @description How it is shown now. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
                     *       "instance_name": "main",
                     *       "is_listed": true,
                     *       "is_shown": true,
                     *       "display_name": "Rusty Islands, 2x, max 4",
                     *       "description": null,
                     *       "wipe_schedule": {
                     *         "cron": "0 19 * * THU",
                     *         "time_zone": "Europe/Berlin"
                     *       },
                     *       "version": 2
                     *     }
                     */
                    "application/json": components["schemas"]["SiteListing"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listWipes: {
        parameters: {
            query?: {
                /** @description Only wipes in this state. */
                status?: components["schemas"]["WipeStatus"];
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
            /** @description A page of wipes. */
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
                     *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01",
                     *           "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
                     *           "instance_name": "main",
                     *           "kind": "map",
                     *           "seed": 1337,
                     *           "world_size": 3500,
                     *           "map_id": null,
                     *           "countdown_seconds": 900,
                     *           "message": null,
                     *           "backup": true,
                     *           "start": false,
                     *           "status": "planned",
                     *           "detail": null,
                     *           "error": null,
                     *           "due_at": null,
                     *           "file_count": null,
                     *           "deleted_bytes": null,
                     *           "command_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a03",
                     *           "requested_by": "owner@example.com",
                     *           "cancel_requested_at": null,
                     *           "created_at": "2026-11-21T10:00:00.000Z",
                     *           "begun_at": null,
                     *           "finished_at": null
                     *         }
                     *       ],
                     *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY3YTAx"
                     *     }
                     */
                    "application/json": components["schemas"]["WipePage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getWipe: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The wipe's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01
                 */
                wipe_id: components["parameters"]["WipeIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The wipe. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01",
                     *       "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
                     *       "instance_name": "main",
                     *       "kind": "map",
                     *       "seed": 1337,
                     *       "world_size": 3500,
                     *       "map_id": null,
                     *       "countdown_seconds": 900,
                     *       "message": null,
                     *       "backup": true,
                     *       "start": false,
                     *       "status": "planned",
                     *       "detail": null,
                     *       "error": null,
                     *       "due_at": null,
                     *       "file_count": null,
                     *       "deleted_bytes": null,
                     *       "command_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a03",
                     *       "requested_by": "owner@example.com",
                     *       "cancel_requested_at": null,
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "begun_at": null,
                     *       "finished_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Wipe"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    cancelWipe: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value of your choice, new for each intent (a UUID is best). Repeating the request with it, after a time-out for instance, gives the first answer again instead of doing it twice.
                 * @example 2f7c7f3e-6a2e-4d0b-9a55-0f2f0f3f6a11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The wipe's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01
                 */
                wipe_id: components["parameters"]["WipeIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The wipe, as far as it has come. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01",
                     *       "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4d01",
                     *       "instance_name": "main",
                     *       "kind": "map",
                     *       "seed": 1337,
                     *       "world_size": 3500,
                     *       "map_id": null,
                     *       "countdown_seconds": 900,
                     *       "message": null,
                     *       "backup": true,
                     *       "start": false,
                     *       "status": "planned",
                     *       "detail": null,
                     *       "error": null,
                     *       "due_at": null,
                     *       "file_count": null,
                     *       "deleted_bytes": null,
                     *       "command_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a03",
                     *       "requested_by": "owner@example.com",
                     *       "cancel_requested_at": null,
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "begun_at": null,
                     *       "finished_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Wipe"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listInvitations: {
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
            /** @description A page of invitations. */
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
                     *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5c01",
                     *           "email": "watch@example.com",
                     *           "role": {
                     *             "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5a01",
                     *             "name": "Night watch"
                     *           },
                     *           "invited_by": "owner@example.com",
                     *           "created_at": "2026-11-21T10:00:00.000Z",
                     *           "expires_at": "2026-11-28T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY1YzAx"
                     *     }
                     */
                    "application/json": components["schemas"]["InvitationPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createInvitation: {
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
                 *       "email": "watch@example.com",
                 *       "role_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5a01"
                 *     }
                 */
                "application/json": components["schemas"]["InvitationCreate"];
            };
        };
        responses: {
            /** @description The invitation. Only the e-mail holds its link. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5c01",
                     *       "email": "watch@example.com",
                     *       "role": {
                     *         "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5a01",
                     *         "name": "Night watch"
                     *       },
                     *       "invited_by": "owner@example.com",
                     *       "created_at": "2026-11-21T10:00:00.000Z",
                     *       "expires_at": "2026-11-28T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The invitation's id.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5c01
                 */
                invitation_id: components["parameters"]["InvitationIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitation is void. */
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
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listMembers: {
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
            /** @description A page of members. */
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
                     *           "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5b01",
                     *           "user_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4c01",
                     *           "email": "watch@example.com",
                     *           "is_disabled": false,
                     *           "role": {
                     *             "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5a01",
                     *             "name": "Night watch"
                     *           },
                     *           "created_at": "2026-11-21T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "MDE5OWExZjAtNmMxZS03YTQ0LTlkMGUtNmY1ZDFmMWY1YjAx"
                     *     }
                     */
                    "application/json": components["schemas"]["MemberPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of a member of the team.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5b01
                 */
                member_id: components["parameters"]["MemberIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description They do not belong to the license any more. */
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
            409: components["responses"]["Problem409"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    updateMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id` of a member of the team.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5b01
                 */
                member_id: components["parameters"]["MemberIdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5a01"
                 *     }
                 */
                "application/json": components["schemas"]["MemberUpdate"];
            };
        };
        responses: {
            /** @description The member as they are now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5b01",
                     *       "user_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4c01",
                     *       "email": "watch@example.com",
                     *       "is_disabled": false,
                     *       "role": {
                     *         "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f5a01",
                     *         "name": "Night watch"
                     *       },
                     *       "created_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            415: components["responses"]["Problem415"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteOwnMembership: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description You do not belong to the license any more. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    receivePlayerBanned: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The delivery's id, the same for every attempt; what was handled under it needs only to be answered.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7b01
                 */
                "X-Service-Delivery": string;
                /**
                 * @description The type of event, as in the body.
                 * @example server_down
                 */
                "X-Service-Event": components["schemas"]["WebhookDeliveryEvent"];
                /**
                 * @description When it was signed, in seconds since 1970; refuse what is more than five minutes off.
                 * @example 1795428120
                 */
                "X-Service-Timestamp": string;
                /**
                 * @description `v1=` and the HMAC-SHA256, in hexadecimal digits, of the delivery's id, a full stop, the timestamp, a full stop and the body as it came, with the webhook's secret. While a secret is replaced there are two, separated by a comma; one that is right is enough.
                 * @example v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7c01",
                 *       "type": "player_banned",
                 *       "occurred_at": "2026-11-21T10:02:00.000Z",
                 *       "license_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a02",
                 *       "data": {
                 *         "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a06",
                 *         "instance_name": "main",
                 *         "steam_id": "76561197960287930",
                 *         "reason": "Cheating",
                 *         "until": null,
                 *         "requested_by": "owner@example.com"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PlayerBannedEvent"];
            };
        };
        responses: {
            /** @description It was taken. Anything else, or nothing within 5 seconds, has it sent again later. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveServerDown: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The delivery's id, the same for every attempt; what was handled under it needs only to be answered.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7b01
                 */
                "X-Service-Delivery": string;
                /**
                 * @description The type of event, as in the body.
                 * @example server_down
                 */
                "X-Service-Event": components["schemas"]["WebhookDeliveryEvent"];
                /**
                 * @description When it was signed, in seconds since 1970; refuse what is more than five minutes off.
                 * @example 1795428120
                 */
                "X-Service-Timestamp": string;
                /**
                 * @description `v1=` and the HMAC-SHA256, in hexadecimal digits, of the delivery's id, a full stop, the timestamp, a full stop and the body as it came, with the webhook's secret. While a secret is replaced there are two, separated by a comma; one that is right is enough.
                 * @example v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7c02",
                 *       "type": "server_down",
                 *       "occurred_at": "2026-11-21T10:02:00.000Z",
                 *       "license_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a02",
                 *       "data": {
                 *         "reason": "host_silent",
                 *         "host_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a05",
                 *         "hostname": "rust-01",
                 *         "instances": [
                 *           {
                 *             "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a06",
                 *             "name": "main"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ServerDownEvent"];
            };
        };
        responses: {
            /** @description It was taken. Anything else, or nothing within 5 seconds, has it sent again later. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveTestEvent: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The delivery's id, the same for every attempt; what was handled under it needs only to be answered.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7b01
                 */
                "X-Service-Delivery": string;
                /**
                 * @description The type of event, as in the body.
                 * @example server_down
                 */
                "X-Service-Event": components["schemas"]["WebhookDeliveryEvent"];
                /**
                 * @description When it was signed, in seconds since 1970; refuse what is more than five minutes off.
                 * @example 1795428120
                 */
                "X-Service-Timestamp": string;
                /**
                 * @description `v1=` and the HMAC-SHA256, in hexadecimal digits, of the delivery's id, a full stop, the timestamp, a full stop and the body as it came, with the webhook's secret. While a secret is replaced there are two, separated by a comma; one that is right is enough.
                 * @example v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7b01",
                 *       "type": "test",
                 *       "occurred_at": "2026-11-21T10:02:00.000Z",
                 *       "license_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a02",
                 *       "data": {
                 *         "webhook_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7a01",
                 *         "requested_by": "owner@example.com"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TestEvent"];
            };
        };
        responses: {
            /** @description It was taken. Anything else, or nothing within 5 seconds, has it sent again later. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveWipeCompleted: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The delivery's id, the same for every attempt; what was handled under it needs only to be answered.
                 * @example 0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7b01
                 */
                "X-Service-Delivery": string;
                /**
                 * @description The type of event, as in the body.
                 * @example server_down
                 */
                "X-Service-Event": components["schemas"]["WebhookDeliveryEvent"];
                /**
                 * @description When it was signed, in seconds since 1970; refuse what is more than five minutes off.
                 * @example 1795428120
                 */
                "X-Service-Timestamp": string;
                /**
                 * @description `v1=` and the HMAC-SHA256, in hexadecimal digits, of the delivery's id, a full stop, the timestamp, a full stop and the body as it came, with the webhook's secret. While a secret is replaced there are two, separated by a comma; one that is right is enough.
                 * @example v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f7c03",
                 *       "type": "wipe_completed",
                 *       "occurred_at": "2026-11-21T10:02:00.000Z",
                 *       "license_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a02",
                 *       "data": {
                 *         "instance_id": "0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a06",
                 *         "instance_name": "main",
                 *         "kind": "map",
                 *         "seed": 4711,
                 *         "world_size": 4000,
                 *         "map_id": null,
                 *         "requested_by": "owner@example.com"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WipeCompletedEvent"];
            };
        };
        responses: {
            /** @description It was taken. Anything else, or nothing within 5 seconds, has it sent again later. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
