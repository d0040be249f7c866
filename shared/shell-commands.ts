// Writes commands for a POSIX shell.

/** A request as curl sends it. */
export interface CurlRequest {
  method: string;
  url: string;
  /** The header whose secret the shell has in an environment variable, so that none is on the screen. */
  credential: { header: string; prefix: string; variable: string } | undefined;
  headers: readonly (readonly [name: string, value: string])[];
  /** The options that send the body. */
  body: readonly string[];
}

export function curlCommand({ method, url, credential, headers, body }: CurlRequest): string {
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${forShell(url)}`,
    ...(credential === undefined
      ? []
      : [`-H "${credential.header}: ${credential.prefix}$${credential.variable}"`]),
    ...headers.map(([name, value]) => `-H ${forShell(`${name}: ${value}`)}`),
    ...body,
  ];
  return lines.join(' \\\n  ');
}

/** The shell reads the quoted text as it is. */
export const forShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
