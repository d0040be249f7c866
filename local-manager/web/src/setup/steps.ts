// The names of the setup's steps.
import type { Schemas } from '../api/client.ts';

export const stepTitles: Record<Schemas['SetupStepName'], string> = {
  preflight: 'Check the host',
  import: 'Import the virtual machine',
  security: 'Lock it',
  network: 'Set up the network',
  bootstrap: 'Create the world',
};
