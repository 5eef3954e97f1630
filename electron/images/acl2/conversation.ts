/**
 * The conversation with the helper in an ACL2 process (resources/lisp/acl2): requests framed by their bytes, each with
 * a nonce of its own that its answer carries. ACL2's descriptor 0 and 1 are the wire; what the prover says comes on
 * descriptor 2.
 */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { Duplex, Readable } from 'node:stream';
import { lispString } from '../../contract/knowledge';
import { NoMessage, WireReader } from '../../host/wire-reader';
import { CollectorReport } from './collector-report';
import { FrameReader, type Said } from './frames';
import type { Acl2ImageOptions } from './image-options';
import type { Printed } from './messages';
import { type Acl2Record, type DoneRecord, type FormRecord, recordIn } from './records';
import { type Acl2Request, framed } from './requests';

/** Characters of what was printed last that are kept: they say why a form failed, or the process ended. */
const KEPT = 16_384;

/** Records while a request is answered, each when all is there that was printed before it. */
export interface RequestListener {
  record(record: Exclude<Acl2Record, FormRecord | DoneRecord>): void;
  form(record: FormRecord, printed: Printed): void;
  done(record: DoneRecord, printed: Printed): void;
}

/** Listens to what nobody waits for. */
export const NOBODY: RequestListener = {
  record: () => undefined,
  form: () => undefined,
  done: () => undefined,
};

export interface ConversationListener {
  printed(stream: 'stdout' | 'stderr', text: string): void;
  /** What carries the nonce and is no record: a defect of the helper. */
  malformed(problem: string): void;
  /** Too much of that, or a frame that is no record at all: nothing is read any more. `reason` goes after "it". */
  lost(reason: string): void;
}

type Boundary = { record: FormRecord | DoneRecord; output: string };

export class Acl2Conversation {
  readonly #wire: Duplex;
  readonly #listener: ConversationListener;
  readonly #records = new FrameReader();
  readonly #marks = new FrameReader();
  readonly #readers: readonly WireReader<Said>[];
  #request: RequestListener | null = null;
  #requests = 0;
  /** What was printed since the last boundary, cut to its end. */
  #output = '';
  #commentary = '';
  readonly #collector = new CollectorReport();
  /** Records that wait for the mark among the commentary that belongs to them, or marks for their record. */
  readonly #boundaries: Boundary[] = [];
  readonly #commentaries: string[] = [];

  constructor(wire: Duplex, commentary: Readable, listener: ConversationListener) {
    this.#wire = wire;
    this.#listener = listener;
    const records = (said: Said) =>
      'text' in said ? this.#printed('stdout', said.text) : this.#frame(said.frame);
    const marks = (said: Said) => ('text' in said ? this.#commented(said.text) : this.#mark());
    this.#readers = [
      this.#follow(wire, this.#records, records),
      this.#follow(commentary, this.#marks, marks),
    ];
  }

  /** Waits until all is read that the process had written by now. */
  async caughtUp(): Promise<void> {
    await Promise.all(this.#readers.map((reader) => reader.caughtUp()));
  }

  /** The end of what the process printed. */
  get lastWords(): string {
    return `${this.#output}\n${this.#commentary}`.trim();
  }

  /** The end of what the prover has said of the form that is worked on. */
  get commentary(): string {
    return this.#commentary;
  }

  /** Loads the helper from `folder` and tells it to serve; `ready` is its first record. */
  begin(
    folder: string,
    options: Pick<Acl2ImageOptions, 'project' | 'package' | 'systemBooks' | 'checked'>,
    listener: RequestListener,
  ): void {
    const nonce = this.#expectAnswer(listener);
    const { systemBooks, checked } = options;
    const { folder: books, writable } = systemBooks;
    const start = [
      `(lisp-harbor-acl2:serve ${lispString(nonce)}`,
      `:folder ${lispFolder(options.project)}`,
      ...(options.package === undefined ? [] : [`:package ${lispString(options.package)}`]),
      ...(books === undefined ? [] : [`:books ${lispFolder(books)}`]),
      `:writable '(${writable.map(lispFolder).join(' ')})`,
      ...(checked === undefined ? [] : [`:checked t :trust-tags '(${checked.map(lispString).join(' ')})`]),
    ].join(' ');
    this.#write(`:q\n(load ${lispString(`${folder}/load.lisp`)})\n${start})\n`);
  }

  /** One request at a time. */
  ask(request: Acl2Request, listener: RequestListener): void {
    const nonce = this.#expectAnswer(listener);
    this.#requests += 1;
    this.#write(framed(request, this.#requests, nonce));
  }

  /** The helper ends its process when it sees the end. */
  close(): void {
    this.#wire.end();
  }

  #follow(stream: Readable, frames: FrameReader, message: (said: Said) => void): WireReader<Said> {
    const reader = new WireReader(stream, frames, {
      message,
      nonsense: (problem) => this.#listener.malformed(problem),
      lost: (reason) => {
        for (const each of this.#readers) each.stop();
        this.#listener.lost(reason);
      },
    });
    stream.on('end', () =>
      reader.whenRead(() => {
        for (const said of frames.end()) message(said);
      }),
    );
    return reader;
  }

  #write(data: string | Buffer): void {
    if (this.#wire.writable) this.#wire.write(data);
  }

  #expectAnswer(listener: RequestListener): string {
    const nonce = randomBytes(16).toString('hex');
    this.#records.expect(nonce);
    this.#marks.expect(nonce);
    this.#request = listener;
    return nonce;
  }

  #printed(stream: 'stdout' | 'stderr', text: string): void {
    if (text === '') return;
    if (stream === 'stdout') this.#output = (this.#output + text).slice(-KEPT);
    this.#listener.printed(stream, text);
  }

  #commented(text: string): void {
    this.#commentary = (this.#commentary + text).slice(-KEPT);
    this.#printed('stderr', this.#collector.told(text));
  }

  #frame(frame: string): void {
    const record = recordIn(frame);
    if (record === null) throw new NoMessage(frame.slice(0, 200));
    if (record.record !== 'form' && record.record !== 'done') this.#request?.record(record);
    else {
      this.#boundaries.push({ record, output: this.#output });
      this.#output = '';
      this.#meet();
    }
  }

  #mark(): void {
    this.#printed('stderr', this.#collector.wentOn());
    this.#commentaries.push(this.#commentary);
    this.#commentary = '';
    this.#meet();
  }

  /** The two descriptors are read at different times: a record is told when its mark is there as well. */
  #meet(): void {
    while (this.#boundaries.length > 0 && this.#commentaries.length > 0) {
      const boundary = this.#boundaries.shift();
      const commentary = this.#commentaries.shift() ?? '';
      if (boundary) this.#tell(boundary, commentary);
    }
  }

  #tell({ record, output }: Boundary, commentary: string): void {
    const request = this.#request;
    if (record.record === 'form') request?.form(record, { output, commentary });
    else {
      this.#request = null;
      request?.done(record, { output, commentary });
    }
  }
}

/** As a string of Lisp, with a slash at its end. */
function lispFolder(folder: string): string {
  return lispString(path.posix.join(folder, '/'));
}
