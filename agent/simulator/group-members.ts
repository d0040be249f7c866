// Who belongs to which group of permissions on the simulated server, as its framework's console command has it.

export class GroupMembers {
  /** Those that a framework makes by itself, and the one that servers sell most. */
  readonly #groups = new Map(['default', 'admin', 'vip'].map((name) => [name, new Set<string>()]));

  /** `add` or `remove`, a player, and the name of the group; answers as the framework does. */
  changeGroup([verb = '', player = '', name = '']: string[]): string {
    const group = this.#groups.get(name.toLowerCase());
    if (player === '' || (verb !== 'add' && verb !== 'remove'))
      return 'Usage: usergroup <add|remove> <username|id> <groupname>';
    if (!/^7656\d{13}$/.test(player)) return `Player '${player}' not found`;
    if (group === undefined) return `Group '${name}' doesn't exist`;
    if (verb === 'add') {
      group.add(player);
      return `Player '${player}' added to group: ${name}`;
    }
    group.delete(player);
    return `Player '${player}' removed from group '${name}'`;
  }
}
