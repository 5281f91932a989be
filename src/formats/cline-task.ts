import { isRecord, type UnknownRecord } from '../record.ts';
import { findWorkingDirectory } from './cline-text.ts';
import { ConversationWriter } from './conversation-writer.ts';
import { toContentBlocks } from './foreign-content.ts';
import { readTime } from './foreign-time.ts';
import type { FormatName, FormatSample, ReadContext } from './format-reader.ts';

/** A message of a task, or a line of what was shown, and where it stood. */
export interface ClineRow {
  readonly row: UnknownRecord;
  readonly where: string;
}

/**
 * Whether rows are the history that Cline and Roo send to the model: messages of the Anthropic API with elements of
 * their own in the text.
 *
 * @param sample - the first rows.
 */
export function isTaskHistory({ rows }: FormatSample): boolean {
  return rows.some((row) => {
    if (!isRecord(row) || row.role !== 'user') return false;
    return toContentBlocks(row.content).some(({ type, text }) => {
      if (type !== 'text' || typeof text !== 'string') return false;
      return text.trimStart().startsWith('<task>') || text.includes('<environment_details>');
    });
  });
}

/** Tasks are folders, which are named by the time at which they began. */
export class ClineTask {
  /** The name of the folder, where the path of the file is known. */
  readonly id: string | undefined;

  /** @param context - of the file. */
  constructor({ sessionId, fileName }: ReadContext) {
    const folder = /([^/\\]{1,200})[/\\][^/\\]+$/.exec(fileName ?? '')?.[1];
    this.id = sessionId === undefined ? folder : undefined;
  }

  /**
   * A writer for the task.
   *
   * @param format - of the file.
   * @param rows - of the task.
   */
  open(format: FormatName, rows: readonly ClineRow[]): ConversationWriter {
    const first = rows.find(({ row }) => readTime(row.ts) !== undefined);
    const began = this.id !== undefined && /^\d{13}$/.test(this.id) ? readTime(Number(this.id)) : undefined;
    return new ConversationWriter(format, {
      createdAt: began ?? readTime(first?.row.ts),
      cwd: findWorkingDirectory(rows.find(({ row }) => row.role === 'user')?.row.content),
    });
  }
}
