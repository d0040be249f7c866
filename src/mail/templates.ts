// The templates of all messages that the platform sends.
import type { Template } from './template.ts';

/** Notifies a person that an account was created for them, with a link to choose its password. */
const accountCreated = {
  values: ['email', 'license'],
  asIs: ['email'],
  subject: 'Your account for {{license}}',
  paragraphs: [
    'An account was created for {{email}}, the owner of {{license}}.',
    'The link works once. If it has expired, request a new password on the sign-in page.',
  ],
  page: { path: '/reset-password', label: 'Choose a password' },
} as const satisfies Template;

/** Notifies a team member of a problem with a host or a game server. */
const alert = {
  values: ['title', 'text', 'channel'],
  asIs: ['title', 'text'],
  subject: '{{title}}',
  paragraphs: ['{{text}}', 'You receive this through the channel {{channel}}.'],
} as const satisfies Template;

/** Asks for confirmation of an early-access signup while places are left. */
const earlyAccessPlace = {
  values: ['email'],
  asIs: ['email'],
  subject: 'Your place in the Founding Admin Program',
  paragraphs: [
    '{{email}} was signed up for early access. The Founding Admin Program has places left; open the link to confirm the signup and to take a place. The place is not reserved until you open the link.',
    'If you signed up before, the link shows your current status. It works for a week. If this was not you, ignore this message.',
  ],
  page: { path: '/early-access', label: 'Confirm the signup' },
} as const satisfies Template;

/** Asks for confirmation of an early-access signup when no place was left. */
const earlyAccessWaiting = {
  values: ['email'],
  asIs: ['email'],
  subject: 'Your signup for early access',
  paragraphs: [
    '{{email}} was signed up for early access. All places in the Founding Admin Program are taken; open the link to confirm the signup, and to take a place if one has become free.',
    'If you signed up before, the link shows your current status. It works for a week. If this was not you, ignore this message.',
  ],
  page: { path: '/early-access', label: 'Confirm the signup' },
} as const satisfies Template;

/** Invites a person to join a license. */
const invitation = {
  values: ['inviter', 'license', 'role'],
  subject: 'You are invited to {{license}}',
  paragraphs: [
    '{{inviter}} invites you to work on {{license}} as {{role}}.',
    'The link works once. If you do not know who invited you, ignore this message.',
  ],
  page: { path: '/accept-invitation', label: 'Accept the invitation' },
} as const satisfies Template;

/** Notifies a super admin that background work of the platform needs attention. */
const operatorAlarm = {
  values: ['subject', 'detail'],
  subject: 'Gantry needs attention: {{subject}}',
  paragraphs: [
    '{{detail}}',
    'See GET /api/admin/health for the state of all queues, and the log of the replicas with the role "jobs" for the cause. The next message comes when the figure has doubled, or when the alarm is raised again after it has ended.',
  ],
} as const satisfies Template;

/** Sends a link to choose a new password to a user who has forgotten theirs. */
const passwordReset = {
  values: ['email'],
  asIs: ['email'],
  subject: 'Choose a new password',
  paragraphs: [
    'A new password was requested for {{email}}.',
    'The link works once and for one hour. Your password stays unchanged until you use it. If you did not request this, ignore this message.',
  ],
  page: { path: '/reset-password', label: 'Choose a new password' },
} as const satisfies Template;

/** Notifies an Owner of a problem with the payment of an order. */
const paymentProblem = {
  values: ['license', 'order', 'problem'],
  subject: 'A payment in the store of {{license}} needs you',
  paragraphs: [
    'Something is wrong with the payment of order {{order}} in the store of {{license}}. {{problem}}',
    'Nothing is delivered for it until it is paid as it should be. Look at the order among the transactions of the store, and at its payment with your payment provider.',
  ],
} as const satisfies Template;

/** Sends a buyer the receipt of a paid order. */
const receipt = {
  values: ['store', 'order', 'ordered', 'paid', 'player', 'payment', 'items', 'total', 'page'],
  asIs: ['order', 'ordered', 'paid', 'payment', 'items', 'total', 'page'],
  lists: ['items'],
  subject: 'Receipt for your order at {{store}}',
  paragraphs: [
    'Thank you for your order at {{store}}. Its payment is confirmed.',
    'Order: {{order}}\nOrdered: {{ordered}}\nPaid: {{paid}}\nPayment: {{payment}}\nSold by: {{store}}\nFor the player: {{player}}',
    '{{items}}\nTotal: {{total}}',
    'What you bought is delivered on the game server to the player named above: once the server runs and, for some items, once the player is on it. The page of the order shows what has arrived.',
    'The team of {{store}} sold you this. If something is missing or wrong, turn to them and name the order. Replies to this message do not reach them.',
    'You get this because your address was given with the order. It is used for the receipt and for notices of refunds to this order, and for nothing else.',
  ],
  link: { label: 'See the order', value: 'page' },
} as const satisfies Template;

/** Notifies a buyer that the payment of an order was refunded, in full or in part. */
const refund = {
  values: ['store', 'order', 'amount', 'refunded', 'total', 'payment', 'page'],
  asIs: ['order', 'amount', 'refunded', 'total', 'payment', 'page'],
  subject: 'Refund for your order at {{store}}',
  paragraphs: [
    '{{store}} has refunded {{amount}} of your payment.',
    'Order: {{order}}\nRefunded now: {{amount}}\nRefunded in all: {{refunded}} of {{total}}\nPayment: {{payment}}',
    'The money goes back the way it was paid; that can take some days. If it does not arrive, turn to the team of {{store}} and name the order. Replies to this message do not reach them.',
    'You get this because your address was given with the order.',
  ],
  link: { label: 'See the order', value: 'page' },
} as const satisfies Template;

/** Notifies an Owner that a webhook was disabled. */
const webhookDisabled = {
  values: ['license', 'webhook', 'reason'],
  subject: 'The webhook {{webhook}} of {{license}} is disabled',
  paragraphs: [
    'Events of {{license}} are not sent to the webhook {{webhook}} any more. {{reason}}',
    'Enable it again once its receiver works; what was not delivered is in its log, and can be sent again from there.',
  ],
} as const satisfies Template;

export const templates = {
  'account-created': accountCreated,
  alert,
  'early-access-place': earlyAccessPlace,
  'early-access-waiting': earlyAccessWaiting,
  invitation,
  'operator-alarm': operatorAlarm,
  'password-reset': passwordReset,
  'payment-problem': paymentProblem,
  receipt,
  refund,
  'webhook-disabled': webhookDisabled,
} as const;

export type Kind = keyof typeof templates;

/** The values of a message of that kind; `token` goes into its link, if it has one. */
export type ValuesOf<Name extends Kind> = Readonly<
  Record<(typeof templates)[Name]['values'][number] | TokenOf<(typeof templates)[Name]>, string>
>;
type TokenOf<T> = T extends { page: object } ? 'token' : never;

/** A message of any kind, with the values of that kind. */
export type Mail = {
  [Name in Kind]: { to: string; template: Name; values: ValuesOf<Name> };
}[Kind];
