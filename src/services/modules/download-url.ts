// Where agents fetch the plugin of a module from.

/** A path is the platform's own: nobody knows its address when the catalogue is made. */
export function downloadUrlOf({ plugin_url: url }: { plugin_url: string }, publicUrl: string): string {
  return url.startsWith('/') ? `${publicUrl}${url}` : url;
}
