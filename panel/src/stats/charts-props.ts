// What charts of a server are given.
export interface ChartsProps {
  instanceId: string;
  /** Milliseconds. */
  from: number;
  to: number;
  isNow: boolean;
  onPick?: ((at: number) => void) | undefined;
}
