// Redirects `/` to where a person who only knows the address of the platform can continue.
import type { RequestHandler } from 'express';

interface HomeOptions {
  /** The web panel, if the operator runs one. */
  panelUrl: string | undefined;
  hasUsers: () => Promise<boolean>;
}

/** The redirect is temporary and not cached: its target changes with the first user and with the settings. */
export function createHomePage({ panelUrl, hasUsers }: HomeOptions): RequestHandler {
  return async (_request, response) => {
    const target = panelUrl ?? ((await hasUsers()) ? '/api/docs' : '/setup');
    response.setHeader('Cache-Control', 'no-store').redirect(302, target);
  };
}
