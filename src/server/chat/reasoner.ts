import type { Api } from '../../contract/api.ts';
import type { CallOf, ResponseOf } from '../../contract/endpoint.ts';
import type { Ref } from '../../contract/objects.ts';
import type { Member } from '../access/person.ts';
import type { ToldPart } from './answer-log.ts';

/** Calls of the API that a tool or the rules make for a person, by their grants at that moment. They only read. */
export interface PersonCalls {
  read<K extends ReadCall>(name: K, call: CallOf<Api[K]>): Promise<ResponseOf<Api[K]>>;
}

/** The calls that are made for answers: a closed list, all reading. */
export type ReadCall =
  | 'diagnoseObject'
  | 'diagnoseCluster'
  | 'search'
  | 'object'
  | 'objects'
  | 'objectUsageHistory'
  | 'usageOf'
  | 'clusterUsageHistory'
  | 'whyNot'
  | 'revisions'
  | 'releaseHistory'
  | 'releaseResources'
  | 'availableActions'
  | 'objectWriters'
  | 'audit';

/** A question, and what is needed to answer it. */
export interface Question {
  readonly person: Member;
  readonly clusterId: number;
  readonly turnId: string;
  readonly conversationId: string;
  readonly text: string;
  readonly about: Ref | null;
  readonly calls: PersonCalls;
  readonly signal: AbortSignal;
  /** Tells parts as they come. Throws when the answer was ended meanwhile. */
  readonly tell: (parts: readonly ToldPart[]) => Promise<void>;
}
