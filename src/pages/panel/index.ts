// Serves the web panel: its files, and its page for every path that nothing else serves.
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { PublicContent } from '../../results/public-content.ts';
import { createPage } from '../page.ts';

export interface PanelOptions {
  /** The directory of the built panel. */
  directory: string;
  /** Settles when the panel has been built, or cannot be. */
  built: Promise<void>;
}

export interface PanelReads {
  /** Whether the installation has its first user. */
  isSetUp: () => Promise<boolean>;
}

/** Paths that the start-up message and mails lead to. Programs that accept any media type get the page, too. */
export const entryPaths = ['/', '/setup', '/reset-password', '/accept-invitation'];

/** Pages of people who have an account; an installation without users has no use for them. */
const pagesOfUsers = ['/', '/sign-in'];

/** What `panel/index.html` contains where the nonce belongs. */
const noncePlace = '%STYLE_NONCE%';

const mediaTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

interface Asset {
  mediaType: string;
  content: PublicContent;
}

export class Panel {
  #state: 'building' | 'absent' | { html: string; assets: ReadonlyMap<string, Asset> } = 'building';

  readonly #reads: PanelReads;
  #isSetUp = false;

  constructor({ directory, built }: PanelOptions, reads: PanelReads, log: Logger) {
    this.#reads = reads;
    void this.#open(directory, built).catch((error: unknown) => {
      this.#state = 'absent';
      log.error({ err: error }, 'the panel cannot be served');
    });
  }

  async #open(directory: string, built: Promise<void>): Promise<void> {
    await built;
    this.#state = load(directory) ?? 'absent';
  }

  /** Whether there is a panel, or soon will be. */
  get isThere(): boolean {
    return this.#state !== 'absent';
  }

  /** A file that the page refers to; its name changes with its content. */
  readonly asset: RequestHandler<{ name: string }> = async (request, response, next) => {
    const asset = typeof this.#state === 'string' ? undefined : this.#state.assets.get(request.params.name);
    if (asset === undefined) {
      next();
      return;
    }
    response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    await asset.content.send(request, response.type(asset.mediaType));
  };

  /** The page, for browsers that ask for one; it routes its paths itself. */
  readonly page: RequestHandler = async (request, response, next) => {
    if (!this.isThere || !asksForPage(request)) next();
    else if (pagesOfUsers.includes(request.path) && !(await this.#hasFirstUser()))
      response.setHeader('Cache-Control', 'no-store').redirect(302, '/setup');
    else this.#send(response);
  };

  /** Read until there is one. */
  async #hasFirstUser(): Promise<boolean> {
    this.#isSetUp ||= await this.#reads.isSetUp();
    return this.#isSetUp;
  }

  #send(response: Response): void {
    // The page contains a nonce, and names files of this build.
    response.setHeader('Cache-Control', 'no-store').type('html');
    if (typeof this.#state === 'string') {
      waiting.send(response.status(503).setHeader('Retry-After', 2));
      return;
    }
    const nonce = randomBytes(18).toString('base64url');
    response.setHeader('Content-Security-Policy', policyFor(nonce));
    response.send(this.#state.html.replaceAll(noncePlace, nonce));
  }
}

const waiting = createPage({
  title: 'Gantry',
  style: `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { display: grid; place-content: center; min-height: 100vh; margin: 0; padding: 1rem; text-align: center; }
h1 { margin: 0; font-size: 1.3rem; }
p { margin: .3rem 0 1.2rem; opacity: .75; }
progress { justify-self: center; width: 14rem; }`,
  body: `<main>
<h1>The panel is being built</h1>
<p>This happens once and takes less than a minute. The page opens by itself.</p>
<progress aria-label="The panel is being built"></progress>
</main>`,
  // Waits for the platform, and for proxies that do not reach it. The reply in place of a panel that could not be built
  // has no Retry-After. A reload keeps the token of a link, which is in the fragment.
  script: `
setInterval(async () => {
  const reply = await fetch(location.pathname, { headers: { accept: 'text/html' } }).catch(() => undefined);
  if (reply === undefined || reply.status === 502 || reply.status === 504) return;
  if (reply.status !== 503 || !reply.headers.has('retry-after')) location.reload();
}, 1_000);`,
});

function asksForPage(request: Request): boolean {
  const { method, headers, path } = request;
  const acceptsPage = entryPaths.includes(path)
    ? request.accepts('html')
    : headers.accept?.includes('text/html');
  return (
    (method === 'GET' || method === 'HEAD') &&
    Boolean(acceptsPage) &&
    !/^\/(?:api|auth|assets|problems)(?:\/|$)/.test(path)
  );
}

/**
 * The panel's libraries add style elements, which the nonce permits; scripts come from its files alone. Images of modules
 * and store items come from addresses of their owners.
 */
function policyFor(nonce: string): string {
  return [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `connect-src 'self'`,
    `img-src 'self' data: blob: https:`,
    `font-src 'self'`,
    `frame-src 'self'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');
}

/** Undefined if the panel could not be built. Everything is read now: a later build removes these files. */
function load(directory: string) {
  if (!existsSync(directory)) return undefined;
  const files = readdirSync(join(directory, 'assets'));
  return {
    html: readFileSync(join(directory, 'index.html'), 'utf8'),
    assets: new Map(files.map((name) => [name, readAsset(join(directory, 'assets', name))] as const)),
  };
}

function readAsset(file: string): Asset {
  const mediaType = mediaTypes[extname(file)];
  if (mediaType === undefined) throw new Error(`${basename(file)} has an unknown type`);
  return { mediaType, content: new PublicContent(readFileSync(file)) };
}
