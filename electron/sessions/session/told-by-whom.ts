/** What a client does to the evaluation of another is told in the notes of that one. */
import { PERSON_KEY } from '../../contract/known-clients';
import type { RunningEvaluation } from './running-evaluation';

/** A client as the notes of another's evaluation call it. */
export function whoIs(client: string): string {
  return client === PERSON_KEY ? 'A person at the window' : client;
}

/** @param client who has it stopped; absent where nobody in particular does */
export function tellStopped(evaluation: RunningEvaluation, client: string | undefined): void {
  if (client !== undefined && client !== evaluation.row.client)
    evaluation.tell(`${whoIs(client)} had it stopped.`);
}
