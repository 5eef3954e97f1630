/** The optional group of an image that knows its names: what they stand for, where they were defined, who uses them. */
import type {
  Findings,
  FindRequest,
  NameRequest,
  SymbolDescription,
  SystemFolder,
} from '../contract/knowledge';

/**
 * Nothing of what is asked is read or evaluated by the image. It answers while an evaluation runs, unless it has one
 * thread only; then it is `busy`. Each of these may fail with a HarborError as well: `unknown_symbol` and
 * `unknown_package` with names that are near, `bad_arguments`, `took_too_long`, `query_failed`, `image_lost`.
 */
export interface Knowledge {
  describe(request: NameRequest): Promise<SymbolDescription>;
  /** The machine code of a function, as text. */
  disassemble(request: NameRequest): Promise<string>;
  find(request: FindRequest): Promise<Findings>;
  /** Folders of the systems that are loaded, as code in the image claims them: believe none that is not allowed anyway. */
  systemFolders?(): Promise<readonly SystemFolder[]>;
  /** Code whose value is the expansion of `form`: macros are code, so this is evaluated like any other. */
  expansionCode(form: string, extent: 'once' | 'full'): string;
}
