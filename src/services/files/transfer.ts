// What both ways of carrying contents of files know of a transfer.

/** Throws once the caller is no longer permitted to continue. */
export type AccessCheck = () => Promise<void>;

/** A transfer that the agent has begun. */
export interface Opened {
  transfer: string;
  size: number;
}

/** What was read of an upload. */
export interface Arrived {
  size: number;
  sha256: string;
}
