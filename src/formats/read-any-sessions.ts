import type { SessionLog } from '../session/session.ts';
import { type ReadSessionsOptions, readSessionsWith } from './read-sessions.ts';
import { FORMAT_READERS } from './readers.ts';

/**
 * Read the session logs in a file of any known format, one after the other, while it streams.
 *
 * A log's surface is the effective conversation: the active branch, with a compaction as a checkpoint in the place of
 * what it replaced. Lines and conversations that cannot be read are reported, and cost no others.
 *
 * @param input - a Blob or File, a stream, bytes, text, or a value that was parsed already. Packed with gzip or zip, too;
 *   with zstd where `decompressZstd` is given.
 * @param options - see {@link ReadSessionsOptions}.
 * @throws SessionReferenceError `INVALID_LOG` for a file that is empty, binary or no known format, and for the only
 *   conversation of a file when it makes no sense; `CANCELLED` by the signal.
 */
export function readSessions(input: unknown, options?: ReadSessionsOptions | null): AsyncGenerator<SessionLog> {
  return readSessionsWith(FORMAT_READERS, input, options);
}
