// Where this browser keeps the unsaved work of each user, which ends with the user's session.
const prefix = 'gantry-draft';

export const draftsOf = (userId: string): string => `${prefix}/${userId}/`;

export function removeDraftsOf(userId: string): void {
  for (const key of Object.keys(window.localStorage))
    if (key.startsWith(draftsOf(userId))) window.localStorage.removeItem(key);
}
