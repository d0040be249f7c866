// Has agents connect to this process for contents of files, and admits each connection by a signed single-use ticket.
import { randomBytes } from 'node:crypto';
import { growingCache } from '../../process/growing-cache.ts';
import type { Logger } from 'pino';
import type { Bus } from '../../bus/bus.ts';
import { DomainError } from '../../errors.ts';
import { ThrottledLogger } from '../../process/throttled-logger.ts';
import { Signer } from '../../secrets/signed-values.ts';
import { isSignedBy } from '../agents/signed-tokens.ts';
import type { AgentFiles } from './agent-files.ts';
import { brokenOff, DataConnection, type MessageStream } from './data-connection.ts';

/** Smaller contents are quicker in parts over the bus than a connection opens. */
export const minConnectionBytes = 1024 * 1024;
/** Longer than the agent's attempts take. The connection is expected for no longer than its reply. */
const ticketMs = 10_000;
/** How long files of a host travel over the bus after its agent could not connect. */
const avoidedMs = 10 * 60_000;
const hostCheckMs = 1_000;

/** What the platform asks the agent to do with the connection. */
export type Operation = 'receive' | 'send';

interface Claims {
  /** The process that waits for the connection. */
  replica: string;
  nonce: string;
  host: string;
  instance: string;
  transfer: string;
  operation: Operation;
  expires: number;
}

interface Expected {
  hostId: string;
  arrive: (connection: DataConnection) => void;
}

export type Refusal = 'unauthorized' | 'misdirected';

export interface DataConnectionParts {
  bus: Bus;
  encryptionSecret: string;
  log: Logger;
}

export class DataConnections {
  readonly #bus: Bus;
  readonly #signer: Signer;
  readonly #log: Logger;
  readonly #throttled = new ThrottledLogger();
  readonly #keyOf: (hostId: string) => Promise<string | undefined>;
  readonly #replica = randomBytes(12).toString('base64url');
  /** By nonce. */
  readonly #expected = new Map<string, Expected>();
  /** Hosts whose agents could not connect. */
  readonly #avoided = growingCache<true>({ maxEntries: 100_000, ttl: avoidedMs });
  #isServed = false;

  /** `keyOf` returns the public key of a host that may use the bus. */
  constructor(
    { bus, encryptionSecret, log }: DataConnectionParts,
    keyOf: (hostId: string) => Promise<string | undefined>,
  ) {
    this.#bus = bus;
    this.#signer = new Signer(encryptionSecret, 'gantry data connections');
    this.#log = log;
    this.#keyOf = keyOf;
  }

  /** Called while this process accepts connections of agents. */
  serve(isServed: boolean): void {
    this.#isServed = isServed;
  }

  /**
   * Has the agent connect for the transfer. Returns undefined if it cannot, as an older agent: then the content has to
   * travel in parts over the bus.
   */
  async open(files: AgentFiles, transfer: string, operation: Operation): Promise<DataConnection | undefined> {
    const { hostId, instance } = files.target;
    if (!this.#isServed || this.#avoided.has(hostId)) return undefined;
    const nonce = randomBytes(24).toString('base64url');
    const arrival = Promise.withResolvers<DataConnection>();
    let arrived: DataConnection | undefined;
    const arrive = (connection: DataConnection) => {
      arrived = connection;
      arrival.resolve(connection);
    };
    this.#expected.set(nonce, { hostId, arrive });
    const expires = Date.now() + ticketMs;
    const ticket = this.#mint({
      replica: this.#replica,
      nonce,
      host: hostId,
      instance,
      transfer,
      operation,
      expires,
    });
    try {
      const refused = files.connect(transfer, ticket).then((refusal) => {
        if (refusal !== undefined && arrived === undefined) this.#avoid(hostId, refusal);
      });
      await Promise.race([arrival.promise, refused.catch(asNotConnected)]);
      return arrived;
    } finally {
      this.#expected.delete(nonce);
    }
  }

  /** Whether this platform has signed the ticket. Unlike `admit`, needs no database. */
  isGenuine(ticket: string): boolean {
    return this.#claimsOf(ticket) !== undefined;
  }

  /** Returns what takes the connection, or why there must be none. A ticket admits one connection. */
  async admit(ticket: string, signature: string): Promise<Refusal | ((stream: MessageStream) => void)> {
    const claims = this.#claimsOf(ticket);
    if (claims === undefined || claims.expires <= Date.now()) return 'unauthorized';
    if (claims.replica !== this.#replica) return 'misdirected';
    const key = await this.#keyOf(claims.host);
    if (key === undefined || !isSignedBy(key, `gantry-files.${ticket}`, signature)) return 'unauthorized';
    const expected = this.#expected.get(claims.nonce);
    if (expected?.hostId !== claims.host) return 'unauthorized';
    this.#expected.delete(claims.nonce);
    const readReply = this.#bus.messages.reader('FileReply');
    return (stream) =>
      expected.arrive(new DataConnection(stream, readReply, this.#hostCheck(claims.host, key)));
  }

  #mint(claims: Claims): string {
    const text = Buffer.from(JSON.stringify(claims)).toString('base64url');
    return `${text}.${this.#signer.sign([text])}`;
  }

  #claimsOf(ticket: string): Claims | undefined {
    const [text = '', signature = '', ...more] = ticket.split('.');
    if (more.length > 0 || !this.#signer.isSigned([text], signature)) return undefined;
    return JSON.parse(Buffer.from(text, 'base64url').toString()) as Claims;
  }

  /** Looks at most once per second whether the host still has that key. */
  #hostCheck(hostId: string, key: string): () => Promise<void> {
    let lookedAtMs = performance.now();
    return async () => {
      if (performance.now() - lookedAtMs < hostCheckMs) return;
      lookedAtMs = performance.now();
      if ((await this.#keyOf(hostId)) !== key) throw brokenOff();
    };
  }

  #avoid(hostId: string, detail: string): void {
    this.#avoided.set(hostId, true);
    this.#throttled.once(hostId, () =>
      this.#log.info(
        { host_id: hostId, detail },
        'an agent opens no data connections: files travel over the bus',
      ),
    );
  }
}

/** The parts over the bus show whether the agent is there. */
function asNotConnected(error: unknown): void {
  if (!(error instanceof DomainError)) throw error;
}
