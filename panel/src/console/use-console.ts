// Connects a component to the console of a server, for as long as it is shown.
import { useEffect, useReducer, useRef, useState } from 'react';
import { write } from '../api/writing.ts';
import { useTexts } from '../texts/texts.ts';
import { ConsoleFeed } from './console-feed.ts';
import { LineView, type LineFilter } from './line-view.ts';

export function useConsole(instanceId: string, filter: LineFilter) {
  const t = useTexts('instance');
  const [opened, setOpened] = useState<{ feed: ConsoleFeed; view: LineView } | null>(null);
  const [, showChange] = useReducer((count: number) => count + 1, 0);
  const words = useRef(t);
  words.current = t;
  useEffect(() => {
    const feed = new ConsoleFeed({
      ticket: () =>
        write('POST /api/instances/{instance_id}/console-tickets', {
          params: { path: { instance_id: instanceId } },
        }),
      words: {
        gap: (count) => words.current('console.gap', { count }),
        restarted: words.current('console.restarted'),
        unavailable: (reason) => words.current('console.unavailable', { reason }),
        refused: (reason) => words.current('console.refusedLine', { reason }),
      },
      onChange: showChange,
    });
    setOpened({ feed, view: new LineView() });
    return () => feed.close();
  }, [instanceId]);
  if (opened !== null) opened.view.update(opened.feed.lines, opened.feed.dropped, filter);
  return opened;
}
