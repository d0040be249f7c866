// Checks a file on the web for a newer version of the manager. The file is hostile until it is parsed.
import type { components } from '../../../generated/local-manager.d.ts';
import { fieldsOf, jsonOf, textOf } from '../parsing.ts';
import { requestTo } from '../web-addresses.ts';

type Schemas = components['schemas'];
type Release = Schemas['Release'];
type UpdateCheck = Schemas['UpdateCheck'];

const readMs = 10_000;
const freshMs = 12 * 60 * 60_000;
const maxBytes = 64 * 1024;
const maxNotes = 2_000;

interface Parts {
  url: string | undefined;
  version: string;
}

export class Updates {
  readonly #parts: Parts;
  #last: { release: Release | null; fault: string | null; at: Date } | undefined;
  #reading: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async check(isForced: boolean): Promise<UpdateCheck> {
    const { url, version } = this.#parts;
    if (url !== undefined && (isForced || !this.#isFresh())) {
      this.#reading ??= this.#read(url).finally(() => (this.#reading = undefined));
      await this.#reading;
    }
    const release = this.#last?.release ?? null;
    return {
      isConfigured: url !== undefined,
      currentVersion: version,
      latest: release,
      isNewer: release !== null && isNewer(release.version, version),
      checkedAt: this.#last?.at.toISOString() ?? null,
      fault: this.#last?.fault ?? null,
    };
  }

  #isFresh(): boolean {
    return this.#last !== undefined && Date.now() - this.#last.at.getTime() < freshMs;
  }

  async #read(url: string): Promise<void> {
    const at = new Date();
    try {
      const { url: bare, headers } = requestTo(url) ?? { url, headers: {} };
      const response = await fetch(bare, { headers, redirect: 'error', signal: AbortSignal.timeout(readMs) });
      const text = await textWithin(response, maxBytes);
      if (!response.ok) {
        this.#last = { release: null, fault: `The file was not returned: status ${response.status}.`, at };
        return;
      }
      const release = text === undefined ? null : releaseIn(text);
      const fault = release === null ? 'The file does not name a version in the expected format.' : null;
      this.#last = { release, fault, at };
    } catch {
      this.#last = { release: null, fault: 'The file could not be reached.', at };
    }
  }
}

/** Undefined if it is longer; the rest is not read. */
async function textWithin(response: Response, limit: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (response.body === null) return '';
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** `{"version":"1.5.0","url":"https://…","notes":"…"}`; null if there is no version in it. */
export function releaseIn(text: string): Release | null {
  const fields = fieldsOf(jsonOf(text));
  const version = textOf(fields['version']);
  if (version === null || partsOf(version) === null) return null;
  return { version, url: pageIn(textOf(fields['url'])), notes: plainIn(textOf(fields['notes'])) };
}

/** The page shows it as a link, so other schemes and logins within it are left out. */
function pageIn(text: string | null): string | null {
  const url = text === null ? null : URL.parse(text);
  if (url === null || url.protocol !== 'https:' || url.username !== '' || url.password !== '') return null;
  return url.href;
}

const plainIn = (text: string | null): string | null =>
  text === null
    ? null
    : text
        .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
        .trim()
        .slice(0, maxNotes) || null;

/** The three numbers; null if it is no version. Versions before a release are none here. */
function partsOf(version: string): number[] | null {
  const found = /^(\d{1,5})\.(\d{1,5})\.(\d{1,5})$/.exec(version);
  return found === null ? null : found.slice(1).map(Number);
}

export function isNewer(version: string, than: string): boolean {
  const [parts, others] = [partsOf(version), partsOf(than)];
  if (parts === null || others === null) return false;
  const differing = parts.findIndex((part, index) => part !== others[index]);
  return differing >= 0 && (parts[differing] ?? 0) > (others[differing] ?? 0);
}
