// Records in the state directory that this host was enrolled with a code.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { replaceDurably } from './durable-file.ts';

export interface EnrolmentRecord {
  url: string;
  host_id: string;
  hostname: string;
}

/** install.sh and install.ps1 read it too. */
const fileIn = (stateDirectory: string) => join(stateDirectory, 'enrolment.json');

/** Whether the platform takes this host's own key. */
export const isEnrolled = (stateDirectory: string): boolean => existsSync(fileIn(stateDirectory));

export const recordEnrolment = (stateDirectory: string, record: EnrolmentRecord): Promise<void> =>
  replaceDurably(fileIn(stateDirectory), `${JSON.stringify(record)}\n`);
