/** What became of one history. */
export interface Outcome {
  /** Of its file, or the ids of its run. */
  name: string;
  /** The workflow type; null where the history does not say. */
  type: string | null;
  runId: string | null;
  failure: Failure | null;
}

export interface Failure {
  /** What the history holds and what the code does instead. */
  text: string;
  /** Lines of the workflows, the innermost first; empty where none is known. */
  at: readonly string[];
  /** What the code does at the first of these lines, where it differs from the history. */
  command?: string;
}
