// Keeps pages whose only purpose is one operation from users who may not call it, also by their address.
import { mayCall } from '../api/may.ts';
import type { Operation, Schemas } from '../api/operations.ts';

export class Refused extends Error {
  override readonly name = 'Refused';
}

/** For `beforeLoad` of a route. */
export const needs =
  (operation: Operation) =>
  ({ context: { me } }: { context: { me: Schemas['CurrentUser'] } }): void => {
    if (!mayCall(me, operation)) throw new Refused(operation);
  };
