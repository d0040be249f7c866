// The texts of alerts: a headline, and a message with the figures.
import type { Metadata } from './conditions.ts';
import type { AlertKind } from './rules.ts';

interface Words {
  headline: (subject: string) => string;
  /** Contains figures only, never text that a user typed. */
  message: (figure: (name: string) => string) => string;
}

const words: Readonly<Record<AlertKind, Words>> = {
  agent_outdated: {
    headline: (subject) => `The agent of ${subject} is outdated`,
    message: (figure) =>
      `The agent has version ${figure('agent_version')}; at least ${figure('minimum_version')} is wanted.`,
  },
  clock_wrong: {
    headline: (subject) => `The clock of ${subject} is wrong`,
    message: (figure) => {
      const seconds = Number(figure('offset_seconds'));
      const where = seconds < 0 ? 'behind' : 'ahead of';
      return `The host's clock is ${Math.abs(seconds)} seconds ${where} the platform's; ${figure('threshold_seconds')} are too much.`;
    },
  },
  disk_full: {
    headline: (subject) => `The disk of ${subject} is nearly full`,
    message: (figure) =>
      `${figure('used_percent')} % of the disk are used; from ${figure('threshold_percent')} % on that is too much.`,
  },
  host_down: {
    headline: (subject) => `${subject} is down`,
    message: (figure) => `The host was heard of last at ${figure('last_heartbeat_at')}.`,
  },
  instance_crashed: {
    headline: (subject) => `${subject} has crashed`,
    message: (figure) =>
      figure('crash_count') === ''
        ? 'The process of the game server has ended unexpectedly.'
        : `The process of the game server has ended ${figure('crash_count')} times without being asked to, last at ${figure('crashed_at')}.`,
  },
  low_fps: {
    headline: (subject) => `${subject} is slow`,
    message: (figure) =>
      `${figure('fps')} frames per second on average over ${figure('window_minutes')} minutes; ${figure('threshold_fps')} are wanted.`,
  },
  population_drop: {
    headline: (subject) => `Players are leaving ${subject}`,
    message: (figure) =>
      `Players fell by ${figure('drop_percent')} % within ${figure('window_minutes')} minutes, from ${figure('players_before')} to ${figure('players_now')}.`,
  },
};

export const headlineOf = (kind: AlertKind, subject: string) => words[kind].headline(subject);

export const messageOf = (kind: AlertKind, metadata: Readonly<Metadata>) =>
  words[kind].message((name) => String(metadata[name] ?? ''));
