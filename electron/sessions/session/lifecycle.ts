/**
 * In which state a session is, and what follows from it: what can be asked of its image now, and the start of another
 * one in place of one that is gone.
 */
import { asFailure, HarborError } from '../../contract/errors';
import type { SessionState } from '../../contract/model';
import type { Image } from '../../images/image';
import { type Ability, abilityOf, imageLost } from './abilities';
import { isAttached } from './outcomes';
import type { SessionImage } from './session-image';
import type { Journal, Recorded } from './session-journal';

export class Lifecycle {
  readonly #session: Recorded;
  readonly #images: SessionImage;
  readonly #journal: Journal;
  #state: SessionState = 'idle';

  constructor(session: Recorded, images: SessionImage, journal: Journal) {
    this.#session = session;
    this.#images = images;
    this.#journal = journal;
  }

  get state(): SessionState {
    return this.#state;
  }

  /** The image that lives; null while it is lost, while another one starts, and after the end. */
  get image(): Image | null {
    const isGone = ['lost', 'starting', 'ended'].includes(this.#state);
    return isGone ? null : this.#images.current;
  }

  /** A session that has ended stays so. */
  change(state: SessionState): void {
    if (this.#state === 'ended' || this.#state === state) return;
    this.#state = state;
    this.#journal.changed(this.#session);
  }

  /** @throws HarborError `session_ended` */
  requireOpen(): void {
    if (this.#state === 'ended') throw new HarborError('session_ended', `Session ${this.#id} was closed.`);
  }

  /** What the image can do, which is known also while there is none. @throws HarborError `not_supported` */
  offered<A extends Ability>(ability: A): NonNullable<Image[A]> {
    return abilityOf(this.#images.current, this.#session.identity.engine, ability);
  }

  /** What the image can do now. @throws HarborError `not_supported`, `image_lost`, `session_ended` */
  ability<A extends Ability>(ability: A): NonNullable<Image[A]> {
    this.requireOpen();
    if (this.#state === 'lost' || this.#state === 'starting')
      throw imageLost(this.#id, this.#images.lostBecause, isAttached(this.#images.current));
    return this.offered(ability);
  }

  /** Starts a new image in place of the lost one. Answers why there is none, or null. */
  async revive(): Promise<string | null> {
    this.change('starting');
    try {
      await this.#images.replace();
    } catch (error) {
      this.change('lost');
      return `The session's image is gone and no new one could be started: ${asFailure(error).message}`;
    }
    // Closed meanwhile: nobody else knows of this image.
    if (this.#state === 'ended') await this.#images.current.end();
    return null;
  }

  get #id(): string {
    return this.#session.identity.id;
  }
}
