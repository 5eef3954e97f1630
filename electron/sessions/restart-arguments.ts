/** What a restart is given, by people and agents: each argument is one form, whose value it gets; and how it is told. */
import type { OneForm } from '../source/code';
import { givenForm } from './given-form';
import type { Session } from './session/session';

/** @throws HarborError `bad_arguments` for what is more, or less, than a form */
export function restartArguments(texts: readonly string[], session: Session): OneForm[] {
  return texts.map((text) => givenForm(text, session, 'arguments'));
}

/** What a person is shown who is asked about it. */
export function restartCode(restart: number | string, texts: readonly string[] = []): string {
  return ['restart', String(restart), ...texts].join(' ');
}
