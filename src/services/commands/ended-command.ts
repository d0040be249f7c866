// A command that has ended, as the areas whose work it carried hear of it.

export interface EndedCommand {
  id: string;
  /** Whether plugins loaded what the command wrote. Absent for commands that write no plugin files. */
  is_loaded?: boolean;
}
