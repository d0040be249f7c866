// Every operation of the contract with its handler; one that is missing does not compile.
import { adminLicenses } from './admin-licenses.ts';
import { agents } from './agents.ts';
import { auth } from './auth.ts';
import { clusters } from './clusters.ts';
import { commands } from './commands.ts';
import { console } from './console.ts';
import { fleet } from './fleet.ts';
import type { Handlers } from './handlers.ts';
import { license } from './license.ts';
import { permissions } from './permissions.ts';
import { power } from './power.ts';
import { roles } from './roles.ts';
import { team } from './team.ts';

export const areas = {
  adminLicenses,
  agents,
  auth,
  clusters,
  commands,
  console,
  fleet,
  license,
  permissions,
  power,
  roles,
  team,
};

export const handlers: Handlers = {
  ...adminLicenses,
  ...agents,
  ...auth,
  ...clusters,
  ...commands,
  ...console,
  ...fleet,
  ...license,
  ...permissions,
  ...power,
  ...roles,
  ...team,
};
