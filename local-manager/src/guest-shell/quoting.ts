// Quotes text for the shell of the virtual machine, so that it is one word there, whatever is in it.

export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
