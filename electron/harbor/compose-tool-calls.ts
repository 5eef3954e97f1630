/** Sessions as tools have them that are called at the command line of this harbor. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { HarborError } from '../contract/errors';
import type { ToolCallSessions } from '../endpoints/local/tool-calls';
import type { History } from '../history/history';
import { REPOSITORY } from '../sandbox/project-rules';
import { realPath } from '../sandbox/real-path';
import type { OutputEvent } from '../sessions/events';
import type { Sessions } from '../sessions/sessions';
import { sessionNamed } from './compose-terminals';

/** Characters that were printed before anybody could listen: a moment's worth. */
const MISSED = 1_000_000;

export function composeToolCalls(sessions: Sessions, { evaluations }: History): ToolCallSessions {
  return {
    projectAt: (folder, client) =>
      projectAround(folder, new Set(sessions.of(client).map(({ identity }) => identity.project))),
    named: async (name, { connection, client, engine }) => {
      const session = await sessionNamed(name, client, connection, sessions);
      if (engine === undefined || session.identity.engine === engine) return session.id;
      throw new HarborError(
        'bad_arguments',
        `The session ${name} is one of ${session.identity.engine}. Leave ${engine} out, or name another session.`,
      );
    },
    showOutput: (evaluation, show) => {
      const missed = evaluations.output(evaluation, 0, MISSED).text;
      if (missed !== '') show(missed, 'stdout');
      const listen = ({ evaluation: of, text, stream }: OutputEvent) => {
        if (of === evaluation && (stream === 'stdout' || stream === 'stderr')) show(text, stream);
      };
      sessions.events.on('output', listen);
      return () => sessions.events.off('output', listen);
    },
  };
}

/** Who goes down into a folder of a project works in that project still. A repository of its own is another one. */
function projectAround(folder: string, projects: ReadonlySet<string>): string {
  const real = realPath(folder);
  for (let at = real; ; at = path.dirname(at)) {
    if (projects.has(at)) return at;
    if (existsSync(path.join(at, REPOSITORY)) || path.dirname(at) === at) return real;
  }
}
