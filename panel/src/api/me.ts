// The signed-in user, the license they work in and their permissions there.
import { useSuspenseQuery } from '@tanstack/react-query';
import { reading } from './reading.ts';

export const meReading = () => reading('/auth/me');

/** For components inside the frame, whose route has loaded the user. */
export const useMe = () => useSuspenseQuery(meReading()).data;
