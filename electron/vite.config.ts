/** How the app is bundled: the entries of the main process, the preload script, the window. */
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';

const here = (file: string) => path.resolve(import.meta.dirname, '..', file);

/** Everything written in JavaScript is bundled; native modules and what runs in its own process stay modules. */
const external = ['better-sqlite3', 'nbb'];

/** What the bundler knows of its modules. */
interface Modules {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

/** What starts anew for each client reads one file instead of a dozen: all modules that the stdio bridge has at its start. */
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
        // Chunks lie beside the entries, so that places.ts finds the app's files from either.
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
