// The nonce with which style elements may be added to this page.
const element = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]');

export const styleNonce = (): string => element?.content ?? '';
