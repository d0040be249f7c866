// The interactive reference by Scalar: for one operation, which starts quickly, and for the whole contract.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { apiReference } from '@scalar/express-api-reference';
import { escapeHtml } from './markdown-html.ts';

export interface ScalarPage {
  html: string;
  /** The page's Content-Security-Policy. */
  policy: string;
}

export interface ScalarOptions {
  title: string;
  /** The address of the document. */
  url: string;
  /** Addresses of Scalar's module and of the script that keeps the credential. */
  scalarUrl: string;
  sessionUrl: string;
  /** The path of the page to return to. */
  back: string;
  /** The fragment of the operation to open; undefined for the whole contract. */
  fragment?: string | undefined;
}

/** Runs in the browser: adds the credential of the tab to a request that has none. */
const addCredential = ({ request: { headers } }: { request: { headers: Headers } }) => {
  const token = sessionStorage.getItem('gantry.docs.token');
  if (headers.get('X-Api-Key') === '') headers.delete('X-Api-Key');
  const isEntered = headers.has('X-Api-Key') || /^\S+ +\S/.test(headers.get('Authorization') ?? '');
  if (token !== null && !isEntered) headers.set('Authorization', `Bearer ${token}`);
};

/** Runs in the browser: optional parameters of the loaded document are sent only once they are set. */
const fetchUnset = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
  const response = await fetch(input, init);
  const isDocument = /\.json$/.test(new URL(response.url).pathname);
  if (!response.ok || !isDocument) return response;
  const contract = (await response.json()) as ReadableContract;
  const lists = Object.values(contract.paths ?? {})
    .flatMap((item) => Object.values(item))
    .map((entry) => (Array.isArray(entry) ? entry : (entry.parameters ?? [])));
  for (const parameter of [...lists.flat(), ...Object.values(contract.components?.parameters ?? {})]) {
    if (parameter.required === true || parameter.in === undefined) continue;
    delete parameter.example;
    parameter.examples = { unset: { value: parameter.schema?.default ?? '', 'x-disabled': true } };
  }
  return new Response(JSON.stringify(contract), { headers: { 'content-type': 'application/json' } });
};

interface ReadableParameter {
  in?: string;
  required?: boolean;
  schema?: { default?: unknown };
  example?: unknown;
  examples?: object;
}

interface ReadableContract {
  paths?: Record<string, Record<string, ReadableParameter[] | { parameters?: ReadableParameter[] }>>;
  components?: { parameters?: Record<string, ReadableParameter> };
}

export function renderScalar({
  title,
  url,
  scalarUrl,
  sessionUrl,
  back,
  fragment,
}: ScalarOptions): ScalarPage {
  let page = '';
  const capture = { type: () => capture, send: (html: string) => void (page = html) };
  const render = apiReference({
    url,
    bundle: scalarUrl,
    pageTitle: title,
    withDefaultFonts: false,
    hideClientButton: true,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
    ...(fragment !== undefined && { hideModels: true, documentDownloadType: 'none' as const }),
    onRequestBuilt: addCredential,
    fetch: fetchUnset,
    customCss,
  });
  render({} as never, capture as never, () => undefined);
  const html = page
    .replace('<html>', '<html lang="en">')
    .replace(
      '<head>',
      `<head>\n    <link rel="icon" href="data:," />\n    <link rel="modulepreload" href="${scalarUrl}" />\n    <script src="${sessionUrl}"${fragment === undefined ? '' : ` data-fragment="${escapeHtml(fragment)}"`}></script>`,
    )
    .replace(
      '<body>',
      `<body>\n    <p class="gantry-back"><a href="${back}">← Reference</a> <a id="gantry-credential" href="/api/docs/session">Credential</a></p>\n    <noscript><p>The interactive reference needs JavaScript. <a href="${back}">The other pages</a> do not.</p></noscript>`,
    );
  return { html, policy: policyOf(html) };
}

const customCss = `
.gantry-back { display: flex; justify-content: space-between; align-items: center; gap: 1rem; box-sizing: border-box; height: 44px; margin: 0; padding: 0 1.25rem; position: sticky; top: 0; z-index: 10; background: var(--scalar-background-1, Canvas); font: 15px/1.5 system-ui, sans-serif; border-bottom: 1px solid var(--scalar-border-color, #8884); }
.section:focus-visible { outline: none; }
.gantry-back a { color: var(--scalar-color-accent, #0b5cad); white-space: nowrap; }
@media (max-width: 767px) { .scalar-client .scalar-sidebar-toggle { display: none; } }
dialog { max-width: 32rem; padding: 1rem 1.5rem; border: 1px solid #8888; border-radius: 12px; font: 15px/1.5 system-ui, sans-serif; }
dialog::backdrop { background: #0008; }
dialog button { font: inherit; padding: .4rem 1rem; margin-right: .5rem; border: 1px solid #8888; border-radius: 8px; }
:root { color-scheme: light dark; --scalar-custom-header-height: 44px; }
`;

/** Allows only this server's scripts and the page's own inline script, and no requests to other servers. */
function policyOf(page: string): string {
  const inline = [...page.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, text = '']) => text,
  );
  const hashes = inline.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  return [
    `default-src 'none'`,
    `script-src 'self' ${hashes.join(' ')}`,
    `style-src 'self' 'unsafe-inline'`,
    `img-src 'self' data:`,
    `font-src 'self' data:`,
    `connect-src 'self'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');
}

/** A package of this program contains the files of Scalar that it serves. */
const packed = resolve(import.meta.dirname, '../../../vendor/scalar');

/** Scalar's package does not export the folder, so its path is derived from the exported entry file. */
export function scalarDirectory(): string {
  if (existsSync(packed)) return packed;
  const entry = createRequire(import.meta.url).resolve('@scalar/api-reference');
  return join(dirname(entry), 'browser');
}
