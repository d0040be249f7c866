// Requests that several tests send.

const part = (text: string) => Buffer.from(text).toString('base64url');

/** A token in the vendor's format that belongs to no account. */
export const selfHostingToken = `${part('{"alg":"none"}')}.${part('{"HostId":"0A1B2C3D4E5F"}')}.c2lnbmF0dXJl`;

export const bootstrapRequest = {
  token: selfHostingToken,
  worldName: 'Sietch Tabr',
  region: 'europe',
};

export const importRequest = { drive: 'D', memoryGB: 20, networkMode: 'default' };
