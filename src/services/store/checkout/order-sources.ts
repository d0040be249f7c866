// Tells which orders come from one network, without recording its address.
import { createHmac, hkdfSync } from 'node:crypto';
import { networkOf } from '../../../network/request-source.ts';

export class OrderSources {
  readonly #key: Uint8Array;

  constructor(secret: string) {
    this.#key = new Uint8Array(hkdfSync('sha256', secret, '', 'gantry order source', 32));
  }

  /** Licenses have different hashes of the same network: orders in several stores can't be linked by them. */
  hash(licenseId: string, address: string): string {
    return createHmac('sha256', this.#key)
      .update(`${licenseId} ${networkOf(address)}`)
      .digest('base64url');
  }
}
