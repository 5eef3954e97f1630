/**
 * Which books were certified from what, kept where no image can write: a certificate in a project says nothing by itself,
 * since whoever may write there can have made it.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { TrustIssue } from '../../../contract/proof';
import { boundedJson } from '../../../host/bounded-json';
import { readWithin } from '../../../sandbox/file-within';
import { realPath } from '../../../sandbox/real-path';
import { type Book, sha256 } from './project-books';

/** Bytes of a certificate. */
const MOST_BYTES = 256 * 1024 * 1024;

/** `digest` is that of the book, `certificate` that of the file which ACL2 wrote. */
const Kept = z.object({ digest: z.string(), certificate: z.string(), issues: z.array(TrustIssue) });
export type Kept = z.infer<typeof Kept>;

export class KeptCertificates {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** What a certification told that still holds: neither the book, nor what it includes, nor its certificate has changed. */
  async find(book: Book): Promise<Kept | null> {
    try {
      const kept = Kept.parse(boundedJson(await readFile(this.#file(book), 'utf8')));
      return kept.digest === book.digest && kept.certificate === (await certificateOf(book)) ? kept : null;
    } catch {
      return null;
    }
  }

  async keep(book: Book, issues: TrustIssue[]): Promise<void> {
    const { digest } = book;
    const certificate = await certificateOf(book);
    if (certificate === null || digest === null) return;
    const kept: Kept = { digest, certificate, issues };
    const file = this.#file(book);
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const draft = `${file}.${process.pid}`;
    await writeFile(draft, JSON.stringify(kept), { mode: 0o600 });
    await rename(draft, file);
  }

  #file({ file }: Book): string {
    return path.join(this.#folder, `${sha256(file)}.json`);
  }
}

async function certificateOf({ file }: Book): Promise<string | null> {
  const bytes = await readWithin(realPath(path.dirname(file)), `${path.basename(file)}.cert`, MOST_BYTES);
  return bytes && sha256(bytes);
}
