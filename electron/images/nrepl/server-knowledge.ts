/** Which way a server is asked for what it knows of its names, by what runs behind it. */
import type { Knowledge } from '../optional-groups';
import type { NreplClient } from './client';
import { NreplKnowledge } from './knowledge';
import type { NreplSession } from './nrepl-session';
import { OpKnowledge, tellsByOps } from './op-knowledge';
import type { NreplQueries } from './queries';
import { SciKnowledge } from './sci-knowledge';
import { SciQueries } from './sci-queries';
import { SciQuestions } from './sci-questions';
import type { ServerFacts } from './server-facts';

export interface KnowingServer {
  client: NreplClient;
  session: NreplSession;
  facts: ServerFacts;
  /** Folder of our own Clojure code, resources/clojure. */
  folder: string;
  /** Asks our own code there; Clojure on Java alone has it. */
  queries: NreplQueries;
  /** The namespace that the session is in. */
  namespace: () => string;
}

/** undefined when nothing is known of the server's language, and it has no op for it. */
export function serverKnowledge(server: KnowingServer): Knowledge | undefined {
  const { client, session, facts, queries, namespace } = server;
  if (facts.clojure) return new NreplKnowledge(queries, namespace);
  if (facts.sci) {
    const { name, dialect } = facts.sci;
    const questions = new SciQuestions({ ...server, dialect });
    const asking = (question: string, request: string) => questions.ask(question, request);
    return new SciKnowledge(name, new SciQueries(name, asking), namespace);
  }
  return tellsByOps(facts.ops) ? new OpKnowledge(client, session, facts.ops, namespace) : undefined;
}
