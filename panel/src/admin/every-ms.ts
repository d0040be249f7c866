// How often pages of the platform read again: no event reports changes of its own data.
export const everyMs = 15_000;
