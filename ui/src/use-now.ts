// The current time by the server's clock, updated at an interval.
import { useEffect, useState } from 'react';
import { serverNow } from './server-clock.ts';

export function useNow(isCounting: boolean, everyMs = 1_000): number {
  const [now, setNow] = useState(() => serverNow());
  useEffect(() => {
    if (!isCounting) return;
    setNow(serverNow());
    const timer = setInterval(() => setNow(serverNow()), everyMs);
    return () => clearInterval(timer);
  }, [isCounting, everyMs]);
  return now;
}
