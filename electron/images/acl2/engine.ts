/** The engine `acl2`: finds ACL2, on whatever Lisp it runs, and starts a process, thus a world, for each session. */
import { mkdir, mkdtemp } from 'node:fs/promises';
import { totalmem } from 'node:os';
import path from 'node:path';
import type { EngineFound } from '../../contract/model';
import type { Program } from '../../launchers/launcher';
import type { AgentLog } from '../agent/log';
import type { Engine, LimitName, StartRequest } from '../image';
import { Installed } from '../installed';
import { SystemBooks } from './books';
import { Certifying, type CertifyingOptions } from './certification/certifying';
import { KeptCertificates } from './certification/kept-certificates';
import { checking, confinedTo } from './final-check/checking';
import type { CheckProcess } from './final-check/final-check';
import { Acl2Image } from './image';
import { findInstallation, type Installation, PLAIN_ENVIRONMENT, type SearchOptions } from './installation';
import { LemmaSearch } from './lemma-search';
import { OneWayLock, trustTagAdvice } from './raw-lisp';
import { readSavedWorld } from './saved-world';
import { booksAdvice } from './system-books';
import { SystemTrustTags } from './system-trust-tags';

export interface Acl2Options extends SearchOptions {
  /** Folder of the helper's Lisp files, `resources/lisp/acl2`. */
  helper: string;
  /** Folder for what is kept of certifications, where no image writes. */
  certificates: string;
  /** Memory that a new image may fill in MiB, asked at each start. */
  heapMiB: () => number;
  /** Trust tags that the system's certified books may use in every image; asked at each evaluation. */
  trustTags: () => readonly string[];
  /** Where the lemmas of books are kept, and the bundled lemma-worker.ts, which finds them. */
  lemmas: { folder: string; worker: URL };
  log: AgentLog;
}

const MIB = 1024 * 1024;

/** What the helper loads of the agent's files where ACL2 runs on SBCL, seen from its folder. */
const SHARED = '../sbcl/room.lisp';

export class Acl2Engine implements Engine {
  readonly name = 'acl2';
  readonly startsAhead = true;
  /** Only Linux tells how much processor time another process has used. */
  readonly limits: readonly LimitName[] =
    process.platform === 'linux' ? ['heapMiB', 'cpuSeconds', 'outputChars'] : ['heapMiB', 'outputChars'];
  readonly #options: Acl2Options;
  readonly #installed: Installed<Installation>;
  readonly #tags = new Map<Installation['books'], SystemTrustTags>();
  readonly #lemmas: LemmaSearch;

  constructor(options: Acl2Options) {
    this.#options = options;
    this.#installed = new Installed(() => findInstallation(options));
    this.#lemmas = new LemmaSearch(options.lemmas);
  }

  discover(): Promise<EngineFound> {
    return this.#installed.discover(this.name, ({ version, image, booksProblem }) => ({
      version,
      path: image,
      ...(booksProblem?.named ? { reason: booksProblem.sentence } : {}),
    }));
  }

  start(request: StartRequest): Promise<Acl2Image> {
    return this.#start(request);
  }

  /** @param check what a process of a final check may use */
  async #start(request: StartRequest, check?: Check): Promise<Acl2Image> {
    const { log, helper, certificates } = this.#options;
    const saved = request.checkpoint === undefined ? null : await readSavedWorld(request.checkpoint);
    const installation = await this.#installed.get();
    const heapMiB = request.heapMiB ?? this.#options.heapMiB();
    const program = await this.#program(installation, request, heapMiB);
    const launched = request.launcher.launch(program, request.confinement);
    const { package: packageName, checkpoint: _saved, ...plain } = request;
    const { project } = plain;
    const writable = [...writableFolders(request), ...(check?.writable ?? [])];
    const systemBooks = new SystemBooks(installation.books, writable);
    const lock = this.#lock(installation, request);
    const certifying = (as: OneWayLock): CertifyingOptions => ({
      start: async () => {
        const image = await this.start(plain);
        image.rawLisp.openAs(as);
        return image;
      },
      project,
      certificates: new KeptCertificates(certificates),
      prover: [installation.version, installation.image, installation.books].join(' '),
    });
    const startChecked = (each: CheckProcess) =>
      this.#start(confinedTo(each, plain), { trustTags: each.trustTags, writable });
    const books = { folder: installation.books, lemmas: this.#lemmas };
    return Acl2Image.start(launched, {
      ...{
        log,
        helper,
        project,
        heapBytes: heapMiB * MIB,
        systemBooks,
        books,
        saved,
        lock,
        checked: check?.trustTags,
        package: packageName,
      },
      advice: (message, books) =>
        trustTagAdvice(message) ?? booksAdvice(message, books, installation.booksProblem),
      others: {
        certifying: (id, as) => new Certifying(id, certifying(as)),
        checking: checking(project, systemBooks, startChecked),
      },
    });
  }

  /** Closed, but for the tags that a person has allowed to all images. */
  #lock({ books }: Installation, { confinement }: StartRequest): OneWayLock {
    const tags = this.#tags.get(books) ?? new SystemTrustTags(books);
    this.#tags.set(books, tags);
    return new OneWayLock((names) => tags.of(names, confinement.writable), this.#options.trustTags);
  }

  /** A shell makes the wire ACL2's descriptors 0 and 1, since GCL can read and write no other ones. */
  async #program(
    { image, options, books, needs }: Installation,
    { home: folder }: StartRequest,
    heapMiB: number,
  ): Promise<Program> {
    const home = await emptyHome(folder);
    const { helper } = this.#options;
    return {
      command: '/bin/sh',
      args: ['-c', 'exec "$0" "$@" <&3 >&3 3<&-', image, ...options],
      env: {
        ...PLAIN_ENVIRONMENT,
        HOME: home,
        TMPDIR: home,
        // Certificates are checked by the books' contents and not by their dates.
        ACL2_BOOK_HASH_ALISTP: 'NIL',
        ...(books === undefined ? {} : { ACL2_SYSTEM_BOOKS: path.join(books, '/') }),
        ...memoryLimit(heapMiB),
      },
      cwd: home,
      needs: [...needs, helper, path.join(helper, SHARED), ...(books === undefined ? [] : [books])],
    };
  }
}

interface Check {
  trustTags: readonly string[];
  /** Folders that the session may write to, which asks for the check: no book there is the system's. */
  writable: readonly string[];
}

function writableFolders({ confinement, project, home, checkpoints }: StartRequest): string[] {
  return [...confinement.writable, project, home, checkpoints];
}

/**
 * A new folder, in which no file is: GCL loads init.lsp of the working directory as raw Lisp, and ACL2 acl2-init.lsp of
 * the HOME, whatever the options. Who could write there would own the logic, and an earlier image of the session could.
 */
async function emptyHome(home: string): Promise<string> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  return mkdtemp(path.join(home, 'acl2-'));
}

/** Each host reads its own. GCL takes a fraction of the machine's memory, and collects when half of that is full. */
function memoryLimit(heapMiB: number): Record<string, string> {
  return {
    GCL_MEM_MULTIPLE: ((heapMiB * MIB) / totalmem()).toFixed(6),
    SBCL_USER_ARGS: `--dynamic-space-size ${heapMiB}`,
  };
}
