import type { Status } from '../../kube/object.ts';

/** The reason for which one field was refused. */
export interface Cause {
  readonly reason: string;
  readonly message: string;
  readonly field: string;
}

/** A Status object. */
export type StatusBody = Status & { metadata: { continue?: string } };

/** An error that the API answers with. `body`: the whole Status. */
export class StatusError extends Error {
  readonly body: StatusBody;

  constructor(
    code: number,
    reason: string | undefined,
    message: string,
    details?: Status['details'],
    metadata: StatusBody['metadata'] = {},
  ) {
    super(message);
    this.name = 'StatusError';
    this.body = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata,
      status: 'Failure',
      message,
      ...(reason === undefined ? {} : { reason }),
      ...(details === undefined ? {} : { details }),
      code,
    };
  }
}

/** A resource's name and API group, as errors name it. */
export interface ResourceName {
  readonly group: string;
  readonly plural: string;
}

const qualified = ({ group, plural }: ResourceName) => (group === '' ? plural : `${plural}.${group}`);
const details = ({ group, plural }: ResourceName, name: string): Status['details'] => ({
  ...(name === '' ? {} : { name }),
  ...(group === '' ? {} : { group }),
  kind: plural,
});

export function notFound(resource: ResourceName, name: string): StatusError {
  return new StatusError(
    404,
    'NotFound',
    `${qualified(resource)} "${name}" not found`,
    details(resource, name),
  );
}

/** The refusal of a create whose name is taken. `leaving`: by an object that is being deleted. */
export function alreadyExists(resource: ResourceName, name: string, leaving = false): StatusError {
  return new StatusError(
    409,
    'AlreadyExists',
    `${leaving ? 'object is being deleted: ' : ''}${qualified(resource)} "${name}" already exists`,
    details(resource, name),
  );
}

export function conflict(resource: ResourceName, name: string, why: string): StatusError {
  return new StatusError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${qualified(resource)} "${name}": ${why}`,
    details(resource, name),
  );
}

/** The message for an update with an outdated resourceVersion. */
export const staleVersion =
  'the object has been modified; please apply your changes to the latest version and try again';

export function badRequest(message: string): StatusError {
  return new StatusError(400, 'BadRequest', message);
}

export function forbidden(resource: ResourceName, name: string, why: string): StatusError {
  const target =
    name === '' ? `${qualified(resource)} is forbidden` : `${qualified(resource)} "${name}" is forbidden`;
  return new StatusError(403, 'Forbidden', `${target}: ${why}`, details(resource, name));
}

export function unauthorized(): StatusError {
  return new StatusError(401, 'Unauthorized', 'Unauthorized');
}

export function noSuchResource(): StatusError {
  return new StatusError(404, 'NotFound', 'the server could not find the requested resource', {});
}

export function methodNotAllowed(): StatusError {
  return new StatusError(
    405,
    'MethodNotAllowed',
    'the server does not allow this method on the requested resource',
    {},
  );
}

export function expired(message: string, continueToken?: string): StatusError {
  return new StatusError(
    410,
    'Expired',
    message,
    undefined,
    continueToken === undefined ? {} : { continue: continueToken },
  );
}

export function unsupportedMediaType(): StatusError {
  return new StatusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
}

/** The refusal of a body of an unsupported media type; lists the supported ones. */
export function unsupportedFormat(accepted: readonly string[]): StatusError {
  return new StatusError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  );
}

/** The refusal of a patch that cannot be applied to the object. */
export function unprocessable(): StatusError {
  return new StatusError(
    422,
    'Invalid',
    'the server rejected our request due to an error in our request',
    {},
  );
}

export function notAcceptable(available: string): StatusError {
  return new StatusError(
    406,
    'NotAcceptable',
    `406: Not Acceptable\n\nAvailable representations: ${available}`,
    {},
  );
}

/** The refusal of an invalid object (422): one message over all causes. */
export function invalid(group: string, kind: string, name: string, causes: readonly Cause[]): StatusError {
  const sentences = [...new Set(causes.map((cause) => `${cause.field}: ${cause.message}`))];
  const sentence = sentences.length === 1 ? sentences[0] : `[${sentences.join(', ')}]`;
  return new StatusError(
    422,
    'Invalid',
    `${group === '' ? kind : `${kind}.${group}`} "${name}" is invalid: ${sentence}`,
    {
      ...(name === '' ? {} : { name }),
      ...(group === '' ? {} : { group }),
      ...(kind === '' ? {} : { kind }),
      causes: [...causes],
    },
  );
}

/** A refused value as Kubernetes prints it. */
function printed(value: unknown): string {
  return value === undefined ? 'null' : JSON.stringify(value);
}

/** The causes of field validation, in Kubernetes' words (apimachinery field.Error). */
export const cause = {
  invalid: (field: string, value: unknown, why: string): Cause => ({
    reason: 'FieldValueInvalid',
    message: `Invalid value: ${printed(value)}${why === '' ? '' : `: ${why}`}`,
    field,
  }),
  required: (field: string, why = ''): Cause => ({
    reason: 'FieldValueRequired',
    message: why === '' ? 'Required value' : `Required value: ${why}`,
    field,
  }),
  forbidden: (field: string, why: string): Cause => ({
    reason: 'FieldValueForbidden',
    message: `Forbidden: ${why}`,
    field,
  }),
  duplicate: (field: string, value: unknown): Cause => ({
    reason: 'FieldValueDuplicate',
    message: `Duplicate value: ${printed(value)}`,
    field,
  }),
  notFound: (field: string, value: unknown, why = ''): Cause => ({
    reason: 'FieldValueNotFound',
    message: `Not found: ${printed(value)}${why === '' ? '' : `: ${why}`}`,
    field,
  }),
  /** A cause without the value (rules of a definition). */
  refused: (field: string, why: string): Cause => ({
    reason: 'FieldValueInvalid',
    message: `Invalid value: ${why}`,
    field,
  }),
  wrongType: (field: string, value: unknown, why: string): Cause => ({
    reason: 'FieldValueTypeInvalid',
    message: `Invalid value: ${printed(value)}: ${why}`,
    field,
  }),
  tooLong: (field: string, max: number): Cause => ({
    reason: 'FieldValueTooLong',
    message: `Too long: may not be more than ${max} bytes`,
    field,
  }),
  tooMany: (field: string, count: number, max: number): Cause => ({
    reason: 'FieldValueTooMany',
    message: `Too many: ${count}: must have at most ${max} item${max === 1 ? '' : 's'}`,
    field,
  }),
  notSupported: (field: string, value: unknown, supported: readonly string[]): Cause => ({
    reason: 'FieldValueNotSupported',
    message: `Unsupported value: ${printed(value)}: supported values: ${supported
      .map((item) => JSON.stringify(item))
      .join(', ')}`,
    field,
  }),
};

/** Whether an error is a Status of this code. */
export function isCode(error: unknown, code: number): boolean {
  return error instanceof StatusError && error.body.code === code;
}
