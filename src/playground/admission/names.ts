import { type Cause, cause } from '../status.ts';

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomainPattern = `${label}(\\.${label})*`;
const subdomain = new RegExp(`^${subdomainPattern}$`);
const dnsLabel = new RegExp(`^${label}$`);
const dns1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const qualifiedName = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;

const subdomainMessage = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${subdomainPattern}')`;
const labelMessage = `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${label}')`;
const dns1035Message =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

/** Why a name is not a DNS subdomain, undefined when it is one. */
export function subdomainProblem(name: string): string | undefined {
  if (name.length > 253) return 'must be no more than 253 characters';
  return subdomain.test(name) ? undefined : subdomainMessage;
}

/** Why a name is not a DNS label, undefined when it is one. */
export function labelProblem(name: string): string | undefined {
  if (name.length > 63) return 'must be no more than 63 characters';
  return dnsLabel.test(name) ? undefined : labelMessage;
}

function pathProblem(name: string): string | undefined {
  if (name === '.' || name === '..') return `may not be '${name}'`;
  if (name.includes('/')) return "may not contain '/'";
  return name.includes('%') ? "may not contain '%'" : undefined;
}

const labelled = new Set(['namespaces']);
const byPath = new Set(['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings']);

/** The causes for which the API server refuses a name, by resource. */
export function nameCauses(plural: string, name: string): Cause[] {
  let problem: string | undefined;
  if (plural === 'services') {
    if (name.length > 63) problem = 'must be no more than 63 characters';
    else problem = dns1035.test(name) ? undefined : dns1035Message;
  } else if (labelled.has(plural)) problem = labelProblem(name);
  else if (byPath.has(plural)) problem = pathProblem(name);
  else problem = subdomainProblem(name);
  return problem === undefined ? [] : [cause.invalid('metadata.name', name, problem)];
}

const keyMessage =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const valueMessage =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

function keyProblem(key: string): string | undefined {
  const slash = key.indexOf('/');
  const name = slash < 0 ? key : key.slice(slash + 1);
  if (slash >= 0) {
    const prefix = key.slice(0, slash);
    if (prefix === '') return 'prefix part must be non-empty';
    const problem = subdomainProblem(prefix);
    if (problem !== undefined) return `prefix part ${problem}`;
  }
  if (name === '') return 'name part must be non-empty';
  if (name.length > 63) return 'name part must be no more than 63 characters';
  return qualifiedName.test(name) ? undefined : keyMessage;
}

/** The causes for which labels are refused. */
export function labelCauses(field: string, labels: Readonly<Record<string, string>>): Cause[] {
  return Object.entries(labels).flatMap(([key, value]) => {
    const causes: Cause[] = [];
    const problem = keyProblem(key);
    if (problem !== undefined) causes.push(cause.invalid(field, key, problem));
    if (value.length > 63) causes.push(cause.invalid(field, value, 'must be no more than 63 bytes'));
    else if (value !== '' && !qualifiedName.test(value)) {
      causes.push(cause.invalid(field, value, valueMessage));
    }
    return causes;
  });
}

/** The causes for which annotation keys are refused. */
export function annotationCauses(field: string, annotations: Readonly<Record<string, string>>): Cause[] {
  return Object.keys(annotations).flatMap((key) => {
    const problem = keyProblem(key.toLowerCase());
    return problem === undefined ? [] : [cause.invalid(field, key, problem)];
  });
}
