// Where this browser and its tabs keep the unsaved work of each user, which ends with the user's session.
const prefix = 'gantry-draft';

export const draftsOf = (userId: string): string => `${prefix}/${userId}/`;

const inMemory = new Set<() => void>();

/** `forget` drops what this tab holds in memory of the user in the license. */
export const beforeLeaving = (forget: () => void): void => void inMemory.add(forget);

/** Called before this tab continues as another user or in another license. */
export function forgetWork(): void {
  for (const forget of inMemory) forget();
}

export function removeDraftsOf(userId: string): void {
  forgetWork();
  for (const storage of [window.localStorage, window.sessionStorage])
    for (const key of Object.keys(storage)) if (key.startsWith(draftsOf(userId))) storage.removeItem(key);
}
