// Names a job and the worker that holds it: what the job does commits only while that holds.

export interface HeldJob {
  id: string;
  worker: string;
}
