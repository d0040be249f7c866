// A connection to PostgreSQL whose loss fails the next statement, rather than the program.
import pg from 'pg';

export async function connectTo(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
