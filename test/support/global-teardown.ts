// Stops what global-setup.ts started.
export default async function tearDown(): Promise<void> {
  await (globalThis as { gantryTestTearDown?: () => Promise<void> }).gantryTestTearDown?.();
}
