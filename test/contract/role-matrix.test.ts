// Which role may call which operation, as a table that everybody can read: test/contract/role-matrix.txt.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { grants, systemRoles } from '../../src/services/permissions.ts';
import { enumOf, operations, permissionsOf, root, type ContractOperation } from '../support/contract.ts';

const file = resolve(root, 'test/contract/role-matrix.txt');

const heading = `Who may call which operation.

  allow        the role lets its members call it
  -            it does not
  anybody      no credentials are needed
  super admin  only super admins of the platform, whatever their role
  agent        only agents, with their license's companion token

Made from the contract and src/services/permissions.ts. After a deliberate change, read the difference and write the
table anew: UPDATE_ROLE_MATRIX=1 npm test -- test/contract/role-matrix
`;

function table(): string {
  const head = ['operation', 'needs', ...systemRoles.map(({ name }) => name)];
  const areas = [...new Set(operations.flatMap(({ tags }) => tags))].sort();
  const sections = areas.map((area) => ({
    area,
    rows: operations
      .filter(({ tags }) => tags[0] === area)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map((operation) => [
        operation.id,
        needsOf(operation),
        ...systemRoles.map(({ permissions }) => cellOf(operation, permissions)),
      ]),
  }));
  sections.push({ area: 'permissions that no operation names', rows: permissionsBeyondOperations() });
  const widths = head.map((title, column) =>
    Math.max(title.length, ...sections.flatMap(({ rows }) => rows.map((row) => row[column]?.length ?? 0))),
  );
  const line = (row: string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  const body = sections.map(({ area, rows }) => [`[${area}]`, ...rows.map(line)].join('\n'));
  return `${[heading, line(head), ...body].join('\n\n')}\n`;
}

/** What is allowed or not within something that is open already, such as typing at a console. */
function permissionsBeyondOperations(): string[][] {
  const named = new Set(operations.flatMap((operation) => permissionsOf(operation) ?? []));
  return enumOf('Permission')
    .filter((permission) => !named.has(permission))
    .map((permission) => [
      permission,
      '',
      ...systemRoles.map(({ permissions }) => (grants(permissions, permission) ? 'allow' : '-')),
    ]);
}

function needsOf(operation: ContractOperation): string {
  const permissions = permissionsOf(operation);
  if (permissions !== undefined) return permissions.join(' + ') || 'to be signed in';
  return schemeOf(operation);
}

function cellOf(operation: ContractOperation, held: Readonly<Record<string, boolean>>): string {
  const permissions = permissionsOf(operation);
  if (permissions === undefined) return schemeOf(operation) === 'anybody' ? 'allow' : '-';
  return permissions.every((permission) => grants(held, permission)) ? 'allow' : '-';
}

function schemeOf({ id, security }: ContractOperation): string {
  if (security.length === 0) return 'anybody';
  const names: Record<string, string> = { superAdmin: 'super admin', companionToken: 'agent' };
  return security
    .flatMap((requirement) => Object.keys(requirement))
    .map((scheme) => {
      const name = names[scheme];
      if (name === undefined) throw new Error(`say here what ${id} asks for with ${scheme}`);
      return name;
    })
    .join(' or ');
}

describe('the role matrix', () => {
  it('is the one that was agreed on', () => {
    const now = table();
    if (process.env['UPDATE_ROLE_MATRIX'] === '1') writeFileSync(file, now);
    expect(now).toBe(readFileSync(file, 'utf8'));
  });
});
