/**
 * Servers that speak the dialects of Swank, written from the protocol: what each version takes and sends, in one table.
 * They evaluate nothing: an evaluation prints three lines, and is over when its server has been heard.
 */
import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import net from 'node:net';
import { FrameDecoder, frame } from '../electron/host/swank-framing';
import { elementsOf, LispSymbol, parsedSexp, printSexp, type Sexp } from '../electron/images/swank/sexp';

export interface Dialect {
  name: string;
  /** The heads of requests that it can read. */
  reads: RegExp;
  /** Keywords that CREATE-REPL takes. */
  replKeywords: readonly string[];
  /** Whether the thread that prints waits until it hears that its text was taken. */
  awaitsWritten: boolean;
}

/** What is read of a name that a Lisp does not know may end the connection. */
const SWANK = /^(?!slynk)/;

export const DIALECTS: readonly Dialect[] = [
  { name: 'SLIME 2.20 to 2.27', reads: SWANK, replKeywords: [':coding-system'], awaitsWritten: false },
  { name: 'SLIME 2.28 to 2.30', reads: SWANK, replKeywords: [':coding-system'], awaitsWritten: true },
  { name: 'SLIME since 2.31', reads: SWANK, replKeywords: [], awaitsWritten: true },
];

/** It reads `swank:` as `slynk:`, and has not everything that Swank has. */
export const SLY: Dialect = {
  name: 'SLY',
  reads: /^(cl:|(swank|slynk):connection-info$)/,
  replKeywords: [],
  awaitsWritten: false,
};

/** The thread in which a dialect prints. */
const THREAD = 3;

export class DialectServer {
  readonly port: number;
  readonly #server: net.Server;
  readonly #sockets = new Set<net.Socket>();

  static async start(dialect: Dialect): Promise<DialectServer> {
    const server = net.createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new DialectServer(server, dialect);
  }

  private constructor(server: net.Server, dialect: Dialect) {
    this.#server = server;
    this.port = (server.address() as net.AddressInfo).port;
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => socket.destroy());
      const connection = new Connection(dialect, (message) => void socket.write(frame(message)));
      const decoder = new FrameDecoder();
      socket.on('data', (chunk) => {
        for (const message of decoder.read(Buffer.from(chunk))) connection.receive(message);
      });
    });
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

class Connection {
  readonly #dialect: Dialect;
  readonly #say: (message: string) => void;
  /** What the thread that prints has yet to say. */
  #unsaid: string[] = [];

  constructor(dialect: Dialect, say: (message: string) => void) {
    this.#dialect = dialect;
    this.#say = say;
  }

  receive(message: string): void {
    const [head, form = [], , , id] = elementsOf(parsedSexp(message));
    if (nameOf(head) === ':write-done' && form === THREAD) this.#go();
    if (nameOf(head) !== ':emacs-rex') return;
    if (!this.#dialect.reads.test(nameOf(elementsOf(form)[0])))
      this.#say(printSexp([new LispSymbol(':reader-error'), message, 'There is no such package.']));
    else this.#answer(form, printSexp(id ?? []));
  }

  #answer(form: Sexp, id: string): void {
    const creating = callIn(form, 'swank-repl:create-repl');
    const strange = creating?.find(
      (each) => isKeyword(each) && !this.#dialect.replKeywords.includes(each.name),
    );
    if (strange) this.#say(`(:return (:abort "unknown &KEY argument: ${printSexp(strange)}") ${id})`);
    else if (callIn(form, 'lisp-harbor.swank:evaluate')) this.#print(id);
    else if (callIn(form, 'cl:find-package'))
      this.#say(`(:return (:ok ${this.#dialect === SLY ? 't' : 'nil'}) ${id})`);
    else this.#say(`(:return (:ok ${ANSWERS[nameOf(elementsOf(form)[0])] ?? 'nil'}) ${id})`);
  }

  #print(id: string): void {
    const waiting = this.#dialect.awaitsWritten ? ` nil ${THREAD}` : '';
    const lines = [1, 2, 3].map((line) => `(:write-string "line ${line}\n"${waiting})`);
    this.#unsaid.push(...lines, `(:return (:ok ("CL-USER" "(f)" ("7"))) ${id})`);
    this.#go();
  }

  /** Until the next thing that somebody has to hear first. */
  #go(): void {
    do {
      const message = this.#unsaid.shift();
      if (message !== undefined) this.#say(message);
    } while (!this.#dialect.awaitsWritten && this.#unsaid.length > 0);
  }
}

const INFO = `(:pid 1 :style :spawn :lisp-implementation (:type "Mock" :name "mock" :version "1")
  :package (:name "COMMON-LISP-USER" :prompt "CL-USER"))`;

const ANSWERS: Readonly<Record<string, string>> = {
  'swank:connection-info': INFO,
  'lisp-harbor.swank:begin': '"CL-USER"',
};

/** The call of `name` in a form, at any depth. */
function callIn(form: Sexp, name: string): Sexp[] | undefined {
  const elements = elementsOf(form);
  if (nameOf(elements[0]) === name) return elements;
  return elements.map((each) => callIn(each, name)).find((call) => call !== undefined);
}

function isKeyword(value: Sexp): value is LispSymbol {
  return value instanceof LispSymbol && value.name.startsWith(':');
}

function nameOf(value: Sexp | undefined): string {
  return value instanceof LispSymbol ? value.name : '';
}
