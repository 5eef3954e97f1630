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

/** How long a message about success stays; one about failure stays until it is dismissed. */
const SHOWN_MS = 6_000;
const AT_MOST = 3;
const KEPT = 100;

export class Toasts {
  readonly #store: StoreApi<ToastState>;
  #last = 0;

  constructor(store: StoreApi<ToastState>) {
    this.#store = store;
  }

  done(text: string): void {
    const { id } = this.#show('done', text);
    setTimeout(() => this.dismiss(id), SHOWN_MS);
  }

  failed(text: string): void {
    this.#show('failed', text);
  }

  dismiss(id: number): void {
    this.#store.setState(({ shown }) => ({ shown: shown.filter((toast) => toast.id !== id) }));
  }

  /** Shows what was told before, or no longer. */
  showAll(isReading: boolean): void {
    this.#store.setState({ isReading });
  }

  #show(tone: Toast['tone'], text: string): Toast {
    this.#last += 1;
    const toast: Toast = { id: this.#last, tone, text, at: Date.now() };
    this.#store.setState(({ shown, past }) => ({
      shown: [...shown.filter((old) => old.text !== text), toast].slice(-AT_MOST),
      past: [toast, ...past].slice(0, KEPT),
    }));
    return toast;
  }
}
