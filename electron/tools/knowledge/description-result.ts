/** What `describe` answers of a name, as data. */
import type { Definition } from '../../contract/knowledge';
import type { PlaceResult, SourcePlaces } from '../source-places';

/** A definition with places as results show them; the schema that clients see leaves out most of it. */
export type DefinitionResult = Omit<Definition, 'source' | 'methods'> & {
  source?: PlaceResult;
  methods?: { text: string; documentation?: string | undefined; source?: PlaceResult }[];
};

export interface Description {
  session: string;
  symbol: string;
  status: string;
  definitions: readonly DefinitionResult[];
  disassembly?: string;
  notes: readonly string[];
}

export function definitionResult(
  { source, methods, ...rest }: Definition,
  view: SourcePlaces,
): DefinitionResult {
  return {
    ...rest,
    ...(source === undefined ? {} : { source: view.place(source) }),
    ...(methods === undefined
      ? {}
      : {
          methods: methods.map(({ source: place, ...method }) => ({
            ...method,
            ...(place === undefined ? {} : { source: view.place(place) }),
          })),
        }),
  };
}
