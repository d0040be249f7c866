// Download URLs of maps: signed ones for one instance, and permanent ones for published maps.
import type { Query } from '../../platform-contract/types.ts';
import { Signer } from '../../secrets/signed-values.ts';

/** Longer than a command waits for its agent, plus a slow download after that. */
const linkSeconds = 2 * 60 * 60;

/** The map, and the instance that may download it. */
export interface LinkSubject {
  licenseId: string;
  instanceId: string;
  mapId: string;
}

export class MapLinks {
  readonly #signer: Signer;
  readonly #publicUrl: () => string;

  constructor(secret: string, publicUrl: () => string) {
    this.#signer = new Signer(secret, 'gantry map links');
    this.#publicUrl = publicUrl;
  }

  linkFor(subject: LinkSubject): string {
    const expires = Math.floor(Date.now() / 1_000) + linkSeconds;
    const query = new URLSearchParams({
      license_id: subject.licenseId,
      instance_id: subject.instanceId,
      expires: String(expires),
      signature: this.#signer.sign(signed(subject, expires)),
    });
    return `${this.#publicUrl()}/api/agent/maps/${subject.mapId}?${query.toString()}`;
  }

  /** Whether the link was signed by this platform for this map and instance, and has not expired. */
  isGood(mapId: string, query: Query<'downloadMapForAgent'>): boolean {
    const { license_id: licenseId, instance_id: instanceId, expires, signature } = query;
    const isSigned = this.#signer.isSigned(signed({ licenseId, instanceId, mapId }, expires), signature);
    return isSigned && expires * 1_000 > Date.now();
  }

  publicUrlOf(secret: string, fileName: string): string {
    return `${this.#publicUrl()}/api/public/maps/${secret}/${fileName}`;
  }

  /**
   * Returns the arguments of a command as they are sent. A map among them gets its link only now: no link is stored in
   * the database, and none has expired when an agent reconnects.
   */
  complete(
    args: Record<string, unknown>,
    instance: Pick<LinkSubject, 'licenseId' | 'instanceId'>,
  ): Record<string, unknown> {
    const { map } = args as { map?: { map_id?: unknown } };
    if (typeof map?.map_id !== 'string') return args;
    return { ...args, map: { ...map, url: this.linkFor({ ...instance, mapId: map.map_id }) } };
  }
}

const signed = ({ licenseId, instanceId, mapId }: LinkSubject, expires: number) => [
  licenseId,
  instanceId,
  mapId,
  expires,
];
