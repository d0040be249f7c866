// Operations of the area `admin-early-access`.
import type { Schemas } from '../platform-contract/types.ts';
import type { SignupRow } from '../services/admin-early-access.ts';
import { viewPage, type Handlers } from './handlers.ts';

export const adminEarlyAccess = {
  listEarlyAccessSignups: async (ctx, { query }) =>
    viewPage(await ctx.services.adminEarlyAccess.list(ctx, query), viewSignup),
} satisfies Partial<Handlers>;

function viewSignup(signup: SignupRow): Schemas['EarlyAccessSignup'] {
  return {
    id: signup.id,
    email: signup.email,
    server_count: signup.server_count,
    created_at: signup.created_at,
    confirmed_at: signup.confirmed_at,
    founding_place_at: signup.founding_place_at,
  };
}
