/** User actions about source files: showing one, going to a definition and back, creating one. */
import type { SessionId } from '../electron/contract/model';
import { harbor, type ReportingProxy, reportingHarbor } from './bridge';
import { nameInProject } from './parts/format';
import type { ActionDependencies } from './session-opener';

/** Maximum number of places that the user can go back to. */
const MOST_VISITS = 100;

export class SourceActions {
  readonly #dependencies: ActionDependencies;
  readonly #harbor: ReportingProxy;
  /** Shows the description of a name in the session's image. */
  readonly #browse: (session: SessionId, name: string) => void;

  constructor(dependencies: ActionDependencies, browse: (session: SessionId, name: string) => void) {
    this.#dependencies = dependencies;
    this.#harbor = reportingHarbor(dependencies.toasts);
    this.#browse = browse;
  }

  /**
   * Shows a source file.
   * @param session the session whose project contains it; null for the project of new sessions
   * @param path relative to the project, or absolute
   * @param line from 1
   */
  open(session: SessionId | null, path: string, line?: number): void {
    const { route, viewState } = this.#dependencies;
    const { file } = route.getState();
    viewState.setState(({ sourceVisits, sourceCursor }) => ({
      ...(session !== null && { sourceSession: session }),
      sourceTarget: line === undefined ? null : { path, line },
      sourceVisits:
        file === null
          ? sourceVisits
          : [...sourceVisits, { path: file, offset: sourceCursor }].slice(-MOST_VISITS),
    }));
    route.setState({ view: 'source', file: path });
  }

  /** Shows the place in a source file from which the last one was opened. */
  back(): void {
    const { route, viewState } = this.#dependencies;
    const { sourceVisits } = viewState.getState();
    const last = sourceVisits.at(-1);
    if (!last) return;
    viewState.setState({ sourceVisits: sourceVisits.slice(0, -1), sourceTarget: last });
    route.setState({ view: 'source', file: last.path });
  }

  /** Writes an empty source file and shows it. Returns whether it was written. */
  async create(session: SessionId | null, path: string): Promise<boolean> {
    const written = await this.#harbor.source.write({ session, path, text: '', hash: null });
    if (!written) return false;
    await this.#dependencies.queries.invalidateQueries({ queryKey: ['source', 'folder'] });
    this.open(session, written.path);
    return true;
  }

  /**
   * Shows the definition of a name: in its source file, else in the browser of the session.
   * @param session null for a name in a file of the project of new sessions
   * @param here the package in which the name is read; the session's by default
   */
  async showDefinition(session: SessionId | null, name: string, here?: string): Promise<void> {
    const place =
      (session && (await this.#placeInImage(session, name, here))) ??
      (await this.#placeInFiles(session, name));
    if (place) this.open(session, place.path, place.line);
    else if (session !== null) this.#browse(session, name);
    else this.#dependencies.toasts.failed(this.#dependencies.words().source.noDefinition(name));
  }

  /** Returns the place of the definition in a file that can be read. */
  async #placeInImage(
    session: SessionId,
    name: string,
    here?: string,
  ): Promise<{ path: string; line: number } | null> {
    const request = { session, name, ...(here === undefined ? {} : { package: here }) };
    const described = await harbor.browse.describe(request).catch(() => null);
    const places = (described?.definitions ?? []).flatMap(({ source, methods = [] }) => [
      source,
      ...methods.map((method) => method.source),
    ]);
    const { file, line = 1 } = places.find((each) => each?.file !== undefined) ?? {};
    if (file === undefined) return null;
    const project = this.#dependencies.live.getState().sessions.get(session)?.project ?? '';
    const path = nameInProject(file, project);
    return harbor.source.read({ session, path }).then(
      () => ({ path, line }),
      () => null,
    );
  }

  async #placeInFiles(
    session: SessionId | null,
    name: string,
  ): Promise<{ path: string; line: number } | null> {
    const bare = name.replace(/^.*(?:::?|\/)(?=.)/, '');
    const [place] = await harbor.source.find({ session, name: bare }).catch(() => []);
    return place ?? null;
  }
}
