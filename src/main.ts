// The entry of the platform: the program is loaded from code that an earlier start has compiled, where there is some.
import { cacheDirectory } from './config/cache-directory.ts';
import { keepCompiledCode } from './process/compiled-code.ts';

keepCompiledCode(cacheDirectory(process.env));
await import('./program.ts');
