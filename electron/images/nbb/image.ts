/**
 * One nbb process. Code is sent form by form, so that each form has its own values. Only code that waits for
 * a promise can be interrupted.
 */

import { finished } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { HarborError } from '../../contract/errors';
import type { FormResult } from '../../contract/model';
import { type Note, note } from '../../contract/note';
import type { Activity, LaunchEnd, Launched, PrivateEntries, Usage } from '../../launchers/launcher';
import {
  type EvaluateRequest,
  type Image,
  type ImageEnd,
  type ImageOutcome,
  type InterruptStep,
  LONGEST_VALUE,
  type OutputSink,
} from '../image';
import { ImageOutput } from '../image-output';
import { describeAborted, describeKilled, inTime } from '../image-process';
import type { LaunchFingerprint } from '../launch-fingerprint';
import { checkedForms, unbalanced } from '../nrepl/clojure-code';
import { ClojureInspector } from '../nrepl/inspector';
import { NreplLoader, NreplReport } from '../nrepl/loader';

import { ClojureReplayer } from '../nrepl/replayer';
import { SciKnowledge, SciQueries } from '../nrepl/sci';

import type { Knowledge } from '../optional-groups';

import { type FormOutcome, NbbConversation } from './conversation';

/** Milliseconds to exit after its wire is closed. */
const GRACE_MS = 300;

/** Maximum milliseconds for an answer if code only waits. */
const FREE_MS = 1_000;

/** Milliseconds to wait for the last output of an ended process. */
const LAST_WORDS_MS = 200;

/** Maximum characters of the output of a failed start in a message. */
const SHOWN = 2000;

export class NbbImage implements Image {
  readonly engine = 'nbb';
  readonly knowledge: Knowledge;
  readonly inspector: ClojureInspector;
  readonly loader = new NreplLoader('cljs.test');
  /** nbb's `in-ns` has no lasting effect. */
  readonly replayer = new ClojureReplayer((namespace) => `(ns ${namespace})`);
  readonly ended: Promise<ImageEnd>;
  readonly #launched: Launched;
  readonly #fingerprint: LaunchFingerprint;
  readonly #output = new ImageOutput();
  readonly #conversation: NbbConversation;
  #package = 'user';
  /** The running evaluation, and whether it was interrupted. */
  #running: { id: number; stopped: boolean } | null = null;
  #endExpected = false;

  /** Waits until the server answers, and enters `namespace`. @throws HarborError `engine_failed` */
  static async start(
    launched: Launched,
    fingerprint: LaunchFingerprint,
    namespace = 'user',
  ): Promise<NbbImage> {
    const image = new NbbImage(launched, fingerprint);
    const failure = await image.#begin(namespace);
    if (failure === null) return image;
    await image.end();
    throw new HarborError('engine_failed', failure);
  }

  private constructor(launched: Launched, fingerprint: LaunchFingerprint) {
    this.#launched = launched;
    this.#fingerprint = fingerprint;
    this.#output.follow('stdout', launched.stdout);
    this.#output.follow('stderr', launched.stderr);
    this.#conversation = new NbbConversation(launched.wire, (stream, text) =>
      this.#output.write(stream, text),
    );
    const queries = new SciQueries('nbb', (question, request) =>
      this.#conversation.query(`(lisp-harbor.image/print-answer '${question} ${request})`),
    );
    this.knowledge = new SciKnowledge('nbb', queries, () => this.#package);
    this.inspector = new ClojureInspector(queries);
    // The process is useless without its wire, and a loop may keep it from noticing.
    void this.#conversation.ended.then(() => this.#stop());
    this.ended = launched.ended.then((end) => ({
      description: this.#describeEnd(end),
      expected: this.#endExpected,
    }));
  }

  get sandbox() {
    return this.#launched.sandbox;
  }

  get package(): string {
    return this.#package;
  }

  get outdatedBy(): string | null {
    return this.#fingerprint.changed;
  }

  prompt(): string {
    return `${this.#package}=> `;
  }

  async evaluate(request: EvaluateRequest, sink: OutputSink): Promise<ImageOutcome> {
    const earlier = this.#output.attach(sink);
    const running = { id: request.id, stopped: false };
    this.#running = running;
    const outcome = await this.#run(request, running);
    this.#running = null;
    await this.#output.caughtUp();
    this.#output.detach();
    return { ...outcome, notes: [...earlier, ...outcome.notes] };
  }

  /**
   * nbb runs all code on its only thread, where nothing can stop it; while code waits for a promise the
   * thread is free.
   */
  async interrupt(id: number, _step: InterruptStep): Promise<boolean> {
    const running = this.#running;
    if (running?.id !== id) return true;
    running.stopped = true;
    if (!(await inTime(this, FREE_MS, this.#conversation.answers()))) return false;
    if (this.#running === running) this.#conversation.giveUp();
    return true;
  }

  usage(): Promise<Usage | null> {
    return this.#launched.usage();
  }

  async activity(): Promise<Activity | null> {
    return (await this.#launched.activity?.()) ?? null;
  }

  async privateEntries(): Promise<readonly PrivateEntries[]> {
    return (await this.#launched.privateEntries?.()) ?? [];
  }

  async end(): Promise<void> {
    this.#endExpected = true;
    this.#conversation.close();
    await this.ended;
  }

  /** Returns why the image is unusable, or null. */
  async #begin(namespace: string): Promise<string | null> {
    let output = '';
    this.#output.attach((_stream, text) => {
      output = (output + text).slice(-SHOWN);
    });
    const entered = (await this.#conversation.answers()) && (await this.#conversation.enter(namespace));
    if (entered && entered.kind === 'values') {
      this.#package = namespace;
      this.#output.detach();
      return null;
    }
    if (entered && entered.kind === 'error') return entered.condition.message;
    return `${await this.#lastWords()} before it was ready: ${output.trim() || 'no output'}`;
  }

  /** `safeRead` needs no handling: nbb's reader always refuses `#=`. */
  async #run(request: EvaluateRequest, running: { stopped: boolean }): Promise<ImageOutcome> {
    const { id, code, package: namespace, maxChars, keepValues, tests } = request;
    const forms: FormResult[] = [];
    const notes: Note[] = [];
    const source = checkedForms(code);
    if (source.problem !== null)
      return {
        ...{ outcome: 'error', package: this.#package, forms, warnings: [], notes },
        condition: unbalanced(source.problem),
      };
    const report = new NreplReport(tests);
    await this.#conversation.prepare(code);
    const entered = await this.#conversation.enter(namespace ?? this.#package);
    let last: FormOutcome = entered;
    if (entered.kind === 'values') {
      for (const [index, form] of source.forms.entries()) {
        if (running.stopped) {
          last = { kind: 'interrupted', values: [] };
          break;
        }
        last = await this.#conversation.evaluate(form, (text) => void report.receive(text, index));
        if (last.kind === 'error')
          last = (await this.inspector.unprinted(last.condition.message, notes)) ?? last;
        const values = last.values.map((value) => cut(value, notes, maxChars));
        if (values.length > 0) forms.push({ code: form.code, values });
        if (last.kind !== 'values') break;
      }
      // A requested namespace applies to this evaluation only; one that the code entered is saved.
      if (namespace === undefined) this.#package = this.#conversation.namespace;
    }
    if (keepValues && last.kind === 'values' && forms.length > 0)
      notes.push(...(await this.inspector.keep(id)));
    if (last.kind === 'lost') notes.push(note('image_ended', `${await this.#lastWords()}.`));
    if (last.kind === 'interrupted') notes.push(note('stopped_waiting', STOPPED_WAITING));
    const condition = last.kind === 'error' ? last.condition : null;
    const ended = { outcome: OUTCOMES[last.kind], package: this.#package, forms, condition };
    return {
      ...ended,
      warnings: report.warnings,
      notes: [...notes, ...report.notes],
      ...report.outcomePart(last),
    };
  }

  /** Waits for the end of the process and its last output; returns how it ended. */
  async #lastWords(): Promise<string> {
    const { description } = await this.ended;
    const { stdout, stderr } = this.#launched;
    const closed = Promise.allSettled([finished(stdout), finished(stderr)]);
    // Child programs may keep the streams open.
    await Promise.race([closed, delay(LAST_WORDS_MS, undefined, { ref: false })]);
    return description;
  }

  #describeEnd(end: LaunchEnd): string {
    const { givenUp } = this.#conversation;
    return givenUp === null ? describeEnd(end) : describeAborted('nbb', givenUp);
  }

  async #stop(): Promise<void> {
    await Promise.race([this.ended, delay(GRACE_MS, undefined, { ref: false })]);
    void this.#launched.signal('SIGKILL');
  }
}

const OUTCOMES = { values: 'ok', error: 'error', interrupted: 'interrupted', lost: 'crashed' } as const;

const STOPPED_WAITING = 'Stopped waiting for the promise; the work behind it may continue.';

function describeEnd(end: LaunchEnd): string {
  if (end.error !== undefined) return `nbb could not be started (${end.error})`;
  return describeKilled('nbb', end) ?? `nbb exited with code ${end.code ?? '(unknown)'}`;
}

function cut(value: string, notes: Note[], maxChars = LONGEST_VALUE): string {
  if (value.length <= maxChars) return value;
  notes.push(note('value_cut', `A value of ${value.length} characters was cut to ${maxChars}.`));
  return value.slice(0, maxChars);
}
