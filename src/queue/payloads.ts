// The jobs there are, with what each is told. A payload names rows; what they say is read when the job runs.

export interface JobPayloads {
  /** Sends a host what it was asked to do and has not taken yet. */
  'relay-commands': { host_id: string };
  /** Gives the broker the list of bus keys to refuse. */
  'publish-revocations': Record<string, never>;
  /** Sends a link for choosing a new password to whoever has an account with that address. */
  'start-password-reset': { email: string };
  /** Sends a message; all that it says is sealed. */
  'send-mail': { id: string; sealed: string };
  /** Has the backups of an instance deleted that are more than are kept. */
  'rotate-backups': { license_id: string; instance_id: string };
  /** Reads a server's files, puts a configuration into them and has the agent write them. */
  'apply-plugin-config': { license_id: string; application_id: string };
  /** Reads back what plugins have made of the files that an application has written. */
  'read-back-plugin-config': { license_id: string; application_id: string };
  /** Removes a file from the storage that nobody wants any more. */
  'remove-file': { file_id: string };
  /** Opens the checkout of an order, should that have failed at once. */
  'open-checkout': { license_id: string; order_id: string };
  /** Asks what became of a checkout whose order can not be paid any more. */
  'close-checkout': { license_id: string; order_id: string };
  /** Tells the Owners of a license that something is wrong with the payment of an order. */
  'warn-of-payment': { license_id: string; order_id: string };
  /** Writes to the buyer of an order what is due: the receipt, a refund. */
  'write-to-buyer': { license_id: string; order_id: string };
  /** Opens the checkout of a subscription to the webstore. */
  'open-subscription': { license_id: string; subscription_id: string };
  /** Has the provider end a subscription to the webstore. */
  'cancel-subscription': { reference: string };
  /** Has the provider end one at once that nobody wants, and give back what was paid for it. */
  'undo-subscription': { reference: string };
  /** Writes an early signup down and sends its link. */
  'welcome-signup': { claim_id: string };
  /** Sends customers for whom accounts were made the links to choose their passwords with. */
  'welcome-customers': { license_ids: string[] };
  /** Records what months that are over have come to for resellers. */
  'record-reseller-bills': Record<string, never>;
  /** Charges the next period of subscriptions to modules whose period is over. */
  'renew-module-subscriptions': Record<string, never>;
  /** Deletes in batches what analytics do not need any more. */
  'delete-old': Record<string, never>;
  /** Ends what has run out: commands, tickets, kept answers, old revocations; creates the partitions to come. */
  housekeeping: Record<string, never>;
}
