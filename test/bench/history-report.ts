/** `npm run bench -- --history [ROWS]`: what rows, pages, searches and a start cost with few and with a million rows. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'vite';
import { writeManyEntries } from '../many-entries.ts';
import { ROOT } from '../started-harbor.ts';

const FEW = 1_000;
const MANY = 1_000_000;
const ROUNDS = 600;

interface Row {
  what: string;
  size: string;
  medianMs: number;
  p95Ms: number;
}

/** @param many rows of the large one */
export async function reportHistory(many = MANY): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'harbor-bench-history-'));
  try {
    const program = await bundled(folder);
    const sizes = [FEW, many].map((rows) => path.join(folder, String(rows)));
    for (const place of sizes) {
      mkdirSync(place);
      writeManyEntries(process.execPath, place, Number(path.basename(place)));
    }
    const worker = path.join(ROOT, 'out/electron/search-worker.js');
    const printed = execFileSync(process.execPath, [program, worker, String(ROUNDS), ...sizes], {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      encoding: 'utf8',
      maxBuffer: 16 * 1024 * 1024,
    });
    report(
      printed
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Row),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What is measured is TypeScript of the app: it is bundled as that is; bare imports are found through a link. */
async function bundled(folder: string): Promise<string> {
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: path.join(import.meta.dirname, 'history-measure.ts'),
      outDir: folder,
      emptyOutDir: false,
      target: 'node24',
      rollupOptions: { output: { entryFileNames: 'measure.mjs' } },
    },
  });
  return path.join(folder, 'measure.mjs');
}

function report(rows: readonly Row[]): void {
  const few = new Map(rows.filter(({ size }) => size === String(FEW)).map((row) => [row.what, row.medianMs]));
  const lines = rows.map(({ what, size, medianMs, p95Ms }) => {
    const ratio = size === String(FEW) ? '' : `${(medianMs / (few.get(what) ?? Number.NaN)).toFixed(2)} ×`;
    const times = [medianMs, p95Ms].map((ms) => `${ms.toFixed(3)} ms`.padStart(14)).join('');
    return `${what.padEnd(36)}${Number(size).toLocaleString('en-US').padStart(11)}${times}${ratio.padStart(10)}`;
  });
  const head = `${'history'.padEnd(36)}${'rows'.padStart(11)}${'median'.padStart(14)}${'p95'.padStart(14)}${'ratio'.padStart(10)}`;
  process.stdout.write(`${[head, ...lines].join('\n')}\n`);
}
