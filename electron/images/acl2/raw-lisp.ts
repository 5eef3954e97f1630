/** ACL2's lock of trust tags, the only way from ACL2's code to raw Lisp, and what every result says once it is open. */
import type { TrustIssue } from '../../contract/proof';
import type { RawLispLock } from '../world';

/** Told by the harbor itself: the image could leave it out. */
const RAW_LISP_ALLOWED: TrustIssue = {
  kind: 'raw-lisp-allowed',
  about: [
    'a person has allowed trust tags, raw Lisp and the compiled files of any book: every result of this session could be forged',
  ],
};

const LOCKED =
  'Trust tags are locked in this session: with one, code gets to raw Lisp, where it could forge any result. A person can unlock them in the window, by “Allow raw Lisp…” in the menu of the session.';

/** What can be done about the error of a form that wanted a trust tag; null of any other. */
export function trustTagAdvice(message: string): string | null {
  return /is\s+not\s+among\s+the\s+set\s+of\s+ttags\s+permitted/.test(message) ? LOCKED : null;
}

export class OneWayLock implements RawLispLock {
  #allowed = false;

  get allowed(): boolean {
    return this.#allowed;
  }

  get standing(): readonly TrustIssue[] {
    return this.#allowed ? [RAW_LISP_ALLOWED] : [];
  }

  allow(): void {
    this.#allowed = true;
  }
}
