// A page in one file: only its own style and script may run, and it may connect only to this server.
import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { PublicContent } from '../results/public-content.ts';

export interface PageParts {
  title: string;
  style: string;
  body: string;
  script: string;
  /** Allowed sources of images besides the page itself. */
  imagesFrom?: 'https:';
}

export interface Page {
  send(response: Response): void;
  /** For a page that is the same for all visitors: compressed if the client accepts that. */
  sendPublic(request: Request, response: Response): Promise<void>;
}

/** All parts are our own texts; any other text must be `escaped`, and may occur in title and body only. */
export function createPage({ title, style, body, script, imagesFrom }: PageParts): Page {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
${body}
<script>${script}</script>
</body>
</html>
`;
  const policy = [
    `default-src 'none'`,
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    `connect-src 'self'`,
    `img-src data:${imagesFrom === undefined ? '' : ` ${imagesFrom}`}`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');
  const content = new PublicContent(html);
  const tag = `"${content.tag}"`;
  return {
    send: (response) => {
      response.setHeader('Content-Security-Policy', policy).setHeader('ETag', tag);
      response.type('html').send(html);
    },
    sendPublic: async (request, response) => {
      response.setHeader('Content-Security-Policy', policy);
      await content.send(request, response.type('html'));
    },
  };
}

/** Escapes text for use between tags or in a quoted attribute. */
export const escaped = (text: string) => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

const digest = (text: string) => createHash('sha256').update(text).digest('base64');

const hash = (text: string) => `'sha256-${digest(text)}'`;
