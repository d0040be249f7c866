// Which errors mean that the platform got no request, or that its response was cut off.

/** What Chromium, Firefox and Safari report; the type of the error alone also stands for faults of the panel's code. */
const messages =
  /failed to fetch|network ?error|network connection was lost|load failed|connection was lost|dynamically imported module|importing a module script failed|appears to be offline/i;

export const isUnreachable = (error: unknown): boolean =>
  (error instanceof TypeError && messages.test(error.message)) ||
  (error instanceof DOMException && error.name === 'TimeoutError');
