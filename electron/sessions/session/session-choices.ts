/** What a person has decided of a session: what it is called, whether its errors are held, and what its code may use. */
import { asFailure } from '../../contract/errors';
import type { Image } from '../../images/image';
import type { Standing } from '../recovery/kept-session';
import type { Ability } from './abilities';
import { RAW_LISP_ALLOWED, trustTagsAllowed } from './outcomes';

type Chosen = Pick<Standing, 'called' | 'holds' | 'trustTags'>;

/** What the session does for them. */
interface ChoosingSession {
  /** @throws HarborError `not_supported` */
  offered<A extends Ability>(ability: A): NonNullable<Image[A]>;
  tell(...notes: string[]): void;
  changed(): void;
}

export class SessionChoices {
  readonly #session: ChoosingSession;
  readonly #opened: { name: string; note: string };
  #called: { name: string; note: string };
  #holds: boolean;
  #trustTags: readonly string[];

  /** @param name that it was opened by */
  constructor(name: string, { called, holds, trustTags = [] }: Chosen, session: ChoosingSession) {
    this.#session = session;
    this.#opened = { name, note: '' };
    this.#called = called ?? this.#opened;
    this.#holds = holds;
    this.#trustTags = trustTags;
  }

  get called(): { name: string; note: string } {
    return this.#called;
  }

  /** Whether unhandled errors are held that the caller said nothing about. */
  get holds(): boolean {
    return this.#holds;
  }

  /** What a later harbor is told of them. */
  get standing(): Chosen {
    const { name, note } = this.#called;
    const isRenamed = name !== this.#opened.name || note !== this.#opened.note;
    return {
      ...(isRenamed ? { called: this.#called } : {}),
      holds: this.#holds,
      ...(this.#trustTags.length > 0 ? { trustTags: this.#trustTags } : {}),
    };
  }

  /** What a person calls it from now on, and has noted of it. */
  call(name: string, note: string): void {
    this.#called = { name, note };
    this.#session.changed();
  }

  /** @throws HarborError `not_supported` */
  hold(hold: boolean): void {
    this.#session.offered('debugger');
    this.#holds = hold;
    this.#session.changed();
  }

  /** Lets its code use trust tags and raw Lisp, for as long as its image lives. Only a person may decide that.
   * @throws HarborError `not_supported` */
  allowRawLisp(): void {
    this.#session.offered('rawLisp').allow();
    this.#session.tell(RAW_LISP_ALLOWED);
    this.#session.changed();
  }

  /** Lets certified books of the system use trust tags of these names, in all its images. Only a person may decide that.
   * @throws HarborError `not_supported`; `bad_arguments` for a name that no such book has */
  async allowTrustTags(names: readonly string[]): Promise<void> {
    const lock = this.#session.offered('rawLisp');
    await lock.allowTrustTags(names);
    this.#trustTags = lock.trustTags;
    this.#session.tell(trustTagsAllowed(names));
    this.#session.changed();
  }

  /** The image, new, with what its code may use. */
  async granted(image: Image): Promise<Image> {
    const tell = (error: unknown): void => this.#session.tell(asFailure(error).message);
    if (this.#trustTags.length > 0) await image.rawLisp?.allowTrustTags(this.#trustTags).catch(tell);
    return image;
  }
}
