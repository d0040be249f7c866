// The current time, updated at an interval.
import { useEffect, useState } from 'react';

export function useNow(isCounting: boolean, everyMs = 1_000): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isCounting) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [isCounting, everyMs]);
  return now;
}
