import type { Logger } from 'pino';
import { customKind, definitionKind } from '../../../commands/kinds/custom.ts';
import { type ApiService, isElsewhere } from '../../kube/custom.ts';
import type { KubeList } from '../../kube/object.ts';
import { builtInOf, isBuiltInGroup } from '../../registry/builtin.ts';
import type { AnyKind } from '../../registry/kind.ts';
import { kindOfResource } from '../../../commands/kinds/index.ts';
import { ClusterProblem, type Transport } from '../clusters/transport.ts';
import type { Clock } from '../kit/clock.ts';
import { type Entry, identity, type Projector } from './projector.ts';
import { createReflector } from './reflector.ts';
import type { Budget } from './weight.ts';

const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';
/** Definitions carry their schemas: a page of five hundred would be a hundred megabytes. */
const pageSize = 25;
/** Definitions come in bursts: what follows from them is done once (ms). */
const settleFor = 300;
/** When the cluster did not say which groups are its own, it is asked again (ms). */
const retryAfter = 5_000;

/** The custom kinds of a cluster, from its definitions. */
export interface DefinedKinds {
  readonly kinds: readonly AnyKind[];
  readonly isReading: boolean;
  restart(): void;
  dispose(): void;
}

interface DefinitionEntry extends Entry {
  readonly kind: AnyKind | undefined;
}

interface DefinedKindsOptions {
  readonly cluster: () => string;
  readonly transport: () => Promise<Transport>;
  /** After the kinds changed. */
  readonly onChange: () => void;
  readonly clock: Clock;
  /** What all lists, or all names of the index, may take together. */
  readonly budget: Budget;
  readonly log: Logger;
}

/**
 * Follows the definitions of a cluster. A definition counts only where the cluster itself answers for its group: what
 * another server answers for is no custom resource, whatever its name, and is for Owners.
 */
export function createDefinedKinds(options: DefinedKindsOptions): DefinedKinds {
  const { clock, budget, log } = options;
  let kinds: readonly AnyKind[] = [];
  let isSettled = false;
  let isDisposed = false;
  let cancel: (() => void) | undefined;

  const project: Projector = (object) => {
    const uid = identity(object);
    const name = object.metadata?.name;
    if (uid === undefined || typeof name !== 'string') return undefined;
    let made: AnyKind | undefined;
    try {
      made = customKind(object);
    } catch (error) {
      log.debug({ err: error, definition: name }, 'A definition could not be read');
    }
    const isOwn =
      made !== undefined &&
      name === `${made.plural}.${made.group}` &&
      !isBuiltInGroup(made.group) &&
      kindOfResource(made) === undefined &&
      builtInOf(made) === undefined;
    const entry: DefinitionEntry = {
      uid,
      name,
      namespace: '',
      version: '',
      labels: {},
      owners: [],
      refs: [],
      facts: {},
      attention: undefined,
      cells: [],
      kind: isOwn ? made : undefined,
    };
    return entry;
  };

  /** `group/version` that other servers answer for; undefined where the credential may not ask. Throws. */
  async function elsewhere(): Promise<ReadonlySet<string> | undefined> {
    const transport = await options.transport();
    try {
      const list = await transport.json<KubeList<ApiService> | null>({ path: apiServices });
      return new Set(
        (list?.items ?? [])
          .filter(isElsewhere)
          .map(({ spec }) => `${spec?.group ?? ''}/${spec?.version ?? ''}`),
      );
    } catch (error) {
      const status = error instanceof ClusterProblem ? error.upstream.status : undefined;
      if (status === 403) return undefined;
      throw error;
    }
  }

  async function settle(): Promise<void> {
    const foreign = await elsewhere();
    if (isDisposed) return;
    const known = [...reflector.entries.values()].flatMap((entry) => (entry as DefinitionEntry).kind ?? []);
    kinds =
      foreign === undefined ? [] : known.filter(({ group, version }) => !foreign.has(`${group}/${version}`));
    isSettled = true;
    options.onChange();
  }

  function soon(wait: number = settleFor): void {
    if (isDisposed) return;
    cancel ??= clock.after(wait, () => {
      cancel = undefined;
      settle().catch((error: unknown) => {
        log.debug({ err: error }, 'The API services of a cluster could not be read');
        soon(retryAfter);
      });
    });
  }

  const reflector = createReflector({
    path,
    subject: () => ({ cluster: options.cluster(), kind: definitionKind, namespace: undefined }),
    transport: async () => {
      const transport = await options.transport();
      return {
        clusterId: transport.clusterId,
        credential: transport.credential,
        json: (request) =>
          transport.json({
            ...request,
            query: {
              ...request.query,
              ...(request.query?.['limit'] === undefined ? {} : { limit: pageSize }),
            },
          }),
        stream: (request) => transport.stream(request),
        close: () => transport.close(),
      };
    },
    project,
    clock,
    budget,
    log,
    onChange: () => soon(),
    onState: () => {
      if (!isSettled && reflector.listed) soon();
    },
  });

  return {
    get kinds() {
      return kinds;
    },
    get isReading() {
      return !isSettled && (reflector.listed || reflector.state.status === 'loading');
    },
    restart: () => reflector.restart(),
    dispose() {
      isDisposed = true;
      cancel?.();
      reflector.dispose();
    },
  };
}
