/** What an image can do beside evaluating. Tools ask for an ability; the answer to a missing one says what there is. */
import { HarborError } from '../../contract/errors';
import type { EngineName } from '../../contract/model';
import type { Image } from '../../images/image';

/** The optional groups of images/image.ts. */
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
  | 'memory'
  | 'world'
  | 'library'
  | 'heartbeat'
  | 'backend'
  | 'slime'
  | 'rawLisp';

type Group<A extends Ability> = NonNullable<Image[A]>;

/** `tells`: it runs nothing that anybody wrote, or stops it. `runs`: it does, or lets do, what only a session asks for,
 * once the door lets it in. */
type Does = 'tells' | 'runs';

type MethodsOf<G> = {
  [M in keyof G as NonNullable<G[M]> extends (...args: never[]) => unknown ? M : never]-?: Does;
};

/** Each method of each ability: none can be reached that is not named here. Code that a method answers is evaluated. */
const METHODS = {
  knowledge: {
    describe: 'tells',
    disassemble: 'tells',
    find: 'tells',
    strangers: 'tells',
    systemFolders: 'tells',
    expansionCode: 'tells',
  },
  inspector: {
    inspect: 'tells',
    records: 'tells',
    numbers: 'tells',
    octets: 'tells',
    settingCode: 'tells',
    keptValueCode: 'tells',
  },
  exceptions: { causes: 'tells', source: 'tells' },
  taps: { read: 'tells', forget: 'tells' },
  loader: { loadCode: 'tells', anewCode: 'tells', bookCode: 'tells', testCode: 'tells' },
  debugger: { show: 'tells', frame: 'tells', restart: 'runs', step: 'runs', abort: 'tells' },
  checkpoints: { save: 'runs' },
  brancher: { branch: 'runs' },
  sampler: {},
  memory: { read: 'tells' },
  world: {
    commands: 'tells',
    dependencies: 'tells',
    statements: 'tells',
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
  slime: { start: 'runs', connect: 'runs', stop: 'tells' },
  rawLisp: { allow: 'runs', allowTrustTags: 'runs' },
} as const satisfies { [A in Ability]: MethodsOf<Group<A>> };

type Running<A extends Ability> = {
  [M in keyof (typeof METHODS)[A]]: (typeof METHODS)[A][M] extends 'runs' ? M : never;
}[keyof (typeof METHODS)[A]];

/** What of an ability nobody need be let in for. */
export type Telling<A extends Ability> = Omit<Group<A>, Running<A>>;

/** What only a person uses. */
type PersonsAbility = 'slime' | 'rawLisp' | 'exceptions' | 'taps';

/** What an agent asks for to use each of the others; who asks for a heartbeat has attached to a server. */
const TOOLS: Readonly<Record<Exclude<Ability, PersonsAbility>, string>> = {
  knowledge: '`describe` and `find`',
  inspector: '`inspect`',
  loader: '`load` and `run_tests`',
  debugger: '`debug`',
  checkpoints: '`checkpoint`',
  brancher: '`eval` with try',
  sampler: '`eval` with profile',
  memory: 'what fills its memory in `images`',
  world: 'the commands of a logical world',
  library: '`find` of lemmas and documentation',
  heartbeat: 'the state of its server in `nrepl-status`',
  backend: '`http_request`',
};

/** @throws HarborError `not_supported` */
export function abilityOf<A extends Ability>(image: Image, engine: EngineName, ability: A): Group<A> {
  const group = image[ability];
  if (group) return group;
  const missing: Ability = ability;
  if (missing === 'slime') throw noSlime(engine);
  if (missing === 'rawLisp') throw noRawLispLock(engine);
  if (missing === 'exceptions') throw noExceptions(engine);
  if (missing === 'taps') throw noTaps(engine);
  if (missing === 'library') throw noLibrary(engine);
  throw notOffered(image, engine, TOOLS[missing]);
}

function notOffered(image: Image, engine: EngineName, tools: string): HarborError {
  const others = Object.entries(TOOLS).filter(([name]) => image[name as Ability]);
  const can = ['`eval`', ...others.map(([, names]) => names)].join(', ');
  return new HarborError(
    'not_supported',
    `A session of ${engine} does not offer ${tools}. It offers ${can}: ask the image itself by evaluating.`,
  );
}

function noSlime(engine: EngineName): HarborError {
  return new HarborError(
    'not_supported',
    `Emacs cannot be attached to a session of ${engine}: of the engines here only sbcl carries SLIME’s server.`,
  );
}

function noRawLispLock(engine: EngineName): HarborError {
  return new HarborError(
    'not_supported',
    `Nothing keeps a session of ${engine} from raw Lisp: only a prover has that lock.`,
  );
}

function noExceptions(engine: EngineName): HarborError {
  return new HarborError(
    'not_supported',
    `A session of ${engine} keeps nothing of what was thrown: the history has what was told of it.`,
  );
}

function noTaps(engine: EngineName): HarborError {
  return new HarborError(
    'not_supported',
    `A session of ${engine} keeps no taps: tap> is Clojure’s on a JVM.`,
  );
}

function noLibrary(engine: EngineName): HarborError {
  return new HarborError(
    'not_supported',
    `A session of ${engine} has no lemmas, and no documentation that can be searched: a session of acl2 has both. \`open_session\` opens one.`,
  );
}

export function imageIsGone(session: string, because: string, attached: boolean): HarborError {
  const again = attached ? 'that connects again' : 'that starts a fresh one';
  return new HarborError(
    'image_lost',
    `The image of session ${session} is gone because ${because}. Evaluate something: ${again}.`,
  );
}
