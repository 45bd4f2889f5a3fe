import { type Cause, cause } from '../kit/status.ts';
import { type Rec, str } from '../kit/values.ts';
import type { DeleteOptions } from '../objects/deletion.ts';
import { dryRunCauses, flag, refuseOptions, integerParameter } from './options.ts';

/** Validates the options of a deletion. Throws 422. */
function checkDeleteOptions(options: {
  readonly propagationPolicy?: string | undefined;
  readonly orphanDependents?: boolean | undefined;
  readonly dryRun: readonly string[];
}): void {
  const causes: Cause[] = [];
  const { propagationPolicy, orphanDependents } = options;
  if (orphanDependents !== undefined && propagationPolicy !== undefined) {
    const why = 'orphanDependents and deletionPropagation cannot be both set';
    causes.push(cause.invalid('propagationPolicy', propagationPolicy, why));
  }
  const policies = ['Foreground', 'Background', 'Orphan', 'nil'];
  if (propagationPolicy !== undefined && !policies.slice(0, 3).includes(propagationPolicy)) {
    causes.push(cause.notSupported('propagationPolicy', propagationPolicy, policies));
  }
  causes.push(...dryRunCauses(options.dryRun));
  refuseOptions('DeleteOptions', causes);
}

/** Reads DeleteOptions from a body, or from the query where there is no body. Throws 400 and 422. */
export function readDeleteOptions(body: Rec | undefined, query: URLSearchParams): DeleteOptions {
  const given = (field: string) => (body === undefined ? (query.get(field) ?? undefined) : body[field]);
  const grace =
    body === undefined
      ? integerParameter(query, 'gracePeriodSeconds')
      : (body['gracePeriodSeconds'] ?? undefined);
  const asked = body === undefined ? query.getAll('dryRun') : body['dryRun'];
  const dryRun = Array.isArray(asked) ? asked.map(str) : [];
  const orphan = given('orphanDependents') ?? undefined;
  const policy = given('propagationPolicy') ?? undefined;
  const orphanDependents =
    orphan === undefined ? undefined : body === undefined ? flag(query, 'orphanDependents') : orphan === true;
  const propagationPolicy = policy === undefined ? undefined : str(policy);
  checkDeleteOptions({ dryRun, orphanDependents, propagationPolicy });
  return {
    gracePeriodSeconds: grace === undefined ? undefined : Number(grace),
    propagationPolicy: propagationPolicy ?? (orphanDependents === true ? 'Orphan' : undefined),
    preconditions: body?.['preconditions'] as DeleteOptions['preconditions'],
    dryRun: dryRun.includes('All'),
  };
}
