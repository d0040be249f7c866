// Which role may call which operation, as a readable table: test/contract/role-matrix.txt.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { grants, systemRoles } from '../../src/services/auth/role-permissions.ts';
import {
  alternativesOf,
  contract,
  enumOf,
  operations,
  permissionsOf,
  root,
  type Alternative,
  type ContractOperation,
} from '../support/contract.ts';

const file = resolve(root, 'test/contract/role-matrix.txt');

const heading = `Who may call which operation.

  allow        the role lets its members call it
  -            it does not
  anybody      no credentials are needed
  super admin  only super admins of the platform, regardless of their role
  agent        only agents, with their license's companion token
  plugin       only plugins of game servers, with their license's key
  reseller     only hosting companies that sell licenses, with their key

Under "API key", whether keys with the permission may call it too.

Made from the contract and src/services/auth/role-permissions.ts. After a deliberate change, read the difference and update the
table: UPDATE_ROLE_MATRIX=1 npm test -- test/contract/role-matrix
`;

function table(): string {
  const head = ['operation', 'needs', ...systemRoles.map(({ name }) => name), 'API key'];
  const sections = contract.tags.map(({ name }) => ({
    name,
    rows: operations
      .filter(({ tags }) => tags[0] === name)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map((operation) => [
        operation.id,
        needsOf(operation),
        ...systemRoles.map(({ permissions }) => cellOf(operation, permissions)),
        alternativesOf(operation).some(({ scheme }) => scheme === 'apiKey') ? 'allow' : '-',
      ]),
  }));
  sections.push({ name: 'permissions that no operation names', rows: permissionsBeyondOperations() });
  const widths = head.map((title, column) =>
    Math.max(title.length, ...sections.flatMap(({ rows }) => rows.map((row) => row[column]?.length ?? 0))),
  );
  const line = (row: string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  const body = sections.map(({ name, rows }) => [`[${name}]`, ...rows.map(line)].join('\n'));
  return `${[heading, line(head), ...body].join('\n\n')}\n`;
}

/** Permissions within an open connection, such as typing at a console. */
function permissionsBeyondOperations(): string[][] {
  const named = new Set(operations.flatMap(permissionsOf));
  return enumOf('Permission')
    .filter((permission) => !named.has(permission))
    .map((permission) => [
      permission,
      '',
      ...systemRoles.map(({ permissions }) => (grants(permissions, permission) ? 'allow' : '-')),
      '-',
    ]);
}

/**
 * What the schemes that are not for members of a license require; a scheme with permissions names them too.
 */
const needs: Readonly<Record<string, string>> = {
  superAdmin: 'super admin',
  companionToken: 'agent',
  hostKey: 'reseller',
  licenseKey: 'plugin',
};

function needsOf(operation: ContractOperation): string {
  const ways = alternativesOf(operation).map((alternative) => wayOf(operation, alternative));
  return [...new Set(ways)].join(' or ') || 'anybody';
}

function wayOf({ id }: ContractOperation, { scheme, permissions }: Alternative): string {
  const list = permissions.join(' + ');
  if (scheme === 'bearerAuth' || scheme === 'apiKey') return list || 'to be signed in';
  const name = needs[scheme];
  if (name === undefined) throw new Error(`add what ${id} requires with ${scheme} to this test`);
  return list === '' ? name : `${name} with ${list}`;
}

function cellOf(operation: ContractOperation, held: Readonly<Record<string, boolean>>): string {
  const alternatives = alternativesOf(operation);
  const isAllowed = alternatives.some(
    ({ scheme, permissions }) =>
      scheme === 'bearerAuth' && permissions.every((permission) => grants(held, permission)),
  );
  return isAllowed || alternatives.length === 0 ? 'allow' : '-';
}

const update = 'UPDATE_ROLE_MATRIX=1 npm test -- test/contract/role-matrix';

describe('the role matrix', () => {
  it(`is unchanged; after a deliberate change run ${update}`, () => {
    const now = table();
    if (process.env['UPDATE_ROLE_MATRIX'] === '1') writeFileSync(file, now);
    expect(now).toBe(readFileSync(file, 'utf8'));
  });
});
