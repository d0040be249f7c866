// Replicas of the role `jobs` beside a world that has none, in processes of their own, to be killed.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Program } from './processes.ts';
import { jwtSecret, type World } from './world.ts';

export class Senders {
  readonly #world: World;
  readonly #directory: string;
  readonly #programs: Program[] = [];

  private constructor(world: World, directory: string) {
    this.#world = world;
    this.#directory = directory;
  }

  static async of(world: World): Promise<Senders> {
    const directory = await mkdtemp(join(tmpdir(), 'gantry-faults-'));
    await writeFile(join(directory, 'keys.json'), JSON.stringify(world.nats.keys), { mode: 0o600 });
    return new Senders(world, directory);
  }

  async start(): Promise<Program> {
    const { database, nats } = this.#world;
    const program = Program.platform({
      DATABASE_URL: database.url,
      NATS_URL: nats.url,
      GANTRY_NATS_KEYS: join(this.#directory, 'keys.json'),
      GANTRY_BUS_PREFIX: nats.prefix,
      GANTRY_JWT_SECRET: jwtSecret,
      GANTRY_DATA_DIR: join(this.#directory, `replica-${this.#programs.length}`),
      GANTRY_OUTBOUND_ALLOW: '127.0.0.0/8',
      GANTRY_OUTBOUND_HTTP: 'true',
      GANTRY_ROLES: 'jobs',
      LOG_LEVEL: 'warn',
    });
    this.#programs.push(program);
    await program.start();
    return program;
  }

  async close(): Promise<void> {
    for (const program of this.#programs) await program.signal('SIGKILL');
    await rm(this.#directory, { recursive: true, force: true });
  }
}
