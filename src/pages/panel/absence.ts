// The reply in place of the panel where none is built; the API works without it.
import type { RequestHandler } from 'express';

const text = `The web panel is not built on this server.
"npm run panel:build" builds it and shows what fails; a restart serves it.
The API works without it: /api/docs
`;

export const reportAbsence: RequestHandler = (_request, response) => {
  response.setHeader('Cache-Control', 'no-store').status(503).type('text/plain').send(text);
};
