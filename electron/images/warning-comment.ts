/** A warning among the output, as Lisps themselves print one: a comment. */
import type { Warning } from '../contract/model';

export function asComment({ severity, message }: Pick<Warning, 'severity' | 'message'>): string {
  return `; ${severity.toUpperCase()}: ${message.replaceAll('\n', '\n; ')}\n`;
}
