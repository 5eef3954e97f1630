/**
 * Settings that the user chooses for a session: its name, whether errors suspend evaluations, and what its
 * code may use.
 */

import { asFailure } from '../../contract/errors';
import type { Finding } from '../../contract/knowledge';
import { type Note, note } from '../../contract/note';
import type { Image } from '../../images/image';
import type { PersistentState } from '../open-request';
import type { Ability } from './abilities';

type SavedSettings = Pick<PersistentState, 'called' | 'holds' | 'trustTags'>;

/** The part of a session that its settings use. */
interface SettingsOwner {
  /** @throws HarborError `not_supported` */
  offered<A extends Ability>(ability: A): NonNullable<Image[A]>;
  addNotes(...notes: readonly Note[]): void;
  changed(): void;
}

export class SessionSettings {
  readonly #session: SettingsOwner;
  readonly #opened: { name: string; note: string };
  #called: { name: string; note: string };
  #holds: boolean;
  #trustTags: readonly string[];
  #rawLispWasAllowed = false;

  /** @param name the name when the session was opened */
  constructor(name: string, { called, holds, trustTags = [] }: SavedSettings, session: SettingsOwner) {
    this.#session = session;
    this.#opened = { name, note: '' };
    this.#called = called ?? this.#opened;
    this.#holds = holds;
    this.#trustTags = trustTags;
  }

  get called(): { name: string; note: string } {
    return this.#called;
  }

  /** Whether an unhandled error suspends the evaluation if the caller did not choose. */
  get suspendsErrors(): boolean {
    return this.#holds;
  }

  /** The settings to save for the next start of the harbor. */
  get persistentState(): SavedSettings {
    const { name, note } = this.#called;
    const isRenamed = name !== this.#opened.name || note !== this.#opened.note;
    return {
      ...(isRenamed ? { called: this.#called } : {}),
      holds: this.#holds,
      ...(this.#trustTags.length > 0 ? { trustTags: this.#trustTags } : {}),
    };
  }

  /** Sets the name and the note that the user gave the session. */
  rename(name: string, note: string): void {
    this.#called = { name, note };
    this.#session.changed();
  }

  /** @throws HarborError `not_supported` */
  hold(setSuspendErrors: boolean): void {
    this.#session.offered('debugger');
    this.#holds = setSuspendErrors;
    this.#session.changed();
  }

  /**
   * Allows trust tags and raw Lisp until the image ends. Only the user may call this.
   * @throws HarborError `not_supported`
   */
  allowRawLisp(): void {
    this.#session.offered('rawLisp').allow();
    this.#rawLispWasAllowed = true;
    this.#session.addNotes(RAW_LISP_ALLOWED);
    this.#session.changed();
  }

  /**
   * Allows certified books of the system to use these trust tags, in all images of the session. Only the user
   * may call this.
   * @throws HarborError `not_supported`; `bad_arguments` for a name that no such book has
   */
  async allowTrustTags(names: readonly string[]): Promise<void> {
    const lock = this.#session.offered('rawLisp');
    await lock.allowTrustTags(names);
    this.#trustTags = lock.trustTags;
    this.#session.addNotes(trustTagsAllowed(names));
    this.#session.changed();
  }

  /** Whether new images of the session may start programs: the user has allowed code that can do so. */
  get allowsPrograms(): boolean {
    return this.#rawLispWasAllowed || this.#trustTags.length > 0;
  }

  /** Applies the allowed trust tags to a new image and returns it. */
  async applyTrustTags(image: Image): Promise<Image> {
    const addNote = (error: unknown): void =>
      this.#session.addNotes(note('trust_tags', asFailure(error).message));
    if (this.#trustTags.length > 0) await image.rawLisp?.allowTrustTags(this.#trustTags).catch(addNote);
    return image;
  }
}

/**
 * Definitions that were evaluated and then written to a file without loading it. The image does not know that
 * they are saved.
 */
export class SavedDefinitions {
  readonly #keys: Set<string>;
  readonly #onChange: () => void;

  /** @param keys an earlier value of `all` */
  constructor(keys: readonly string[], onChange: () => void) {
    this.#keys = new Set(keys);
    this.#onChange = onChange;
  }

  get all(): readonly string[] {
    return [...this.#keys];
  }

  get isEmpty(): boolean {
    return this.#keys.size === 0;
  }

  /** Marks the definitions as saved in a file. */
  add(definitions: readonly Finding[]): void {
    for (const definition of definitions) {
      const key = keyOf(definition);
      if (key !== null) this.#keys.add(key);
    }
    this.#onChange();
  }

  /** Marks the definitions as no longer saved. */
  remove(definitions: readonly Finding[]): void {
    for (const definition of definitions) this.#keys.delete(keyOf(definition) ?? '');
    this.#onChange();
  }

  /** Reports whether the definition is saved and was not evaluated again since. */
  has(definition: Finding): boolean {
    const key = keyOf(definition);
    return key !== null && this.#keys.has(key);
  }
}

/**
 * Returns a key that differs for each evaluation of the definition; null if the image does not report the
 * evaluation.
 */
function keyOf({ kind, text, source, command }: Finding): string | null {
  const made = source?.evaluation ?? command;
  return made === undefined ? null : `${kind} ${text} ${made}:${source?.position ?? source?.line ?? ''}`;
}

/** Returns the note for the next evaluation after the user allowed trust tags. */
function trustTagsAllowed(names: readonly string[]): Note {
  return note(
    'trust_allowed',
    `A person has allowed certified books of the system to use these trust tags: ${names.join(', ')}. Results that depend on one report it.`,
  );
}

/** The note for the next evaluation after the user allowed raw Lisp. Later results report it themselves. */
const RAW_LISP_ALLOWED = note(
  'trust_allowed',
  'A person has allowed trust tags and raw Lisp in this session: until its image ends, none of its results can be trusted. If its image was started before, it cannot start other programs; the next image of the session can.',
);
