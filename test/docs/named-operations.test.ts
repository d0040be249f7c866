// Every `METHOD /path` that a text names is an operation of a contract, with the parameters named as the contract does.
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { operationsIn, type DocumentObject } from '../../shared/openapi/document.ts';
import { contract, root } from '../support/contract.ts';

const managerContract = JSON.parse(
  readFileSync(resolve(root, 'generated/local-manager.openapi.json'), 'utf8'),
) as DocumentObject;

const nameOf = ({ method, path }: { method: string; path: string }) => `${method.toUpperCase()} ${path}`;
const platform = operationsIn(contract).map(nameOf);
const manager = operationsIn(managerContract).map(nameOf);

/** Pages that the platform serves beside its contract. */
const pages = ['GET /problems'];

const ofPlatform = [
  'README.md',
  'docs/*.md',
  'sdks/**/*.md',
  '{agent,cli,client}/README.md',
  'openapi/**/*.yaml',
  'panel/{index.html,src/texts/**/*.json}',
  'src/platform-contract/problems.ts',
  'src/contract/reference/*.ts',
  'src/pages/**/*.ts',
];
const ofManager = [
  'docs/local-manager.md',
  'local-manager/openapi/**/*.yaml',
  'local-manager/src/problems.ts',
  'local-manager/web/**/*.{html,ts,tsx}',
];

const filesOf = (patterns: string[]) => globSync(patterns, { cwd: root });

const managerFiles = filesOf(ofManager);

/** A value in the place of a parameter names the operation, too; another parameter does not. */
const isCalled = (operation: string, named: string): boolean => {
  const steps = operation.split('/');
  const given = named.split('/');
  return (
    steps.length === given.length &&
    steps.every((step, index) => {
      const value = given[index] ?? '';
      return step === value || (step.startsWith('{') && /^[\w-]+$/.test(value));
    })
  );
};

/** The operations that the prose of the file names. Programs in it are run by other tests. */
const namedIn = (file: string) => {
  const prose = readFileSync(resolve(root, file), 'utf8').replace(/```[\s\S]*?```/g, '');
  return [...prose.matchAll(/\b(?:GET|HEAD|POST|PUT|PATCH|DELETE)\s+\/[\w/{}.…-]*/g)]
    .map(([text]) => text.replace(/\s+/, ' ').replace(/\.$/, ''))
    .filter((text) => !text.includes('…'));
};

it.each([
  [
    'the platform',
    filesOf(ofPlatform).filter((file) => !managerFiles.includes(file)),
    [...platform, ...pages],
    80,
  ],
  ['the local manager', managerFiles, manager, 5],
])('texts of %s name operations that exist', (_name, files, operations, minCount) => {
  const named = files.flatMap((file) => namedIn(file).map((operation) => ({ file, operation })));
  expect(named.length).toBeGreaterThan(minCount);
  expect(named.filter(({ operation }) => !operations.some((known) => isCalled(known, operation)))).toEqual(
    [],
  );
});
