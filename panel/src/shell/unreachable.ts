// Thrown while the panel starts and the platform does not respond.
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}
