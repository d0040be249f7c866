// Problems of stores, modules, subscriptions, resellers, webhooks and public pages.
import type { ProblemKind } from '../../contract/problem.ts';
import type { ProblemCode } from '../../errors.ts';

export const commerceProblems = {
  invalid_server: {
    status: 400,
    title: 'The server entry is invalid',
    cause:
      'An entry of the list of servers is invalid. `detail` names the entry and its fault. This server was not provisioned; the others were processed.',
    remedy: 'Correct the entry and send the list again; servers that were provisioned stay unchanged.',
  },
  duplicate_server: {
    status: 409,
    title: 'The server appears twice in the request',
    cause:
      'Two entries of the request have the same `server_id`. This entry was not provisioned; the others were processed.',
    remedy: 'Send each server once.',
  },
  server_id_taken: {
    status: 409,
    title: 'The server_id belongs to another server',
    condition: 'The `server_id` belongs to a license of another customer or host name.',
    cause: 'The `server_id` already belongs to a license of another customer or host name.',
    remedy:
      'Use a `server_id` that is unique among all servers of the reseller. Repeating an earlier request unchanged is allowed.',
  },
  revoked_by_platform: {
    status: 409,
    title: 'The platform has revoked the license',
    cause: 'The platform itself has revoked the license; the reseller cannot resume it.',
    remedy: 'Contact the platform.',
  },
  module_owned: {
    status: 409,
    title: 'The license already owns the module',
    cause: 'The license already owns the module.',
    remedy: 'Install the module; it does not have to be bought again.',
  },
  module_not_owned: {
    status: 409,
    title: 'The license does not own the module',
    condition: 'The license does not own the module, or its subscription has ended.',
    cause: 'The license does not own the module, or its subscription has ended.',
    remedy: 'Buy the module before you install it.',
  },
  installation_under_way: {
    status: 409,
    title: 'Installation already in progress',
    condition: 'A command that installs or removes the module on the instance is in progress.',
    cause: 'A command that installs or removes the module on this instance is still in progress.',
    remedy: 'Wait until the command has ended; its status is in the list of commands.',
  },
  module_removed: {
    status: 409,
    title: 'The module is already uninstalled',
    condition: 'The module is not installed on the instance any more.',
    cause: 'The module is not installed on the instance any more.',
    remedy: 'No action is needed.',
  },
  subdomain_taken: {
    status: 409,
    title: 'The subdomain is already in use',
    condition: 'Another license uses or recently used the subdomain, or the name is reserved.',
    cause: 'Another license uses the subdomain, used it recently, or the name is reserved.',
    remedy: 'Choose another subdomain.',
  },
  time_taken: {
    status: 409,
    title: 'Another entry has that publication time',
    cause: 'Another entry has exactly the same publication time, so their order would not be defined.',
    remedy: 'Choose another time; one second later is enough.',
  },
  webhook_disabled: {
    status: 409,
    title: 'The webhook is disabled',
    cause: 'The webhook is disabled, by a member or because its receiver failed for too long.',
    remedy: 'Enable the webhook first.',
  },
  secret_still_signs: {
    status: 409,
    title: 'The former secret is still active',
    condition: 'The secret before the last rotation is still valid.',
    cause:
      'After a rotation, the former secret of the webhook is still valid, and a webhook has at most two secrets.',
    remedy:
      'Wait until the time in `detail`, or rotate without an overlap, which revokes both former secrets.',
  },
  already_subscribed: {
    status: 409,
    title: 'A subscription already exists',
    condition: 'The license already has a subscription of this kind.',
    cause: 'The license already has a subscription of this kind.',
    remedy: 'Change or cancel the existing subscription.',
  },
  subscription_ended: {
    status: 409,
    title: 'The subscription has ended',
    condition: 'The paid period of the subscription has ended.',
    cause: 'The paid period of the subscription has ended, so it cannot be reactivated.',
    remedy: 'Start a new subscription.',
  },
  provider_not_ready: {
    status: 409,
    title: 'The payment provider is not ready',
    condition: 'The store or the installation has no payment provider that can do this.',
    cause:
      'The store or the installation has no payment provider that can do this, or it does not allow sandbox payments.',
    remedy:
      'Choose a payment provider in the settings of the store and store its secrets. On your own installation, check its payment settings.',
  },
  provider_in_use: {
    status: 409,
    title: 'The payment provider is in use',
    condition: 'The store takes payments through this provider.',
    cause: 'The store takes payments through this provider.',
    remedy: 'Choose another payment provider for the store first.',
  },
  currency_in_use: {
    status: 409,
    title: 'Items are priced in another currency',
    condition: 'The store has items with prices in another currency.',
    cause: 'The store has items with prices in another currency.',
    remedy: 'Delete those items, or keep the currency.',
  },
  delivery_under_way: {
    status: 409,
    title: 'The delivery is still in progress',
    condition: 'A delivery of the same content is still in progress.',
    cause: 'The former delivery of the order has not ended, and delivering twice must not happen.',
    remedy: 'Wait until the delivery has ended.',
  },
  payment_disagrees: {
    status: 409,
    title: 'The payment does not allow this delivery',
    condition: 'The delivery contradicts the state of the payment.',
    cause:
      'The state of the payment contradicts the delivery: items of a refunded or disputed order are not delivered, and items of a paid order are not taken back.',
    remedy: 'Look at the order and its payment, and resend the delivery that fits their state.',
  },
  not_for_sale: {
    status: 409,
    title: 'An item is not for sale',
    cause: 'An item of the order is no longer for sale.',
    remedy: 'Remove the item from the order.',
  },
  amount_too_small: {
    status: 409,
    title: 'The order total is below the minimum',
    cause: 'The total of the order is below the minimum that the payment provider accepts.',
    remedy: 'Add items to the order.',
  },
  order_ended: {
    status: 409,
    title: 'The order can no longer be paid',
    condition: 'The order has expired or its payment has failed.',
    cause: 'The order has expired or its payment has failed.',
    remedy: 'Place a new order.',
  },
  purchase_limit: {
    status: 409,
    title: 'The purchase limit is reached',
    condition: 'The limit of an item for the player or network is reached, or its stock is too small.',
    cause:
      'The player or the network of the buyer has reached the limit of an item, or the remaining stock is too small. Unpaid orders count too.',
    remedy: 'Order fewer, or wait until unpaid orders are paid or have expired.',
  },
  item_required: {
    status: 409,
    title: 'A required item is missing',
    condition: 'An item of the order requires another item that the player does not own.',
    cause: 'An item of the order can be bought only by players who own another item. `detail` names it.',
    remedy: 'Buy the required item first.',
  },
  item_in_use: {
    status: 409,
    title: 'Other items require this item',
    cause: 'Other items of the store require this item.',
    remedy: 'Change or delete those items first. `detail` names them.',
  },
} satisfies Partial<Record<ProblemCode, ProblemKind>>;
