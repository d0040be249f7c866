// The Chromium of an npm package, with the libraries and fonts that a machine without any browser lacks.
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import npmChromium, { inflate } from '@sparticuz/chromium';

const packageDirectory = resolve(import.meta.dirname, '../../node_modules/@sparticuz/chromium');
const cache = resolve(import.meta.dirname, '../../node_modules/.cache');

export interface NpmBrowser {
  executablePath: string;
  env: Record<string, string | undefined>;
}

/** Workers may unpack at the same time: each does so in a directory of its own, and the first to finish publishes it. */
export async function unpackNpmBrowser(): Promise<NpmBrowser> {
  const { version } = JSON.parse(readFileSync(join(packageDirectory, 'package.json'), 'utf8')) as {
    version: string;
  };
  const directory = join(cache, `chromium-${version}`);
  if (!existsSync(directory)) {
    await mkdir(cache, { recursive: true });
    const own = await mkdtemp(join(cache, 'chromium-'));
    await Promise.all(unpackInto(own));
    await writeFile(join(own, 'fonts.conf'), fontsOf(directory));
    await rename(own, directory).catch(async (error: unknown) => {
      await rm(own, { recursive: true, force: true });
      if (!existsSync(directory)) throw error;
    });
  }
  const env = {
    ...process.env,
    LD_LIBRARY_PATH: join(directory, 'al2023/lib'),
    FONTCONFIG_FILE: join(directory, 'fonts.conf'),
  };
  return { executablePath: join(directory, 'chromium'), env };
}

/** The file of the package names other directories. Chromium ends where it finds no font at all. */
const fontsOf = (directory: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${directory}/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${directory}/fonts-cache</cachedir>
</fontconfig>
`;

/** The package unpacks into the directory for temporary files, which it reads before its first pause. */
function unpackInto(directory: string): Promise<string>[] {
  const { TMPDIR } = process.env;
  process.env['TMPDIR'] = directory;
  try {
    return [npmChromium.executablePath(), inflate(join(packageDirectory, 'bin/al2023.tar.br'))];
  } finally {
    if (TMPDIR === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = TMPDIR;
  }
}
