// The reference of one contract: its pages and texts, each made at its first request and kept compressed.
import { readFile } from 'node:fs/promises';
import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { PublicContent } from '../../results/public-content.ts';
import type { Document } from '../document.ts';
import type { ProblemTable } from '../problem.ts';
import type { Assets } from './assets.ts';
import { createCatalogue, type Catalogue } from './catalogue.ts';
import type { ChangelogVersion } from './changelog.ts';
import type { ContractDocument } from './documents.ts';
import { readGuides, type Guide, type GuideFolder } from './guides.ts';
import type { MessageDocument } from './messages-markdown.ts';
import { Pages } from './pages.ts';
import type { Tool } from './tools.ts';
import type { SampleLanguage } from './samples/sample-call.ts';

export interface SiteOptions {
  document: Document;
  problems: ProblemTable;
  /** OpenAPI documents; the first one is the contract itself. */
  documents: readonly [ContractDocument, ...ContractDocument[]];
  /** AsyncAPI documents; their pages are named by the last part of their path. */
  messages: readonly ContractDocument[];
  guides?: GuideFolder;
  /** Languages of code samples besides curl. */
  languages?: readonly SampleLanguage[];
  /** Versions of the contract, newest first. */
  changelog?: readonly ChangelogVersion[];
  /** What stands around the contract. */
  tools?: readonly Tool[];
  /** The address of this server. */
  baseUrl: () => string;
}

/** What texts are made of. */
export interface SiteParts {
  pages: Pages;
  guides: readonly Guide[];
}

interface Sending {
  type: string;
  headers: Readonly<Record<string, string>>;
  /** Names the text among those that are kept; the request's path if omitted. */
  name?: string;
  /** Undefined if there is no such text. */
  make: (parts: SiteParts) => string | undefined;
}

/** Texts that are kept. */
const maxTexts = 400;

export class Site {
  readonly catalogue: Catalogue;
  readonly #options: SiteOptions;
  readonly #assets: Assets;
  readonly #contents = new LRUCache<string, PublicContent>({ max: maxTexts });
  #files: Promise<{ guides: Guide[]; messages: MessageDocument[] }> | undefined;

  constructor(options: SiteOptions, assets: Assets) {
    this.#options = options;
    this.#assets = assets;
    this.catalogue = createCatalogue(options.document, options.problems);
  }

  /** Returns false, and sends nothing, if there is no such text. */
  async send(
    request: Request,
    response: Response,
    { type, headers, name = request.path, make }: Sending,
  ): Promise<boolean> {
    const key = `${this.#options.baseUrl()} ${type} ${name}`;
    let content = this.#contents.get(key);
    if (content === undefined) {
      const text = make(await this.#parts());
      if (text === undefined) return false;
      content = new PublicContent(text);
      this.#contents.set(key, content);
    }
    response.type(type).setHeader('Cache-Control', 'public, max-age=60');
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    await content.send(request, response);
    return true;
  }

  async #parts(): Promise<SiteParts> {
    const {
      problems,
      documents,
      messages,
      changelog = [],
      languages = [],
      tools = [],
      baseUrl,
    } = this.#options;
    const files = await (this.#files ??= readFiles(this.#options));
    const pages = new Pages({
      catalogue: this.catalogue,
      problems,
      guides: files.guides,
      changelog,
      languages,
      tools,
      documents: [...documents, ...messages],
      baseUrl: baseUrl(),
      assetUrl: (name) => this.#assets.urlOf(name),
      messages: messages.flatMap(({ path }, index) => {
        const document = files.messages[index];
        return document === undefined ? [] : [{ name: path.split('/').at(-1) ?? '', path, document }];
      }),
    });
    return { pages, guides: files.guides };
  }
}

async function readFiles({ guides, messages }: SiteOptions) {
  return {
    guides: guides === undefined ? [] : await readGuides(guides),
    messages: await Promise.all(
      messages.map(async ({ file }) => JSON.parse(await readFile(file, 'utf8')) as MessageDocument),
    ),
  };
}
