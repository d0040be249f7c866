// The token of a single-use link, which is in the URL fragment because no server or log receives that.
import { useState } from 'react';

/** Kept from the first look on, so that the address can be cleaned. */
export function useLinkToken(): string {
  const [token] = useState(() => window.location.hash.slice(1));
  return token;
}

/** Removes the used token from the address and from the history. */
export const forgetLinkToken = (): void => window.history.replaceState(null, '', window.location.pathname);
