/** The settings file: one schema, defaults included. Only the harbor that holds the data folder writes it. */
import { z } from 'zod';
import { EngineName } from './model';

export const Theme = z.enum(['system', 'light', 'dark']);
export type Theme = z.infer<typeof Theme>;

export const Settings = z.object({
  version: z.literal(1).default(1),
  theme: Theme.default('system'),
  /** Port of the HTTP endpoint; 0 takes any free one. */
  port: z.number().int().min(0).max(65535).default(4617),
  /** Engine of new sessions; absent means `sbcl` where it is found, else `nbb`. */
  engine: EngineName.optional(),
  /** Folders a person approved as projects; one below an approved folder is approved too. */
  projects: z.array(z.string()).default([]),
  /** The project of sessions opened in the window. */
  project: z.string().optional(),
  /** A client then sees only its own rows of the history. */
  ownHistoryOnly: z.boolean().default(false),
  /** Milliseconds after which a call answers with a job while its evaluation goes on. */
  softLimitMs: z.number().int().min(100).max(600_000).default(45_000),
  /** Heap of a new SBCL image in MiB. */
  sbclHeapMiB: z.number().int().min(256).max(65_536).default(2048),
  /** Memory that a new ACL2 image may fill, in MiB. */
  acl2HeapMiB: z.number().int().min(256).max(65_536).default(2048),
});
export type Settings = z.infer<typeof Settings>;

const { shape } = Settings;

/** A change names some settings. It has no defaults: they would set back every setting that it does not name. */
export const SettingsChange = z
  .object({
    theme: shape.theme.unwrap(),
    port: shape.port.unwrap(),
    engine: shape.engine,
    projects: shape.projects.unwrap(),
    project: shape.project,
    ownHistoryOnly: shape.ownHistoryOnly.unwrap(),
    softLimitMs: shape.softLimitMs.unwrap(),
    sbclHeapMiB: shape.sbclHeapMiB.unwrap(),
    acl2HeapMiB: shape.acl2HeapMiB.unwrap(),
  })
  .partial();
export type SettingsChange = z.infer<typeof SettingsChange>;
