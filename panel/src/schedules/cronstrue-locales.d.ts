// Locales of cronstrue are modules without types, imported for their effect.
declare module 'cronstrue/locales/*';
