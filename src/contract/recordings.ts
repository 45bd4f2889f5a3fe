import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { clusterIdSchema, momentSchema, personFilterSchema } from './audit.ts';

/** Recordings of one page. */
export const recordingsPageSize = 100;

export const recordingParams = z.object({ recordingId: z.uuid() });

/**
 * A recording as it is replayed: one WebSocket. Binary messages are its asciicast, in order; text messages are JSON. The
 * page sends nothing and closes the socket to end.
 */
export const replayPath = '/api/organization/recordings/:recordingId/replay';

const filterFields = {
  /** A part of the email address of whose shell it was. */
  person: personFilterSchema,
  clusterId: clusterIdSchema,
  /** Began at this time or later. */
  from: z.optional(momentSchema),
  /** Began before this time. */
  until: z.optional(momentSchema),
};

const filterSchema = z.object(filterFields);
/** What recordings are looked for; all of them without any part. */
export type RecordingFilter = z.infer<typeof filterSchema>;

/** A recorded shell, without what it showed. */
export const recordingSchema = z
  .object({
    id: z.string(),
    clusterId: z.int(),
    /** The cluster's name today; of one that is gone, its name when the shell was opened. */
    cluster: z.string(),
    /** Email address of the person at that time. */
    actor: z.string(),
    mode: z.enum(['exec', 'attach']),
    namespace: z.string(),
    /** Of the pod. */
    name: z.string(),
    container: z.nullable(z.string()),
    /** When the shell was opened, ISO. */
    startedAt: z.string(),
    /** When it ended, ISO; null while it is open, or when the server died meanwhile. */
    endedAt: z.nullable(z.string()),
    /** How it ended, a sentence; null like `endedAt`. */
    ending: z.nullable(z.string()),
    /** How long it lasts so far, ms. */
    duration: z.int(),
    /** Size of its text in bytes. */
    size: z.int(),
  })
  .register(z.globalRegistry, { id: 'Recording' });
export type Recording = z.infer<typeof recordingSchema>;

/** Messages of a replay besides its text. */
export type ReplayMessage =
  /** The first message. */
  | { readonly type: 'about'; readonly recording: Recording }
  /** Everything that is recorded so far was sent. */
  | { readonly type: 'complete' }
  /** The last message: why there is no more of it, a sentence. The server closes the socket. */
  | { readonly type: 'ended'; readonly title: string };

/** The recordings of a company's shells, for its Owners. */
export const recordingEndpoints = {
  recordings: endpoint({
    method: 'GET',
    path: '/api/organization/recordings',
    summary: 'The recorded shells of the organisation, newest first',
    access: 'owner',
    query: z.object({
      ...filterFields,
      /** `next` of the page before. */
      after: z.optional(z.string().check(z.regex(/^\d{1,14}\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/))),
    }),
    response: z.object({
      recordings: z.array(recordingSchema),
      /** Names the place where the next page goes on; null on the last one. */
      next: z.nullable(z.string()),
    }),
  }),
  downloadRecording: endpoint({
    method: 'GET',
    path: '/api/organization/recordings/:recordingId/cast',
    summary: 'The output of a recorded shell, as an asciicast v2. Audited',
    audited: 'download a recorded shell',
    isRoutine: true,
    access: 'owner',
    proof: 'recent',
    params: recordingParams,
    download: true,
    perMinute: 20,
  }),
} as const;
