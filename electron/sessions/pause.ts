/** Stops what clients evaluate, and leaves alone what a person does. */
import type { Session } from './session/session';

/** Interrupts each session until nothing of a client runs there, what waited for its turn included. Settles when all stand. */
export async function stopClients(sessions: readonly Session[], person: string): Promise<void> {
  await Promise.allSettled(sessions.map((session) => stopIn(session, person)));
}

async function stopIn(session: Session, person: string): Promise<void> {
  for (let running = session.running; running && running.row.client !== person; running = session.running) {
    await session.interrupt();
    await running.atRest;
    if (session.running === running) return;
  }
}
