// What stands around a contract: SDKs, programs and files that are made from it.

export interface Tool {
  title: string;
  /** The page or the file. */
  path: string;
  /** What it is for, in a sentence. */
  note: string;
}
