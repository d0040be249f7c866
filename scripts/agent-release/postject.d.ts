declare module 'postject' {
  /** Writes the resource into the executable; Node looks for one where the fuse is set. */
  export function inject(
    path: string,
    resourceName: string,
    resource: Buffer,
    options: { sentinelFuse: string },
  ): Promise<void>;
}
