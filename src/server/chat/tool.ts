import type { z } from 'zod';
import type { DataClass } from '../../contract/chat-model.ts';
import type { Evidence } from '../../contract/diagnosis.ts';
import type { Ref } from '../../contract/objects.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import type { Reach } from '../access/grants.ts';
import type { LastLines } from '../logs/logs.ts';
import type { PersonCalls } from './reasoner.ts';
import type { ToldObject } from './sight.ts';
import type { StandIns } from './stand-ins.ts';

/** Bytes of what one tool gives a model. */
export const resultLimit = 8 * 1024;
/** Bytes of it that name what can be cited. */
export const citationRoom = 2_000;
/** Bytes of it that data may take where much can be cited: the marks around both take some as well. */
const dataRoom = resultLimit - citationRoom - 512;
/** Bytes of it that data may take where one object can be cited. */
export const longRoom = 7_000;

/** What tools may use. All of it asks for the grants that the person has at that moment. */
export interface ToolParts {
  readonly clusterId: number;
  readonly calls: PersonCalls;
  readonly reach: () => Promise<Reach>;
  /** Any kind by its name. Throws Problem. */
  readonly findKind: (name: string) => Promise<AnyKind>;
  /** Lines of a container's log. Throws Problem. */
  readonly readLog: (asked: LastLines) => Promise<string>;
  /** Who wrote which fields of an object last; calls leave it out. Throws Problem. */
  readonly readManagedFields: (ref: Ref) => Promise<unknown>;
  /** How a model is told of who did something, by the actor of the audit, and of people in texts before these are cut. */
  readonly people: Pick<StandIns, 'of' | 'masked'>;
  /** Data that an Owner keeps from the model. */
  readonly withheld: ReadonlySet<DataClass>;
  /** Stores a proposal with its dry run. Throws Problem. */
  readonly propose: (proposal: ProposedChange) => Promise<ProposalAnswer>;
}

/** A change that a model thinks would help. */
export interface ProposedChange {
  readonly action: string;
  readonly refs: readonly Ref[];
  readonly args: Readonly<Record<string, unknown>>;
}

/** The stored proposal, with its dry run. */
export interface ProposalAnswer {
  readonly id: string;
  readonly outcomes: readonly {
    readonly ref: Ref;
    readonly ok: boolean;
    readonly message: string;
  }[];
}

/** What a tool found. */
export interface ToolResult {
  /** In words, for people. */
  readonly summary: string;
  /** What the model gets, redacted already by its structure. */
  readonly data: unknown;
  /** All objects that it tells of. */
  readonly objects: readonly ToldObject[];
  /** What sentences may stand on. */
  readonly evidence: readonly Evidence[];
}

/** Something that is read for an answer. None changes anything. */
export interface Tool<S extends z.ZodType = z.ZodType> {
  readonly name: string;
  /** What it is for, as the model is told. */
  readonly description: string;
  readonly input: S;
  /** What it does with this input, in a few words for people. */
  readonly about: (input: z.output<S>) => string;
  /** What its input names. Whoever may not view all of it neither learns what was asked, nor how it went. */
  readonly names: (input: z.output<S>) => readonly ToldObject[];
  readonly run: (input: z.output<S>, parts: ToolParts) => Promise<ToolResult>;
}

/** Declares a tool with the types of its input. */
export const tool = <S extends z.ZodType>(definition: Tool<S>): Tool =>
  // Its input was read by its schema before it runs.
  definition;

/**
 * A list that fits: as many of its items as there is room for, and how many are left out.
 * @param room bytes
 */
export function fitItems<T>(
  items: readonly T[],
  room = dataRoom,
): { readonly items: readonly T[]; readonly note?: string } {
  const kept: T[] = [];
  let used = 0;
  for (const item of items) {
    used += Buffer.byteLength(JSON.stringify(item)) + 1;
    if (used > room) break;
    kept.push(item);
  }
  if (kept.length === items.length) return { items: kept };
  return { items: kept, note: `${kept.length} of ${items.length}: narrow it to see others.` };
}

/** Bytes that are kept for saying what was cut off. */
const noteRoom = 64;

/** A text that fits, its beginning first; how much of it was cut off is said. @param room bytes */
export function fitText(text: string, room = dataRoom): string {
  const length = Buffer.byteLength(text);
  if (length <= room) return text;
  const kept = Buffer.from(text)
    .subarray(0, room - noteRoom)
    .toString('utf8')
    .replace(/\uFFFD$/, '');
  return `${kept}\n… ${Buffer.byteLength(kept)} of ${length} bytes: narrow it.`;
}

/** The last lines that fit; how many there are is said before them. @param room bytes */
export function fitEnd(lines: readonly string[], room = dataRoom): string {
  const { items } = fitItems(lines.toReversed(), room - noteRoom);
  const kept = items.toReversed().join('\n');
  return items.length === lines.length
    ? kept
    : `… the last ${items.length} of ${lines.length} lines: narrow it.\n${kept}`;
}
