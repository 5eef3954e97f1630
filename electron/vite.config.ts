/** Builds the app: the entries of the main process, the preload script and the window. */
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';

const here = (file: string) => path.resolve(import.meta.dirname, '..', file);

/** JavaScript is bundled. Native modules and packages that run in their own process are not. */
const external = ['better-sqlite3', 'nbb'];

/** The bundler’s module graph. */
interface Modules {
  getModuleInfo(id: string): { importedIds: readonly string[]; importers: readonly string[] } | null;
}

/**
 * Puts all modules that the stdio bridge loads at its start into one file, because each client starts a
 * bridge. What only the bridge needs stays in its entry: commands load the file too.
 */
function startChunk(id: string, modules: Modules): string | null {
  const entry = here('electron/stdio.ts');
  const isOfEntry = modules.getModuleInfo(id)?.importers.every((importer) => importer === entry);
  return !isOfEntry && importedBy(entry, modules).has(id) ? 'start' : null;
}

function importedBy(entry: string, modules: Modules, found = new Set<string>()): Set<string> {
  for (const id of modules.getModuleInfo(entry)?.importedIds ?? []) {
    if (id.startsWith('node:') || found.has(id)) continue;
    found.add(id);
    importedBy(id, modules, found);
  }
  return found;
}

/** A chunk of a bundle, with the files that are in it. */
interface Chunk {
  type: string;
  moduleIds?: readonly string[];
  originalFileNames?: readonly string[];
}

interface Emitter {
  emitFile(file: { type: 'asset'; fileName: string; source: string }): void;
}

/** Lists the folders of the npm packages in a bundle, for the licence notices (resources/setup/notices.mjs). */
const listPackages = {
  name: 'list-packages',
  generateBundle(this: Emitter, _options: unknown, bundle: Record<string, Chunk>) {
    const files = Object.values(bundle).flatMap(({ moduleIds = [], originalFileNames = [] }) => [
      ...moduleIds,
      ...originalFileNames,
    ]);
    const folders = new Set(files.flatMap((file) => packageFolder(file) ?? []));
    this.emitFile({
      type: 'asset',
      fileName: 'packages.txt',
      source: `${[...folders].sort().join('\n')}\n`,
    });
  },
};

function packageFolder(file: string): string | undefined {
  // Modules have absolute paths, assets have paths relative to the window's folder.
  return /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
}

export default defineConfig({
  main: {
    plugins: [listPackages],
    build: {
      externalizeDeps: { include: external, exclude: [] },
      outDir: here('out/electron'),
      // For stack traces and test/called-files.mjs. Packages leave the maps out.
      sourcemap: 'hidden',
      rollupOptions: {
        input: {
          main: here('electron/main.ts'),
          serve: here('electron/serve.ts'),
          stdio: here('electron/stdio.ts'),
          'command-line': here('electron/command-line.ts'),
          fix: here('electron/fix.ts'),
          options: here('electron/host/options.ts'),
          'search-worker': here('electron/history/search-worker.ts'),
          'lemma-worker': here('electron/images/acl2/lemma-worker.ts'),
        },
        // Chunks are next to the entries, so that the paths of the app’s files are the same from both.
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash].js',
          codeSplitting: { groups: [{ name: startChunk, debugName: 'start' }] },
        },
      },
    },
  },
  preload: {
    plugins: [listPackages],
    build: {
      outDir: here('out/preload'),
      rollupOptions: {
        input: here('electron/preload.ts'),
        output: { format: 'cjs', entryFileNames: 'preload.cjs' },
      },
    },
  },
  renderer: {
    root: here('renderer'),
    base: './',
    plugins: [react(), listPackages],
    build: {
      outDir: here('out/renderer'),
      emptyOutDir: true,
      minify: true,
      rollupOptions: {
        input: { index: here('renderer/index.html'), 'index.ja': here('renderer/index.ja.html') },
      },
    },
  },
});
