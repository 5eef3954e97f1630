/** All families of resources, in the order in which they are listed. */
import { guideResource } from './guides';
import { historyResource } from './history-resource';
import type { ResourceFamily } from './resource';
import { definitionsResource, type SessionResourceOptions, transcriptResource } from './session-resources';

export interface ResourcesOptions extends SessionResourceOptions {
  /** Folder of the guides to the engines. */
  guides: string;
}

export function resources(options: ResourcesOptions): readonly ResourceFamily[] {
  return [
    guideResource(options.guides),
    transcriptResource(options),
    definitionsResource(options),
    historyResource(options),
  ];
}
