// Operations of the area `early-access`.
import type { Schemas } from '../platform-contract/types.ts';
import { foundingPlaces, type Receipt, type SignupStatus } from '../services/early-access.ts';
import type { Handlers } from './handlers.ts';

export const earlyAccess = {
  signUpForEarlyAccess: async (ctx, { body }) => viewReceipt(await ctx.services.earlyAccess.signUp(body)),
  confirmEarlyAccessSignup: async (ctx, { body }) => viewStatus(await ctx.services.earlyAccess.confirm(body)),
} satisfies Partial<Handlers>;

function viewReceipt({ placesLeft }: Receipt): Schemas['EarlyAccessReceipt'] {
  return {
    founding_places: foundingPlaces,
    founding_places_left: placesLeft,
  };
}

function viewStatus({
  email,
  holdsPlace,
  placesLeft,
}: SignupStatus): Schemas['EarlyAccessConfirmationResult'] {
  return {
    email,
    holds_founding_place: holdsPlace,
    founding_places: foundingPlaces,
    founding_places_left: placesLeft,
  };
}
