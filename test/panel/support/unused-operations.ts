// Operations that the panel does not use, by reason.

/** Remove an operation from here when the panel begins to use it. */
export const unusedOperations: Readonly<Record<string, readonly string[]>> = {
  'For programs: the session of a browser is a cookie.': ['POST /auth/refresh', 'POST /auth/logout'],
  'The list shows everything that it returns.': [
    'GET /api/admin/licenses/{license_id}',
    'GET /api/plugin-applications/{plugin_application_id}',
  ],
  'Agents and game plugins call them, not people.': [
    'POST /api/agent/enrolment',
    'POST /api/agent/session',
    'GET /api/agent/maps/{map_id}',
    'GET /api/public/maps/{map_secret}/{file_name}',
    'GET /api/plugin/download',
    'POST /api/plugin/player-event',
    'POST /api/plugin/player-events',
  ],
  'The editor counts the unsaved settings itself.': [
    'GET /api/plugin-configs/loot/{loot_config_id}/containers',
  ],
  'Pages for players and visitors call them.': [
    'POST /api/early-access',
    'POST /api/early-access/confirmations',
    'GET /api/public-store/{subdomain}',
    'GET /api/public-store/{subdomain}/items',
    'GET /api/public-store/{subdomain}/orders/{order_id}',
    'POST /api/public-store/{subdomain}/orders/{order_id}/sandbox',
    'POST /api/public-store/{subdomain}/purchase',
    'POST /api/public-store/{subdomain}/webhook',
  ],
  'For developers of programs.': [
    'POST /api/sandbox',
    'GET /api/sandbox',
    'DELETE /api/sandbox',
    'POST /api/sandbox/clock',
    'POST /api/sandbox/events',
    'POST /api/sandbox/reset',
  ],
  'Payment providers call them.': ['POST /api/webstore/subscription/webhook'],
};
