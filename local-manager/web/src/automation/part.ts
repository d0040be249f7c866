// A part of the form of the automation.
import type { Schemas } from '../api/client.ts';

export interface PartProps {
  draft: Schemas['Automation'];
  change: (changed: Partial<Schemas['Automation']>) => void;
  /** Why the last change was refused. */
  error: Error | null;
}
