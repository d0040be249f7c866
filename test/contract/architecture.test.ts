// The architecture: one name per area, allowed imports, and rules for every file.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { parse } from 'yaml';
import { areas, handlers } from '../../src/handlers/index.ts';
import { kindDefinitions } from '../../src/plugin-configs/registry.ts';
import {
  alternativesOf,
  areas as areaNames,
  contract,
  enumOf,
  operations,
  permissionsOf,
  root,
} from '../support/contract.ts';

/** The files that may reach beyond one license. Every addition needs a strong reason. */
const platformScopeUsers = [
  'src/archive/month-archive.ts', // finds months of any license that the archive lacks
  'src/idempotency/stored-replies.ts', // stores replies to callers without a license too
  'src/jobs/in-batches.ts', // opens the transactions of work on the rows of every license
  'src/jobs/platform-counting.ts', // counts the rows of every license
  'src/jobs/stats-packing.ts', // packs the figures of every license
  'src/jobs/stats-roll-up.ts', // rolls up the figures of every license in one statement
  'src/leases/lease-runner.ts', // leases due receivers of every license
  'src/mail/mail-out.ts', // mail belongs to no license
  'src/process-roles/parts.ts', // makes the scope
  'src/rate-limits/accounts.ts', // accounts belong to no license
  'src/sandbox/stored-hosts.ts', // runs the simulated hosts of every sandbox
  'src/services/admin-health/operator-alarms.ts', // reports the queues of the whole platform
  'src/services/agents/bus-revocations.ts', // the broker takes one list of every license
  'src/services/agents/enrolment.ts', // finds the license of an enrolment code
  'src/services/agents/host-scope.ts', // finds the license of a host
  'src/services/agents/index.ts', // finds the license of a companion token; cuts off any host
  'src/services/agents/silent-hosts.ts', // finds silent hosts of every license
  'src/services/alerts/rounds.ts', // evaluates a hundred licenses in one statement
  'src/services/analytics/roll-ups.ts', // finds the licenses with sessions to count
  'src/services/auth/administration.ts', // gives super admins the rows of every license
  'src/services/auth/api-key-principals.ts', // finds the license of an API key
  'src/services/auth/deprecated-uses.ts', // writes the counts of every license's keys in one statement
  'src/services/auth/first-user.ts', // the first user belongs to no license
  'src/services/auth/index.ts', // users and sessions belong to no license
  'src/services/auth/license-keys.ts', // finds the license of a license key
  'src/services/auth/own-sessions.ts', // sessions belong to no license
  'src/services/auth/password-changes.ts', // users belong to no license
  'src/services/auth/principals.ts', // finds the license and the role of a session
  'src/services/auth/reseller-keys.ts', // finds the reseller of a key
  'src/services/auth/second-factor.ts', // users belong to no license
  'src/services/auth/sign-in.ts', // users belong to no license
  'src/services/auth/step-ups.ts', // sessions belong to no license
  'src/services/commands/relay.ts', // resumes stuck commands of every license
  'src/services/console/index.ts', // finds the user and the license of a ticket
  'src/services/early-access.ts', // belongs to the platform
  'src/services/index.ts', // gives the scope to the services of this list
  'src/services/maps/contents.ts', // public URLs name no license
  'src/services/public-status/index.ts', // what each license publishes
  'src/services/release-notes.ts', // belong to the platform
  'src/services/resellers/bill-records.ts', // records the bills of every reseller
  'src/services/resellers/index.ts', // suspends a license, which its own role may not
  'src/services/resellers/provisioning.ts', // creates licenses, and accounts for their owners
  'src/services/sandbox/clock.ts', // finds what is due by the clocks of all sandboxes
  'src/services/sandbox/index.ts', // creates licenses and deletes them
  'src/services/store/checkout/public-stores.ts', // finds a license by its subdomain, and its public store
  'src/services/team/invitations.ts', // the user who accepts one belongs to no license yet
  'src/storage/stored-files.ts', // removes unused files of any license
];

/** They bind a query, or a piece of work, to the scope and give a service only that. */
const binders = ['src/process-roles/api.ts', 'src/process-roles/health.ts', 'src/process-roles/jobs.ts'];

/** Files that may use the database directly, outside both scopes or with a license of their choice. */
const doorHolders = [
  'src/archive/archive-query.ts: pg', // within the license that an operator names
  'src/archive/month-archive.ts: TenantScope', // archives each license within it
  'src/archive/month-archive.ts: pg',
  'src/archive/month-rows.ts: pg', // copies rows within the scope of their license
  'src/bus/announcements.ts: Transactions', // runs effects after a commit
  'src/context.ts: TenantScope', // with the license of the caller
  'src/context.ts: Transactions', // sets the actor of a request's changes
  'src/doctor/database.ts: pg', // counts secrets of every license that cannot be decrypted
  'src/embedded/postgres.ts: pg',
  'src/ingest/heartbeats.ts: pg', // writes heartbeats of every license in one statement
  'src/ingest/host-licenses.ts: pg', // looks up the hosts of every license
  'src/ingest/packed-heartbeats.ts: pg',
  'src/ingest/played-maps.ts: pg',
  'src/ingest/write-heartbeats.ts: pg',
  'src/ingest/write-stats.ts: pg',
  'src/jobs/crashed-workers.ts: pg', // holds advisory locks, which belong to a connection
  'src/jobs/runner.ts: Transactions', // sets the job of a change
  'src/mail/mail-out.ts: Transactions', // refuses to send inside a transaction
  'src/platform-backup/create-backup.ts: pg', // reads the rows of every license in one snapshot
  'src/platform-backup/database-content.ts: pg',
  'src/process-roles/parts.ts: DatabaseConnection',
  'src/process-roles/parts.ts: Reader',
  'src/process-roles/parts.ts: ResellerScope',
  'src/process-roles/parts.ts: TenantScope',
  'src/process-roles/parts.ts: Transactions',
  'src/process-roles/parts.ts: connectDatabase',
  'src/process-roles/replica.ts: DatabaseConnection',
  'src/process-roles/replica.ts: Reader',
  'src/services/admin-licenses.ts: TenantScope', // prepares the license that it has just created
  'src/services/agents/enrolment.ts: TenantScope', // enrolls within the license of the code
  'src/services/agents/host-scope.ts: TenantScope', // with the license of a host that reports
  'src/services/analytics/roll-ups.ts: TenantScope', // counts for each license within it
  'src/services/auth/index.ts: queriesOf',
  'src/services/index.ts: ResellerScope',
  'src/services/index.ts: TenantScope',
  'src/services/maps/contents.ts: TenantScope', // with the license that a signed link names
  'src/services/modules/renewals.ts: TenantScope', // charges in the license of each subscription
  'src/services/players/ban-lifting.ts: TenantScope', // lifts each ban within its own license
  'src/services/plugin-events/player-sessions.ts: TenantScope', // derives those of each license within it
  'src/services/resellers/provisioning.ts: ResellerScope', // with the calling reseller
  'src/services/sandbox/clock.ts: TenantScope', // with the license of a sandbox
  'src/services/sandbox/index.ts: TenantScope', // prepares the license that it has just created
  'src/services/store/checkout/checkouts.ts: TenantScope', // opens each within its own license
  'src/services/store/checkout/index.ts: TenantScope', // buyers belong to no license; the store does
  'src/services/store/settings/subscriptions.ts: TenantScope', // processes provider events within their license
];

/** Modules with such access, and those of their exports that give none by themselves. */
const doors =
  /^(src\/database\/(connection|reader|tenant-scope|transactions)\.ts|pg|@mikro-orm\/postgresql)$/;
const harmless = ['EntityManager', 'Queries'];

/** The rooms of `src/` from top to bottom, one floor on each line. */
const floors = [
  ['gantry.ts'],
  ['cli-commands'],
  ['main.ts'],
  ['program.ts'],
  ['platform.ts'],
  ['process-roles'],
  ['app.ts'],
  ['doctor', 'handlers', 'ingest', 'jobs', 'pages', 'platform-backup', 'sockets'],
  ['services'],
  [
    ...[
      'agent-release',
      'agent-requests',
      'archive',
      'config',
      'embedded',
      'events',
      'idempotency',
      'leases',
      'mail',
    ],
    ...['preconditions', 'rate-limits', 'sandbox', 'storage'],
  ],
  ['bus', 'outbound', 'payments'],
  ['context.ts', 'packed-stats', 'platform-counts', 'queue'],
  ['database'],
  ['entities'],
  ['game-catalogue', 'lists', 'network', 'platform-contract', 'plugin-configs', 'secrets', 'text'],
  ['contract', 'process'],
  ['results', 'values'],
  ['errors.ts'],
];

const roomOf = (file: string) => file.split('/')[1] ?? '';

const floorOf = (room: string) => floors.findIndex((rooms) => rooms.includes(room));

/** The areas of the store, which is one area of services. */
const storeRooms: Record<string, string> = {
  'public-store': 'store/checkout',
  webstore: 'store/settings',
  'webstore-items': 'store/catalogue',
  'webstore-orders': 'store/orders',
};

/** Files that an area lacks because it legitimately uses another area's. */
const sharedWithOthers = [
  'openapi/schemas/power.yaml', // returns commands
  'src/services/power.ts', // creates commands
];

const filesUnder = (...folders: string[]) =>
  folders.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root })).sort();

const isThere = (file: string) => existsSync(resolve(root, file));

const textOf = (file: string) => readFileSync(resolve(root, file), 'utf8');

/** The files of the repository that a file imports, types included. */
function importsOf(file: string): string[] {
  const text = textOf(file);
  const found = [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*(['"])(\.[^'"]*|@gantry\/[^'"]*)\1/g)];
  return found.map(([, , path = '']) =>
    path.startsWith('.') ? relative(root, resolve(root, dirname(file), path)) : fileOfPackage(path),
  );
}

/** The file behind an import of a package of this repository, as its `exports` lead to it. */
function fileOfPackage(path: string): string {
  const [, name = '', rest] = /^@gantry\/([^/]+)(?:\/(.*))?$/.exec(path) ?? [];
  if (rest === undefined) return `${name}/src/index.ts`;
  return rest.startsWith('build/') ? `${name}/${rest}` : `${name}/src/${rest}`;
}

/** The names that a file imports from each module; `*` for dynamic imports. */
function namesTakenBy(file: string): { name: string; from: string }[] {
  const text = withoutComments(textOf(file));
  const statements = text.matchAll(/^(?:import|export)\s+(?:type\s+)?([^'"]*?)\s*from\s*['"]([^'"]+)['"]/gm);
  const dynamic = text.matchAll(/\bimport\s*\(\s*()['"]([^'"]+)['"]/g);
  return [...statements, ...dynamic].flatMap(([, clause = '', path = '']) => {
    const from = path.startsWith('.') ? relative(root, resolve(root, dirname(file), path)) : path;
    const names = clause
      .split(/[{},]/)
      .map((part) =>
        part
          .trim()
          .replace(/^type\s+/, '')
          .replace(/\s+as\s.*$/, ''),
      )
      .filter(Boolean);
    return (names.length === 0 ? ['*'] : names).map((name) => ({ name, from }));
  });
}

/** Every import that `isForbidden` rejects, as text with both ends. */
function importsThat(files: string[], isForbidden: (target: string) => boolean): string[] {
  return files.flatMap((file) =>
    importsOf(file)
      .filter(isForbidden)
      .map((target) => `${file} imports ${target}`),
  );
}

const product = filesUnder(
  'shared',
  'src',
  'agent/src',
  'client/src',
  'local-manager/src',
  'local-manager/web',
  'panel/src',
  'ui/build',
  'ui/src',
);

describe('areas', () => {
  it('have one handler for each operation, and none is lost when they are merged', () => {
    const keys = Object.values(areas).flatMap((area) => Object.keys(area));
    expect(keys.toSorted()).toEqual(Object.keys(handlers).toSorted());
    expect(keys.toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
  });

  it('have one name: contract, schemas, handlers, services and tests', () => {
    const missing = areaNames.flatMap((name) =>
      [
        `openapi/paths/${name}.yaml`,
        `openapi/schemas/${name}.yaml`,
        `src/handlers/${name}.ts`,
        `src/services/${storeRooms[name] ?? name}.ts`,
        `test/api/${name}.test.ts`,
      ].filter(
        (file) => !isThere(file) && !isThere(file.replace(/^(src\/services\/.*)\.ts$/, '$1/index.ts')),
      ),
    );
    expect(missing).toEqual(sharedWithOthers);
  });

  it('are the only content of the services room', () => {
    const known = areaNames.map((name) => storeRooms[name]?.split('/')[0] ?? name);
    const rooms = filesUnder('src/services').map((file) => file.split('/')[2]?.replace(/\.ts$/, '') ?? '');
    const others = [...new Set(rooms)].filter((room) => room !== 'index' && !known.includes(room));
    expect(others).toEqual([]);
  });

  it('have the handlers of their operations in the file of the same name', () => {
    const files = globSync('openapi/paths/*.yaml', { cwd: root }).map((file) => ({
      name: file.replace(/^.*\/|\.yaml$/g, ''),
      items: parse(textOf(file), { merge: true }) as Record<string, Record<string, unknown>>,
    }));
    const written = files.flatMap(({ name, items }) => {
      return Object.values(items)
        .flatMap((item) => Object.values(item))
        .filter(
          (operation): operation is { operationId: string } =>
            typeof operation === 'object' && operation !== null && 'operationId' in operation,
        )
        .map(({ operationId }) => ({ operationId, name }));
    });
    expect(written).toHaveLength(operations.length);
    for (const { operationId, name } of written) {
      const area = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
      const inArea = Object.keys(areas[area as keyof typeof areas]);
      expect(inArea).toContain(operationId);
    }
  });
});

describe('the contract', () => {
  it('has one tag for each operation, and lists the tags in the order of their groups', () => {
    const names = contract.tags.map(({ name }) => name);
    expect(contract['x-tagGroups'].flatMap(({ tags }) => tags)).toEqual(names);
    expect(operations.filter(({ tags }) => tags.length !== 1).map(({ id }) => id)).toEqual([]);
    expect(new Set(operations.flatMap(({ tags }) => tags))).toEqual(new Set(names));
  });

  it('uses existing permissions only, and each of them at least once', () => {
    const named = new Set(operations.flatMap(permissionsOf));
    const known = enumOf('Permission');
    expect([...named].filter((permission) => !known.includes(permission))).toEqual([]);
    expect(known.filter((permission) => !named.has(permission))).toEqual([]);
  });

  it('declares for each operation its security and its own known problem codes', () => {
    const known = enumOf('ProblemCode');
    const faulty = operations.filter(
      ({ security, problemCodes }) =>
        !Array.isArray(security) ||
        problemCodes === undefined ||
        problemCodes.some((code) => !known.includes(code)),
    );
    expect(faulty.map(({ id }) => id)).toEqual([]);
  });

  it('uses existing security schemes only, one for each alternative', () => {
    const schemes = Object.keys(contract.components.securitySchemes);
    const used = operations.flatMap(alternativesOf).map(({ scheme }) => scheme);
    expect(used.filter((scheme) => !schemes.includes(scheme))).toEqual([]);
  });

  it('gives every body an example', () => {
    const bare = operations.filter(({ body, replies }) =>
      [...(body?.types ?? []), ...replies].some(({ examples }) => examples.length === 0),
    );
    expect(bare.map(({ id }) => id)).toEqual([]);
  });
});

describe('imports', () => {
  const source = filesUnder('src');

  it('form no circle, types included', () => {
    const graph = new Map(product.map((file) => [file, importsOf(file)]));
    expect(circlesIn(graph)).toEqual([]);
  });

  it('point down, or stay on their floor', () => {
    const homeless = [...new Set(source.map(roomOf))].filter((room) => floorOf(room) === -1);
    expect(homeless).toEqual([]);
    const upwards = source.flatMap((file) =>
      importsThat(
        [file],
        (target) => target.startsWith('src/') && floorOf(roomOf(target)) < floorOf(roomOf(file)),
      ),
    );
    expect(upwards).toEqual([]);
  });

  it('of the platform scope are in the listed files only, and no other file calls it', () => {
    const users = source.filter((file) => importsOf(file).includes('src/database/platform-scope.ts'));
    const callers = filesUnder('src').filter((file) =>
      /\bplatform\s*\.(read|readLagging|transact)\(/.test(textOf(file)),
    );
    const all = new Set([...users, ...callers.filter((file) => !binders.includes(file))]);
    expect([...all].toSorted()).toEqual(platformScopeUsers);
  });

  it('of the access of super admins are in services for them only', () => {
    const users = source.filter((file) => importsOf(file).includes('src/services/auth/administration.ts'));
    const others = users.filter((file) => !/^src\/services\/admin-/.test(file));
    // The audit log of a license has that of the whole platform beside it.
    expect(others).toEqual(['src/services/audit.ts', 'src/services/index.ts']);
  });

  it('of the database itself are in the listed files only', () => {
    const held = source
      .filter((file) => !file.startsWith('src/database/'))
      .flatMap((file) =>
        namesTakenBy(file)
          .filter(({ name, from }) => doors.test(from) && !harmless.includes(name))
          .map(({ name }) => `${file}: ${name}`),
      );
    expect(held.toSorted()).toEqual(doorHolders);
  });

  it('of src/contract reach no area, database or bus', () => {
    const forbidden =
      /^src\/(services|handlers|entities|database|bus|jobs|embedded)\/|^src\/(app|platform|context)\.ts$/;
    expect(importsThat(filesUnder('src/contract'), (target) => forbidden.test(target))).toEqual([]);
  });

  it('of services never reach the contract room: they know no operations, replies or requests', () => {
    expect(importsThat(filesUnder('src/services'), (target) => target.startsWith('src/contract/'))).toEqual(
      [],
    );
  });

  it('of handlers reach services and the contract, never the database, the bus or Express', () => {
    expect(
      importsThat(filesUnder('src/handlers'), (target) =>
        /^src\/(database|bus|entities|jobs)\//.test(target),
      ),
    ).toEqual([]);
    expect(
      filesUnder('src/handlers').filter((file) => /from '(express|node:http)'/.test(textOf(file))),
    ).toEqual([]);
  });

  it('of modules shared by all programs reach none of the programs', () => {
    expect(importsThat(filesUnder('shared'), (target) => !target.startsWith('shared/'))).toEqual([]);
  });

  it('of the agent and of the client never reach src/', () => {
    expect(importsThat(filesUnder('agent', 'client'), (target) => target.startsWith('src/'))).toEqual([]);
  });

  it('of the local manager reach only src/contract, src/results and src/errors.ts', () => {
    const allowed = /^src\/(contract\/|results\/|errors\.ts$)/;
    expect(
      importsThat(
        filesUnder('local-manager/src'),
        (target) => target.startsWith('src/') && !allowed.test(target),
      ),
    ).toEqual([]);
  });

  it('of the shared interface parts reach none of the products', () => {
    expect(importsThat(filesUnder('ui'), (target) => !target.startsWith('ui/'))).toEqual([]);
  });

  it('of the panel reach only its own files, shared parts, the client and generated types', () => {
    const allowed = /^(panel\/src\/|ui\/src\/|client\/src\/index\.ts$|generated\/|shared\/typed-fetch\.ts$)/;
    expect(importsThat(filesUnder('panel/src'), (target) => !allowed.test(target))).toEqual([]);
  });

  it('of the local manager’s page reach only its own files, shared parts, generated types and requests', () => {
    const allowed = /^(local-manager\/web\/src\/|ui\/src\/|generated\/|shared\/typed-fetch\.ts$)/;
    expect(importsThat(filesUnder('local-manager/web/src'), (target) => !allowed.test(target))).toEqual([]);
  });

  it('of a plugin configuration kind belong to the registry, plus the extra features of loot', () => {
    const folderOf = (file: string) => /^src\/plugin-configs\/([^/]+)\/(?=.)/.exec(file)?.[0];
    const kinds = new Set(kindDefinitions.map(({ name }) => `src/plugin-configs/${name}/`));
    const taken = source
      .filter((file) => file !== 'src/plugin-configs/registry.ts')
      .flatMap((file) =>
        importsThat([file], (target) => {
          const folder = folderOf(target) ?? '';
          return kinds.has(folder) && folder !== folderOf(file);
        }),
      );
    expect(taken).toEqual(['src/services/loot.ts imports src/plugin-configs/loot/scaling.ts']);
  });

  it('of tests and benchmarks are used by no product file', () => {
    expect(importsThat(product, (target) => /^(test|bench|scripts)\//.test(target))).toEqual([]);
  });

  it('lead to existing files', () => {
    const broken = source.flatMap((file) =>
      importsOf(file)
        .filter((target) => !isThere(target))
        .map((target) => `${file} imports ${target}`),
    );
    expect(broken).toEqual([]);
  });
});

describe('the map of rooms', () => {
  it('has a sentence for each room, from the top floor to the bottom', () => {
    const listed = [...textOf('docs/rooms.md').matchAll(/^\| `src\/([^`]+)` +\| [A-Z].*\. +\|$/gm)].map(
      ([, room]) => room,
    );
    expect(listed).toEqual(floors.flat());
  });

  it.each(['agent/src', 'local-manager/src'])('has a sentence for each folder of %s', (program) => {
    const listed = [...textOf('docs/rooms.md').matchAll(/^\| `([^`]+)\/([^/`]+)` +\| [A-Z].*\. +\|$/gm)]
      .filter(([, folder]) => folder === program)
      .map(([, , room]) => room);
    const rooms = filesUnder(program).map((file) => relative(program, file).split('/'));
    const folders = rooms.flatMap(([room, ...rest]) => (rest.length > 0 ? [room] : []));
    expect(listed).toEqual([...new Set(folders)].sort());
  });
});

describe('files', () => {
  it('of services, handlers and the bus contain no HTTP terms', () => {
    const words = /\b(?:4[0-4]\d|50[1-9])\b|\bstatusCode\b|\b(?:res|req)\./;
    const speakers = filesUnder('src/services', 'src/handlers', 'src/bus', 'src/ingest').filter((file) =>
      words.test(withoutComments(textOf(file))),
    );
    expect(speakers).toEqual([]);
  });

  it('open with a sentence about their responsibility', () => {
    const silent = product.filter((file) => !/^(?:#!.*\n)?\/\/ [A-Z/`][^\n]{15,}\.\n/.test(textOf(file)));
    expect(silent).toEqual([]);
  });

  it('of tests run completely: no test is focused, skipped or left to do', () => {
    const focus = /^\s*(?:describe|it|test)\.(?:skip|only|todo)\b|^\s*x(?:it|describe)\(/m;
    expect(filesUnder('test').filter((file) => focus.test(textOf(file)))).toEqual([]);
  });
});

/** The strongly connected components of the import graph (Tarjan). */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): number => {
    const own = order.size;
    order.set(file, own);
    lowest.set(file, own);
    open.push(file);
    for (const target of graph.get(file) ?? []) {
      if (!graph.has(target)) continue;
      const reached = order.has(target)
        ? open.includes(target)
          ? (order.get(target) ?? own)
          : own
        : visit(target);
      lowest.set(file, Math.min(lowest.get(file) ?? own, reached));
    }
    const low = lowest.get(file) ?? own;
    if (low === own) {
      const circle = open.splice(open.indexOf(file));
      if (circle.length > 1) circles.push(circle.toSorted());
    }
    return low;
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return circles;
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
}
