// (g) The public status, which is kept for some seconds, against a bare Express handler that sends the same bytes.
import pg from 'pg';
import { startChild, type Child } from './support/child.ts';
import { openEnvironment } from './support/environment.ts';
import { prepareFleet } from './support/fleet.ts';
import { compareWithBytes } from './support/same-bytes.ts';

const environment = await openEnvironment();
let platform: Child | undefined;
try {
  platform = await startChild('servers/platform.ts', {
    ...(JSON.parse(environment.settings) as object),
    roles: ['api'],
  });
  await prepareFleet(platform.ready.url, environment.databaseUrl);
  await showEverything(environment.databaseUrl);
  for (const limit of [25, 100])
    await compareWithBytes(platform.ready.url, `/api/public/status?limit=${limit}`);
} finally {
  await platform?.stop();
  await environment.stop();
}

/** Each of the 21 licenses shows its 200 servers to everybody. */
async function showEverything(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    `insert into site_config (license_id, is_public, is_listed_by_default) select id, true, true from license`,
  );
  await client.end();
}
