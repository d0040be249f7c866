// Decides where outbound requests may go: which URLs, and which addresses behind their names.
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isWithin, parseNetwork, type Network } from '../network/ip-networks.ts';
import { OutboundError } from './outbound-error.ts';

export interface DestinationSettings {
  /** Networks that may be reached although they are not public, in CIDR notation. */
  allow: readonly string[];
  /** Networks that may not be reached although they are public or allowed, in CIDR notation. */
  deny?: readonly string[];
  /** Whether `http:` URLs are allowed. */
  allowsHttp: boolean;
}

/** Returns this machine's own addresses. */
export type OwnAddresses = () => readonly string[];

/** Resolves a name to its addresses. */
export type Resolve = (name: string) => Promise<readonly string[]>;

const maxUrlLength = 2_000;
const lowestPort = 1_024;
const wellKnownPorts = ['', '80', '443'];

export class Destinations {
  readonly #allowed: readonly Network[];
  readonly #denied: readonly Network[];
  readonly #allowsHttp: boolean;
  readonly #resolve: Resolve;
  readonly #own: OwnAddresses;

  constructor(
    { allow, deny = [], allowsHttp }: DestinationSettings,
    resolve: Resolve = createResolve(),
    own: OwnAddresses = addressesOfInterfaces(),
  ) {
    this.#allowed = allow.map(networkOf);
    this.#denied = deny.map(networkOf);
    this.#allowsHttp = allowsHttp;
    this.#resolve = resolve;
    this.#own = own;
  }

  /** Parses the URL; throws if the URL itself shows that it is not allowed. */
  parse(text: string): URL {
    if (text.length > maxUrlLength) throw refused(`A URL has at most ${maxUrlLength} characters.`);
    const url = URL.parse(text);
    if (url === null) throw refused('This is not a URL.');
    if (url.protocol !== 'https:' && !(this.#allowsHttp && url.protocol === 'http:'))
      throw refused(
        this.#allowsHttp
          ? 'The URL must begin with https:// or http://.'
          : 'The URL must begin with https://.',
      );
    if (url.username !== '' || url.password !== '')
      throw refused('The URL must hold no user name and no password.');
    if (!wellKnownPorts.includes(url.port) && Number(url.port) < lowestPort)
      throw refused('The port must be 80, 443 or at least 1024.');
    const address = literalOf(url.hostname);
    if (isIP(address) !== 0) this.checkAddress(address);
    return url;
  }

  /**
   * Throws unless the URL, as its name resolves now, may be requested. A public name may not resolve yet; a private one
   * must resolve to an allowed address.
   */
  async check(text: string): Promise<void> {
    const name = literalOf(this.parse(text).hostname);
    if (isIP(name) !== 0) return;
    await this.addressesOf(name).catch((error: unknown) => {
      const isUnresolved = error instanceof OutboundError && error.failure === 'unresolved';
      if (!isUnresolved || isPrivateName(name)) throw error;
    });
  }

  /** Throws unless the address may be connected to. */
  checkAddress(address: string): void {
    if (!this.#isAllowed(address))
      throw notPublic(
        'The destination is not a public address, or this installation does not allow requests to it.',
      );
  }

  /** Resolves the name; throws unless every address is allowed. */
  async addressesOf(name: string): Promise<readonly string[]> {
    const addresses = await this.#resolve(name).catch((error: unknown) => {
      throw unresolved({ cause: error });
    });
    if (addresses.length === 0) throw unresolved();
    if (!addresses.every((address) => this.#isAllowed(address)))
      throw notPublic(
        'The name of the destination resolves to an address that is not public, or that this installation does not allow.',
      );
    return addresses;
  }

  #isOwn(address: string): boolean {
    return isWithin(
      address,
      this.#own().flatMap((own) => {
        const network = parseNetwork(own);
        return network === undefined ? [] : [network];
      }),
    );
  }

  #isAllowed(address: string): boolean {
    if (isWithin(address, this.#denied)) return false;
    return isWithin(address, this.#allowed) || (isPublic(address) && !this.#isOwn(address));
  }
}

/** How long the interfaces' addresses are cached: they can change, but reading them is slow. */
const ownFreshMs = 1_000;

function addressesOfInterfaces(): OwnAddresses {
  let addresses: readonly string[] = [];
  let freshUntil = 0;
  return () => {
    if (performance.now() < freshUntil) return addresses;
    freshUntil = performance.now() + ownFreshMs;
    // Addresses with a zone are link-local and refused anyway.
    addresses = Object.values(networkInterfaces()).flatMap((one) =>
      (one ?? []).map(({ address }) => address),
    );
    return addresses;
  };
}

/** Removes the brackets that URLs put around an IPv6 address. */
export const literalOf = (hostname: string) => hostname.replace(/^\[(.*)\]$/, '$1');

const globalUnicast = networkOf('2000::/3');
/** Public by its number, but within one cloud provider it is an internal service address. */
const publicMetadata = networkOf('168.63.129.16/32');

/** Whether the address is public on the internet; IPv4-mapped IPv6 addresses count as IPv4. */
export function isPublic(address: string): boolean {
  const [parsed] = parseNetwork(address) ?? [];
  if (parsed === undefined || parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' ? !isWithin(address, [publicMetadata]) : isWithin(address, [globalUnicast]);
}

function networkOf(text: string): Network {
  const network = parseNetwork(text);
  if (network === undefined) throw new Error(`${text} is no network`);
  return network;
}

/**
 * Queries only the name servers: neither the hosts file nor search domains nor multicast can point a name into the
 * private network, and a silent name server blocks none of the threads that files and password hashing need.
 */
function createResolve(): Resolve {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  return async (name) => {
    if (isLocalhost(name)) return ['127.0.0.1'];
    const records = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = records.flatMap((record) => (record.status === 'fulfilled' ? record.value : []));
    const failed = records.find((record) => record.status === 'rejected');
    if (addresses.length === 0 && failed !== undefined) throw failed.reason;
    return addresses;
  };
}

/** By its form: a single label, or below a domain that the internet does not have. */
const isPrivateName = (name: string) =>
  /^[^.]+\.?$|\.(localhost|local|localdomain|internal|intranet|private|corp|home|lan|home\.arpa)\.?$/.test(
    name,
  );

const isLocalhost = (name: string) => /(^|\.)localhost\.?$/.test(name);

const refused = (message: string) => new OutboundError('url_refused', message);
const notPublic = (message: string) => new OutboundError('address_refused', message);
const unresolved = (options?: ErrorOptions) =>
  new OutboundError('unresolved', 'The name of the destination leads to no address.', options);
