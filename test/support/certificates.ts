// Certificates for tests: a certificate authority, and a server certificate for `localhost` that it signs.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Authority {
  /** File with the authority's certificate, for clients that trust it. */
  file: string;
  key: Buffer;
  /** The server's certificate and key. */
  cert: Buffer;
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** Creates a new authority in a directory of its own below the given one. */
export function createAuthority(parent: string, name: string): Authority {
  const directory = mkdtempSync(join(parent, 'authority-'));
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: directory, stdio: 'pipe' });
  const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1';
  openssl(...['req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', `/CN=${name}`]);
  openssl(...['req', ...newKey, '-keyout', 'key.pem', '-out', 'request.pem', '-subj', '/CN=localhost']);
  writeFileSync(join(directory, 'names'), names);
  openssl(
    ...['x509', '-req', '-in', 'request.pem', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'],
    ...['-days', '2', '-extfile', 'names', '-out', 'cert.pem'],
  );
  return {
    file: join(directory, 'ca.pem'),
    key: readFileSync(join(directory, 'key.pem')),
    cert: readFileSync(join(directory, 'cert.pem')),
  };
}
