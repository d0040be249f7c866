// The entry of the platform: the program is loaded from code that an earlier start has compiled, where there is some.
import packageFile from '../package.json' with { type: 'json' };
import { saveStartMemory } from '../shared/start-memory.ts';
import { cacheDirectory } from './config/cache-directory.ts';
import { keepCompiledCode } from './process/compiled-code.ts';

saveStartMemory();
keepCompiledCode(cacheDirectory(process.env), packageFile.version);
await import('./program.ts');
