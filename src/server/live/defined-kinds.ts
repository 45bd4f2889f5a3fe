import type { Logger } from 'pino';
import { definitionKind } from '../../../commands/kinds/custom.ts';
import { type ApiService, isElsewhere } from '../../kube/custom.ts';
import type { KubeList } from '../../kube/object.ts';
import type { AnyKind } from '../../registry/kind.ts';
import { ClusterProblem, type Transport } from '../clusters/transport.ts';
import type { Clock } from '../kit/clock.ts';
import { type DefinitionEntry, definitionEntry } from './definition-entry.ts';
import type { Projector } from './projector.ts';
import type { Pulse } from './pulse.ts';
import { createReflector, type Reflector } from './reflector.ts';
import type { Budget } from './weight.ts';

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const apiServicesPath = '/apis/apiregistration.k8s.io/v1/apiservices';
/** Definitions carry their schemas: a page of five hundred would be a hundred megabytes. */
const pageSize = 25;
/** Definitions come in bursts: the kinds are derived once for each burst, after this, ms. */
const settlePause = 300;
/** API services that could not be read are read again after this, ms. */
const retryPause = 5_000;

/** The custom kinds of a cluster, from its definitions. */
export interface DefinedKinds {
  readonly kinds: readonly AnyKind[];
  /** Whether the kinds are not known yet, but may be soon. */
  readonly isReading: boolean;
  /** Lists the definitions again with the current credential. */
  restart(): void;
  dispose(): void;
}

interface DefinedKindsOptions {
  /** Name of the cluster. */
  readonly cluster: () => string;
  readonly transport: () => Promise<Transport>;
  /** Called after the kinds changed. */
  readonly onChange: () => void;
  readonly clock: Clock;
  /** Whether the cluster answers; the index of names follows without it. */
  readonly pulse?: Pulse;
  /** The memory budget of all lists, or of all names of the index. */
  readonly budget: Budget;
  readonly log: Logger;
}

/** Starts to follow the definitions of a cluster. */
export const createDefinedKinds = (options: DefinedKindsOptions): DefinedKinds =>
  new DefinitionFollower(options);

/** A transport that lists definitions in small pages. */
const inSmallPages = (transport: Transport): Transport => ({
  clusterId: transport.clusterId,
  credential: transport.credential,
  json: (request) => {
    const limit = request.query?.['limit'] === undefined ? {} : { limit: pageSize };
    return transport.json({ ...request, query: { ...request.query, ...limit } });
  },
  stream: (request) => transport.stream(request),
  close: () => transport.close(),
});

/** `group/version` that other servers answer for; undefined where the credential may not read that. Throws. */
async function readForeignVersions(transport: Transport): Promise<ReadonlySet<string> | undefined> {
  try {
    const list = await transport.json<KubeList<ApiService> | null>({ path: apiServicesPath });
    const foreign = (list?.items ?? []).filter(isElsewhere);
    return new Set(foreign.map(({ spec }) => `${spec?.group ?? ''}/${spec?.version ?? ''}`));
  } catch (error) {
    if (error instanceof ClusterProblem && error.upstream.status === 403) return undefined;
    throw error;
  }
}

/**
 * Follows the definitions of a cluster. A definition counts only where the cluster itself answers for its group: what
 * another server answers for is no custom resource, whatever its name, and is for Owners.
 */
class DefinitionFollower implements DefinedKinds {
  readonly #options: DefinedKindsOptions;
  readonly #reflector: Reflector;
  #kinds: readonly AnyKind[] = [];
  /** Whether the kinds were derived once. */
  #isSettled = false;
  #isDisposed = false;
  #cancelSettle: (() => void) | undefined;

  constructor(options: DefinedKindsOptions) {
    const { cluster, transport, clock, pulse, budget, log } = options;
    const project: Projector = (definition) =>
      definitionEntry(definition, (error, name) =>
        log.debug({ err: error, definition: name }, 'A definition could not be read'),
      );
    this.#options = options;
    this.#reflector = createReflector({
      path: definitionsPath,
      subject: () => ({ cluster: cluster(), kind: definitionKind, namespace: undefined }),
      transport: async () => inSmallPages(await transport()),
      project,
      clock,
      pulse,
      budget,
      log,
      onChange: () => this.#settleSoon(),
      onState: () => {
        if (!this.#isSettled && this.#reflector.listed) this.#settleSoon();
      },
    });
  }

  get kinds(): readonly AnyKind[] {
    return this.#kinds;
  }

  get isReading(): boolean {
    const { listed, state } = this.#reflector;
    return !this.#isSettled && (listed || state.status === 'loading');
  }

  restart(): void {
    this.#reflector.restart();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#cancelSettle?.();
    this.#reflector.dispose();
  }

  #settleSoon(pause: number = settlePause): void {
    if (this.#isDisposed) return;
    const { clock, log } = this.#options;
    this.#cancelSettle ??= clock.after(pause, () => {
      this.#cancelSettle = undefined;
      this.#settle().catch((error: unknown) => {
        log.debug({ err: error }, 'The API services of a cluster could not be read');
        this.#settleSoon(retryPause);
      });
    });
  }

  /** Derives the kinds from the definitions. Throws when the API services could not be read. */
  async #settle(): Promise<void> {
    const foreign = await readForeignVersions(await this.#options.transport());
    if (this.#isDisposed) return;
    this.#kinds = foreign === undefined ? [] : this.#customKinds(foreign);
    this.#isSettled = true;
    this.#options.onChange();
  }

  /** @param foreign `group/version` that other servers answer for */
  #customKinds(foreign: ReadonlySet<string>): readonly AnyKind[] {
    return [...this.#reflector.entries.values()].flatMap((entry) => {
      const { kind } = entry as DefinitionEntry;
      return kind === undefined || foreign.has(`${kind.group}/${kind.version}`) ? [] : [kind];
    });
  }
}
