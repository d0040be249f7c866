// Serves the pages of stores: the shop of an open store, the state of an order, and a not-found page.
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import type { Schemas } from '../../platform-contract/types.ts';
import type { SharedReply } from '../../results/results.ts';
import { DomainError, notFound } from '../../errors.ts';
import { problems } from '../../platform-contract/problems.ts';
import { createPage, type Page } from '../page.ts';
import { plainTheme, styleOf } from './common.ts';
import { orderPage } from './order.ts';
import { paletteOf } from './palette.ts';
import { shopPage } from './shop.ts';

type Store = Schemas['PublicStore'];

export interface StorePageParts {
  /** Throws if there were too many requests from the request's source. */
  count: (request: Request, response: Response) => Promise<void>;
  /** The store, if it is open; throws `not_found` otherwise. */
  find: (subdomain: string) => Promise<SharedReply<Store>>;
  /** The current subdomain of the store that formerly had this one, if there is one. */
  successorOf: (subdomain: string) => Promise<string | undefined>;
  /** Throws `not_found` unless the order exists. */
  findOrder: (subdomain: string, orderId: string) => Promise<unknown>;
  log: Logger;
}

const isSubdomain = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;
const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function serveStore({ count, find, findOrder, successorOf, log }: StorePageParts): RequestHandler {
  /** A store's page is cached as long as the store itself is. */
  const shops = new WeakMap<SharedReply<Store>, Page>();

  async function pageFor({ params, query }: Request): Promise<Page> {
    const { subdomain } = params;
    const { order } = query;
    if (typeof subdomain !== 'string' || !isSubdomain.test(subdomain)) throw notFound('store');
    if (order === undefined) return shopOf(await find(subdomain));
    if (typeof order !== 'string' || !isId.test(order)) throw notFound('order');
    await findOrder(subdomain, order);
    const store = await find(subdomain).catch(ifClosed);
    return orderPage(store?.body);
  }

  /** The store's current address. Not cached permanently: another store may take the former name one day. */
  async function addressFor({ params }: Request, error: unknown): Promise<string> {
    const { subdomain } = params;
    const isGone = error instanceof DomainError && error.code === 'not_found';
    if (!isGone || typeof subdomain !== 'string' || !isSubdomain.test(subdomain)) throw error;
    const successor = await successorOf(subdomain);
    if (successor === undefined) throw error;
    return `/store/${successor}`;
  }

  function shopOf(store: SharedReply<Store>): Page {
    const kept = shops.get(store) ?? shopPage(store.body);
    shops.set(store, kept);
    return kept;
  }

  return async (request, response) => {
    const visit = async () => {
      await count(request, response);
      return pageFor(request).catch((error: unknown) => addressFor(request, error));
    };
    await visit().then(
      (page) => {
        if (typeof page === 'string') {
          response.setHeader('Cache-Control', 'no-store');
          response.redirect(page);
          return;
        }
        response.setHeader(
          'Cache-Control',
          request.query['order'] === undefined ? 'public, max-age=5' : 'no-store',
        );
        page.send(response);
      },
      (error: unknown) => {
        const code = error instanceof DomainError ? String(error.code) : 'internal';
        if (code === 'internal') log.error({ err: error }, 'rendering a store page failed');
        response.status(problems.kinds[code]?.status ?? 500).setHeader('Cache-Control', 'no-store');
        (refusals[code] ?? failure).send(response);
      },
    );
  };
}

/** Orders of a closed store remain visible. */
function ifClosed(error: unknown): undefined {
  if (error instanceof DomainError && error.code === 'not_found') return;
  throw error;
}

const refusal = (title: string, text: string): Page =>
  createPage({
    title,
    style: styleOf(paletteOf(plainTheme)),
    body: `<main><h1>${title}</h1><p>${text}</p></main>`,
    script: '',
  });

const refusals: Readonly<Record<string, Page>> = {
  not_found: refusal('Not found', 'The store or order does not exist, or the store is closed.'),
  rate_limited: refusal('Too many requests', 'Wait a minute, then load the page again.'),
};
const failure = refusal(
  'The store cannot be shown',
  'An error occurred on the server. Try again in a minute.',
);
