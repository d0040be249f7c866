// Names a job and the worker that holds it: the job's changes commit only while the worker holds it.

export interface HeldJob {
  id: string;
  worker: string;
}
