import { type Cause, cause } from '../kit/status.ts';
import { type Obj, type Rec, rec, str, strings } from '../kit/values.ts';
import { configKeyProblem } from './rules/env.ts';

const maxDataBytes = 1024 * 1024;
const decoded = (text: string) => Buffer.from(text, 'base64').toString('utf8');

function keys(field: string, data: Rec): Cause[] {
  return Object.keys(data).flatMap((key) => {
    const problem = configKeyProblem(key);
    return problem === undefined ? [] : [cause.invalid(`${field}[${key}]`, key, problem)];
  });
}

function configMap(object: Obj): Cause[] {
  const data = strings(object['data']);
  const binary = strings(object['binaryData']);
  const causes = keys('data', data);
  for (const key of Object.keys(data)) {
    if (!Object.hasOwn(binary, key)) continue;
    causes.push(cause.invalid(`data[${key}]`, key, 'duplicate of key present in binaryData'));
  }
  causes.push(...keys('binaryData', binary));
  const size =
    Object.values(data).reduce((sum, value) => sum + Buffer.byteLength(value), 0) +
    Object.values(binary).reduce((sum, value) => sum + Buffer.from(value, 'base64').length, 0);
  return size > maxDataBytes ? [...causes, cause.tooLong('', maxDataBytes)] : causes;
}

/** Keys that secrets of the well-known types must contain, all of them. */
const requiredKeys: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
};

/** Go's error for a text that is not a JSON object; undefined when it is one. */
function jsonProblem(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    const first = text.trim()[0];
    return first === undefined || first === '{'
      ? 'unexpected end of JSON input'
      : `invalid character '${first}' looking for beginning of value`;
  }
}

function secret(object: Obj): Cause[] {
  const data = strings(object['data']);
  const causes = keys('data', data);
  const size = Object.values(data).reduce((sum, value) => sum + Buffer.from(value, 'base64').length, 0);
  if (size > maxDataBytes) causes.push(cause.tooLong('data', maxDataBytes));
  const type = str(object['type']);
  for (const key of requiredKeys[type] ?? []) {
    const value = data[key];
    if (value === undefined || (type === 'kubernetes.io/ssh-auth' && value === '')) {
      causes.push(cause.required(`data[${key}]`));
    } else if (key.startsWith('.docker')) {
      const problem = jsonProblem(decoded(value));
      if (problem !== undefined)
        causes.push(cause.invalid(`data[${key}]`, '<secret contents redacted>', problem));
    }
  }
  if (
    type === 'kubernetes.io/basic-auth' &&
    data['username'] === undefined &&
    data['password'] === undefined
  ) {
    causes.push(cause.required('data[username]'), cause.required('data[password]'));
  }
  const account = 'kubernetes.io/service-account.name';
  if (
    type === 'kubernetes.io/service-account-token' &&
    str(rec(object.metadata.annotations)[account]) === ''
  ) {
    causes.push(cause.required(`metadata.annotations[${account}]`));
  }
  return causes;
}

const byStorage: Readonly<Record<string, (object: Obj) => Cause[]>> = {
  '/configmaps': configMap,
  '/secrets': secret,
};

/** The causes for which the data of a config map or a secret is refused. */
export function contentCauses(storage: string, object: Obj): Cause[] {
  return byStorage[storage]?.(object) ?? [];
}
