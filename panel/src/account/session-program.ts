// Names the browser and the system, or the program, from what a session's program calls itself.
import Bowser from 'bowser';

export type SessionProgram =
  | { kind: 'browser'; browser: string; system: string }
  | { kind: 'program'; name: string }
  | { kind: 'unknown' };

const browserPrefix = /^(Mozilla|Opera)\//;

export function sessionProgram(userAgent: string | null): SessionProgram {
  if (userAgent === null || userAgent.trim() === '') return { kind: 'unknown' };
  const [product = ''] = userAgent.split(/[\s/;(]/);
  if (!browserPrefix.test(userAgent))
    return product === '' ? { kind: 'unknown' } : { kind: 'program', name: product };
  const parser = Bowser.getParser(userAgent);
  const [browser, system] = [parser.getBrowserName(), parser.getOSName()];
  return browser === '' ? { kind: 'unknown' } : { kind: 'browser', browser, system };
}
