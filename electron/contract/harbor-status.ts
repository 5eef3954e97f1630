/** What the window shows of the harbor as a whole. */
import { z } from 'zod';
import { EngineFound, EngineName, SandboxReport } from './model';
import { OpenPorts } from './ports';

/** The harbor at a glance. `problem` says why the endpoint does not listen; `notices` are sentences to show, those of the
 * settings file among them. */
export const HarborStatus = z.object({
  version: z.string(),
  dataFolder: z.string(),
  project: z.string(),
  /** null when no engine was found. */
  defaultEngine: EngineName.nullable(),
  engines: z.array(EngineFound),
  sandbox: SandboxReport,
  /** `httpsUrl` is null unless it is served over TLS as well. */
  endpoint: z.object({
    url: z.string().nullable(),
    httpsUrl: z.string().nullable(),
    problem: z.string().nullable(),
  }),
  ports: OpenPorts,
  settingsProblems: z.array(z.string()),
  notices: z.array(z.string()),
});
export type HarborStatus = z.infer<typeof HarborStatus>;
