import { isStatus, retryAfterOf, type Status } from '../../kube/object.ts';
import { plainMessage } from '../../kube/escape-sequences.ts';
import { cleanText, cutText } from '../../kube/text.ts';
import { ClusterProblem, type KubeRequest } from './transport.ts';
import { withoutObject } from './quoted-object.ts';

const maxMessageLength = 2_000;

/** Code of an error, its causes' or its parts' (a connection tried over several addresses), first found. */
export function errorCode(error: unknown, depth = 0): string | undefined {
  if (!(error instanceof Error) || depth > 5) return undefined;
  const code: unknown = 'code' in error ? error.code : undefined;
  if (error instanceof AggregateError) {
    for (const part of error.errors) {
      const found = errorCode(part, depth + 1);
      if (found !== undefined) return found;
    }
  }
  return typeof code === 'string' ? code : errorCode(error.cause, depth + 1);
}

const tlsSentences: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'presents a certificate that has expired. Renew it on the cluster.',
  CERT_NOT_YET_VALID: 'presents a certificate that is not valid yet. Check the clocks.',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'presents a certificate for another host name. Use an address that it names, or set tls-server-name in the kubeconfig.',
};

const untrusted = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'INVALID_CA',
]);

/**
 * The problem for a request that got no answer. Says neither host nor address: not everybody may see them.
 * @param name the cluster's, as people know it
 * @param timeoutMs how long its answer was waited for
 */
export function networkProblem(error: unknown, name: string, timeoutMs: number): ClusterProblem {
  const code = errorCode(error) ?? '';
  const [sentence, retryable] = networkSentence(code, timeoutMs);
  return new ClusterProblem(
    { status: 502, title: `${name} ${sentence}`, retryable, where: { cluster: name } },
    {},
    { cause: error },
  );
}

function networkSentence(code: string, timeoutMs: number): [sentence: string, retryable: boolean] {
  const tls = tlsSentences[code];
  if (tls !== undefined) return [tls, false];
  if (untrusted.has(code)) {
    return [
      'presents a certificate that its kubeconfig does not vouch for. Check certificate-authority-data: the cluster may have been rebuilt, or somebody else answers.',
      false,
    ];
  }
  if (/_ALERT_|CERTIFICATE_REQUIRED/.test(code)) {
    return [
      "refused the console's TLS connection, most likely its client certificate. Replace its kubeconfig.",
      false,
    ];
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) {
    return ['does not speak TLS at the address in its kubeconfig. Check the port.', false];
  }
  switch (code) {
    case 'ADDRESS_REFUSED':
      return [
        'is at an address that the console does not connect to (loopback, link-local or reserved). The operator can list it in WHEELHOUSE_ALLOW_CIDRS, or start with npm start -- --kubeconfig FILE.',
        false,
      ];
    case 'ENOTFOUND':
      return ['cannot be found: the DNS knows no address for the host name in its kubeconfig.', true];
    case 'EAI_AGAIN':
      return ['cannot be resolved: the DNS server of the console does not answer.', true];
    case 'ECONNREFUSED':
      return [
        'refused the connection. Is its API server running, and is the address in its kubeconfig right?',
        true,
      ];
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return ['cannot be reached: there is no network route from the console to it.', true];
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return [
        'cannot be reached: connecting to it took too long. Check network and firewalls between console and cluster.',
        true,
      ];
    case 'UND_ERR_HEADERS_TIMEOUT':
      return [`did not answer within ${Math.max(1, Math.round(timeoutMs / 1000))} s.`, true];
    case 'UND_ERR_BODY_TIMEOUT':
      return ['stopped in the middle of its answer.', true];
    case 'ANSWER_TOO_LARGE':
    case 'LINE_TOO_LONG':
      return ['sent more than the console accepts in one answer.', false];
    case 'ANSWER_ENCODED':
      return [
        'compressed its answer with something other than gzip, which is all that the console asks for and decodes. Check the proxy in front of its API server.',
        false,
      ];
    case 'ANSWER_UNREADABLE':
      return [
        'answered with something that is not Kubernetes JSON. Check the server address in its kubeconfig.',
        false,
      ];
    default:
      return ['ended the connection before its answer was complete.', true];
  }
}

/** An HTTP answer that is no success, as far as it was read. */
export interface Refusal {
  readonly status: number;
  /** The parsed body, when it is JSON. */
  readonly body: unknown;
  /** The retry-after header, when it is a number of seconds. */
  readonly retryAfter: number | undefined;
}

/**
 * The problem for an answer outside 200 to 299. Only the message of a Kubernetes Status is passed on;
 * any other body is not, or the console would read out what other servers say.
 * @param redact takes the credential out of a text
 */
export function answerProblem(
  refusal: Refusal,
  name: string,
  request: KubeRequest,
  redact: (text: string) => string,
): ClusterProblem {
  const body = isStatus(refusal.body) ? unquoted(refusal.body) : undefined;
  const message = clean(body?.message, redact);
  const where = whereOf(name, body);
  const upstream = {
    status: refusal.status,
    reason: clean(body?.reason, redact) || undefined,
    retryAfter: retryAfterOf(body) ?? refusal.retryAfter,
    body: body === undefined ? undefined : { ...body, message },
  };
  const problem = (status: number, title: string, retryable?: boolean) =>
    new ClusterProblem(
      {
        status,
        title,
        where,
        ...(message === '' || message === title ? {} : { detail: message }),
        ...(retryable === undefined ? {} : { retryable }),
      },
      upstream,
    );

  const { status } = refusal;
  if (status === 401) {
    return problem(502, `${name} rejected the console's credential (401). Replace its kubeconfig.`, false);
  }
  if (status === 403 && isAnonymous(message)) {
    return problem(
      502,
      `${name} does not recognise the console's credential and treats it as anonymous. Replace its kubeconfig.`,
      false,
    );
  }
  if (status === 403) return problem(403, forbiddenSentence(name, message, request), false);
  if (status >= 300 && status < 400) {
    return problem(
      502,
      `${name} answered with a redirect (${status}), which the console does not follow. Check the server address in its kubeconfig.`,
      false,
    );
  }
  if (message !== '') return problem(status >= 400 && status < 500 ? status : 502, message);
  if (status === 404) return problem(404, `${name} has no such object or API (404).`, false);
  if (status === 429) return problem(429, `${name} is throttling requests (429). Try again in a moment.`);
  return problem(
    status >= 400 && status < 500 ? status : 502,
    `${name} answered ${status} without a reason.`,
  );
}

/** A refusal without the object it quotes: its causes quote the same. */
function unquoted(body: Status): Status {
  // Who answers may be no Kubernetes: its message may be anything.
  const said: unknown = body.message;
  const message = typeof said === 'string' ? withoutObject(said) : undefined;
  return message === undefined ? body : { ...body, message, details: { ...body.details, causes: [] } };
}

/** A client certificate of another authority is not rejected but ignored: the request goes on as anonymous. */
function isAnonymous(message: string): boolean {
  return message.includes('User "system:anonymous"');
}

/** Whether a problem says that the cluster does not accept the credential at all. */
export function isCredentialRejected(problem: unknown): boolean {
  if (!(problem instanceof ClusterProblem)) return false;
  const { status } = problem.upstream;
  return status === 401 || (status === 403 && problem.status === 502);
}

function clean(text: unknown, redact: (text: string) => string): string {
  if (typeof text !== 'string') return '';
  return cutText(redact(plainMessage(cleanText(text))).trim(), maxMessageLength);
}

/** "User "x" cannot list resource "pods" in API group "" in the namespace "shop"" is Kubernetes' fixed wording. */
function forbiddenSentence(name: string, message: string, request: KubeRequest): string {
  const denied =
    /cannot (?<verb>\w+) (?:resource|path) "(?<what>[^"]+)"(?: in API group "(?<group>[^"]*)")?(?: in the namespace "(?<namespace>[^"]+)")?/.exec(
      message,
    )?.groups;
  if (denied === undefined) {
    // Quotas, admission and terminating namespaces answer 403 too: those are the cluster's own words.
    if (message !== '') return `${name} refused: ${message}`;
    return `The console's credential may not ${(request.method ?? 'GET').toLowerCase()} ${request.path} in ${name}.`;
  }
  const group = denied['group'] ? `.${denied['group']}` : '';
  const place = denied['namespace'] === undefined ? name : `namespace ${denied['namespace']} of ${name}`;
  return `The console's credential may not ${denied['verb']} ${denied['what']}${group} in ${place}.`;
}

function whereOf(name: string, body: Status | undefined) {
  const { kind, name: object } = body?.details ?? {};
  return {
    cluster: name,
    ...(typeof kind === 'string' && kind !== '' ? { kind: cleanText(kind).slice(0, 253) } : {}),
    ...(typeof object === 'string' && object !== '' ? { name: cleanText(object).slice(0, 253) } : {}),
  };
}
