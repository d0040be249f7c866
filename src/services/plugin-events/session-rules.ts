// The rules that turn events of a player, and state changes of the game server, into sessions.

/** How late a leave may be after the server's end, because of the plugin's clock or a message's delay. */
const lateLeaveMs = 300_000;
/** A session without any event for this long is over. Migration 0020 uses the same value. */
export const silenceMs = 24 * 3_600_000;

/** A join or a leave. Times are in milliseconds since 1970. */
export interface SessionSign {
  at: number;
  kind: 'join' | 'leave';
}

/** A moment at which every session ends. */
export interface Break {
  at: number;
  /** Whether the server is known to have run until then. */
  wasRunning: boolean;
}

export interface Session {
  startedAt: number;
  endedAt: number | null;
  lastSignAt: number;
  hasJoin: boolean;
  endReason: 'leave' | 'server_down' | 'silence' | null;
}

interface Moment {
  join: boolean;
  leave: boolean;
  break?: Break;
}

/**
 * Derives sessions from the facts. `open` is the session that is open at the first fact, if any; the result then begins
 * with it.
 */
export function sessionsOf(
  open: Session | undefined,
  signs: readonly SessionSign[],
  breaks: readonly Break[],
  now: number,
): Session[] {
  const sessions = open === undefined ? [] : [{ ...open, endedAt: null, endReason: null }];
  const walk = new Walk(sessions);
  const moments = momentsOf(signs, breaks);
  for (const [at, moment] of moments) walk.pass(at, moment);
  walk.endSilence(now);
  return walk.sessions;
}

class Walk {
  readonly sessions: Session[];

  constructor(sessions: Session[]) {
    this.sessions = sessions;
  }

  pass(at: number, { join, leave, break: end }: Moment): void {
    this.endSilence(at);
    const open = this.#open;
    if (open !== undefined && (join || leave)) open.lastSignAt = at;
    if (open === undefined) this.#passClosed(at, join, leave);
    else if (leave) {
      this.#end(open, at, 'leave');
      if (join) this.#begin(at);
    }
    const still = this.#open;
    if (end !== undefined && still !== undefined)
      this.#end(still, end.wasRunning ? at : still.lastSignAt, 'server_down');
  }

  endSilence(now: number): void {
    const open = this.#open;
    if (open !== undefined && now > open.lastSignAt + silenceMs) this.#end(open, open.lastSignAt, 'silence');
  }

  get #open(): Session | undefined {
    const last = this.sessions.at(-1);
    return last?.endedAt === null ? last : undefined;
  }

  #passClosed(at: number, join: boolean, leave: boolean): void {
    if (join) {
      const begun = this.#begin(at);
      if (leave) this.#end(begun, at, 'leave');
    } else if (leave && !this.#isLateLeave(at)) {
      this.sessions.push({ ...newSession(at), hasJoin: false, endedAt: at, endReason: 'leave' });
    }
  }

  #isLateLeave(at: number): boolean {
    const last = this.sessions.at(-1);
    return last?.endReason === 'server_down' && at <= (last.endedAt ?? at) + lateLeaveMs;
  }

  #begin(at: number): Session {
    const session = newSession(at);
    this.sessions.push(session);
    return session;
  }

  #end(session: Session, at: number, reason: Session['endReason']): void {
    session.endedAt = at;
    session.endReason = reason;
  }
}

const newSession = (at: number): Session => ({
  startedAt: at,
  endedAt: null,
  lastSignAt: at,
  hasJoin: true,
  endReason: null,
});

/** Merges the facts by moment; duplicates at one moment count once. */
function momentsOf(signs: readonly SessionSign[], breaks: readonly Break[]): [number, Moment][] {
  const moments = new Map<number, Moment>();
  const momentAt = (at: number) => {
    const moment = moments.get(at) ?? { join: false, leave: false };
    moments.set(at, moment);
    return moment;
  };
  for (const { at, kind } of signs) momentAt(at)[kind] = true;
  for (const item of breaks) momentAt(item.at).break = item;
  return [...moments].sort(([one], [other]) => one - other);
}
