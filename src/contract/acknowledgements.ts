import * as z from 'zod/mini';
import { clusterParams } from './clusters.ts';
import { endpoint } from './endpoint.ts';
import { refSchema } from './objects.ts';

/** Maximum number of troubles that a person has acknowledged at a time. */
export const acknowledgementLimit = 500;
/** Maximum number of days that an acknowledgement lasts. */
export const acknowledgementDays = 31;
/** Maximum number of causes of one trouble. */
const causeLimit = 50;

const causesSchema = z
  .array(
    z.strictObject({
      /** Id of the rule, and after a space which of the problems that the rule reports. */
      rule: z.string().check(z.minLength(1), z.maxLength(100)),
      extent: z.int().check(z.minimum(0), z.maximum(1_000_000)),
    }),
  )
  .check(z.minLength(1), z.maxLength(causeLimit));

/** Trouble of an object that a person acknowledged for themselves. */
const acknowledgementSchema = z.strictObject({
  id: z.uuid(),
  clusterId: z.int(),
  object: refSchema,
  /** The causes that were there, each with the greatest extent: others, and more of the same, are not acknowledged. */
  causes: causesSchema,
  /** When it ends, ISO. */
  until: z.string(),
});
export type Acknowledgement = z.infer<typeof acknowledgementSchema>;

/** Acknowledging trouble: each person's own. It folds lines that the person sees, and shows none. */
export const acknowledgementEndpoints = {
  acknowledgements: endpoint({
    method: 'GET',
    path: '/api/profile/acknowledgements',
    summary:
      'Problems that the signed-in person has acknowledged and may still view, until each acknowledgement ends',
    access: 'member',
    response: z.array(acknowledgementSchema),
    failure: 'Failed to fetch your acknowledgements',
  }),
  acknowledge: endpoint({
    method: 'PUT',
    path: '/api/clusters/:clusterId/acknowledgements',
    summary:
      'Acknowledges the problem of an object for the signed-in person until a time, unless it gets worse',
    access: 'cluster',
    tokens: 'never',
    own: true,
    params: clusterParams,
    body: z.strictObject({
      object: refSchema,
      causes: causesSchema,
      until: z.iso.datetime({ error: 'Give the end as a time in UTC, such as 2026-01-31T08:00:00Z.' }),
    }),
    response: acknowledgementSchema,
    failure: 'Failed to acknowledge the problem',
  }),
  unacknowledge: endpoint({
    method: 'DELETE',
    path: '/api/profile/acknowledgements/:acknowledgementId',
    summary: 'Ends the acknowledgement of a problem',
    access: 'member',
    own: true,
    params: z.strictObject({ acknowledgementId: z.uuid() }),
    status: 204,
    failure: 'Failed to end the acknowledgement',
  }),
} as const;
