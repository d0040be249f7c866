// Where the plain game server is that agents of tests run.
import { fileURLToPath } from 'node:url';

export const gameFile = fileURLToPath(new URL('game.ts', import.meta.url));
