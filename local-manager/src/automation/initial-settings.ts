// The automation before the admin has changed it: nothing happens by itself.
import type { Settings } from './automation-secrets.ts';

export const initial: Settings = {
  schedules: [],
  keepBackups: 14,
  watchdog: { isEnabled: false, afterMinutes: 5, maxRestartsPerHour: 3 },
  notifications: { webhookUrl: null, ntfyUrl: null, mail: null },
  addressWatch: { mode: 'off' },
  warnings: {
    isEnabled: false,
    minutes: [15, 5, 1],
    text: 'Minutes until the server restarts: {minutes}',
    authToken: null,
  },
};
