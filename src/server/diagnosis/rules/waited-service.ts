import type { Container } from '../../../kube/core.ts';
import { oneOf, namedObject, type World } from '../world.ts';
import type { NamedObject } from '../../../registry/kinds/refs.ts';

/** Characters of a script that are looked at. */
const scriptLimit = 4_000;

/** Programs and notations by which scripts wait for a host. */
const waits = [
  /\b(?:nslookup|getent hosts|getent ahosts|ping6?(?: -\S+(?: \d+)?)*|dig(?: \+\S+)*)\s+([\w.-]+)/g,
  /\b(?:nc|ncat|netcat)\b(?:\s+-\w+(?:\s+\d+\b)?)*\s+([\w.-]+)\s+\d+/g,
  /\b(?:pg_isready|mysqladmin|mysql|psql|redis-cli|mongosh?)\b[^;&|\n]*?\s(?:-h|--host)[ =]?([\w.-]+)/g,
  /\b(?:https?|tcp|redis|amqp|postgres(?:ql)?|mysql):\/\/(?:[^@/\s'"]*@)?([\w.-]+)/g,
  /\bwait-for(?:-it)?(?:\.sh)?\s+([\w.-]+):\d+/g,
  /([\w-]+\.[\w-]+\.svc)\b/g,
] as const;

/** The commands of a container as one text, with the variables that it gives itself. */
function scriptOf({ command = [], args = [], env = [] }: Container): string {
  const values = new Map(env.map(({ name = '', value = '' }) => [name, value]));
  return (
    [...command, ...args]
      .join(' ')
      .slice(0, scriptLimit)
      // Words that it prints are no commands.
      .replace(/\b(?:echo|printf)\b[^;&|\n]*/g, '')
      .replace(/\$(?:\((\w+)\)|\{(\w+)\}|(\w+))/g, (whole, ...names: (string | undefined)[]) => {
        const name = names.slice(0, 3).find((one) => one !== undefined) ?? '';
        return values.get(name) ?? whole;
      })
  );
}

/** The service that a host name means in a namespace; undefined for one outside of the cluster. */
function serviceNamed(host: string, namespace: string, world: World): NamedObject | undefined {
  const [name = '', place, third, ...rest] = host.replace(/\.$/, '').split('.');
  if (!/^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(name) || name === 'localhost') return undefined;
  if (place === undefined) return namedObject('Service', name, namespace);
  const isOfCluster = third === 'svc' && (rest.length === 0 || rest.join('.') === 'cluster.local');
  // `db.shop` may be a service of the namespace shop, or a host of the world.
  const isOfNamespace = third === undefined && oneOf(world, 'Namespace', place)?.metadata?.name === place;
  return isOfCluster || isOfNamespace ? namedObject('Service', name, place) : undefined;
}

/** The services that the script of a container waits for, as far as it says so. */
export function waitedServices(
  container: Container,
  namespace: string,
  world: World,
): readonly NamedObject[] {
  const script = scriptOf(container);
  const hosts = waits.flatMap((pattern) => [...script.matchAll(pattern)].map(([, host = '']) => host));
  return [...new Set(hosts)].flatMap((host) => serviceNamed(host, namespace, world) ?? []);
}
