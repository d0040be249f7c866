// A stream of events, read as it arrives.
import { request, type IncomingMessage } from 'node:http';
import type { components } from '../../generated/platform.d.ts';
import { until } from './until.ts';
import type { Tenant, World } from './world.ts';

type Event = components['schemas']['Event'];

/** Events of 60 KB, whose names begin with their numbers. */
export async function createLargeEvents(world: World, { license }: Tenant, count: number): Promise<void> {
  await world.database.query(
    `insert into event_draft (license_id, type, subject_type, subject_id, data)
     select $1, 'cluster.deleted', 'cluster', uuidv7(),
       jsonb_build_object('name', number || ' ' || repeat(md5(number::text), 1900))
     from generate_series(1, $2::int) as number`,
    [license.id, count],
  );
}

/** One block of a stream. */
interface Block {
  id?: string;
  event?: string;
  data?: unknown;
}

/** A stream as it arrives. */
export class Stream {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly blocks: Block[] = [];
  readonly #response: IncomingMessage;
  isOver = false;

  private constructor(response: IncomingMessage) {
    this.#response = response;
    this.status = response.statusCode ?? 0;
    this.headers = response.headers;
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      this.blocks.push(...parts.map(blockOf));
    });
    response.on('error', () => undefined).on('close', () => (this.isOver = true));
  }

  /** Opens one, closed with the world. `url` is that of another replica. */
  static open(world: World, headers: Record<string, string>, query = '', url = world.url): Promise<Stream> {
    return new Promise((resolve, reject) => {
      const sent = request(`${url}/api/events/stream?${query}`, { headers }, (response) => {
        const stream = new Stream(response);
        world.atEnd(async () => stream.close());
        resolve(stream);
      });
      sent.on('error', reject).end();
    });
  }

  get events(): Event[] {
    return this.blocks
      .filter(({ event }) => event !== undefined && event !== 'ready' && event !== 'reconnect')
      .map(({ data }) => data as Event);
  }

  untilEvents(count: number): Promise<Event[]> {
    return until(async () => this.events.length >= count && this.events, `${count} events`);
  }

  untilOver(): Promise<unknown> {
    return until(async () => this.isOver, 'the end of the stream');
  }

  get lastId(): string {
    return this.blocks.findLast(({ id }) => id !== undefined)?.id ?? '';
  }

  /** Reads nothing more, until it is resumed. */
  pause(): void {
    this.#response.pause();
  }

  resume(): void {
    this.#response.resume();
  }

  close(): void {
    this.#response.destroy();
  }
}

function blockOf(text: string): Block {
  const fields = text.split('\n').map((line) => /^(\w*): ?(.*)$/.exec(line) ?? []);
  const valueOf = (name: string) => fields.find(([, field]) => field === name)?.[2];
  const data = valueOf('data');
  return {
    ...(valueOf('id') !== undefined && { id: valueOf('id') as string }),
    ...(valueOf('event') !== undefined && { event: valueOf('event') as string }),
    ...(data !== undefined && { data: JSON.parse(data) as unknown }),
  };
}
