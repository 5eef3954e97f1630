/** A session to which a real Emacs is attached with SLIME, as a person has it done in the window. */
import { afterAll, beforeAll, vi } from 'vitest';
import { EditorPorts } from '../../electron/endpoints/editors/editor-ports';
import { serveSwank } from '../../electron/endpoints/editors/swank';
import type { Log } from '../../electron/host/log';
import { Engines } from '../../electron/images/discovery';
import type { Engine } from '../../electron/images/image';
import { chooseLauncher } from '../../electron/launchers/choose';
import { libraryFolders } from '../../electron/sandbox/allow-list';
import { SwankSession } from '../../electron/sessions/editors/swank-session';
import type { Session } from '../../electron/sessions/session/session';
import { LANDLOCK } from '../landlock-launcher';
import { SlimeEmacs } from '../slime-emacs';
import { engine } from './sbcl-fixture';
import { evaluate, type SessionsFixture, sessionsFixture } from './sessions-fixture';

/** Compiling Swank and starting Emacs take a while on a busy machine. */
export const SLIME_TEST_MS = 120_000;

vi.setConfig({ testTimeout: SLIME_TEST_MS });

export interface Attachment extends SessionsFixture {
  session: Session;
  ports: EditorPorts<SwankSession>;
  /** Lets no client evaluate, for this reason; null lets all. */
  refuse(why: string | null): void;
  /** Of the session. */
  port: number;
  /** One that is connected. */
  emacs: SlimeEmacs;
  /** Another one, not connected yet. */
  anotherEmacs(): SlimeEmacs;
}

export interface AttachedOptions {
  unconfined?: boolean;
  /** The folder of SLIME, for the image and for Emacs; those that are installed unless given. */
  slime?: string;
  /** Instead of SBCL. */
  on?: Engine;
}

/** For a whole file or group of tests, because Swank is compiled for each session; answers the attachment once it is there. */
export function attachedSession(given: AttachedOptions = {}): () => Attachment {
  const ends: (() => Promise<unknown>)[] = [];
  let attachment: Attachment | undefined;
  beforeAll(async () => {
    attachment = await attach(given, (end) => ends.push(end));
  }, SLIME_TEST_MS);
  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });
  return () => {
    if (!attachment) throw new Error('Nothing is attached yet.');
    return attachment;
  };
}

async function attach(
  { unconfined = true, slime, on = engine(undefined, slime) }: AttachedOptions,
  atEnd: (end: () => Promise<unknown>) => void,
): Promise<Attachment> {
  const readable = [...libraryFolders('/nowhere'), ...(slime === undefined ? [] : [slime])];
  const fixture = sessionsFixture(
    {
      instead: {
        engines: new Engines([on], () => undefined),
        launcher: await chooseLauncher({ unconfined, landlock: LANDLOCK }),
        confine: (project) => ({ writable: [project], readable, network: false }),
      },
    },
    atEnd,
  );
  let refusal: string | null = null;
  const ports = swankPorts(fixture, () => refusal);
  const refuse = (why: string | null) => {
    refusal = why;
  };
  atEnd(() => ports.close());
  const anotherEmacs = () => {
    const emacs = new SlimeEmacs({ slime });
    atEnd(() => emacs.end());
    return emacs;
  };
  const { sessions, project } = fixture;
  const session = await sessions.open({ client: 'tester', project, engine: on.name });
  const { port } = await ports.open(session.id);
  const emacs = anotherEmacs();
  await emacs.connect(port);
  return { ...fixture, session, ports, refuse, port, emacs, anotherEmacs };
}

const SILENT: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** @param refusal why the user lets no client evaluate */
export function swankPorts(
  { sessions }: SessionsFixture,
  refusal: () => string | null = () => null,
): EditorPorts<SwankSession> {
  const person = { key: 'you', scopes: new Set(['admin'] as const) };
  const hostOf = async (id: string) => {
    const session = new SwankSession(await sessions.find(id, person, null), person.key, 'swank');
    return { session: id, get: async () => session };
  };
  const defaultHost = () => {
    throw new Error('these ports are those of sessions');
  };
  return new EditorPorts<SwankSession>({
    protocol: 'swank',
    serve: (socket, host, joined) =>
      serveSwank(socket, host, joined, { protocol: 'swank', refusal, log: SILENT }),
    hostOf,
    defaultHost,
    changed: () => undefined,
  });
}

/** The values of the last form that the agent evaluates. */
export async function valuesOf(session: Session, code: string): Promise<string[]> {
  const { forms, condition } = await evaluate(session, code).settled;
  if (condition) throw new Error(condition.message);
  return forms.at(-1)?.values ?? [];
}

/** The names of the threads that are the image's own when nothing of SLIME's is left. */
export const OWN_THREADS = ['lisp-harbor evaluation', 'lisp-harbor output', 'main thread'];

/** Names of the image's threads, sorted. */
export async function threadsOf(session: Session): Promise<string[]> {
  const [names] = await valuesOf(
    session,
    `(sort (mapcar #'sb-thread:thread-name (sb-thread:list-all-threads)) #'string<)`,
  );
  return [...(names ?? '').matchAll(/"([^"]*)"/g)].map(([, name]) => name ?? '');
}
