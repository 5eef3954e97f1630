/** The engines of this harbor, in the order in which a default is chosen. */
import { homedir } from 'node:os';
import path from 'node:path';
import { places } from '../host/places';
import type { SettingsFile } from '../host/settings-file';
import { Acl2Engine } from '../images/acl2/engine';
import type { AgentLog } from '../images/agent/log';
import { ClojureEngine } from '../images/clojure/engine';
import type { Engine } from '../images/image';
import { LisplyEngine } from '../images/lisply/engine';
import { NbbEngine } from '../images/nbb/engine';
import { NreplEngine } from '../images/nrepl/engine';
import { ABCL } from '../images/portable/abcl';
import { CCL } from '../images/portable/ccl';
import { ECL } from '../images/portable/ecl';
import { PortableEngine } from '../images/portable/engine';
import { SbclEngine } from '../images/sbcl/engine';
import { SwankEngine } from '../images/swank/engine';

export interface EnginesDependencies {
  /** Folder where SBCL's cores and what is compiled for others are kept. */
  cores: string;
  /** ACL2's system books, where a person has named them. */
  books: string | undefined;
  /** Trust tags of those books that a person has allowed by an option. */
  trustTags: readonly string[];
  /** Folder where the lemmas of ACL2's books are kept. */
  lemmas: string;
  settings: Pick<SettingsFile, 'current'>;
  log: AgentLog;
}

export function composeEngines(dependencies: EnginesDependencies): Engine[] {
  const { cores, books, trustTags, lemmas, settings, log } = dependencies;
  const portable = { sources: places.lisp, compiled: cores, log };
  return [
    new SbclEngine({
      sources: places.lisp,
      cores,
      ownCommand: () => settings.current.sbclCommand,
      heapMiB: () => settings.current.sbclHeapMiB,
      slimeFolder: () => settings.current.slimeFolder,
      log,
    }),
    new NbbEngine(places.nbb),
    ...[ECL, ABCL, CCL].map((implementation) => new PortableEngine(implementation, portable)),
    new ClojureEngine({
      sources: places.clojure,
      compiled: cores,
      searchPath: process.env.PATH ?? '',
      home: homedir(),
      heapMiB: () => settings.current.javaHeapMiB,
    }),
    new Acl2Engine({
      helper: places.acl2,
      certificates: path.join(cores, 'acl2-certificates'),
      program: process.env.ACL2 || undefined,
      books: books || process.env.ACL2_BOOKS || process.env.ACL2_SYSTEM_BOOKS || undefined,
      searchPath: process.env.PATH ?? '',
      lemmas: { folder: lemmas, worker: places.lemmaWorker },
      heapMiB: () => settings.current.acl2HeapMiB,
      trustTags: () => [...trustTags, ...settings.current.acl2TrustTags],
      log,
    }),
    new NreplEngine({
      questions: places.clojure,
      named: () => settings.current.servers,
      heartbeatMs: () => settings.current.heartbeatMs,
    }),
    new SwankEngine({ sources: places.swank, named: () => settings.current.servers }),
    new LisplyEngine(() => settings.current.servers, process.env.PATH ?? ''),
  ];
}
