/** Optional abilities of images, and the error for an ability that an engine does not offer. */

import { HarborError } from '../../contract/errors';
import { instead, type Mention, mention, ours } from '../../contract/mention';
import type { EngineName, SessionView } from '../../contract/model';
import type { Image } from '../../images/image';
import type { Usage } from '../../launchers/launcher';

/** An optional group of methods of `Image`, as images/image.ts declares it. */
export type Ability =
  | 'knowledge'
  | 'inspector'
  | 'exceptions'
  | 'taps'
  | 'loader'
  | 'debugger'
  | 'checkpoints'
  | 'brancher'
  | 'sampler'
  | 'tracer'
  | 'memory'
  | 'world'
  | 'library'
  | 'heartbeat'
  | 'backend'
  | 'slime'
  | 'nrepl'
  | 'rawLisp';

type Group<A extends Ability> = NonNullable<Image[A]>;

/**
 * `tells`: runs no user code, or only stops it. `runs`: runs user code, so it needs an admitted request of
 * the session.
 */
type MethodUse = 'tells' | 'runs';

type MethodsOf<G> = {
  [M in keyof G as NonNullable<G[M]> extends (...args: never[]) => unknown ? M : never]-?: MethodUse;
};

/**
 * The methods of each ability. A method that is missing here cannot be reached. Methods that return code run
 * nothing: the caller evaluates the code.
 */
const METHODS = {
  knowledge: {
    describe: 'tells',
    disassemble: 'tells',
    find: 'tells',
    unknownPackages: 'tells',
    systemFolders: 'tells',
    loadedText: 'tells',
    expansionCode: 'tells',
  },
  inspector: {
    inspect: 'tells',
    records: 'tells',
    numbers: 'tells',
    octets: 'tells',
    settingCode: 'tells',
    retainedValueCode: 'tells',
  },
  exceptions: { causes: 'tells', source: 'tells' },
  taps: { read: 'tells', forget: 'tells' },
  loader: {
    loadCode: 'tells',
    freshCode: 'tells',
    anewCode: 'tells',
    untilCode: 'tells',
    bookCode: 'tells',
    testCode: 'tells',
    testedBooks: 'tells',
  },
  debugger: { show: 'tells', frame: 'tells', restart: 'runs', step: 'runs', abort: 'tells' },
  checkpoints: { save: 'runs' },
  brancher: { branch: 'runs' },
  sampler: {},
  tracer: { trace: 'tells', call: 'tells' },
  memory: { read: 'tells' },
  world: {
    commands: 'tells',
    dependencies: 'tells',
    statements: 'tells',
    written: 'tells',
    undoCode: 'tells',
    undoOneCode: 'tells',
    certifyCode: 'tells',
    observeCode: 'tells',
    checkCode: 'tells',
    buildCode: 'tells',
  },
  library: { lemmas: 'tells', topics: 'tells' },
  heartbeat: {},
  backend: { request: 'runs', ping: 'tells' },
  nrepl: { send: 'tells' },
  slime: { start: 'runs', connect: 'runs', stop: 'tells' },
  rawLisp: { allow: 'runs', allowTrustTags: 'runs' },
} as const satisfies { [A in Ability]: MethodsOf<Group<A>> };

type Running<A extends Ability> = {
  [M in keyof (typeof METHODS)[A]]: (typeof METHODS)[A][M] extends 'runs' ? M : never;
}[keyof (typeof METHODS)[A]];

/** The methods of an ability that need no admission. */
export type QueryMethods<A extends Ability> = Omit<Group<A>, Running<A>>;

/** Abilities that only the window uses. */
type PersonsAbility = 'slime' | 'nrepl' | 'rawLisp' | 'exceptions' | 'taps';

/** An ability in error messages: what it is about, and how our tools use it. */
interface Offer {
  about: string;
  use?: Mention;
}

/** A heartbeat exists only in attached sessions. */
const OFFERS: Readonly<Record<Exclude<Ability, PersonsAbility>, Offer>> = {
  knowledge: {
    about: 'lookup of names',
    use: mention`${ours('describe')} and ${ours('find')}`,
  },
  inspector: { about: 'inspection', use: mention`${ours('inspect')}` },
  loader: {
    about: 'loading and tests',
    use: mention`${ours('load')} and ${ours('run_tests')}`,
  },
  debugger: { about: 'a debugger', use: mention`${ours('debug')}` },
  checkpoints: { about: 'checkpoints', use: mention`${ours('checkpoint')}` },
  brancher: { about: 'evaluation in a copy (try)', use: mention`${ours('eval', 'try')} with try` },
  sampler: { about: 'sampling (profile)', use: mention`${ours('eval', 'profile')} with profile` },
  tracer: { about: 'traces of calls' },
  memory: { about: 'what fills its memory', use: mention`what fills its memory in ${ours('images')}` },
  world: { about: 'the commands of a logical world' },
  library: { about: 'lemmas and documentation', use: mention`${ours('find')} of lemmas and documentation` },
  heartbeat: { about: 'the state of its server' },
  backend: { about: 'requests to its HTTP server' },
};

/** @throws HarborError `not_supported` */
export function abilityOf<A extends Ability>(image: Image, engine: EngineName, ability: A): Group<A> {
  const group = image[ability];
  if (group) return group;
  const missing: Ability = ability;
  if (missing === 'slime') throw noSlime(engine);
  if (missing === 'nrepl') throw noNrepl(engine);
  if (missing === 'rawLisp') throw noRawLispLock(engine);
  if (missing === 'exceptions') throw noExceptions(engine);
  if (missing === 'taps') throw noTaps(engine);
  if (missing === 'library') throw noLibrary(engine);
  throw notOffered(image, engine, OFFERS[missing]);
}

function notOffered(image: Image, engine: EngineName, missing: Offer): HarborError {
  const offered = Object.entries(OFFERS).filter(([name]) => image[name as Ability]);
  const uses = offered.map(([, offer]) => mentionOf(offer));
  const list = uses.reduce((before, use) => mention`${before}, ${use}`, mention`${ours('eval')}`);
  return new HarborError('not_supported', `A session of ${engine} does not offer ${missing.about}.`, {
    mentions: [
      instead(mention`A session of ${engine} does not offer ${mentionOf(missing)}.`),
      mention`It offers ${list}: ask the image itself by evaluating.`,
    ],
  });
}

function mentionOf({ about, use = mention`${about}` }: Offer): Mention {
  return use;
}

function noSlime(engine: EngineName): HarborError {
  return new HarborError(
    'not_supported',
    `Emacs cannot be attached to a session of ${engine} with SLIME or SLY: only sbcl and ecl run their servers.`,
  );
}

function noNrepl(engine: EngineName): HarborError {
  return new HarborError('not_supported', `An image of ${engine} has no nREPL server of its own.`);
}

function noRawLispLock(engine: EngineName): HarborError {
  return new HarborError(
    'not_supported',
    `A session of ${engine} has no raw Lisp lock: only a prover has one.`,
  );
}

function noExceptions(engine: EngineName): HarborError {
  return new HarborError(
    'not_supported',
    `A session of ${engine} does not retain thrown exceptions. The history has their reports.`,
  );
}

function noTaps(engine: EngineName): HarborError {
  return new HarborError(
    'not_supported',
    `A session of ${engine} has no taps: tap> exists only in Clojure on a JVM.`,
  );
}

function noLibrary(engine: EngineName): HarborError {
  return new HarborError(
    'not_supported',
    `A session of ${engine} has neither lemmas nor searchable documentation; a session of acl2 has both.`,
    { mentions: [mention`${ours('open_session')} opens one.`] },
  );
}

export function imageLostError(session: string, because: string, attached: boolean): HarborError {
  const again = attached ? 'that connects again' : 'that starts a fresh one';
  return new HarborError(
    'image_lost',
    `The image of session ${session} is gone because ${because}. Evaluate something: ${again}.`,
  );
}

/**
 * Milliseconds for which a reading is reused. Reading is expensive: the kernel adds up every page of the
 * process.
 */
const FRESH_MS = 1_000;

export class ImageUsage {
  readonly #image: () => Image | null;
  #read: { of: Image; at: number; usage: Usage | null } | null = null;

  /**
   * Reads the memory use of a session's image process and caches the last reading.
   * @param image returns the current image of the session
   */
  constructor(image: () => Image | null) {
    this.#image = image;
  }

  /** The last reading. Null if it belongs to another image. */
  get view(): Pick<SessionView, 'pid' | 'memoryBytes'> {
    const usage = this.#read?.of === this.#image() ? this.#read?.usage : null;
    return { pid: usage?.pid ?? null, memoryBytes: usage?.memoryBytes ?? null };
  }

  async refresh(): Promise<void> {
    const image = this.#image();
    const at = performance.now();
    if (!image || (this.#read?.of === image && at - this.#read.at < FRESH_MS)) return;
    this.#read = { of: image, at, usage: await image.usage() };
  }
}

/** Returns the part of `SessionView` that depends only on the image: its package, sandbox and abilities. */
export function imageView(
  image: Image,
): Pick<
  SessionView,
  'package' | 'sandbox' | 'checkpoints' | 'slime' | 'taps' | 'world' | 'rawLisp' | 'trustTags' | 'measures'
> {
  return {
    package: image.package,
    sandbox: image.sandbox,
    checkpoints: image.checkpoints !== undefined,
    slime: image.slime !== undefined,
    taps: image.taps !== undefined,
    world: image.world !== undefined,
    ...(image.sampler || image.tracer || image.hold ? { measures: measuresOf(image) } : {}),
    ...(image.rawLisp ? { rawLisp: image.rawLisp.allowed, trustTags: [...image.rawLisp.trustTags] } : {}),
  };
}

function measuresOf({ sampler, tracer, hold }: Image): NonNullable<SessionView['measures']> {
  return { profile: sampler !== undefined, trace: tracer !== undefined, break: hold !== undefined };
}
