// Whole files of plugins on a real server: written for one piece of work, imported and previewed.
import type { Response } from 'supertest';
import type { ServerOfPlugin } from './plugin-files.ts';
import type { PluginHost } from './plugin-host.ts';

interface Previewed {
  files: { file: string; path: string | null; is_changed: boolean; diff: string }[];
  not_written: { pointer: string; detail: string }[];
}

const bodyOf = <T>({ body }: Response) => body as T;

/** Does the work while the server has these files. */
export async function onServer<T>(
  host: PluginHost,
  { files }: ServerOfPlugin,
  work: () => Promise<T>,
): Promise<T> {
  for (const [file, content] of files) host.write(file, content);
  try {
    return await work();
  } finally {
    for (const file of files.keys()) host.remove(file);
  }
}

/** The id of a configuration that is imported from the server's files. */
export async function importFrom(host: PluginHost, kind: string, name: string): Promise<string> {
  const body = { name, instance_id: host.instanceId };
  const response = await host.call('post', `${kind}/import-from-server`, body).expect(201);
  return bodyOf<{ config: { id: string } }>(response).config.id;
}

export async function previewOf(host: PluginHost, kind: string, id: string): Promise<Previewed> {
  const body = { instance_id: host.instanceId };
  return bodyOf<Previewed>(await host.call('post', `${kind}/${id}/preview`, body).expect(200));
}
