// Reads the contract of a server, and keeps it on disk until the server has another one.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Send } from '../../client/src/retries.ts';
import { Contract, type OpenApiDocument } from './contract.ts';
import { CliError, exitCodes } from './failures.ts';
import { writePrivately } from './private-files.ts';

interface Stored {
  etag: string | null;
  document: OpenApiDocument;
}

const timeoutMs = 30_000;

export interface ContractOptions {
  server: string;
  environment?: NodeJS.ProcessEnv;
  send?: Send;
  /** Uses what is on disk without a request, if there is something. */
  prefersStored?: boolean;
}

/** The contract of the server; a small request finds out whether the stored one still holds. */
export async function loadContract({
  server,
  environment = process.env,
  send = fetch,
  prefersStored = false,
}: ContractOptions): Promise<Contract> {
  const file = join(
    cacheDirectory(environment),
    `${createHash('sha256').update(server).digest('hex').slice(0, 32)}.json`,
  );
  const stored = await readStored(file);
  if (prefersStored && stored !== undefined) return new Contract(stored.document);
  const headers: Record<string, string> =
    typeof stored?.etag === 'string' ? { 'If-None-Match': stored.etag } : {};
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await send(
    new Request(`${server}/api/openapi.json`, { headers, redirect: 'manual', signal }),
    { signal },
  );
  if (response.status === 304 && stored !== undefined) return new Contract(stored.document);
  const document: unknown = response.ok ? await response.json().catch(() => undefined) : undefined;
  if (!isDocument(document))
    throw new CliError(
      `${server} does not publish a contract at /api/openapi.json (status ${response.status}). Is it a Gantry platform?`,
      exitCodes.unreachable,
    );
  const fresh: Stored = { etag: response.headers.get('ETag'), document };
  // A read-only home directory costs time at the next start, and nothing else.
  await writePrivately(file, JSON.stringify(fresh)).catch(() => undefined);
  return new Contract(document);
}

async function readStored(file: string): Promise<Stored | undefined> {
  try {
    const stored = JSON.parse(await readFile(file, 'utf8')) as Stored;
    return isDocument(stored.document) ? stored : undefined;
  } catch {
    return undefined;
  }
}

function isDocument(value: unknown): value is OpenApiDocument {
  const { info, paths, components } = (value ?? {}) as Partial<OpenApiDocument>;
  return typeof info?.version === 'string' && typeof paths === 'object' && typeof components === 'object';
}

function cacheDirectory(environment: NodeJS.ProcessEnv): string {
  const base = environment['XDG_CACHE_HOME'] ?? environment['LOCALAPPDATA'] ?? join(homedir(), '.cache');
  return join(base, 'gantry');
}
