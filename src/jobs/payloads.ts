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
  /** Removes a file from the storage that nobody wants any more. */
  'remove-file': { file_id: string };
  /** Writes an early signup down and sends its link. */
  'welcome-signup': { claim_id: string };
  /** Ends what has run out: commands, tickets, kept answers, old revocations; creates the partitions to come. */
  housekeeping: Record<string, never>;
}
