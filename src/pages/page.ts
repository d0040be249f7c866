// A page that is one file: its own style and script may run, and nothing else; it asks nobody but this server.
import { createHash } from 'node:crypto';
import type { Response } from 'express';

export interface PageParts {
  title: string;
  style: string;
  body: string;
  script: string;
}

export interface Page {
  send(response: Response): void;
}

/** All parts are texts of ours, never of a request. */
export function createPage({ title, style, body, script }: PageParts): Page {
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
    `img-src data:`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');
  return {
    send: (response) => {
      response.setHeader('Content-Security-Policy', policy);
      response.type('html').send(html);
    },
  };
}

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
