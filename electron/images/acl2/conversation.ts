/**
 * Communication with the helper in an ACL2 process (resources/lisp/acl2). A request is framed by its length
 * in bytes and has a nonce that its answer repeats. File descriptors 0 and 1 of ACL2 are the wire; the prover
 * prints to descriptor 2.
 */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { Duplex, Readable } from 'node:stream';
import type { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { lispString } from '../../contract/knowledge';
import { instead, mention, ours } from '../../contract/mention';
import { NoMessage, WireReader } from '../../host/wire-reader';
import type { ImageEnd } from '../image';
import type { Printed } from './messages';
import { type Acl2Record, type DoneRecord, type FormRecord, recordIn } from './records';
import type { SystemBooks } from './system-books';
import type { AllowedTag } from './trust-tags';
import { type Acl2Request, encodeRequest, FrameReader, type QueryOptions, type WirePiece } from './wire';

/** Characters of recent output that are kept to explain why a form failed or the process ended. */
const TAIL_CHARACTERS = 16_384;

/** Receives the records of one request. A record arrives after all output that was printed before it. */
export interface RequestListener {
  record(record: Exclude<Acl2Record, FormRecord | DoneRecord>): void;
  form(record: FormRecord, printed: Printed): void;
  done(record: DoneRecord, printed: Printed): void;
}

/** Ignores all records. */
export const IGNORED: RequestListener = {
  record: () => undefined,
  form: () => undefined,
  done: () => undefined,
};

interface ConversationListener {
  printed(stream: 'stdout' | 'stderr', text: string): void;
  /** Called for a frame with the nonce that is not a record. This is a defect of the helper. */
  malformed(problem: string): void;
  /**
   * Called after too many malformed records, or for an invalid frame. Reading has stopped. `reason` follows
   * the word "it".
   */
  lost(reason: string): void;
}

type Boundary = { record: FormRecord | DoneRecord; output: string };

/** Options for starting the helper. */
export interface HelperOptions {
  project: string;
  package: string | undefined;
  systemBooks: SystemBooks;
  /** Trust tags that a process of a final check may use. */
  checked?: readonly AllowedTag[] | undefined;
  /** Whether it starts no program, such as the compiler that GCL needs. */
  alone: boolean;
}

/**
 * Matches a goal name on a line of its own, as ACL2 prints it when it starts on the goal: `[1]Subgoal
 * *1.2/3.1''`.
 */
const GOAL = /^(?:\[\d+\])?(?:Goal|Subgoal [*\d./]+)(?:'\d*')?'*$/gm;

/** Returns the last goal that the commentary names; null if it names none. */
export function goalIn(commentary: string): string | null {
  return commentary.match(GOAL)?.at(-1) ?? null;
}

/**
 * GCL looks for its C compiler with a shell when it starts. If it cannot start programs, it stops there in a break loop
 * and has not started ACL2. This form starts both without the compiler, outside of the settings of the break loop.
 */
const START_WITHOUT_COMPILER = `#+gcl (unless acl2::*lp-ever-entered-p*
  (setf (symbol-function 'si::get-path) #'identity)
  (let ((*print-level* nil) (*print-length* nil) (si::*break-level* nil) (si::*quit-tag* (list nil))
        (si::*restarts* nil) (si::*debug-restarts* nil) (si::*abort-restarts* nil))
    (si::gcl-top-level)))`;

export class Acl2Conversation {
  readonly #wire: Duplex;
  readonly #listener: ConversationListener;
  readonly #records = new FrameReader();
  readonly #marks = new FrameReader();
  readonly #readers: readonly WireReader<WirePiece>[];
  #request: RequestListener | null = null;
  #requests = 0;
  /** Output since the last boundary, truncated at its start. */
  #output = '';
  #commentary = '';
  #goal: string | null = null;
  readonly #collector = new CollectorReport();
  /** Records that wait for their mark in the commentary, and commentaries that wait for their record. */
  readonly #boundaries: Boundary[] = [];
  readonly #commentaries: string[] = [];

  constructor(wire: Duplex, commentary: Readable, listener: ConversationListener) {
    this.#wire = wire;
    this.#listener = listener;
    const records = (piece: WirePiece) =>
      'text' in piece ? this.#printed('stdout', piece.text) : this.#frame(piece.frame);
    const marks = (piece: WirePiece) => ('text' in piece ? this.#commented(piece.text) : this.#mark());
    this.#readers = [
      this.#follow(wire, this.#records, records),
      this.#follow(commentary, this.#marks, marks),
    ];
  }

  /** Waits until everything that the process has written so far is read. */
  async caughtUp(): Promise<void> {
    await Promise.all(this.#readers.map((reader) => reader.caughtUp()));
  }

  /** The end of the process output. */
  get outputTail(): string {
    return `${this.#output}\n${this.#commentary}`.trim();
  }

  /** The goal that the prover has started on last in the current form. */
  get goal(): string | null {
    return this.#goal;
  }

  /** Loads the helper from `folder` and starts it. `ready` is its first record. */
  start(folder: string, options: HelperOptions, listener: RequestListener): void {
    const nonce = this.#expectAnswer(listener);
    const { systemBooks, checked, alone } = options;
    const { folder: books, writable } = systemBooks;
    const start = [
      `(lisp-harbor-acl2:serve ${lispString(nonce)}`,
      `:folder ${lispFolder(options.project)}`,
      ...(options.package === undefined ? [] : [`:package ${lispString(options.package)}`]),
      ...(books === undefined ? [] : [`:books ${lispFolder(books)}`]),
      `:writable '(${writable.map(lispFolder).join(' ')})`,
      ...(alone ? [':alone t'] : []),
      ...(checked === undefined
        ? []
        : [
            `:checked t :trust-tags '(${checked.map((tag) => `(${tag.map(lispString).join(' ')})`).join(' ')})`,
          ]),
    ].join(' ');
    this.#write(
      `:q\n${START_WITHOUT_COMPILER}\n:q\n(load ${lispString(`${folder}/load.lisp`)})\n${start})\n`,
    );
  }

  /** Sends a request. Only one request may be active at a time. */
  send(request: Acl2Request, listener: RequestListener): void {
    const nonce = this.#expectAnswer(listener);
    this.#requests += 1;
    this.#write(encodeRequest(request, this.#requests, nonce));
  }

  /** Closes the wire. The helper then ends its process. */
  close(): void {
    this.#wire.end();
  }

  #follow(stream: Readable, frames: FrameReader, message: (piece: WirePiece) => void): WireReader<WirePiece> {
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
        for (const piece of frames.end()) message(piece);
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
    if (stream === 'stdout') this.#output = (this.#output + text).slice(-TAIL_CHARACTERS);
    this.#listener.printed(stream, text);
  }

  #commented(text: string): void {
    const line = this.#commentary.slice(this.#commentary.lastIndexOf('\n') + 1);
    this.#goal = goalIn(line + text) ?? this.#goal;
    this.#commentary = (this.#commentary + text).slice(-TAIL_CHARACTERS);
    this.#printed('stderr', this.#collector.filter(text));
  }

  #frame(frame: string): void {
    const record = recordIn(frame);
    if (record === null) throw new NoMessage(frame.slice(0, 200));
    if (record.record !== 'form' && record.record !== 'done') this.#request?.record(record);
    else {
      this.#boundaries.push({ record, output: this.#output });
      this.#output = '';
      this.#pair();
    }
  }

  #mark(): void {
    this.#printed('stderr', this.#collector.flush());
    this.#commentaries.push(this.#commentary);
    this.#commentary = '';
    this.#goal = null;
    this.#pair();
  }

  /** Delivers a record when its mark has arrived as well: the two descriptors are read independently. */
  #pair(): void {
    while (this.#boundaries.length > 0 && this.#commentaries.length > 0) {
      const boundary = this.#boundaries.shift();
      const commentary = this.#commentaries.shift() ?? '';
      if (boundary) this.#deliver(boundary, commentary);
    }
  }

  #deliver({ record, output }: Boundary, commentary: string): void {
    const request = this.#request;
    if (record.record === 'form') request?.form(record, { output, commentary });
    else {
      this.#request = null;
      request?.done(record, { output, commentary });
    }
  }
}

/** Returns `folder` as a Lisp string that ends in a slash. */
function lispFolder(folder: string): string {
  return lispString(path.posix.join(folder, '/'));
}

const BEGINNINGS = ['Heap exhausted during garbage collection:', 'Heap exhausted during allocation:'];

/** Matches the complete report of an object that was too large. */
const OBJECT_REPORT =
  /^Heap exhausted during allocation: \d+ bytes available, \d+ requested\.\n(?:(?: |Tot|GC control variables:).*\n)*? +\*STOP-FOR-GC-PENDING\* = (?:true|false)\n/gm;

/** Maximum length of a report in characters, with a wide margin. */
const LONGEST_REPORT = 65_536;

/**
 * Removes SBCL's report of exhausted memory (gencgc.c) from the output. The report is a table and a
 * backtrace, the last output of a process that ends; it explains the end and is of no use to readers of the
 * output. If only one object was too large, SBCL prints the table alone and the process continues.
 */
export class CollectorReport {
  /** Text that may be the start of a report, or a report and everything after it. */
  #buffered = '';

  /** Returns `text`, with text withheld earlier, without the report. */
  filter(text: string): string {
    const all = this.#buffered + text;
    const begun = beginning(all);
    this.#buffered = all.slice(begun);
    return all.slice(0, begun) + (this.#buffered.length > LONGEST_REPORT ? this.flush() : '');
  }

  /**
   * Called when the process continues: an object was too large, or a form printed the withheld text. Returns
   * the withheld text without the report.
   */
  flush(): string {
    const text = this.#buffered.replaceAll(OBJECT_REPORT, '');
    this.#buffered = '';
    return text;
  }
}

/** Returns the index where a report starts, or where the end of the text may be the start of one. */
function beginning(text: string): number {
  const whole = BEGINNINGS.map((each) => text.indexOf(each)).filter((at) => at >= 0);
  if (whole.length > 0) return Math.min(...whole);
  const perhaps = (at: number) => BEGINNINGS.some((each) => each.startsWith(text.slice(at)));
  let at = Math.max(0, text.length - Math.max(...BEGINNINGS.map(({ length }) => length)));
  while (at < text.length && !perhaps(at)) at += 1;
  return at;
}

/**
 * Queries to the helper, which evaluate nothing. ACL2 has one thread: a query fails while an evaluation runs,
 * and an evaluation waits for a query in progress.
 */
export class Acl2Queries {
  readonly #conversation: Acl2Conversation;
  #last: Promise<unknown> = Promise.resolve();
  /** Number of evaluations that run or wait for a query. */
  #evaluations = 0;
  readonly #ended: Promise<ImageEnd>;
  #end: ImageEnd | null = null;

  constructor(conversation: Acl2Conversation, ended: Promise<ImageEnd>) {
    this.#conversation = conversation;
    this.#ended = ended.then((end) => {
      this.#end = end;
      return end;
    });
  }

  /** Waits for the query in progress, runs `evaluation`, and rejects queries until it settles. */
  async runExclusive<T>(evaluation: () => Promise<T>): Promise<T> {
    this.#evaluations += 1;
    try {
      await this.#last;
      return await evaluation();
    } finally {
      this.#evaluations -= 1;
    }
  }

  /**
   * Returns the answer to the query `about` (see queries.lisp) on `text`.
   * @throws HarborError with the code of the helper; `busy`, `query_failed`, `image_lost`
   */
  async query<S extends z.ZodType>(
    about: string,
    text: string,
    options: QueryOptions,
    schema: S,
  ): Promise<z.output<S>> {
    if (this.#evaluations > 0) throw busy();
    const answer = this.#last.then(() => this.#send(about, text, options));
    this.#last = answer.catch(() => undefined);
    const parsed = schema.safeParse(await answer);
    if (parsed.success) return parsed.data;
    throw new HarborError('query_failed', `ACL2 sent an invalid answer to the query ${about}. Try again.`);
  }

  async #send(about: string, text: string, options: QueryOptions): Promise<unknown> {
    if (this.#end) throw lost(this.#end);
    const answered = new Promise<unknown>((resolve, reject) => {
      this.#conversation.send({ op: 'query', about, text, options }, new Answer(resolve, reject));
    });
    return Promise.race([answered, this.#ended.then((end) => Promise.reject(lost(end)))]);
  }
}

/** Settles when the request is done, because the next request must not start earlier. */
class Answer implements RequestListener {
  readonly #resolve: (value: unknown) => void;
  readonly #reject: (error: HarborError) => void;
  #record: Acl2Record | null = null;

  constructor(resolve: (value: unknown) => void, reject: (error: HarborError) => void) {
    this.#resolve = resolve;
    this.#reject = reject;
  }

  record(record: Acl2Record): void {
    if (record.record !== 'begun') this.#record = record;
  }

  form(): void {
    // Queries evaluate no forms.
  }

  done(): void {
    const record = this.#record;
    if (record?.record === 'answer') this.#resolve(record.value);
    else if (record?.record === 'failure') this.#reject(new HarborError(record.code, record.message));
    else this.#reject(new HarborError('query_failed', 'ACL2 did not answer.'));
  }
}

function busy(): HarborError {
  const fact = 'An evaluation is running in this session, and ACL2 cannot answer queries meanwhile.';
  return new HarborError('busy', `${fact} Wait for it or cancel it, then try again.`, {
    mentions: [instead(mention`${fact} Wait for it or cancel it (${ours('job')}), then try again.`)],
  });
}

function lost({ description }: ImageEnd): HarborError {
  return new HarborError('image_lost', `The image did not answer: ${description}.`);
}
