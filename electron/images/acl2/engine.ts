/** The engine `acl2`: finds ACL2 on any host Lisp and starts a process, and so a world, for each session. */
import { mkdir, mkdtemp } from 'node:fs/promises';
import { totalmem } from 'node:os';
import path from 'node:path';
import type { EngineFound } from '../../contract/model';
import { system } from '../../host/system';
import type { Program } from '../../launchers/launcher';
import type { AgentLog } from '../agent/traits';
import { InstallationCache } from '../discovery';
import type { Engine, LimitName, StartRequest } from '../image';
import { CertificateStore } from './certification/certificate-store';
import { type CertificationOptions, CertificationTask } from './certification/certification';
import { readSavedWorld } from './checkpoints';
import { type CheckProcess, confinedTo, finalCheckContext } from './final-check/final-check';
import { Acl2Image } from './image';
import { findInstallation, type Installation, PLAIN_ENVIRONMENT, type SearchOptions } from './installation';
import { BookSearch } from './library';
import { booksAdvice, findBooks, SystemBooks } from './system-books';
import { type AllowedTag, OneWayLock, SystemTrustTags, trustTagAdvice } from './trust-tags';

export interface Acl2Options extends SearchOptions {
  /** Folder of the helper's Lisp files, `resources/lisp/acl2`. */
  helper: string;
  /** Folder for the records of certifications. No image can write to it. */
  certificates: string;
  /** Heap size of a new image in MiB, read at each start. */
  heapMiB: () => number;
  /** Trust tags that certified system books may use in all images, read at each evaluation. */
  trustTags: () => readonly string[];
  /** Whether final checks believe the certificates of system books instead of rebuilding these books. */
  trustSystemBooks: () => boolean;
  /** Folder of the lemma indexes, and the bundled lemma-worker.ts. */
  lemmas: { folder: string; worker: URL };
  log: AgentLog;
}

const MIB = 1024 * 1024;

/**
 * File of the Common Lisp agent that the helper loads if ACL2 runs on SBCL, relative to the helper's folder.
 */
const SHARED = '../sbcl/room.lisp';

export class Acl2Engine implements Engine {
  readonly name = 'acl2';
  readonly startsAhead = true;
  /** Processor time is limited only on Linux, where that of another process can be read. */
  readonly limits: readonly LimitName[] = system.hasProc
    ? ['heapMiB', 'cpuSeconds', 'outputChars']
    : ['heapMiB', 'outputChars'];
  readonly #options: Acl2Options;
  readonly #installed: InstallationCache<Installation>;
  readonly #tags = new Map<Installation['books'], SystemTrustTags>();
  readonly #bookSearch: BookSearch;

  constructor(options: Acl2Options) {
    this.#options = options;
    this.#installed = new InstallationCache(() => findInstallation(options));
    this.#bookSearch = new BookSearch(options.lemmas);
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

  /** @param check permissions of a process of a final check */
  async #start(request: StartRequest, check?: Check): Promise<Acl2Image> {
    const { log, helper, certificates } = this.#options;
    const saved = request.checkpoint === undefined ? null : await readSavedWorld(request.checkpoint);
    const found = await this.#installed.get();
    const installation =
      check?.books === undefined
        ? { ...found, ...(await this.#books(found)) }
        : { ...found, books: check.books };
    const heapMiB = request.heapMiB ?? this.#options.heapMiB();
    const program = await this.#program(installation, request, heapMiB);
    const launched = request.launcher.launch(program, request.confinement);
    const { package: packageName, checkpoint: _saved, ...plain } = request;
    const { project } = plain;
    const writable = [...writableFolders(request), ...(check?.writable ?? [])];
    const systemBooks = new SystemBooks(installation.books, writable);
    const lock = this.#lock(installation, request);
    const certifying = (as: OneWayLock): CertificationOptions => ({
      start: async () => {
        const image = await this.start({
          ...plain,
          programs: as.allowed || as.trustTags.length > 0,
        });
        image.rawLisp.copyFrom(as);
        return image;
      },
      project,
      certificates: new CertificateStore(certificates),
      prover: [installation.version, installation.image, installation.books].join(' '),
    });
    const startChecked = (each: CheckProcess) =>
      this.#start(
        { ...confinedTo(each, plain), programs: each.trustTags.length > 0 },
        { trustTags: each.trustTags, writable, books: each.books },
      );
    const books = {
      folder: installation.books,
      now: async () => (await this.#books(found)).books,
      search: this.#bookSearch,
    };
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
        alone: program.alone ?? false,
      },
      advice: (message, books) =>
        trustTagAdvice(message) ?? booksAdvice(message, books, installation.booksProblem),
      subprocesses: {
        certification: (id, as) => new CertificationTask(id, certifying(as)),
        finalCheckContext: finalCheckContext(project, systemBooks, this.#options.trustSystemBooks(), {
          start: startChecked,
          requireTags: (names) => lock.requireTags(names),
        }),
      },
    });
  }

  /** Returns the books that are there now. They may have been installed after ACL2 was found. */
  #books({ image }: Installation) {
    return findBooks(image, this.#options.books);
  }

  /** Returns a closed lock that permits only the trust tags allowed for all images. */
  #lock({ books }: Installation, { confinement }: StartRequest): OneWayLock {
    const tags = this.#tags.get(books) ?? new SystemTrustTags(books);
    this.#tags.set(books, tags);
    return new OneWayLock((names) => tags.of(names, confinement.writable), this.#options.trustTags);
  }

  /**
   * A shell redirects the wire to descriptors 0 and 1, because GCL can use no other descriptors. Programs that an
   * image started would inherit them, so it starts none unless the user has allowed trust tags.
   */
  async #program(
    { image, options, books, needs }: Installation,
    { home: folder, programs = false }: StartRequest,
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
        // Certificates are checked by book contents, not by dates.
        ACL2_BOOK_HASH_ALISTP: 'NIL',
        ...(books === undefined ? {} : { ACL2_SYSTEM_BOOKS: path.join(books, '/') }),
        ...memoryLimit(heapMiB),
      },
      cwd: home,
      alone: !programs && this.#options.trustTags().length === 0,
      needs: [...needs, helper, path.join(helper, SHARED), ...(books === undefined ? [] : [books])],
    };
  }
}

interface Check {
  trustTags: readonly AllowedTag[];
  /** As in `CheckProcess`. */
  books: string | undefined;
  /** Folders that the session may write to. Books in them are not system books. */
  writable: readonly string[];
}

function writableFolders({ confinement, project, home, checkpoints }: StartRequest): string[] {
  return [...confinement.writable, project, home, checkpoints];
}

/**
 * Creates an empty folder. GCL loads init.lsp from the working directory as raw Lisp, and ACL2 loads
 * acl2-init.lsp from HOME, regardless of options. A process that can write there, such as an earlier image of
 * the session, could compromise the logic.
 */
async function emptyHome(home: string): Promise<string> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  return mkdtemp(path.join(home, 'acl2-'));
}

/**
 * Memory limits for each host Lisp. GCL takes a fraction of the machine's memory and collects when half of it
 * is full.
 */
function memoryLimit(heapMiB: number): Record<string, string> {
  return {
    GCL_MEM_MULTIPLE: ((heapMiB * MIB) / totalmem()).toFixed(6),
    SBCL_USER_ARGS: `--dynamic-space-size ${heapMiB}`,
  };
}
