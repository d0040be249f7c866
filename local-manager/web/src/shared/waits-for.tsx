// Explains why buttons are disabled: one operation runs at a time.
import { useRunning } from '../operations/operations-context.tsx';
import { nameOf } from '../operations/words.ts';

export function WaitsFor() {
  const running = useRunning();
  if (running === null) return null;
  return (
    <p className="hint" role="status">
      Only one operation can run at a time. You can continue when “{nameOf(running.kind)}” has finished.
    </p>
  );
}
