// The one session of this tab, and how components follow it.
import { useSyncExternalStore } from 'react';
import { BrowserSession, type Phase } from './browser-session.ts';

export const session = new BrowserSession();

export const usePhase = (): Phase => useSyncExternalStore(session.subscribe, () => session.phase);
