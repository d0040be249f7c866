// Says why buttons can't be pressed now: one operation runs at a time.
import { useRunning } from '../operations/operations-context.tsx';
import { nameOf } from '../operations/words.ts';

export function WaitsFor() {
  const running = useRunning();
  if (running === null) return null;
  return (
    <p className="hint" role="status">
      One thing at a time: this can go on once “{nameOf(running.kind)}” has ended.
    </p>
  );
}
