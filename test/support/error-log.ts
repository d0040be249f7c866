// What servers log about errors while tests run: a failed test prints it, so that an unexpected 500 has a cause.
import { pino, type Logger } from 'pino';

/** Maximum lines that are kept and printed for one test. */
const maxLines = 20;
const maxLength = 2_000;

const lines: string[] = [];

function keep(line: string): void {
  lines.push(line.trimEnd().slice(0, maxLength));
  if (lines.length > maxLines) lines.shift();
}

/** The log of servers in this process. `GANTRY_TEST_LOG` is a level from which lines are printed at once. */
export function testLog(): Logger {
  const level = process.env['GANTRY_TEST_LOG'];
  return level === undefined ? pino({ level: 'error' }, { write: keep }) : pino({ level });
}

/** Returns the kept lines and forgets them. */
export function takeErrorLines(): string[] {
  return lines.splice(0);
}
