// A command that has ended, as it is passed to the areas that issued it.

export interface EndedCommand {
  id: string;
  /** Whether plugins loaded the files that the command wrote. Absent for commands that write no plugin files. */
  is_loaded?: boolean;
}
