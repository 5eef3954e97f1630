/** Short messages about what was just done or could not be done. Those that are gone can be read again. */
import type { StoreApi } from 'zustand';

export interface Toast {
  id: number;
  tone: 'done' | 'failed';
  text: string;
  at: number;
}

export interface ToastState {
  /** On the screen now. */
  shown: readonly Toast[];
  /** All of late, the newest first. */
  past: readonly Toast[];
  /** Whether a person reads them again. */
  isReading: boolean;
}

export const NO_TOASTS: ToastState = { shown: [], past: [], isReading: false };

/** How long a message stays. What went wrong takes longer to read, but covers what is below it as well. */
const SHOWN_MS: Readonly<Record<Toast['tone'], number>> = { done: 6_000, failed: 20_000 };
/** What is there so long has been read by who goes elsewhere. */
const READ_MS = 6_000;
/** When it is asked again whether a message that is looked at still is. */
const LOOKED_AT_MS = 1_000;
const AT_MOST = 3;
const KEPT = 100;

export class Toasts {
  readonly #store: StoreApi<ToastState>;
  readonly #isLookedAt: () => boolean;
  #last = 0;

  /** @param isLookedAt whether the pointer or the keyboard is on the messages, which then stay */
  constructor(store: StoreApi<ToastState>, isLookedAt: () => boolean = () => false) {
    this.#store = store;
    this.#isLookedAt = isLookedAt;
  }

  done(text: string): void {
    this.#show('done', text);
  }

  failed(text: string): void {
    this.#show('failed', text);
  }

  dismiss(id: number): void {
    this.#store.setState(({ shown }) => ({ shown: shown.filter((toast) => toast.id !== id) }));
  }

  /** A person goes elsewhere in the window: only what is new goes along. */
  moved(): void {
    const now = Date.now();
    this.#store.setState(({ shown }) => ({ shown: shown.filter(({ at }) => now - at < READ_MS) }));
  }

  /** Shows what was told before, or no longer. */
  showAll(isReading: boolean): void {
    this.#store.setState({ isReading });
  }

  #show(tone: Toast['tone'], text: string): void {
    this.#last += 1;
    const toast: Toast = { id: this.#last, tone, text, at: Date.now() };
    this.#store.setState(({ shown, past }) => ({
      shown: [...shown.filter((old) => old.text !== text), toast].slice(-AT_MOST),
      past: [toast, ...past].slice(0, KEPT),
    }));
    this.#goAfter(toast.id, SHOWN_MS[tone]);
  }

  #goAfter(id: number, ms: number): void {
    setTimeout(() => {
      if (this.#isLookedAt()) this.#goAfter(id, LOOKED_AT_MS);
      else this.dismiss(id);
    }, ms);
  }
}
