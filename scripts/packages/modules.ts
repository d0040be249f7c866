// The modules that a program reaches, as JavaScript in the same folders, and the packages that they import.
import { readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

export interface Modules {
  /** Text by path within the package. */
  files: ReadonlyMap<string, string>;
  dependencies: ReadonlySet<string>;
}

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  rewriteRelativeImportExtensions: true,
};

/** Node refuses to strip types below `node_modules`. */
export async function collectModules(root: string, entries: readonly string[]): Promise<Modules> {
  const files = new Map<string, string>();
  const dependencies = new Set<string>();
  const waiting = [...entries];
  const seen = new Set(waiting);
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const source = await readFile(join(root, file), 'utf8');
    if (!file.endsWith('.ts')) {
      files.set(file, source);
      continue;
    }
    const { outputText } = ts.transpileModule(source, {
      compilerOptions: options,
      fileName: join(root, file),
    });
    files.set(file.replace(/\.ts$/, '.js'), withThreads(outputText));
    for (const specifier of [...importsOf(outputText), ...threadsOf(outputText)]) {
      if (!specifier.startsWith('.')) {
        if (!isBuiltin(specifier)) dependencies.add(packageOf(specifier));
        continue;
      }
      const target = relative(root, join(root, dirname(file), specifier.replace(/\.js$/, '.ts')));
      if (!seen.has(target)) waiting.push(target);
      seen.add(target);
    }
  }
  return { files, dependencies };
}

/** Threads are named by URL, which the compiler neither follows nor rewrites. */
const thread = /new URL\('(\.[^']+)\.ts', import\.meta\.url\)/g;

const withThreads = (text: string) => text.replaceAll(thread, "new URL('$1.js', import.meta.url)");

const threadsOf = (text: string) => [...text.matchAll(thread)].map(([, path]) => `${path}.ts`);

/** Imports of the JavaScript, so without those of types. */
const importsOf = (text: string) =>
  ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);

const isBuiltin = (specifier: string) =>
  specifier.startsWith('node:') || builtinModules.includes(specifier.split('/')[0] ?? '');

const packageOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
