// Where this browser and its tabs keep the unsaved work of each user, which ends with the user's session.
const prefix = 'gantry-draft';

export const draftsOf = (userId: string): string => `${prefix}/${userId}/`;

export function removeDraftsOf(userId: string): void {
  for (const storage of [window.localStorage, window.sessionStorage])
    for (const key of Object.keys(storage)) if (key.startsWith(draftsOf(userId))) storage.removeItem(key);
}
