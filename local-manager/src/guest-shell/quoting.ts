// Quotes text for the virtual machine's shell, so that any text is a single word.

export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
