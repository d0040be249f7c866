// How Python names what the contract names.

export const keywords = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield match case type'.split(
    ' ',
  ),
);

export const safeName = (name: string): string =>
  keywords.has(name) || name === 'self' || name === 'body' ? `${name}_` : name;
