import * as z from 'zod/mini';
import { companyNameSchema, userSchema } from './account.ts';
import { endpoint } from './endpoint.ts';

const companyIdSchema = z.int().check(z.positive(), z.maximum(2_147_483_647));
const domainSchema = z.pipe(
  z
    .string()
    .check(
      z.trim(),
      z.regex(/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/i, 'Enter a domain like example.org.'),
      z.maxLength(253),
    ),
  z.transform((text) => text.toLowerCase()),
);

/** The company of the session as its people see it. */
export const companySchema = z
  .object({
    companyId: z.int(),
    name: z.string(),
    /** The domain of its people's addresses: who asks for an invitation from there reaches its Owners. */
    domain: z.nullable(z.string()),
    members: z.int(),
    clusters: z.int(),
    /** Whether browsers keep the last known rows of lists, for the next visit. */
    keepsRows: z.boolean(),
  })
  .register(z.globalRegistry, { id: 'Company' });
export type Company = z.infer<typeof companySchema>;

/** A company that a person belongs to. */
export const ownCompanySchema = z.object({
  companyId: z.int(),
  name: z.string(),
  orgRole: z.union([z.literal(1), z.literal(2)]),
  /** Whether the session acts in it. */
  isCurrent: z.boolean(),
});
export type OwnCompany = z.infer<typeof ownCompanySchema>;

/** The company of the session, and the companies of a person. */
export const companyEndpoints = {
  company: endpoint({
    method: 'GET',
    path: '/api/organization',
    summary: 'The organisation of the session',
    access: 'owner',
    response: companySchema,
  }),
  changeCompany: endpoint({
    method: 'PUT',
    path: '/api/organization',
    summary: 'Renames the organisation, or sets the domain of its people’s addresses',
    audited: 'change the organisation',
    access: 'owner',
    body: z.strictObject({ name: companyNameSchema, domain: z.nullable(domainSchema) }),
    response: companySchema,
  }),
  setKeptRows: endpoint({
    method: 'PUT',
    path: '/api/organization/kept-rows',
    summary: 'Sets whether browsers keep the last known rows of lists, names and statuses alone, for a day',
    audited: 'set whether browsers keep the last known rows',
    access: 'owner',
    proof: 'recent',
    body: z.strictObject({ keepsRows: z.boolean() }),
    response: companySchema,
  }),
  deleteCompany: endpoint({
    method: 'DELETE',
    path: '/api/organization',
    summary: 'Deletes the organisation, with everything that it has here; its name has to be sent as well',
    audited: 'delete the organisation[ {name}]',
    access: 'owner',
    proof: 'recent',
    perMinute: 10,
    body: z.strictObject({ name: z.string().check(z.maxLength(200)) }),
    status: 204,
  }),
  ownCompanies: endpoint({
    method: 'GET',
    path: '/api/profile/companies',
    summary: 'The organisations that the person belongs to, by name',
    access: 'account',
    response: z.object({
      companies: z.array(ownCompanySchema),
      /** Whether the person may found another one. */
      mayFound: z.boolean(),
    }),
  }),
  switchCompany: endpoint({
    method: 'POST',
    path: '/api/profile/company',
    summary: 'Switches to another organisation of the person, in a session with a new id',
    audited: 'switch to this organisation',
    isRoutine: true,
    access: 'account',
    moves: true,
    body: z.strictObject({ companyId: companyIdSchema }),
    response: userSchema,
  }),
} as const;
