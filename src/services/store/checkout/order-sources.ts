// Identifies orders from the same network by a keyed hash, without recording the address.
import { createHmac, hkdfSync } from 'node:crypto';
import { networkOf } from '../../../network/ip-networks.ts';

export class OrderSources {
  readonly #key: Uint8Array;

  constructor(secret: string) {
    this.#key = new Uint8Array(hkdfSync('sha256', secret, '', 'gantry order source', 32));
  }

  /** The hash of a network differs between licenses, so that it cannot link orders in several stores. */
  hash(licenseId: string, address: string): string {
    return createHmac('sha256', this.#key)
      .update(`${licenseId} ${networkOf(address)}`)
      .digest('base64url');
  }
}
