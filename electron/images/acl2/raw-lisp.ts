/** ACL2's lock of trust tags, through which alone its code gets to raw Lisp, and what is said of all results without it. */
import type { TrustIssue } from '../../contract/proof';
import type { RawLispLock } from '../raw-lisp';

/** Told by the harbor itself: the image could leave it out. */
const RAW_LISP_ALLOWED: TrustIssue = {
  kind: 'raw-lisp-allowed',
  about: ['a person has allowed trust tags and raw Lisp: any result of this session could be forged'],
};

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
