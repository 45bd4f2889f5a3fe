import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { nameOfSchema } from './text.ts';

/** Maximum number of filters of a person. */
export const filtersLimit = 100;

/**
 * A filter's target within any cluster: the path of a list and its search, `pods?q=is:unhealthy&ns=shop`. It cannot
 * lead out of the cluster. A search of the audit, which belongs to none, is `audit?words=mia`.
 */
export const filterPlaceSchema = z.string().check(
  z.maxLength(2_000, 'The filter of this list is too long to save.'),
  z.regex(
    /^[a-z0-9][a-z0-9.-]*(?:\/[a-z0-9][a-z0-9.-]*)*(?:\?[\x21-\x7e]*)?$/i,
    'This is not a list of a cluster.',
  ),
  z.refine((place) => !place.includes('..'), 'This is not a list of a cluster.'),
);

/** A filter of a list that a person saved under a name. */
export const savedFilterSchema = z.object({ name: z.string(), place: z.string() });
export type SavedFilter = z.infer<typeof savedFilterSchema>;

const params = z.object({ name: nameOfSchema('A filter needs a name.') });

/** The saved filters of the signed-in person, for every cluster and browser. */
export const filterEndpoints = {
  filters: endpoint({
    method: 'GET',
    path: '/api/profile/filters',
    summary: 'The filters of lists that the signed-in person has saved, by name',
    access: 'member',
    response: z.object({ filters: z.array(savedFilterSchema) }),
  }),
  saveFilter: endpoint({
    method: 'PUT',
    path: '/api/profile/filters/:name',
    summary: 'Saves a filter under a name, and replaces one of the same name',
    access: 'member',
    own: true,
    params,
    body: z.strictObject({ place: filterPlaceSchema }),
    status: 204,
  }),
  deleteFilter: endpoint({
    method: 'DELETE',
    path: '/api/profile/filters/:name',
    summary: 'Deletes a saved filter',
    access: 'member',
    own: true,
    params,
    status: 204,
  }),
} as const;
