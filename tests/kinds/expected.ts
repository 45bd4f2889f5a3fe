import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { permissions } from '../../src/contract/permissions.ts';

const ids = z.array(z.string());
const permission = z.enum(permissions);

/** The minimum of a kind: columns and actions by id, sections by name or title, and who may view and change it. */
const expectedSchema = z.record(
  z.string(),
  z.strictObject({
    columns: ids,
    sections: ids,
    actions: ids,
    view: permission,
    manage: z.union([permission, z.array(permission), z.literal('owner')]),
  }),
);

/** The expectations of each kind with a file: `expected.yaml`, written by hand. */
export const expectedKinds: Readonly<z.infer<typeof expectedSchema>> = expectedSchema.parse(
  parse(readFileSync(new URL('expected.yaml', import.meta.url), 'utf8')),
);
