// The reference of the platform's contract: which documents and guides it shows, and the words that people search for.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Router } from 'express';
import { operationSynonyms } from '../../shared/operation-synonyms.ts';
import { createDocsRouter } from '../contract/docs.ts';
import type { Document } from '../contract/document.ts';
import type { ChangelogVersion } from '../contract/reference/changelog.ts';
import type { SearchOptions } from '../contract/reference/search-documents.ts';
import { generatedDirectory, publishedContractFile } from '../platform-contract/document-file.ts';
import { problems } from '../platform-contract/problems.ts';
import type { Tool } from '../contract/reference/tools.ts';
import { sampleLanguages } from '../platform-contract/samples/index.ts';

const generated = (name: string) => resolve(generatedDirectory, name);

export const createReference = (document: Document, publicUrl: () => string): Router =>
  createDocsRouter({
    document,
    problems,
    documents: [
      { path: '/api/openapi', title: 'OpenAPI 3.1', file: publishedContractFile },
      {
        path: '/api/openapi-3.0',
        title: 'OpenAPI 3.0, for generators without 3.1',
        file: generated('platform.openapi-3.0.json'),
      },
      {
        path: '/api/arazzo',
        title: 'Arazzo, the workflows of the main journeys',
        file: generated('workflows.arazzo.json'),
      },
    ],
    messages: [
      {
        path: '/api/asyncapi/agent-bus',
        title: 'AsyncAPI of the message bus between agents and the platform',
        file: generated('agent-bus.asyncapi.json'),
      },
      {
        path: '/api/asyncapi/console',
        title: 'AsyncAPI of the console socket',
        file: generated('console.asyncapi.json'),
      },
      {
        path: '/api/asyncapi/local-manager-events',
        title: 'AsyncAPI of the operations socket of the local manager',
        file: generated('local-manager-events.asyncapi.json'),
      },
    ],
    guides: {
      directory: resolve(import.meta.dirname, '../../docs'),
      first: [
        'quickstart',
        'authentication',
        'idempotency',
        'pagination',
        'errors',
        'api-policy',
        'events',
        'webhooks',
        'sandbox',
        'tools',
        'first-server',
        'team-and-keys',
        'second-host',
        'managed-instances',
        'schedules',
        'alerts',
        'plugin-configs',
        'migration',
        'webstore',
        'resellers',
      ],
      hidden: ['benchmarks', 'local-manager', 'panel', 'plugin-kinds', 'rooms'],
    },
    languages: sampleLanguages(readPublished),
    tools,
    changelog: readChangelog(),
    baseUrl: publicUrl,
    search,
    signInPath: '/auth/login',
  });

const guide = '/api/docs/guides/tools';

const tools: readonly Tool[] = [
  {
    title: 'SDKs',
    path: `${guide}#sdks`,
    note: 'Clients for TypeScript, Python, Go and PHP, with retries, pages, webhooks and events.',
  },
  {
    title: 'Command line',
    path: `${guide}#command-line`,
    note: '`gantry` calls every operation from a shell.',
  },
  {
    title: 'MCP server',
    path: `${guide}#mcp-server`,
    note: '`gantry mcp` lets agents search, describe and call operations.',
  },
  {
    title: 'Postman collection',
    path: '/api/collections/postman.json',
    note: 'Every operation with an example.',
  },
  { title: 'Bruno collection', path: '/api/collections/bruno.zip', note: 'Every operation with an example.' },
  {
    title: 'Workflows',
    path: '/api/arazzo.json',
    note: 'The main journeys in Arazzo, step by step.',
  },
];

const readPublished = () =>
  JSON.parse(readFileSync(publishedContractFile, 'utf8')) as Record<string, unknown>;

const readChangelog = () =>
  JSON.parse(readFileSync(generated('api-changelog.json'), 'utf8')) as ChangelogVersion[];

export const search: SearchOptions = {
  synonyms: operationSynonyms,
  rareSchemes: ['superAdmin', 'companionToken'],
};
