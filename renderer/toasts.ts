/** Short messages about what was just done or could not be done. */
import type { StoreApi } from 'zustand';

export interface Toast {
  id: number;
  tone: 'done' | 'failed';
  text: string;
}

/** How long a message about success stays; one about failure stays until it is dismissed. */
const SHOWN_MS = 6_000;
const AT_MOST = 3;

export class Toasts {
  readonly #store: StoreApi<readonly Toast[]>;
  #last = 0;

  constructor(store: StoreApi<readonly Toast[]>) {
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
    this.#store.setState((toasts) => toasts.filter((toast) => toast.id !== id), true);
  }

  #show(tone: Toast['tone'], text: string): Toast {
    this.#last += 1;
    const toast: Toast = { id: this.#last, tone, text };
    this.#store.setState(
      (toasts) => [...toasts.filter((old) => old.text !== text), toast].slice(-AT_MOST),
      true,
    );
    return toast;
  }
}
