/** What the call that runs now was let in for: known to all that it does, and to nothing else. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ApprovalClass } from '../contract/approvals';

const letIn = new AsyncLocalStorage<ApprovalClass>();

/** Does `work` as a call that was let in for acts of that class. */
export function asLetIn<T>(act: ApprovalClass, work: () => T): T {
  return letIn.run(act, work);
}

/** Whether the call was let in for acts of that class. */
export function isLetIn(act: ApprovalClass): boolean {
  return letIn.getStore() === act;
}
