// The modules that panel/build/plugin-kinds.ts makes of the contract; kinds.ts and schema/schema.ts give them types.
declare module 'virtual:plugin-kinds' {
  export const kinds: unknown;

  export const schemas: Readonly<Record<string, () => Promise<{ default: unknown }>>>;
}
