import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Database } from '../store/store.ts';
import type { ChainPosition } from './batch.ts';
import { compareWithChain } from './confirmed.ts';

/** The last line of a chain in a file, compared with the chain. */
export interface FileReport {
  readonly chain: number;
  /** The last position in the file. */
  readonly position: number;
  /** Whether retention dropped that position since, so that it cannot be compared. */
  readonly isDropped: boolean;
  /** How the audit differs, a sentence; null where it does not. */
  readonly problem: string | null;
}

/**
 * Compares the chains with the last line of each in a file of lines as receivers have them, in any order: the hash of a
 * position stands for all before it. Lines that are none, such as one that was cut off, are passed over. Throws where the
 * file cannot be read.
 */
export async function verifyFile(db: Pick<Database, 'execute'>, path: string): Promise<FileReport[]> {
  const ends = new Map<number, ChainPosition>();
  for await (const line of createInterface({ input: createReadStream(path, 'utf8') })) {
    const found = positionOf(line);
    if (found !== undefined && found.position >= (ends.get(found.chain)?.position ?? 0))
      ends.set(found.chain, found);
  }
  const reports: FileReport[] = [];
  for (const end of [...ends.values()].sort((one, other) => one.chain - other.chain)) {
    const { chain, position } = end;
    const { wrong, isDropped } = await compareWithChain(db, end);
    const problem = wrong === null ? null : `The file has position ${position}, but ${wrong}.`;
    reports.push({ chain, position, isDropped, problem });
  }
  return reports;
}

function positionOf(line: string): ChainPosition | undefined {
  let read: unknown;
  try {
    read = JSON.parse(line);
  } catch {
    return undefined;
  }
  const { chain, position, hash } = Object(read) as Readonly<Record<string, unknown>>;
  return Number.isSafeInteger(chain) && Number.isSafeInteger(position) && typeof hash === 'string'
    ? { chain: chain as number, position: position as number, hash: Buffer.from(hash, 'hex') }
    : undefined;
}
