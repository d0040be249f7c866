// Names of files that are saved from a license.
import type { Schemas } from '../api/operations.ts';

/** Such as `rusty-islands-data-2026-11-23.ndjson`. */
export const fileNameOf = ({ subdomain }: Schemas['OwnLicense'], what: string, ending: string): string =>
  `${subdomain}-${what}-${new Date().toISOString().slice(0, 10)}.${ending}`;
