// The templates of all messages that the platform sends.
import { accountCreated } from './account-created.ts';
import { alert } from './alert.ts';
import { earlyAccessPlace } from './early-access-place.ts';
import { earlyAccessWaiting } from './early-access-waiting.ts';
import { invitation } from './invitation.ts';
import { operatorAlarm } from './operator-alarm.ts';
import { passwordReset } from './password-reset.ts';
import { paymentProblem } from './payment-problem.ts';
import { refund } from './refund.ts';
import { receipt } from './receipt.ts';
import { webhookDisabled } from './webhook-disabled.ts';

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
type TokenOf<Template> = Template extends { page: object } ? 'token' : never;

/** A message of any kind, with the values of that kind. */
export type Mail = {
  [Name in Kind]: { to: string; template: Name; values: ValuesOf<Name> };
}[Kind];
