/** Short messages about completed and failed actions. Dismissed messages can be read again. */
import type { StoreApi } from 'zustand';

export interface Toast {
  id: number;
  tone: 'done' | 'failed';
  text: string;
  at: number;
  /** An action of the user, offered while the message is on the screen. */
  action?: ToastAction;
}

export interface ToastAction {
  label: string;
  run: () => void;
}

export interface ToastState {
  /** Messages on the screen. */
  shown: readonly Toast[];
  /** Recent messages, newest first. */
  past: readonly Toast[];
  /** Whether the dialog with earlier messages is open. */
  isReading: boolean;
}

export const NO_TOASTS: ToastState = { shown: [], past: [], isReading: false };

/**
 * Display time by tone, in milliseconds. Failures take longer to read, and actions to decide about, but a
 * message covers content.
 */
const SHOWN_MS: Readonly<Record<Toast['tone'], number>> = { done: 6_000, failed: 20_000 };
const WITH_ACTION_MS = 20_000;
/** A message that was shown this long is dismissed on navigation, in milliseconds. */
const READ_MS = 6_000;
/** Interval between checks whether a message is still hovered or focused, in milliseconds. */
const LOOKED_AT_MS = 1_000;
const MAX_SHOWN = 3;
const MAX_PAST = 100;

export class Toasts {
  readonly #store: StoreApi<ToastState>;
  readonly #isLookedAt: () => boolean;
  #last = 0;

  /** @param isLookedAt reports whether a message is hovered or focused; such messages stay */
  constructor(store: StoreApi<ToastState>, isLookedAt: () => boolean = () => false) {
    this.#store = store;
    this.#isLookedAt = isLookedAt;
  }

  done(text: string, action?: ToastAction): void {
    this.#show('done', text, action);
  }

  failed(text: string, action?: ToastAction): void {
    this.#show('failed', text, action);
  }

  dismiss(id: number): void {
    this.#store.setState(({ shown }) => ({ shown: shown.filter((toast) => toast.id !== id) }));
  }

  /** Called on navigation. Dismisses messages that had time to be read. */
  moved(): void {
    const now = Date.now();
    this.#store.setState(({ shown }) => ({ shown: shown.filter(({ at }) => now - at < READ_MS) }));
  }

  /** Opens or closes the dialog with earlier messages. */
  showAll(isReading: boolean): void {
    this.#store.setState({ isReading });
  }

  #show(tone: Toast['tone'], text: string, action?: ToastAction): void {
    this.#last += 1;
    const toast: Toast = { id: this.#last, tone, text, at: Date.now(), ...(action && { action }) };
    this.#store.setState(({ shown, past }) => ({
      shown: [...shown.filter((old) => old.text !== text), toast].slice(-MAX_SHOWN),
      past: [toast, ...past].slice(0, MAX_PAST),
    }));
    this.#goAfter(toast.id, action ? WITH_ACTION_MS : SHOWN_MS[tone]);
  }

  #goAfter(id: number, ms: number): void {
    setTimeout(() => {
      if (this.#isLookedAt()) this.#goAfter(id, LOOKED_AT_MS);
      else this.dismiss(id);
    }, ms);
  }
}
