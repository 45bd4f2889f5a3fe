import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { Problem } from '../../contract/problem.ts';
import { cutText } from '../../kube/text.ts';
import { TooManyTries } from '../access/throttle.ts';
import { describeError } from '../kit/describe-error.ts';
import { OwnLimit } from '../kit/own-limit.ts';
import { storeProblem } from '../store/problem.ts';

/** Messages for people in place of the framework's own. */
const sentences: Readonly<Record<string, string>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'The request is larger than this call accepts.',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'This call takes JSON: send it with content type application/json.',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The request says it is JSON but is empty.',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The request is not valid JSON.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The request was incomplete. Try again.',
  FST_ERR_BAD_URL: 'The address of this request cannot be read.',
};

/** When to try again where a refusal for too many calls names no time, s. */
const usualRetryAfter = 5;

/** The answer to any failure. Never carries the message of an error that was not written for people. */
export function toProblem(error: unknown, requestId: string): Problem {
  if (error instanceof Problem) return error;
  if (hasZodFastifySchemaValidationErrors(error)) return validationProblem(error);
  if (isFastifyError(error) && error.statusCode !== undefined && error.statusCode < 500) {
    return new Problem({
      status: error.statusCode,
      title: sentences[error.code] ?? 'The request cannot be read. Reload the page and try again.',
    });
  }
  const away = storeProblem(error);
  if (away !== null) return away;
  return new Problem(
    {
      status: 500,
      title: `Something went wrong on the server. Try again; if the problem persists, give request id ${requestId} to your administrator.`,
    },
    { cause: error },
  );
}

/** A failure that came about because the caller disconnected, as a problem that is no error of ours; else as it is. */
export function callerFailure(error: unknown, { aborted }: AbortSignal): unknown {
  return aborted && isAbort(error)
    ? new Problem(
        { status: 499, title: 'The caller disconnected before the answer.', retryable: true },
        { cause: error },
      )
    : error;
}

function isAbort(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause) if (one.name === 'AbortError') return true;
  return false;
}

/** Installs the error handler for routes, and the answers to framework errors before routing. */
export function installErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => answerProblem(error, request, reply));
}

/** Sends a failure as a problem body; logs the details that people are not shown. */
export async function answerProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const problem = toProblem(error, request.id);
  if (problem.status >= 500) {
    const level = problem.where.source === 'console' ? 'error' : 'warn';
    request.log[level](
      {
        problem: problem.title,
        status: problem.status,
        where: problem.where,
        err: describeError(problem.cause),
      },
      'A request failed',
    );
  }
  if (problem.status === 499) request.log.debug({ route: request.routeOptions.url }, 'A caller disconnected');
  // A redirect that could not be sent is answered as the failure that it is.
  reply.removeHeader('location');
  if (problem.status === 429)
    reply.header('retry-after', problem instanceof TooManyTries ? problem.retryAfter : usualRetryAfter);
  if (problem instanceof OwnLimit) reply.header('retry-after', problem.retryAfter);
  return await reply
    .status(problem.status)
    .type('application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .serializer(JSON.stringify)
    .send(problem.toBody(request.id));
}

/** Security headers of answers that bypass the hooks: they are data, so they must not be executed, framed or cached. */
export const bareHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

/** Answers what is not even HTTP, before there is a request; then the connection is over. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const isLarge = error.code === 'HPE_HEADER_OVERFLOW';
  answerBare(
    socket,
    new Problem({
      status: isLarge ? 431 : 400,
      title: isLarge
        ? 'The headers of this request are too large. Delete the cookies of this site and try again.'
        : 'This request is not valid HTTP.',
    }),
  );
}

/** Answers with a problem on a socket that no route serves, and ends our side of it. */
export function answerBare(socket: Writable, problem: Problem): void {
  const body = JSON.stringify(problem.toBody());
  const headers = {
    ...bareHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const status = `${problem.status} ${STATUS_CODES[problem.status] ?? ''}`;
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`);
}

/** More than this many faults of one request are not listed. */
const maxIssues = 20;
/** Paths and messages are cut here, characters: both may quote what the caller sent. */
const maxIssueLength = 300;

function validationProblem(error: Pick<FastifyError, 'validation' | 'validationContext'>): Problem {
  const issues = (error.validation ?? []).slice(0, maxIssues).map((issue) => ({
    path: cutText(issue.instancePath.replace(/^\//, '').replaceAll('/', '.'), maxIssueLength),
    message: cutText(issue.message ?? 'This value is not accepted.', maxIssueLength),
  }));
  const [first] = issues;
  return new Problem({
    status: 400,
    title: first === undefined ? 'The request is not valid.' : sentenceOf(first),
    issues,
  });
}

/** Our own messages are sentences and stand alone; the validator's name the field. */
function sentenceOf(issue: { path: string; message: string }): string {
  if (issue.message.endsWith('.')) return issue.message;
  return issue.path === ''
    ? `The request is not valid: ${issue.message}.`
    : `"${issue.path}" is not valid: ${issue.message}.`;
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && 'statusCode' in error;
}
