/** An entry into a program's file and out of it again, with the memory that makes it exact. */
import { deleteFile, readSnapshot, replaceFile } from './config-file';
import { type Before, fingerprint, type InstallRecord, sha256 } from './install-record';
import type { RecordStore } from './record-store';
import { entryOf, isAsWritten, isFreeOfEntry, type Reading, targetOf, withoutEntry } from './site';

export class EntryWriter {
  readonly #records: RecordStore;

  constructor(records: RecordStore) {
    this.#records = records;
  }

  /**
   * The record comes first: one that did not come true is taken back, and an entry without one would lose its undo.
   * @param then what must hold when the entry is there; when it fails the file gets its old bytes back
   */
  async write(reading: Reading, bytes: Buffer, then: () => Promise<void>): Promise<void> {
    const { place, program, record, snapshot } = reading;
    const origin = await this.#origin(reading);
    try {
      await this.#records.write({
        version: 2,
        client: program.name,
        file: place.file,
        writtenAt: Date.now(),
        entry: fingerprint(entryOf(reading)),
        after: sha256(bytes),
        ...origin,
      });
      await replaceFile(snapshot, bytes);
      await this.#orBack(reading, then);
    } catch (error) {
      await (record ? this.#records.write(record) : this.#records.forget(program.name, place.file));
      if (origin.before !== record?.before) await this.#records.discard(origin.before);
      throw error;
    }
  }

  async #orBack({ snapshot, place }: Reading, then: () => Promise<void>): Promise<void> {
    try {
      await then();
    } catch (error) {
      const written = await readSnapshot(place.file);
      if (snapshot.bytes) await replaceFile(written, snapshot.bytes);
      else await deleteFile(written, snapshot.missingFolder);
      throw error;
    }
  }

  /** How the file was before our entry: what the record says when it is as we left it, else what it is now. */
  async #origin(reading: Reading): Promise<Pick<InstallRecord, 'before' | 'madeServers'>> {
    const { entry, program, kind, record, snapshot, text } = reading;
    if (record && isAsWritten(reading)) return { before: record.before, madeServers: record.madeServers };
    const { bytes, missingFolder } = snapshot;
    const before: Before = bytes
      ? { existed: true, sha256: sha256(bytes), backup: await this.#records.backUp(program.name, bytes) }
      : { existed: false, ...(missingFolder !== undefined && { madeFolder: missingFolder }) };
    const madeServers =
      entry === undefined ? !kind.format.hasServers(text, targetOf(reading)) : (record?.madeServers ?? false);
    return { before, madeServers };
  }

  async takeOut(reading: Reading): Promise<void> {
    const { program, record, snapshot } = reading;
    const { bytes, exact } = await this.undo(reading);
    if (!exact && snapshot.bytes) await this.#records.backUp(program.name, snapshot.bytes);
    if (bytes) await replaceFile(snapshot, bytes);
    else await deleteFile(snapshot, record?.before.existed === false ? record.before.madeFolder : undefined);
    if (exact && record) await this.#records.discard(record.before);
  }

  /** The file without our entry; `exact` when these are the bytes (or the absence) from before we came. */
  async undo(reading: Reading): Promise<{ bytes: Buffer | null; exact: boolean }> {
    const { record } = reading;
    if (record && isAsWritten(reading)) {
      if (!record.before.existed) return { bytes: null, exact: true };
      const bytes = await this.#records.backedUp(record.before);
      if (bytes && isFreeOfEntry(reading, bytes)) return { bytes, exact: true };
    }
    return { bytes: withoutEntry(reading), exact: false };
  }
}
