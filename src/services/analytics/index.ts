// Analytics of players, maps and servers over time, read from continuously maintained roll-ups.
import { mapAnalytics } from './maps.ts';
import { playerAnalytics } from './players.ts';
import { retention } from './retention.ts';
import { statsSeries } from './series.ts';
import { listSessions, peakHours, sessionLengths } from './sessions.ts';

export class Analytics {
  readonly maps = mapAnalytics;
  readonly peakHours = peakHours;
  readonly players = playerAnalytics;
  readonly retention = retention;
  readonly sessionLengths = sessionLengths;
  readonly sessions = listSessions;
  readonly statsSeries = statsSeries;
}
