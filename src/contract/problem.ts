import type { ProblemBody, Where } from './problem-schema.ts';

/** The one error of the console: what happened, whether a retry can help, and where. */
export class Problem extends Error {
  readonly status: number;
  readonly title: string;
  readonly detail: string | undefined;
  readonly retryable: boolean;
  readonly where: Where;
  readonly issues: readonly { path: string; message: string }[];
  readonly code: ProblemBody['code'];
  readonly proof: ProblemBody['proof'];
  readonly signInAt: ProblemBody['signInAt'];
  readonly lacking: ProblemBody['lacking'];
  readonly limit: ProblemBody['limit'];

  constructor(body: Omit<ProblemBody, 'requestId'>, options?: ErrorOptions) {
    super(body.title, options);
    this.name = 'Problem';
    this.status = body.status;
    this.title = body.title;
    this.detail = body.detail;
    this.retryable = body.retryable ?? (body.status >= 500 || body.status === 429);
    this.where = body.where ?? { source: 'console' };
    this.issues = body.issues ?? [];
    this.code = body.code;
    this.proof = body.proof;
    this.signInAt = body.signInAt;
    this.lacking = body.lacking;
    this.limit = body.limit;
  }

  /** The body of the HTTP response. */
  toBody(requestId?: string): ProblemBody {
    return {
      title: this.title,
      status: this.status,
      retryable: this.retryable,
      where: this.where,
      ...(this.detail === undefined ? {} : { detail: this.detail }),
      ...(this.issues.length === 0 ? {} : { issues: [...this.issues] }),
      ...(this.code === undefined ? {} : { code: this.code }),
      ...(this.proof === undefined ? {} : { proof: this.proof }),
      ...(this.signInAt === undefined ? {} : { signInAt: this.signInAt }),
      ...(this.lacking === undefined ? {} : { lacking: this.lacking }),
      ...(this.limit === undefined ? {} : { limit: this.limit }),
      ...(requestId === undefined ? {} : { requestId }),
    };
  }
}

/**
 * The sentence for a failed response (specification section 8): the body's title, else its message, else the body
 * itself, else the call's own sentence, else "An error occurred".
 */
export function problemTitle(body: unknown, otherwise = 'An error occurred'): string {
  if (typeof body === 'string' && body.trim() !== '') return body;
  if (typeof body === 'object' && body !== null) {
    for (const key of ['title', 'message'] as const) {
      const value: unknown = (body as Record<string, unknown>)[key];
      if (typeof value === 'string' && value.trim() !== '') return value;
    }
  }
  return otherwise;
}
