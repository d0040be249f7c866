// Whether the installation offers sandboxes, and how many.
import { integer, oneOf, text, type Environment } from '../process/environment.ts';

export interface SandboxSettings {
  isEnabled: boolean;
  /** Maximum number of sandboxes on the installation. */
  maxCount: number;
}

/** Anybody who reaches the API can create a sandbox, so production offers none unless the operator wants it. */
export function sandboxSettings(env: Environment): SandboxSettings {
  const isProduction = text(env, 'NODE_ENV') === 'production';
  return {
    isEnabled:
      oneOf(env, 'GANTRY_SANDBOXES', ['true', 'false'] as const, isProduction ? 'false' : 'true') === 'true',
    maxCount: integer(env, 'GANTRY_MAX_SANDBOXES', 1, 5_000, 200),
  };
}
