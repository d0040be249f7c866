// The platform's contract without any security, to measure the cost of authentication.
import { resolve } from 'node:path';
import type { Ctx, Principal } from '../../src/context.ts';
import { readDocument, type Document } from '../../src/contract/document.ts';
import { handlers } from '../../src/handlers/index.ts';

type Handler = (ctx: Ctx, request: unknown) => Promise<unknown>;

/** Every operation is public; every caller is a user of the license. */
export function openDocument(licenseId: string): { document: Document; handlers: Record<string, Handler> } {
  const document = readDocument(resolve(import.meta.dirname, '../../generated/platform.openapi.json'));
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item)) {
      if (!('security' in operation)) continue;
      operation.security = [];
      delete operation['x-allow-revoked'];
    }
  }
  const principal: Principal = {
    kind: 'companion',
    actor: { kind: 'companion', id: licenseId, label: 'bench' },
    license: { id: licenseId, role: 'bench', permissions: { '*': true }, isRevoked: false },
    credential: { tokenHash: '' },
  };
  const open = Object.entries(handlers as unknown as Record<string, Handler>).map(
    ([id, handle]): [string, Handler] => [
      id,
      (ctx, request) => handle(Object.assign(ctx, { principal }), request),
    ],
  );
  return { document, handlers: Object.fromEntries(open) };
}
