// Explains why buttons are disabled: one operation runs at a time.
import { useRunning } from '../operations/operations-context.tsx';
import { nameOf } from '../operations/words.ts';

export function WaitsFor() {
  const running = useRunning();
  if (running === null) return null;
  return (
    <p className="hint" role="status">
      One thing at a time: this can continue once “{nameOf(running.kind)}” has ended.
    </p>
  );
}
