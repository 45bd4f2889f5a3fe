import { BlockList, isIP } from 'node:net';
import { type Cause, cause } from '../../kit/status.ts';
import { at, isRec, type Rec, recs, str } from '../../kit/values.ts';
import { dns1035Problem, pathProblem, subdomainProblem } from '../../kit/names.ts';
import {
  emptyScope,
  type Check,
  empty,
  inside,
  label,
  oneOf,
  port,
  portName,
  portNumber,
  rangeProblem,
  required,
  requiredText,
  type RuleSet,
  subdomain,
  text,
  usualAddress,
} from './rule.ts';

const networking = 'io.k8s.api.networking.v1.';

/** A required kind or name that is valid as a segment of a URL path. */
const pathName = requiredText(pathProblem);

/** A required reference to an object by group, kind and name. */
const typedReference = (reference: Rec, path: string): Cause[] => [
  ...(reference['apiGroup'] === undefined
    ? []
    : text(subdomainProblem)(reference['apiGroup'], `${path}.apiGroup`, reference, emptyScope)),
  ...pathName(reference['kind'], `${path}.kind`, reference, emptyScope),
  ...pathName(reference['name'], `${path}.name`, reference, emptyScope),
];

/** `parameters` of an ingress class: a valid scope, and a namespace exactly when the scope has one. */
const parameters: Check = (value, path) => {
  if (!isRec(value)) return [];
  const causes = typedReference(value, path);
  const { scope, namespace } = value;
  if (scope !== 'Cluster' && scope !== 'Namespace')
    causes.push(cause.notSupported(`${path}.scope`, scope, ['Cluster', 'Namespace']));
  else if (scope === 'Cluster' && namespace !== undefined)
    causes.push(cause.forbidden(`${path}.namespace`, "`parameters.scope` is set to 'Cluster'"));
  else if (scope === 'Namespace' && namespace === undefined)
    causes.push(cause.required(`${path}.namespace`, "`parameters.scope` is set to 'Namespace'"));
  else if (scope === 'Namespace') causes.push(...label(namespace, `${path}.namespace`, value, emptyScope));
  return causes;
};

/** A backend of an ingress: either a service or a resource. */
const backend: Check = (value, path) => {
  if (!isRec(value)) return [];
  const { service, resource } = value;
  if (service !== undefined && resource !== undefined) {
    return [cause.invalid(path, '', 'cannot set both resource and service backends')];
  }
  if (isRec(resource)) return typedReference(resource, `${path}.resource`);
  if (!isRec(service)) return [cause.invalid(path, '', 'resource or service backend is required')];
  const causes: Cause[] = [];
  const name = str(service['name']);
  const problem = name === '' ? undefined : dns1035Problem(name);
  if (name === '') causes.push(cause.required(`${path}.service.name`));
  else if (problem !== undefined) causes.push(cause.invalid(`${path}.service.name`, name, problem));
  const given = isRec(service['port']) ? service['port'] : {};
  const [byName, byNumber] = [given['name'], given['number']];
  if (!empty(byName) && !empty(byNumber)) {
    causes.push(cause.invalid(path, '', 'cannot set both port name & port number'));
  } else if (!empty(byName)) causes.push(...portName(byName, `${path}.service.port.name`, given, emptyScope));
  else if (!empty(byNumber))
    causes.push(...portNumber(byNumber, `${path}.service.port.number`, given, emptyScope));
  else causes.push(cause.required(path, 'port name or number is required'));
  return causes;
};

const wildcard =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

function hostName(name: string, path: string): Cause[] {
  if (name.includes('*')) {
    const fits = name.startsWith('*.') && subdomainProblem(name.slice(2)) === undefined;
    return fits ? [] : [cause.invalid(path, name, wildcard)];
  }
  const problem = subdomainProblem(name);
  return problem === undefined ? [] : [cause.invalid(path, name, problem)];
}

const host: Check = (value, path) => {
  const name = str(value);
  if (name === '') return [];
  const address =
    isIP(name) === 0 ? [] : [cause.invalid(path, name, 'must be a DNS name, not an IP address')];
  return [...address, ...hostName(name, path)];
};

const classNote = 'kubernetes.io/ingress.class';

const types = ['Exact', 'ImplementationSpecific', 'Prefix'];

const ingressPath: Check = (value, path, owner) => {
  const given = str(value);
  const type = owner['pathType'];
  const refuse = (why: string) => cause.invalid(path, given, why);
  const absolute = given.startsWith('/') ? [] : [refuse('must be an absolute path')];
  if (type !== 'Exact' && type !== 'Prefix') {
    return type === 'ImplementationSpecific' && given !== '' ? absolute : [];
  }
  const bad = ['//', '/./', '/../', '%2f', '%2F'].filter((part) => given.includes(part));
  const ends = ['/..', '/.'].filter((part) => given.endsWith(part));
  return [
    ...absolute,
    ...bad.map((part) => refuse(`must not contain '${part}'`)),
    ...ends.map((part) => refuse(`cannot end with '${part}'`)),
  ];
};

const peer: Check = (value, path) => {
  if (!isRec(value)) return [];
  const others = [value['podSelector'], value['namespaceSelector']].filter((one) => one !== undefined);
  if (value['ipBlock'] !== undefined && others.length > 0) {
    return [cause.forbidden(path, 'may not specify both ipBlock and another peer')];
  }
  return value['ipBlock'] === undefined && others.length === 0
    ? [cause.required(path, 'must specify a peer')]
    : [];
};

/** Whether a CIDR range lies within another one and is smaller. */
function within(inner: string, outer: string): boolean {
  const [start = '', bits = ''] = inner.split('/');
  const [base = '', width = ''] = outer.split('/');
  const family = isIP(start) === 4 ? 'ipv4' : 'ipv6';
  if (isIP(base) !== isIP(start) || Number(bits) <= Number(width)) return false;
  const around = new BlockList();
  around.addSubnet(base, Number(width), family);
  return around.check(start, family);
}

const except: Check = (value, path, owner) => {
  const cidr = str(owner['cidr']);
  if (rangeProblem(cidr) !== undefined) return [];
  return (Array.isArray(value) ? value : []).flatMap((one: unknown, index) => {
    const range = str(one);
    const inner = `${path}[${index}]`;
    const problem = rangeProblem(range);
    if (problem !== undefined) return [cause.invalid(inner, range, problem)];
    return within(range, cidr) ? [] : [cause.invalid(inner, range, 'must be a strict subset of `cidr`')];
  });
};

const policyTypes: Check = (value, path) => {
  const given: unknown[] = Array.isArray(value) ? value : [];
  if (given.length > 2) return [cause.invalid(path, given, 'may not specify more than two policyTypes')];
  return given.flatMap((type, index) =>
    type === 'Ingress' || type === 'Egress'
      ? []
      : [cause.notSupported(`${path}[${index}]`, type, ['Ingress', 'Egress'])],
  );
};

/** A path with a domain prefix, such as "acme.io/controller". */
const domainPath: Check = (value, path) => {
  const name = str(value);
  if (name === '') return [cause.required(path)];
  const [domain = '', ...rest] = name.split('/');
  if (rest.length === 0 || rest.join('/') === '') {
    return [cause.invalid(path, name, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  const problem = subdomainProblem(domain);
  return problem === undefined ? [] : [cause.invalid(path, domain, problem)];
};

/**
 * The error for a text that is no fully qualified domain name; undefined when it is one. A trailing dot is
 * allowed.
 */
function fullNameProblem(value: string): string | undefined {
  const name = value.replace(/\.$/, '');
  return (
    subdomainProblem(name) ??
    (name.includes('.') ? undefined : 'should be a domain with at least two segments separated by dots')
  );
}

const addressOf: Readonly<Record<string, (value: string) => string | undefined>> = {
  IPv4: (value) => (isIP(value) === 4 ? undefined : 'must be a valid IPv4 address'),
  IPv6: (value) => (isIP(value) === 6 ? undefined : 'must be a valid IPv6 address'),
  FQDN: fullNameProblem,
};

function endpoint(one: Rec, path: string, type: string): Cause[] {
  const addresses = (Array.isArray(one['addresses']) ? one['addresses'] : []) as string[];
  const causes: Cause[] = [];
  if (addresses.length === 0)
    causes.push(cause.required(`${path}.addresses`, 'must contain at least 1 address'));
  if (addresses.length > 100) causes.push(cause.tooMany(`${path}.addresses`, addresses.length, 100));
  for (const [index, value] of addresses.entries()) {
    const inner = `${path}.addresses[${index}]`;
    const problem = addressOf[type]?.(value);
    if (problem !== undefined) causes.push(cause.invalid(inner, value, problem));
    if (type !== 'FQDN') causes.push(...usualAddress(value, inner, one, emptyScope));
  }
  return [
    ...causes,
    ...subdomain(one['nodeName'], `${path}.nodeName`, one, emptyScope),
    ...label(one['hostname'], `${path}.hostname`, one, emptyScope),
  ];
}

/** Rules of ingresses, network policies and endpoint slices. */
export const networkRules: RuleSet = {
  [`${networking}IngressSpec`]: {
    '*': (value, path) =>
      isRec(value) && value['defaultBackend'] === undefined && recs(value['rules']).length === 0
        ? [
            cause.invalid(
              path,
              value['rules'] ?? null,
              'either `defaultBackend` or `rules` must be specified',
            ),
          ]
        : [],
    defaultBackend: backend,
    rules: inside,
    tls: inside,
    ingressClassName: subdomain,
    '*class': (value, _path, _owner, { root, before }) => {
      const noted = root.metadata.annotations?.[classNote];
      const given = at(value, 'ingressClassName');
      if (before !== undefined || noted === undefined || given === undefined || noted === given) return [];
      const why = 'must match `ingressClassName` when both are specified';
      return [cause.invalid(`annotations.${classNote}`, noted, why)];
    },
  },
  [`${networking}IngressTLS`]: {
    hosts: (value, path) =>
      (Array.isArray(value) ? value : []).flatMap((one: unknown, index) => [
        ...hostName(str(one), `${path}[${index}]`),
      ]),
    secretName: subdomain,
  },
  [`${networking}IngressRule`]: { host, http: inside },
  [`${networking}HTTPIngressRuleValue`]: { paths: required() },
  [`${networking}HTTPIngressPath`]: {
    pathType: (value, path) => {
      if (value === undefined) return [cause.required(path, 'pathType must be specified')];
      return types.includes(str(value)) ? [] : [cause.notSupported(path, value, types)];
    },
    path: ingressPath,
    backend: (value, path, owner, scope) =>
      owner['pathType'] === undefined ? [] : backend(value, path, owner, scope),
  },
  [`${networking}IngressClassSpec`]: { controller: domainPath, parameters },
  [`${networking}IngressClassParametersReference`]: { scope: inside },
  [`${networking}NetworkPolicySpec`]: {
    podSelector: inside,
    ingress: inside,
    egress: inside,
    policyTypes,
  },
  [`${networking}NetworkPolicyIngressRule`]: { ports: inside, from: inside },
  [`${networking}NetworkPolicyEgressRule`]: { ports: inside, to: inside },
  [`${networking}NetworkPolicyPeer`]: {
    podSelector: inside,
    namespaceSelector: inside,
    ipBlock: inside,
    '*': peer,
  },
  [`${networking}NetworkPolicyPort`]: {
    protocol: oneOf(['TCP', 'UDP', 'SCTP']),
    port: (value, path, owner, scope) => {
      if (value !== undefined) return port(value, path, owner, scope);
      return owner['endPort'] === undefined
        ? []
        : [
            cause.invalid(
              path.replace(/port$/, 'endPort'),
              owner['endPort'],
              'may not be specified when `port` is not specified',
            ),
          ];
    },
    endPort: (value, path, owner, scope) => {
      const from = owner['port'];
      if (value === undefined || from === undefined) return [];
      if (typeof from === 'string') {
        return [cause.invalid(path, value, 'may not be specified when `port` is non-numeric')];
      }
      const less = cause.invalid(path, value, 'must be greater than or equal to `port`');
      return [...(Number(value) < Number(from) ? [less] : []), ...portNumber(value, path, owner, scope)];
    },
  },
  [`${networking}IPBlock`]: { cidr: requiredText(rangeProblem), except },
  'io.k8s.api.discovery.v1.EndpointSlice': {
    addressType: oneOf(['FQDN', 'IPv4', 'IPv6'], true),
    endpoints: (value, path, owner) =>
      recs(value).flatMap((one, index) => endpoint(one, `${path}[${index}]`, str(owner['addressType']))),
    ports: inside,
  },
  'io.k8s.api.discovery.v1.EndpointPort': { name: portName, protocol: oneOf(['SCTP', 'TCP', 'UDP'], true) },
};
