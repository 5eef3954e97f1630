/** Text that goes into code which we write, read as one form of its session's engine first. */
import { OneForm } from '../source/code';
import { dialectOf } from '../source/dialect';
import type { Session } from './session/session';

/** @param argument as its caller named it @throws HarborError `bad_arguments` for what is more, or less, than a form */
export function givenForm(text: string, { identity }: Session, argument: string): OneForm {
  return OneForm.read(text, dialectOf(identity.engine), argument);
}

/** Code that stops before each call which `text`, one form, makes. @throws HarborError `bad_arguments` */
export function steppingCode(text: string, session: Session): string {
  return `(step ${givenForm(text, session, 'code')})`;
}
