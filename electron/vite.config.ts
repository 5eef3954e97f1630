/** Builds the app: the entries of the main process, the preload script and the window. */
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';

const here = (file: string) => path.resolve(import.meta.dirname, '..', file);

/** JavaScript is bundled. Native modules and packages that run in their own process are not. */
const external = ['better-sqlite3', 'nbb'];

/** The bundler’s module graph. */
interface Modules {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

/**
 * Puts all modules that the stdio bridge loads at its start into one file, because each client starts a
 * bridge.
 */
function startChunk(id: string, modules: Modules): string | null {
  return importedBy(here('electron/stdio.ts'), modules).has(id) ? 'start' : null;
}

function importedBy(entry: string, modules: Modules, found = new Set<string>()): Set<string> {
  for (const id of modules.getModuleInfo(entry)?.importedIds ?? []) {
    if (id.startsWith('node:') || found.has(id)) continue;
    found.add(id);
    importedBy(id, modules, found);
  }
  return found;
}

export default defineConfig({
  main: {
    build: {
      externalizeDeps: { include: external, exclude: [] },
      outDir: here('out/electron'),
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
    plugins: [react()],
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
