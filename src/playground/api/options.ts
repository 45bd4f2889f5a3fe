import { type Cause, badRequest, cause, invalid } from '../kit/status.ts';

/** The kinds of options in a request's query or a deletion's body. */
export type OptionsKind =
  | 'CreateOptions'
  | 'DeleteOptions'
  | 'ListOptions'
  | 'PatchOptions'
  | 'UpdateOptions';

/** Refuses invalid options. Throws 422 if there are causes. */
export function refuseOptions(kind: OptionsKind, causes: readonly Cause[]): void {
  if (causes.length > 0) throw invalid('meta.k8s.io', kind, '', causes);
}

/** A boolean of the query as Go reads it: any value but "false" and "0" is true. */
export function flag(query: URLSearchParams, name: string): boolean {
  const given = query.get(name);
  return given !== null && !['false', '0'].includes(given.toLowerCase());
}

/** An integer of the query; undefined when absent. Throws 400 with Go's message. */
export function integerParameter(query: URLSearchParams, name: string): number | undefined {
  const given = query.get(name);
  if (given === null || given === '') return undefined;
  if (!/^[+-]?\d+$/.test(given)) {
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(given)}: invalid syntax`);
  }
  return Number(given);
}

/** The causes for which values of `dryRun` are refused: only "All" is valid. */
export function dryRunCauses(given: readonly string[]): Cause[] {
  return given.length === 0 || (given.length > 0 && given.every((one) => one === 'All'))
    ? []
    : [cause.notSupported('dryRun', given, ['All'])];
}

const validations = ['', 'Ignore', 'Strict', 'Warn'];

/** Checks the options of a create, update or patch. Throws 422. */
export function checkWriteOptions(
  kind: 'CreateOptions' | 'PatchOptions' | 'UpdateOptions',
  query: URLSearchParams,
  applying = false,
): void {
  const causes: Cause[] = [];
  const manager = query.get('fieldManager') ?? '';
  const validation = query.get('fieldValidation') ?? '';
  if (kind === 'PatchOptions' && !applying && query.get('force') !== null) {
    causes.push(cause.forbidden('force', 'may not be specified for non-apply patch'));
  }
  if (applying && manager === '') causes.push(cause.required('fieldManager', 'is required for apply patch'));
  if (Buffer.byteLength(manager) > 128) causes.push(cause.tooLong('fieldManager', 128));
  if (/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(manager)) {
    causes.push(cause.invalid('fieldManager', manager, 'should only contain printable characters'));
  }
  causes.push(...dryRunCauses(query.getAll('dryRun')));
  if (!validations.includes(validation)) {
    causes.push(cause.notSupported('fieldValidation', validation, validations));
  }
  refuseOptions(kind, causes);
}

const INCLUDE_OBJECT_VALUES = ['', 'Metadata', 'None', 'Object'];

/** Checks the query parameters of a table. Throws 400. */
export function checkTableOptions(query: URLSearchParams): void {
  const given = query.get('includeObject') ?? '';
  if (INCLUDE_OBJECT_VALUES.includes(given)) return;
  const { message } = cause.invalid('', given, "must be 'Metadata', 'Object', 'None', or empty");
  throw badRequest(`Unable to convert to Table as requested: includeObject: ${message}`);
}

const exact = 'Exact';
const notOlder = 'NotOlderThan';

function listCauses(query: URLSearchParams, match: string): Cause[] {
  const field = 'resourceVersionMatch';
  const causes: Cause[] = [];
  const version = query.get('resourceVersion') ?? '';
  if (match !== '') {
    if (version === '') {
      causes.push(
        cause.forbidden(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided'),
      );
    }
    if ((query.get('continue') ?? '') !== '') {
      causes.push(cause.forbidden(field, 'resourceVersionMatch is forbidden when continue is provided'));
    }
    if (match !== exact && match !== notOlder)
      causes.push(cause.notSupported(field, match, [exact, notOlder, '']));
    if (match === exact && version === '0') {
      causes.push(
        cause.forbidden(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'),
      );
    }
  }
  if (query.get('sendInitialEvents') !== null) {
    causes.push(cause.forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  }
  return causes;
}

function watchCauses(query: URLSearchParams, match: string): Cause[] {
  const field = 'resourceVersionMatch';
  const causes: Cause[] = [];
  const initial = query.get('sendInitialEvents') !== null;
  if (initial && match !== notOlder) {
    causes.push(
      cause.forbidden(field, `sendInitialEvents requires setting resourceVersionMatch to ${notOlder}`),
    );
  }
  if (match === '') return causes;
  if (!initial) {
    const why = 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided';
    causes.push(cause.forbidden(field, why));
  }
  if (match !== notOlder) causes.push(cause.notSupported(field, match, [notOlder]));
  if ((query.get('continue') ?? '') !== '') {
    causes.push(cause.forbidden(field, 'resourceVersionMatch is forbidden when continue is provided'));
  }
  return causes;
}

/** Checks the options of a list or watch. Throws 400 and 422. */
export function checkListOptions(query: URLSearchParams, watching: boolean): void {
  for (const name of ['limit', 'timeoutSeconds']) integerParameter(query, name);
  const match = query.get('resourceVersionMatch') ?? '';
  refuseOptions('ListOptions', watching ? watchCauses(query, match) : listCauses(query, match));
}
