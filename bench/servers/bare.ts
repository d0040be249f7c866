// The baseline of reads: a bare Express handler that runs the same SQL through `pg` and returns the same
// bytes.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import pg from 'pg';
import { serveParent, settingsOfChild } from '../support/child.ts';

const { databaseUrl, licenseId } = settingsOfChild<{ databaseUrl: string; licenseId: string }>();
/** As pg returns them, except bigint, which would be text. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text'): unknown =>
    oid === 20 ? Number : pg.types.getTypeParser(oid, format)) as never,
};
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10, types });
const sql = `select "id", "host_id",
  (select "hostname" from "agent_host" where "agent_host"."id" = "host_id") as "hostname", "name", "game", "capabilities", "state", "uptime_seconds", "players", "max_players", "queued", "fps", "entities", "map",
  "cpu_percent", "memory_bytes", "cluster_id", "managed_by", "last_seen_at", "created_at"
  from "game_instance" where "license_id" = $1 order by "id" asc limit $2`;

const app = express();
app.get('/api/fleet/instances', async (request, response) => {
  const limit = Number(request.query['limit']);
  const { rows } = await pool.query(sql, [licenseId, limit + 1]);
  const data = rows.slice(0, limit);
  response.json({
    data,
    next_cursor:
      rows.length > limit ? Buffer.from((data.at(-1) as { id: string }).id).toString('base64url') : null,
  });
});
const server = createServer(app);
server.listen(0, '127.0.0.1', () =>
  serveParent({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
);
