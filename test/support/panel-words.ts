// The contract's words as people see them in the panel, which calls a game instance a server.

/** Names of fields, such as `instance_name`, keep their spelling. */
export const inPanelWords = (text: string): string =>
  text
    .replace(/\b([Aa])n instance\b/g, '$1 server')
    .replace(/\b(?:[Gg]ame )?instance(s?)\b/g, 'server$1')
    .replace(/\bInstance(s?)\b/g, 'Server$1');
