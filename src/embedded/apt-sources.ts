// Reads the package archives that a Debian-like machine trusts, in both formats of apt.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exists, readIfPresent } from '../process/files.ts';

export interface AptSource {
  uri: string;
  suites: string[];
  components: string[];
  /** Path of a keyring, or the text of a key. */
  signedBy?: string;
}

export async function readAptSources(directory = '/etc/apt'): Promise<AptSource[]> {
  const sources = parseSourcesList((await readIfPresent(join(directory, 'sources.list'))) ?? '');
  const parts = join(directory, 'sources.list.d');
  for (const name of (await exists(parts)) ? (await readdir(parts)).sort() : []) {
    const parse = name.endsWith('.list')
      ? parseSourcesList
      : name.endsWith('.sources')
        ? parseDeb822
        : undefined;
    if (parse !== undefined) sources.push(...parse(await readFile(join(parts, name), 'utf8')));
  }
  return sources;
}

/** `deb [signed-by=…] URI suite component…` */
export function parseSourcesList(text: string): AptSource[] {
  return text.split('\n').flatMap((line) => {
    const entry =
      /^\s*deb\s+(?:\[(?<options>[^\]]*)\]\s*)?(?<uri>\S+)\s+(?<suite>\S+)\s+(?<components>[^#]+)/.exec(line);
    const { options, uri, suite, components } = entry?.groups ?? {};
    if (uri === undefined || suite === undefined || components === undefined) return [];
    const signedBy = /(?:^|\s)signed-by=(\S+)/i.exec(options ?? '')?.[1];
    return [{ uri, suites: [suite], components: words(components), ...(signedBy ? { signedBy } : {}) }];
  });
}

/** Paragraphs of `Types:`, `URIs:`, `Suites:`, `Components:`, `Signed-By:`. */
export function parseDeb822(text: string): AptSource[] {
  return text.split(/\n[ \t]*\n/).flatMap((paragraph) => {
    const fields = readFields(paragraph);
    const field = (name: string) => fields.get(name) ?? '';
    if (
      !words(field('types')).includes('deb') ||
      /^(no|false|off|0|without|disable)$/i.test(field('enabled'))
    )
      return [];
    const suites = words(field('suites'));
    const components = words(field('components'));
    const signedBy = field('signed-by');
    return words(field('uris')).map((uri) => ({
      uri,
      suites,
      components,
      ...(signedBy ? { signedBy } : {}),
    }));
  });
}

function readFields(paragraph: string): Map<string, string> {
  const fields = new Map<string, string>();
  let current: string | undefined;
  for (const line of paragraph.split('\n')) {
    if (line.startsWith('#')) continue;
    const start = /^([A-Za-z-]+):\s*(.*)$/.exec(line);
    if (start?.[1] !== undefined) {
      current = start[1].toLowerCase();
      fields.set(current, (start[2] ?? '').trim());
    } else if (current !== undefined && /^\s/.test(line)) {
      // In an inline key, a lone dot stands for an empty line.
      const continued = line.trim() === '.' ? '' : line.trim();
      fields.set(current, `${fields.get(current) ?? ''}\n${continued}`);
    }
  }
  return fields;
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
