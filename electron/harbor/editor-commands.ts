/** The commands of `lisp-harbor editor` in the harbor: they choose a session, and open or close its port. */

import { z } from 'zod';
import { HarborError } from '../contract/errors';
import { type EditorPortView, EditorProtocol, EmacsProtocol } from '../contract/harbor-status';
import { COMMAND_LINE_KEY } from '../contract/known-clients';
import { type Client, EngineName } from '../contract/model';
import type { Projects } from '../sandbox/projects';
import type { SleepingSession } from '../sessions/recovery/sleeping-sessions';
import type { Session } from '../sessions/session/session';
import type { Sessions } from '../sessions/sessions';
import type { ProtocolPorts } from './ports';

const EditorRequest = z.object({
  /** A handle or a name; absent: the session of `project` that was used last. */
  session: z.string().min(1).max(80).optional(),
  project: z.string(),
  engine: EngineName.optional(),
  protocol: EditorProtocol.optional(),
  port: z.int().min(0).max(65_535).optional(),
  portFile: z.boolean().optional(),
});

interface EditorCommandDependencies {
  sessions: Sessions;
  projects: Projects;
  ports: ProtocolPorts;
  /** Has access to the sessions of all clients. */
  person: Client;
  /** Returns the project that contains a folder. */
  projectOf: (folder: string, client: Client) => string;
}

export class EditorCommands {
  readonly #dependencies: EditorCommandDependencies;

  constructor(dependencies: EditorCommandDependencies) {
    this.#dependencies = dependencies;
  }

  /** Opens a port of a session; opens the session too if the project has none. */
  async open(args: unknown): Promise<EditorPortView> {
    const request = EditorRequest.parse(args);
    const { ports } = this.#dependencies;
    const session = this.#chosen(request) ?? (await this.#opened(request));
    const offered: EditorProtocol[] = session.view().slime ? [...EmacsProtocol.options, 'nrepl'] : ['nrepl'];
    // Only nREPL has a port file.
    const [usual = 'nrepl'] = request.portFile ? [] : offered;
    const { protocol = usual } = request;
    if (!offered.includes(protocol))
      throw new HarborError(
        'not_supported',
        `Session ${session.id} of ${session.identity.engine} does not offer ${protocol} to editors. Use --protocol ${offered.join(' or ')}.`,
      );
    return ports[protocol].open(session.id, request);
  }

  /** Closes the ports of a session, or the one of the protocol. Returns the protocols of those it closed. */
  async close(args: unknown): Promise<EditorProtocol[]> {
    const request = EditorRequest.parse(args);
    const session = this.#chosen(request);
    if (session === null) return [];
    const closed: EditorProtocol[] = [];
    for (const protocol of request.protocol ? [request.protocol] : EditorProtocol.options)
      if ((await this.#dependencies.ports[protocol].stop(session.id)).closed) closed.push(protocol);
    return closed;
  }

  /**
   * Returns the session that is named, or the one of the project that was used last; null if it has none.
   * @throws HarborError `unknown_session`
   */
  #chosen({ session, project, engine }: z.infer<typeof EditorRequest>): Session | SleepingSession | null {
    const { sessions, person, projectOf } = this.#dependencies;
    if (session !== undefined) return sessions.known(session, person);
    const folder = projectOf(project, person);
    const usedAt = (each: Session | SleepingSession) => each.view().lastUsedAt;
    const [latest] = sessions
      .of(person)
      .filter(
        ({ identity }) => identity.project === folder && (engine ?? identity.engine) === identity.engine,
      )
      .sort((one, other) => usedAt(other) - usedAt(one));
    return latest ?? null;
  }

  async #opened({ project, engine }: z.infer<typeof EditorRequest>): Promise<Session> {
    const { sessions, projects, person, projectOf } = this.#dependencies;
    const folder = projects.approve(projectOf(project, person));
    return sessions.open({
      client: COMMAND_LINE_KEY,
      project: folder,
      ...(engine === undefined ? {} : { engine }),
    });
  }
}
