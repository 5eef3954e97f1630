/** ACL2 as somebody starts it at a shell. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { globSync } from 'node:fs';

const PROMPT = 'ACL2 !>';

/** The program and its books: those that the environment names, else Debian's. @throws Error where there are no books */
export function plainAcl2(): { image: string; books: string } {
  const { ACL2: image = 'acl2', ACL2_BOOKS: books = globSync('/usr/share/acl2*/books')[0] } = process.env;
  if (books === undefined) throw new Error('ACL2_BOOKS names no folder of books.');
  return { image, books };
}

export class PlainAcl2 {
  readonly #process: ChildProcessWithoutNullStreams;
  #printed = '';
  #prompted: () => void = () => undefined;

  /** @param books the folder that `:dir :system` names */
  static async start(image: string, books: string): Promise<PlainAcl2> {
    const acl2 = new PlainAcl2(image, books);
    await acl2.#prompt();
    return acl2;
  }

  private constructor(image: string, books: string) {
    const env = { ...process.env, ACL2_SYSTEM_BOOKS: `${books}/`, ACL2_CUSTOMIZATION: 'NONE' };
    this.#process = spawn(image, [], { env });
    this.#process.stdout.on('data', (chunk: Buffer) => {
      this.#printed += chunk.toString();
      if (this.#printed.trimEnd().endsWith(PROMPT)) this.#prompted();
    });
  }

  get pid(): number {
    return this.#process.pid ?? Number.NaN;
  }

  async submit(form: string): Promise<void> {
    const prompted = this.#prompt();
    this.#process.stdin.write(`${form}\n`);
    await prompted;
  }

  async end(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once('close', resolve));
    this.#process.stdin.end();
    await ended;
  }

  /** Settles when it prompts anew. */
  #prompt(): Promise<void> {
    this.#printed = '';
    return new Promise((resolve) => {
      this.#prompted = resolve;
    });
  }
}
