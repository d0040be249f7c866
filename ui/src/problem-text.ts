// An error in words.

export interface ProblemText {
  title: string;
  detail: string;
  /** What is wrong in the request, unless it is shown at the fields. */
  faults?: readonly string[];
  /** Identifies the request for support. */
  requestId?: string;
  /** For a report, where the page itself failed. */
  report?: string;
}
