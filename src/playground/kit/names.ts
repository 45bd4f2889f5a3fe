import { type Cause, cause } from './status.ts';

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomainPattern = `${label}(\\.${label})*`;
const subdomain = new RegExp(`^${subdomainPattern}$`);
const dnsLabel = new RegExp(`^${label}$`);
const dns1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const qualifiedName = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;

const tooLongMessage = (limit: number) => `must be no more than ${limit} bytes`;

const subdomainMessage = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${subdomainPattern}')`;
const labelMessage = `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${label}')`;
const dns1035Message =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

/** The error for a name that is no DNS subdomain; undefined when it is one. */
export function subdomainProblem(name: string): string | undefined {
  if (name.length > 253) return tooLongMessage(253);
  return subdomain.test(name) ? undefined : subdomainMessage;
}

const underscored = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const underscoredPattern = `${underscored}(\\.${underscored})*`;
const underscoredDomain = new RegExp(`^${underscoredPattern}$`);

/** The error for a name that is no DNS search domain (a subdomain with underscores); undefined when it is one. */
export function searchDomainProblem(name: string): string | undefined {
  if (name.length > 253) return tooLongMessage(253);
  return underscoredDomain.test(name)
    ? undefined
    : `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${underscoredPattern}')`;
}

/** The error for a name that is no DNS label; undefined when it is one. */
export function labelProblem(name: string): string | undefined {
  if (name.length > 63) return tooLongMessage(63);
  if (dnsLabel.test(name)) return undefined;
  return subdomain.test(name) ? 'must not contain dots' : labelMessage;
}

/** The error for a name that is no DNS label beginning with a letter; undefined when it is one. */
export function dns1035Problem(name: string): string | undefined {
  if (name.length > 63) return tooLongMessage(63);
  return dns1035.test(name) ? undefined : dns1035Message;
}

/** The error for a name that cannot be a segment of a URL path; undefined when it can. */
export function pathProblem(name: string): string | undefined {
  if (name === '.' || name === '..') return `may not be '${name}'`;
  if (name.includes('/')) return "may not contain '/'";
  return name.includes('%') ? "may not contain '%'" : undefined;
}

const qualifiedMessage =
  "a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
const keyMessage =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const valueMessage =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

/** The error for a text that is no qualified name (the key of a label); undefined when it is one. */
export function keyProblem(key: string): string | undefined {
  const slash = key.indexOf('/');
  const name = slash < 0 ? key : key.slice(slash + 1);
  if (name.includes('/')) return qualifiedMessage;
  if (slash >= 0) {
    const prefix = key.slice(0, slash);
    if (prefix === '') return 'prefix part must be non-empty';
    const problem = subdomainProblem(prefix);
    if (problem !== undefined) return `prefix part ${problem}`;
  }
  if (name === '') return 'name part must be non-empty';
  if (name.length > 63) return `name part ${tooLongMessage(63)}`;
  return qualifiedName.test(name) ? undefined : keyMessage;
}

/** All errors of a qualified name, for messages that list all. */
export function keyProblems(key: string): string[] {
  const name = key.slice(key.indexOf('/') + 1);
  const first = keyProblem(key);
  if (first === undefined) return [];
  const also = first.startsWith('name part') && first !== keyMessage && !qualifiedName.test(name);
  return also ? [first, keyMessage] : [first];
}

/** The error for a text that is no value of a label; undefined when it is one. */
export function valueProblem(value: string): string | undefined {
  if (value.length > 63) return tooLongMessage(63);
  return value === '' || qualifiedName.test(value) ? undefined : valueMessage;
}

/** The causes for which labels are refused. */
export function labelCauses(field: string, labels: Readonly<Record<string, string>>): Cause[] {
  return Object.entries(labels).flatMap(([key, value]) => {
    const causes: Cause[] = keyProblems(key).map((problem) => cause.invalid(field, key, problem));
    const refused = valueProblem(value);
    if (refused !== undefined) causes.push(cause.invalid(field, value, refused));
    return causes;
  });
}

/** The causes for which annotation keys are refused. */
export function annotationCauses(field: string, annotations: Readonly<Record<string, string>>): Cause[] {
  return Object.keys(annotations).flatMap((key) =>
    keyProblems(key.toLowerCase()).map((problem) => cause.invalid(field, key, problem)),
  );
}
