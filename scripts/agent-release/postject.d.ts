declare module 'postject' {
  /** Writes the resource into the executable; the fuse tells Node that there is one. */
  export function inject(
    path: string,
    resourceName: string,
    resource: Buffer,
    options: { sentinelFuse: string },
  ): Promise<void>;
}
