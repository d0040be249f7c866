// The platform's objection to the chosen events, as a whole or to one of them.
import { problemOf } from '../api/problem.ts';

export const eventFault = (error: Error | null): string | undefined =>
  problemOf(error)?.errors?.find(
    ({ in: place, pointer }) => place === 'body' && (pointer === '/events' || pointer.startsWith('/events/')),
  )?.detail;
