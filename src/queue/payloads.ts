// The kinds of jobs and their payloads; a payload names rows, whose content is read when the job runs.

export interface JobPayloads {
  /** Sends a host its waiting commands. */
  'relay-commands': { host_id: string };
  /** Sends the broker the list of revoked bus keys. */
  'publish-revocations': Record<string, never>;
  /** Sends a password reset link if an account has that address. */
  'start-password-reset': { email: string };
  /** Sends a message; its content is encrypted. */
  'send-mail': { id: string; sealed: string };
  /** Deletes the backups of an instance that exceed its retention policy. */
  'rotate-backups': { license_id: string; instance_id: string };
  /** Reads a server's files, applies a configuration to them and has the agent write them. */
  'apply-plugin-config': { license_id: string; application_id: string };
  /** Reads back what plugins made of the files that an application wrote. */
  'read-back-plugin-config': { license_id: string; application_id: string };
  /** Deletes an unwanted file from storage. */
  'remove-file': { file_id: string };
  /** Deletes the files of a deleted license from storage; those of one kind, which is `maps` unless given. */
  'remove-files': { license_id: string; kind?: 'maps' | 'archive'; file_ids: string[] };
  /** Creates the partitions that clocks of sandboxes can reach. */
  'prepare-sandboxes': Record<string, never>;
  /** Opens the checkout of an order if that failed at first. */
  'open-checkout': { license_id: string; order_id: string };
  /** Polls the outcome of a checkout whose order can no longer be paid. */
  'close-checkout': { license_id: string; order_id: string };
  /** Notifies the Owners of a license of a problem with an order's payment. */
  'warn-of-payment': { license_id: string; order_id: string };
  /** Sends the buyer of an order the messages that are due: the receipt, or a refund notice. */
  'write-to-buyer': { license_id: string; order_id: string };
  /** Opens the checkout of a webstore subscription. */
  'open-subscription': { license_id: string; subscription_id: string };
  /** Asks the provider to end a webstore subscription. */
  'cancel-subscription': { reference: string };
  /** Asks the provider to end an unwanted subscription at once, and to refund its last payment. */
  'undo-subscription': { reference: string };
  /** Records an early access signup and sends its link. */
  'welcome-signup': { claim_id: string };
  /** Sends customers with new accounts the links for choosing their passwords. */
  'welcome-customers': { license_ids: string[] };
  /** Records resellers' bills for past months. */
  'record-reseller-bills': Record<string, never>;
  /** Charges the next period of module subscriptions whose period has ended. */
  'renew-module-subscriptions': Record<string, never>;
  /** Writes closed months to the archive, and removes those that it keeps no longer. */
  'archive-months': Record<string, never>;
  /** Deletes expired analytics rows in batches. */
  'delete-old': Record<string, never>;
  /** Compares the counts of all licenses with the rows. */
  'recount-platform': Record<string, never>;
  /** Expires commands, tickets, stored replies and old revocations; creates upcoming partitions. */
  housekeeping: Record<string, never>;
}
