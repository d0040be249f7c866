// The URL from which agents download the plugin of a module.

/** A path is relative to the platform's public URL, which is unknown when the catalogue is written. */
export function downloadUrlOf({ plugin_url: url }: { plugin_url: string }, publicUrl: string): string {
  return url.startsWith('/') ? `${publicUrl}${url}` : url;
}
